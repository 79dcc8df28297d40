package joblist_test

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/gzip"
	"pgregory.net/rapid"

	"schedgap/datasets/event"
	"schedgap/datasets/formats/joblist"
	"schedgap/datasets/table"
	"schedgap/models/fail"
	"schedgap/models/trials/property"
)

func read(t rapid.TB, name, text string) ([]event.Listed, error) {
	t.Helper()
	r, err := joblist.Loader.Open(table.Dir{FS: fstest.MapFS{name: {Data: []byte(text)}}, Name: "dir"})
	fail.On(t, err)
	var rows []event.Listed
	err = r.Read(context.Background(), event.Sink{Listed: func(j *event.Listed) error { rows = append(rows, *j); return nil }})
	return rows, err
}

// Columns come in any order, rows too; empty optional cells and missing optional columns stand for the defaults.
func TestRead(t *testing.T) {
	const text = "\ufeffweight, tasks,id,duration,duration_sd,arrival,cpu,mem,deadline\r\n" +
		"2.5,2,\"a/\"\"1\"\"\",20,10,7,.5,0,100\r\n\r\n" +
		",1,c,0.5,,0.25,,,\n"
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	if _, err := z.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	fail.On(t, z.Close())
	const second = event.Second
	want := []event.Listed{
		{
			Job: `a/"1"`, Submit: 7*second + 1, Durations: []event.Time{10 * second, 30 * second},
			CPU: .5, Deadline: 100, Weight: 2.5,
		},
		{Job: "c", Submit: second/4 + 1, Durations: []event.Time{second / 2}, CPU: .05, Memory: .05},
	}
	for name, data := range map[string]string{"x.csv": text, "x.csv.gz": zipped.String()} {
		got, err := read(t, name, data)
		if d := cmp.Diff(want, got); d != "" || err != nil {
			t.Errorf("%s: %v\n%s", name, err, d)
		}
	}
	got, err := read(t, "x.csv", "arrival,tasks,duration\n3,1,2\n2,1,2")
	if err != nil || len(got) != 2 || got[0].Job != "2" || got[1].Job != "3" || got[1].Submit != 2*second+1 {
		t.Errorf("%+v, %v", got, err)
	}
}

// The tasks of a job have the mean and the deviation of its row, to a microsecond each. By hand: of 2 tasks, exponent 1 makes
// durations of 1 to 3; of 3, of 3 to 5 to 15, whose mean is 23/3 and whose deviation is √248/3.
func TestDurations(t *testing.T) {
	got, err := read(t, "x.csv", fmt.Sprintf("arrival,tasks,duration,duration_sd\n0,3,%.17g,%.17g\n0,4,5,0\n0,2,5,5", 23./3,
		math.Sqrt(248)/3))
	fail.On(t, err)
	const second = event.Second
	for i, want := range [][]event.Time{
		{3 * second, 5 * second, 15 * second}, {5 * second, 5 * second, 5 * second, 5 * second}, {1, 10 * second},
	} {
		if d := cmp.Diff(want, got[i].Durations); d != "" {
			t.Error(d)
		}
	}
	property.Check(t, func(t *rapid.T) {
		n, mean := rapid.IntRange(2, 300).Draw(t, "tasks"), rapid.Float64Range(1, 1e4).Draw(t, "mean")
		sd := rapid.Float64Range(0, 1).Draw(t, "share") * mean * math.Sqrt(float64(n-1))
		got, err := read(t, "x.csv", fmt.Sprintf("arrival,tasks,duration,duration_sd\n0,%d,%.17g,%.17g", n, mean, sd))
		if err != nil {
			if !strings.Contains(err.Error(), "is more than") || sd < mean*math.Sqrt(float64(n-1))*(1-1e-12) {
				t.Fatal(err)
			}
			return
		}
		sum, squares := 0.0, 0.0
		for _, d := range got[0].Durations {
			sum += d.Seconds()
		}
		for _, d := range got[0].Durations {
			squares += (d.Seconds() - mean) * (d.Seconds() - mean)
		}
		if near := 1e-5 * mean; math.Abs(sum/float64(n)-mean) > near ||
			math.Abs(math.Sqrt(squares/float64(n))-sd) > near*math.Sqrt(float64(n)) {
			t.Fatalf("mean %v, deviation %v of %d tasks, want %v, %v", sum/float64(n), math.Sqrt(squares/float64(n)), n, mean, sd)
		}
	})
}

