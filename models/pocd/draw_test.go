package pocd_test

import (
	"fmt"
	"math"
	"os"
	"testing"

	"pgregory.net/rapid"

	"schedgap/models"
	"schedgap/models/fail"
	"schedgap/models/pocd"
)

// drawInstance draws instances of all sorts: hopeless jobs, certain ones, no spare machines, every α.
func drawInstance(t *rapid.T) *pocd.Instance {
	in := &pocd.Instance{
		Header:    models.Header{Name: "drawn"},
		Alpha:     rapid.SampledFrom([]float64{0, 0.5, 0.9, 1, 2, 50, math.Inf(1)}).Draw(t, "alpha"),
		MaxCopies: rapid.IntRange(0, 4).Draw(t, "max_copies"),
		Jobs:      make([]pocd.Job, rapid.IntRange(1, 5).Draw(t, "jobs")),
	}
	for j := range in.Jobs {
		job := &in.Jobs[j]
		job.ID = fmt.Sprint("j", j)
		job.Deadline = rapid.Float64Range(0, 500).Draw(t, "deadline")
		job.Elapsed = rapid.Float64Range(0, 200).Draw(t, "elapsed")
		job.Tasks = make([]pocd.Task, rapid.IntRange(1, 5).Draw(t, "tasks"))
		for i := range job.Tasks {
			job.Tasks[i] = pocd.Task{
				ID:        fmt.Sprint("t", i),
				Progress:  rapid.Float64Range(0, 0.99).Draw(t, "progress"),
				TMin:      rapid.Float64Range(0.001, 150).Draw(t, "t_min"),
				Beta:      rapid.Float64Range(0.01, 5).Draw(t, "beta"),
				Straggler: rapid.Bool().Draw(t, "straggler"),
			}
		}
	}
	in.Capacity = in.BaseLoad() + rapid.IntRange(0, 30).Draw(t, "spare")
	return in
}

// drawCopies draws a decision that keeps all constraints.
func drawCopies(t *rapid.T, in *pocd.Instance) pocd.Copies {
	c, spare := pocd.NoCopies(in), in.Spare()
	for j := range c {
		for i := range c[j] {
			if in.Jobs[j].Tasks[i].Straggler {
				c[j][i] = rapid.IntRange(0, min(spare, in.MaxCopies)).Draw(t, "r")
				spare -= c[j][i]
			}
		}
	}
	return c
}

// shared reads a shared instance.
func shared(tb testing.TB, name string) *pocd.Instance {
	tb.Helper()
	data, err := os.ReadFile("examples/" + name + ".json")
	fail.On(tb, err)
	in, err := pocd.Problem.ParseInstance(name+".json", data)
	fail.On(tb, err)
	return in
}

// near fails unless got is want up to a relative error of 1e-12.
func near(tb rapid.TB, what string, got, want float64) {
	tb.Helper()
	if !(math.Abs(got-want) <= 1e-12*math.Abs(want)) {
		tb.Errorf("%s is %v, want %v", what, got, want)
	}
}
