package swf_test

import (
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"schedgap/datasets/event"
	"schedgap/datasets/formats/swf"
	"schedgap/datasets/table"
	"schedgap/models/fail"
)

// A job becomes as many tasks as it had processors, or asked for, from the end of its wait on; −1 is what is not known, and parts of
// a job with checkpoints are passed over.
func TestRead(t *testing.T) {
	const text = "; Version: 2.2\n; MaxProcs: 128\n" +
		"    1      0     20    100   16   -1  -1   32   3600  -1  1  3  1 -1  1 -1 -1 -1\n" +
		"    2     10     -1     50   -1   -1  -1    8   3600  -1  0  3  1 -1  1 -1 -1 -1\n" +
		"    3     11      5     -1   -1   -1  -1    4   3600  -1  5  3  1 -1  1 -1 -1 -1\n" +
		"    4     12      5     60    4   -1  -1    4   3600  -1  3  3  1 -1  1 -1 -1 -1\n"
	r, err := swf.Loader.Open(table.Dir{FS: fstest.MapFS{"x.swf": {Data: []byte(text)}}, Name: "dir"})
	fail.On(t, err)
	var got []event.Batch
	fail.On(t, r.Read(t.Context(), event.Sink{Batch: func(b *event.Batch) error { got = append(got, *b); return nil }}))
	const sec = event.Second
	job := func(id string, line int, tasks int32, kind event.Kind, submit, start, end event.Time) event.Batch {
		return event.Batch{
			Job: id, File: "dir/x.swf", Line: line, Instances: tasks, Kind: kind, Submit: submit, Start: start, End: end,
			CPU: .05, Memory: .05, Missing: event.Class | event.Priority,
		}
	}
	want := []event.Batch{
		job("1", 3, 16, event.Finish, 1, 20*sec+1, 120*sec+1),
		job("2", 4, 8, event.Fail, 10*sec+1, 10*sec+1, 60*sec+1),
		job("3", 5, 4, event.Kill, 11*sec+1, event.Never, event.Never),
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// A byte order mark is no part of the first line; numbers of jobs and processors are whole and exact; what is not is left out by
// itself.
func TestReadWhole(t *testing.T) {
	row := func(number, processors string) string {
		return number + " 0 5 120 " + processors + " -1 -1 16 3600.5 -1 1 3 1 -1 1 -1 -1 -1\n"
	}
	for _, c := range []struct {
		name, text string
		jobs       []string
		bad        []string
	}{
		{"mark before a comment", "\ufeff; Version: 2.2\n" + row("1", "16"), []string{"1"}, nil},
		{"mark before a job", "\ufeff" + row("1", "16"), []string{"1"}, nil},
		{"written with a point", row("9.0", "16.00"), []string{"9"}, nil},
		{"two jobs of one whole part", row("9.0", "16") + row("9.7", "16"), []string{"9"}, []string{
			`dir/x.swf: line 2: column job number: "9.7" is not a whole number from 0 on`,
		}},
		{"beyond 2^53", row("9007199254740992", "1") + row("9007199254740993", "1"), []string{"9007199254740992", "9007199254740993"}, nil},
		{"half a processor", row("1", "2.5"), nil, []string{
			`dir/x.swf: line 1: column allocated processors: "2.5" is not a whole number from -1 on`,
		}},
		{"no number", row("1", "many"), nil, []string{
			`dir/x.swf: line 1: column allocated processors: "many" is not a whole number from -1 on`,
		}},
	} {
		r, err := swf.Loader.Open(table.Dir{FS: fstest.MapFS{"x.swf": {Data: []byte(c.text)}}, Name: "dir"})
		fail.On(t, err)
		var jobs, bad []string
		err = r.Read(t.Context(), event.Sink{
			Batch: func(b *event.Batch) error { jobs = append(jobs, b.Job); return nil },
			Bad:   func(b *event.Bad) { bad = append(bad, b.Err.Error()) },
		})
		if err != nil || !cmp.Equal(c.jobs, jobs) || !cmp.Equal(c.bad, bad) {
			t.Errorf("%s: %v\n%s%s", c.name, err, cmp.Diff(c.jobs, jobs), cmp.Diff(c.bad, bad))
		}
	}
}

// TestSuits: lines of 18 numbers are of the format, and so are comments alone; words and 17 numbers are not.
func TestSuits(t *testing.T) {
	const row = "1 0 5 120 16 -1 -1 16 3600 -1 1 3 1 -1 1 -1 -1 -1"
	for _, c := range []struct {
		head []string
		want bool
	}{
		{[]string{"; Version: 2.2", "; MaxProcs: 128"}, true},
		{[]string{"; Version: 2.2", row}, true},
		{[]string{row}, true},
		{[]string{"; Version: 2.2", row[2:]}, false},
		{[]string{row[2:] + " x"}, false},
		{[]string{"name start end"}, false},
	} {
		if got := swf.Loader.Tables[0].Suits(c.head); got != c.want {
			t.Errorf("%q: %v", c.head, got)
		}
	}
}

// TestBorders: what is just a time, a number of processors or a job that was completed, and what is not.
func TestBorders(t *testing.T) {
	for _, c := range []struct {
		row   string
		tasks int32 // 0: the row is bad
		start event.Time
	}{
		{"1 0 5 0 1 -1 -1 16 0 -1 1", 1, 5*event.Second + 1},
		{"1 2305843009213 0 0 1 -1 -1 1 0 -1 1", 1, event.At(2305843009213) + 1},
		{"1 2305843009214 0 0 1 -1 -1 1 0 -1 1", 0, 0},
		{"1 0 0 1 2147483647 -1 -1 1 0 -1 1", 2147483647, 1},
		{"1 0 0 1 2147483648 -1 -1 1 0 -1 1", 0, 0},
		{"1 0 0 1 0 -1 -1 0 0 -1 1", 0, 0},
		{"1 0 0 1 -1 -1 -1 -1 0 -1 0", 1, 1},
		{"1 0 0 -1 1 -1 -1 1 0 -1 1", 0, 0},
		{"1 0 0 -1 1 -1 -1 1 0 -1 5", 1, event.Never},
	} {
		r, err := swf.Loader.Open(table.Dir{FS: fstest.MapFS{"x.swf": {Data: []byte(c.row + " 3 1 -1 1 -1 -1 -1\n")}}, Name: "dir"})
		fail.On(t, err)
		var tasks int32
		var start event.Time
		err = r.Read(t.Context(), event.Sink{
			Batch: func(b *event.Batch) error { tasks, start = b.Instances, b.Start; return nil },
			Bad:   func(*event.Bad) {},
		})
		if err != nil || tasks != c.tasks || start != c.start {
			t.Errorf("%s: %d tasks from %v on, %v", c.row, tasks, start, err)
		}
	}
}
