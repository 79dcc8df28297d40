package redundancy_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"schedgap/models/fail"
	"schedgap/models/problemtest"
	"schedgap/models/redundancy"
	"schedgap/models/trials/property"
)

// good is an instance that the bad ones differ from in one place each.
const good = `{"problem":"redundancy","version":1,"name":"x","machines":4,"multitasking":false,"speed":2,` +
	`"speedup":[1,1.6,2.0,2.2],"jobs":[{"id":"a","arrival":0,"work":4},{"id":"b","arrival":1.5,"work":0.5}]}`

// Bad instances give one sentence with file, path and value.
func TestBadInstances(t *testing.T) {
	problemtest.BadInstances(t, redundancy.Problem, good, [][3]string{
		{`"machines":4`, `"machines":0`, `f.json: machines: 0 must be at least 1`},
		{`"machines":4,`, ``, `f.json: machines: required field is missing`},
		{`"machines":4`, `"machines":5`, `f.json: speedup: 4 entries, but there must be one for each of 1 to 5 machines`},
		{`"multitasking":false,`, ``, `f.json: multitasking: required field is missing`},
		{`"multitasking":false`, `"multitasking":0`, `f.json: multitasking: must be true or false, not 0`},
		{`"speed":2`, `"speed":0`, `f.json: speed: 0 must be greater than 0`},
		{`"speed":2,`, ``, `f.json: speed: required field is missing`},
		{`[1,1.6`, `[1.1,1.6`, `f.json: speedup[0]: 1.1 must be 1, the rate on one machine`},
		{`[1,1.6,2.0,2.2]`, `[1,2.5,2.6,2.7]`, `f.json: speedup[1]: 2.5 rises by 1.5 after a rise by 1: the speedup must be concave`},
		{`2.0,2.2`, `2,2.5`, `f.json: speedup[3]: 2.5 rises by 0.5 after a rise by 0.3999999999999999: the speedup must be concave`},
		{`2.0,2.2`, `2.0,1.9`, `f.json: speedup[3]: 1.9 must be at least the entry before it, 2`},
		{`"speedup":[1,1.6,2.0,2.2]`, `"speedup":2`, `f.json: speedup: must be an array, not 2`},
		{`"speedup":[1,1.6,2.0,2.2],`, ``, `f.json: speedup: required field is missing`},
		{`"arrival":0`, `"arrival":-1`, `f.json: jobs[0].arrival: -1 must be at least 0`},
		{`"arrival":0,`, ``, `f.json: jobs[0].arrival: required field is missing`},
		{`"work":4`, `"work":0`, `f.json: jobs[0].work: 0 must be greater than 0`},
		{`"work":4`, `"work":1e999`, `f.json: jobs[0].work: 1e999 is not a finite number`},
		{`"work":4`, `"work":4,"weight":2`, `f.json: jobs[0].weight: unknown field (value 2)`},
		{`"arrival":0`, `"arrival":1e300`, `f.json: jobs[0].arrival: 1e+300 must be at most 1e+100`},
		{`"work":0.5`, `"work":1e308`, `f.json: jobs[1].work: 1e+308 makes the jobs, one after the other, end later than at 1e+100`},
		{
			`"arrival":1.5,"work":0.5`, `"arrival":1e9,"work":1e-9`,
			`f.json: jobs[1].work: 1e-09 is too little to be told apart at the arrival, 1e+09`,
		},
		{
			`"arrival":1.5,"work":0.5`, `"arrival":1e100,"work":1e95`,
			`f.json: jobs[1].work: 1e+95 makes the jobs, one after the other, end later than at 1e+100`,
		},
		{ // all machines at speed 2 do 4e-7 of work in 9e-8, less than 1e-15 of the time
			`"arrival":1.5,"work":0.5`, `"arrival":1e8,"work":4e-7`,
			`f.json: jobs[1].work: 4e-07 is too little to be told apart at the arrival, 1e+08`,
		},
		{`"id":"b"`, `"id":"a"`, `f.json: jobs[1].id: "a" is also the id of jobs[0]`},
		{
			`[{"id":"a","arrival":0,"work":4},{"id":"b","arrival":1.5,"work":0.5}]`, `[]`,
			`f.json: jobs: the list of jobs must not be empty`,
		},
	})
}

// At half the speed works take twice as long.
func TestBadTimesAtHalfSpeed(t *testing.T) {
	problemtest.BadInstances(t, redundancy.Problem, strings.Replace(good, `"speed":2`, `"speed":0.5`, 1), [][3]string{
		{`"work":0.5`, `"work":6e99`, `f.json: jobs[1].work: 6e+99 makes the jobs, one after the other, end later than at 1e+100`},
	})
}

// Tables that are concave on paper are accepted whatever binary makes of their differences; a straight line is concave.
func TestConcaveOnPaper(t *testing.T) {
	for _, h := range []string{"1,1.1,1.2,1.3", "1,2,3,4", "1,1,1,1", "1,1.6,2.2,2.8", "1,1.9,2.7,3.4", "1,2,3.000000002,4"} {
		text := strings.Replace(good, "1,1.6,2.0,2.2", h, 1)
		if _, err := redundancy.Problem.ParseInstance("f.json", []byte(text)); err != nil {
			t.Error(err)
		}
	}
}