// Rows that break a rule are refused with file, line, column and value.
func TestReadRefuses(t *testing.T) {
	const known = `arrival, tasks, duration, id, duration_sd, cpu, mem, deadline, weight, task, parents`
	for _, tc := range []struct{ name, text, want string }{
		{"unknown column", "arrival,tasks,duration,prio\n", `line 1: column "prio" is not one of ` + known},
		{"column twice", "arrival,tasks,duration,tasks\n", `line 1: column "tasks" is there twice`},
		{"missing column", "arrival,duration\n", `line 1: column "tasks" is missing`},
		{"cells", "arrival,tasks,duration\n1,2\n", `line 2: "1,2" has 2 columns instead of 3`},
		{"quotes", "arrival,tasks,duration\n1,2,\"3\n", `line 2: extraneous or missing " in quoted-field`},
		{"negative duration", "arrival,tasks,duration\n\n1,2,-3\n", `line 3: column duration: "-3" is not a finite number ≥ 0`},
		{"no duration", "arrival,tasks,duration\n1,2,0\n", `line 2: column duration: "0" is not between 1e-06 and 3e+07`},
		{"NaN", "arrival,tasks,duration\nNaN,2,3\n", `line 2: column arrival: "NaN" is not a finite number ≥ 0`},
		{"missing field", "arrival,tasks,duration\n,2,3\n", `line 2: column arrival: "" must not be empty`},
		{"no tasks", "arrival,tasks,duration\n1,,3\n", `line 2: column tasks: "" must not be empty`},
		{"a small fraction", "arrival,tasks,duration\n1,2.00000000000000000001,3\n", `line 2: column tasks: "2.00000000000000000001" is not a whole number`},
		{"fraction", "arrival,tasks,duration\n1,2.5,3\n", `line 2: column tasks: "2.5" is not a whole number`},
		{"too many", "arrival,tasks,duration\n1,100001,3\n", `line 2: column tasks: "100001" is not between 1 and 100000`},
		{"parents without tasks", "arrival,tasks,duration,parents\n", `line 1: column "id" is missing`},
		{"tasks of no job", "arrival,tasks,duration,task\n", `line 1: column "id" is missing`},
		{"zero duration", "arrival,tasks,duration\n1,1,0.0\n", `line 2: column duration: "0.0" is not between 1e-06 and 3e+07`},
		{"no id", "arrival,tasks,duration,id\n1,2,3,\n", `line 2: column id: "" must not be empty`},
		{
			"no identifier", "arrival,tasks,duration,id\n1,2,3,\"a, b\"\n",
			`line 2: column id: "a, b" must be free of commas, colons, white space and characters that do not print`,
		},
		{"id twice", "arrival,tasks,duration,id\n1,2,3,a\n1,2,3,b\n1,2,3,a\n", `line 4: column id: "a" is there twice`},
		{
			"deviation", "arrival,tasks,duration,duration_sd\n1,5,3,6.1\n",
			`line 2: column duration_sd: 6.1 is more than duration·√(tasks − 1), the largest deviation of so many tasks`,
		},
		{"share", "arrival,tasks,duration,cpu\n1,5,3,1.5\n", `line 2: column cpu: "1.5" is not between 0 and 1`},
		{"deadline", "arrival,tasks,duration,deadline\n1,5,3,0\n", `line 2: column deadline: "0" is not between 0.001 and 1e+09`},
		{"weight", "arrival,tasks,duration,weight\n1,5,3,x\n", `line 2: column weight: "x" is not a finite number ≥ 0`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := read(t, "x.csv", tc.text)
			if want := "dir/x.csv: " + tc.want; err == nil || err.Error() != want {
				t.Errorf("got  %v\nwant %s", err, want)
			}
		})
	}
}

// A small file cannot ask for any amount of memory.
func TestReadRefusesTooManyTasks(t *testing.T) {
	text := "arrival,tasks,duration\n" + strings.Repeat("0,100000,1\n", 201)
	r, err := joblist.Loader.Open(table.Dir{FS: fstest.MapFS{"x.csv": {Data: []byte(text)}}, Name: "dir"})
	fail.On(t, err)
	rows := 0
	err = r.Read(t.Context(), event.Sink{Listed: func(*event.Listed) error { rows++; return nil }})
	want := "dir/x.csv: line 22: up to this row the jobs have 2100000 tasks, more than the 2002200 that are read of so many rows"
	if rows != 20 || err == nil || err.Error() != want {
		t.Errorf("%d rows, then %v", rows, err)
	}
}

// No bytes make the reader panic, or take it past the clock.
func FuzzRead(f *testing.F) {
	f.Add("arrival,tasks,duration\n0,1,2\n")
	f.Add("\ufeffid,arrival,tasks,duration,duration_sd,cpu,mem,deadline,weight\n\"a\"\"\",9e9,50,3e7,2e8,1,0,1e9,1e6\r\n\n")
	f.Add("arrival,tasks,duration,duration_sd\n0,3,1e-6,1e-6\n0,2,\"1")
	f.Fuzz(func(t *testing.T, text string) {
		rows, err := read(t, "x.csv", text)
		if err != nil && !strings.HasPrefix(err.Error(), "dir/x.csv: ") {
			t.Fatalf("the error does not name its place: %v", err)
		}
		for _, j := range rows {
			for _, d := range j.Durations {
				if j.Job == "" || !j.Submit.Inside() || d <= 0 || !(j.Submit + d).Inside() {
					t.Fatalf("%+v", j)
				}
			}
		}
	})
}
