package google2011

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"schedgap/datasets/event"
	"schedgap/datasets/table"
	"schedgap/models/trials/property"
)

// A decimal column is read to the very float64 that strconv gives, on the fast path and off it.
func TestAmountIsExact(t *testing.T) {
	check := func(t interface{ Fatalf(string, ...any) }, text string) {
		want, err := strconv.ParseFloat(text, 64)
		if err != nil {
			t.Fatalf("test's own text %q: %v", text, err)
		}
		f := table.Row{Columns: []string{"x"}, Sep: ','}
		f.Reset(1, []byte(text))
		if got := f.Amount(event.CPU); got != want || f.Done() != nil || f.Missing != 0 {
			t.Fatalf("amount(%q) = %v, want %v (%v)", text, got, want, f.Done())
		}
	}
	for _, text := range []string{
		"0", "0.125", "1", ".5", "5.", "1.049e-05", "1.907e-06", "9.537e-07", "1e-07", "1e+05", "2e3", "1E-3",
		"0.1234567890123456789", "123456789012345", "9007199254740993", "1.5e-22", "1.5e-23", "4.9e-324", "1e-99", "00.25",
	} {
		check(t, text)
	}
	property.Check(t, func(t *rapid.T) {
		v := rapid.Float64Range(0, math.MaxFloat64/2).Draw(t, "v") // rounded up it is still a number
		verb := rapid.SampledFrom([]string{"%g", "%.4g", "%.6f", "%e", "%.17g"}).Draw(t, "verb")
		check(t, fmt.Sprintf(verb, v))
	})
}

// Texts that strconv would take, or that only look like numbers, are refused.
func TestAmountRefuses(t *testing.T) {
	for _, text := range []string{
		"-1", "-0", "inf", "NaN", "0x1p-2", "1_0", "1e", "e-05", ".", "1e400", " 1", "1 ", "1.2.3", "--",
		"1e-5x",
	} {
		f := table.Row{Columns: []string{"x"}, Sep: ','}
		f.Reset(1, []byte(text))
		if got := f.Amount(event.CPU); f.Done() == nil {
			t.Errorf("amount(%q) = %v without an error", text, got)
		}
	}
}

// The right lines that make up a trace cost no allocation.
func TestTaskDoesNotAllocate(t *testing.T) {
	line := []byte("600036402,,6250345153,0,4155527081,1,user=,2,8,0.1114,0.03339,1.907e-05,0")
	f := table.Row{Columns: taskColumns, Sep: ','}
	var ev event.TaskEvent
	allocs := testing.AllocsPerRun(100, func() {
		f.Reset(1, line)
		task(&f, &ev)
		if err := f.Done(); err != nil { // nil is no error of the interface
			t.Fatal(err)
		}
	})
	if allocs != 0 {
		t.Errorf("%v allocations a line", allocs)
	}
}

// oracle reads a line of task_events the slow and obvious way; ok is false when it is not as the schema says.
func oracle(line string) (ev event.TaskEvent, ok bool) {
	v := strings.Split(line, ",")
	if len(v) != len(taskColumns) {
		return ev, false
	}
	ok = true
	digits := func(s string) bool { return strings.Trim(s, "0123456789") == "" }
	whole := func(s string, most uint64, mark event.Fields) int64 {
		if s == "" && mark != 0 {
			ev.Missing |= mark
			return 0
		}
		// Longer texts than 19 digits are refused even when zeros lead.
		u, err := strconv.ParseUint(s, 10, 64)
		ok = ok && err == nil && digits(s) && len(s) <= 19 && u <= most
		return int64(u)
	}
	amount := func(s string, mark event.Fields) float64 {
		if s == "" {
			ev.Missing |= mark
			return 0
		}
		f, err := strconv.ParseFloat(s, 64)
		ok = ok && err == nil && strings.Trim(s, "0123456789.eE+-") == "" && !math.Signbit(f)
		return f
	}
	const unused = event.Instances // marks optional columns that no event carries
	ev.Time = event.Time(whole(v[0], math.MaxInt64, 0))
	whole(v[1], maxMissingInfo, unused)
	ev.Job = whole(v[2], math.MaxInt64, 0)
	ev.Index = int32(whole(v[3], math.MaxInt32, 0))
	ev.Machine = whole(v[4], math.MaxInt64, event.Machine)
	if kind := whole(v[5], uint64(len(kinds)-1), 0); ok {
		ev.Kind = kinds[kind]
	}
	ev.Class = int8(whole(v[7], maxClass, event.Class))
	ev.Priority = int16(whole(v[8], maxPriority, 0))
	ev.CPU, ev.Memory, ev.Disk = amount(v[9], event.CPU), amount(v[10], event.Memory), amount(v[11], event.Disk)
	whole(v[12], 1, unused)
	ev.Missing &^= unused
	return ev, ok
}

// No line makes the scanner panic, and it accepts and understands the same lines as the slow and obvious reading.
func FuzzTask(f *testing.F) {
	for _, line := range []string{
		"0,2,3418309,0,4155527081,0,70s3v5qRyCO/1PCdI6fVXnrW8FU/w+5CKRSa72xgcIo=,3,9,,,,",
		"600036402,,6250345153,0,,1,u,2,8,0.1114,0.03339,1.907e-05,0",
		"9223372036854775807,,1,0,,4,u,2,8,0,0,0,1",
		"9223372036854775808,,1,0,,4,u,2,8,0,0,0,1",
		"1,,1,0,,9,u,2,8,0,0,0,1", "1,,1,0,,4,u,2,8,-1,0,0,1", "1,,1,0,,4,u,2,8,1e999,0x1,0,1", ",,,,,,,,,,,,", "", "1,2",
		"1,,1,2147483648,,4,u,2,8,0,0,0,1", "1,,1,0,,4,u,2,8,0,0,0,1,", "1,,1,0,,4,u,2,8,12345678901234567890,.5e-03,5.,1",
	} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		s := table.Row{Columns: taskColumns, Sep: ','}
		s.Reset(1, []byte(line))
		var got event.TaskEvent
		task(&s, &got)
		err := s.Done()
		want, ok := oracle(line)
		if ok != (err == nil) {
			t.Fatalf("%q: error %v, but the slow reading says %v", line, err, ok)
		}
		if ok && got != want {
			t.Fatalf("%q:\n got %+v\nwant %+v", line, got, want)
		}
	})
}