// Bad solutions give one sentence too.
func TestBadSolutions(t *testing.T) {
	in := parse(t, good)
	const solution = `{"problem":"redundancy","instance":"x","algorithm":"me","speed":1,` +
		`"intervals":[{"start":0,"end":2,"alloc":{"a":{"copies":3,"share":1}}}]}`
	for _, c := range []struct{ old, new, want string }{
		{`"a":`, `"c":`, `f.json: intervals[0].alloc.c: "c" is not the id of a job`},
		{`"copies":3`, `"copies":1.5`, `f.json: intervals[0].alloc.a.copies: 1.5 must be an integer`},
		{`,"share":1`, ``, `f.json: intervals[0].alloc.a.share: required field is missing`},
		{`"share":1`, `"share":1,"speed":1`, `f.json: intervals[0].alloc.a.speed: unknown field (value 1)`},
		{`"start":0,`, ``, `f.json: intervals[0].start: required field is missing`},
		{`"alloc":{"a":{"copies":3,"share":1}}`, `"slots":{}`, `f.json: intervals[0].alloc: required field is missing`},
		{`"speed":1`, `"speed":0`, `f.json: speed: 0 must be greater than 0`},
		{`"instance":"x"`, `"instance":"y"`, `f.json: instance: "y" is not the instance's name "x"`},
	} {
		text := strings.Replace(solution, c.old, c.new, 1)
		_, err := redundancy.Problem.ParseSolution("f.json", []byte(text), in)
		if err == nil || err.Error() != c.want {
			t.Errorf("%s:\n got %v\nwant %s", c.new, err, c.want)
		}
	}
}

// Allocations are in the order of the jobs, whatever the order in the file.
func TestOrderOfAllocations(t *testing.T) {
	in := parse(t, strings.NewReplacer(`"a"`, `"b"`, `"b"`, `"a"`).Replace(good))
	const solution = `{"problem":"redundancy","instance":"x","algorithm":"me","intervals":[{"start":0,"end":2,` +
		`"alloc":{"a":{"copies":3,"share":1},"b":{"copies":1,"share":1}}}]}`
	s, err := redundancy.Problem.ParseSolution("f.json", []byte(solution), in)
	fail.On(t, err)
	if d := cmp.Diff([]redundancy.Allocation{run(0, 1), run(1, 3)}, s.Solution.Intervals[0].Alloc); d != "" {
		t.Error(d)
	}
}

// Instances and solutions that were written and read again are the same, and so are their bytes; a solution without a speed
// has speed 1.
func TestRoundTrip(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		in := drawInstance(t)
		problemtest.RoundTrip(t, redundancy.Problem, in, drawSolution(t, in))
	})
}

// drawInstance draws a valid instance with awkward numbers.
func drawInstance(t *rapid.T) *redundancy.Instance {
	in := &redundancy.Instance{
		Machines: rapid.IntRange(1, 5).Draw(t, "machines"), Multitasking: rapid.Bool().Draw(t, "multitasking"),
		Speed: rapid.Float64Range(0.5, 4).Draw(t, "speed"),
	}
	in.Name = "drawn"
	step, sum := 1.0, 0.0
	for range in.Machines {
		sum += step
		in.Speedup = append(in.Speedup, sum)
		step *= rapid.Float64Range(0, 1).Draw(t, "step")
	}
	for j := range rapid.IntRange(1, 6).Draw(t, "jobs") {
		in.Jobs = append(in.Jobs, redundancy.Job{
			ID: string(rune('a' + j)), Arrival: float64(rapid.IntRange(0, 40).Draw(t, "arrival")) / 4,
			Work: rapid.Float64Range(0.01, 10).Draw(t, "work"),
		})
	}
	return in
}

// drawSolution draws a solution that the format can hold, feasible or, mostly, not.
func drawSolution(t *rapid.T, in *redundancy.Instance) redundancy.Solution {
	s := redundancy.Solution{Speed: rapid.SampledFrom([]float64{0, 1, in.Speed, 3}).Draw(t, "speed")}
	for range rapid.IntRange(0, 5).Draw(t, "intervals") {
		iv := redundancy.Interval{Start: rapid.Float64Range(-1, 9).Draw(t, "start"), End: rapid.Float64Range(-1, 9).Draw(t, "end")}
		for j := range in.Jobs {
			if rapid.Bool().Draw(t, "runs") {
				iv.Alloc = append(iv.Alloc, redundancy.Allocation{
					Job: j, Copies: rapid.IntRange(-1, 6).Draw(t, "copies"), Share: rapid.Float64Range(-1, 2).Draw(t, "share"),
				})
			}
		}
		s.Intervals = append(s.Intervals, iv)
	}
	return s
}

func parse(t *testing.T, text string) *redundancy.Instance {
	t.Helper()
	in, err := redundancy.Problem.ParseInstance("f.json", []byte(text))
	fail.On(t, err)
	return in
}
