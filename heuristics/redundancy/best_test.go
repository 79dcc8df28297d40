package redundancy

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"pgregory.net/rapid"

	"schedgap/models"
	"schedgap/models/redundancy"
	"schedgap/models/trials/property"
)

func drawConcave(t *rapid.T, jobs int) *redundancy.Instance {
	in := &redundancy.Instance{
		Machines: rapid.IntRange(1, 5).Draw(t, "machines"), Multitasking: rapid.Bool().Draw(t, "multitasking"), Speed: 1,
	}
	gain, h := 1.0, 0.0
	for range in.Machines {
		h += gain
		in.Speedup = append(in.Speedup, h)
		gain *= rapid.Float64Range(0, 1).Draw(t, "gain")
	}
	for j := range jobs {
		in.Jobs = append(in.Jobs, redundancy.Job{
			ID: fmt.Sprint("j", j), Arrival: float64(rapid.IntRange(0, 12).Draw(t, "arrival")),
			Work: float64(rapid.IntRange(1, 9).Draw(t, "work")),
		})
	}
	return in
}

// After any moves, kept or not, the sum is that of the schedule by the checker, and that of a schedule made again. A move with a
// limit tells whether the sum is larger, and the saved schedule comes back.
func TestListerAgreesWithTheChecker(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		in := drawConcave(t, rapid.IntRange(1, 12).Draw(t, "jobs"))
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		l := newLister(t.Context(), in)
		start := l.start()
		l.divide(rapid.IntRange(1, 5).Draw(t, "block"))
		l.all()
		for range rapid.IntRange(0, 60).Draw(t, "moves") {
			limit := l.value * rapid.SampledFrom([]float64{.9, .99, 1, 1.02, math.Inf(1)}).Draw(t, "limit")
			if v := l.Move(random, limit); v <= limit {
				l.Keep()
			}
		}
		l.back()
		v, best := l.value, l.saved
		l.saved = choices{}
		l.Save()
		s := l.schedule()
		rep := redundancy.Problem.Check(in, s)
		if !rep.Feasible(nil) || math.Abs(*rep.Objective-v) > 1e-9*v {
			t.Fatalf("%v, but the checker has %v, %v: %v", v, *rep.Objective, rep.Violations, s)
		}
		done := append([]float64(nil), l.done...)
		l.Restore()
		if math.Abs(l.value-v) > 1e-9*v {
			t.Fatalf("%v, made again %v", v, l.value)
		}
		for j, d := range l.done {
			if math.Abs(d-done[j]) > 1e-9*d {
				t.Fatalf("job %d is done at %v, made again at %v", j, done[j], d)
			}
		}
		l.saved = best
		l.Restore()
		if math.Abs(l.value-start) > 1e-9*start {
			t.Fatalf("what was saved has %v, it had %v", l.value, start)
		}
	})
}

func bestPass(in *redundancy.Instance, evaluations int) *redundancy.Pass {
	return &redundancy.Pass{
		Instance: in, Seed: 1, Params: models.Values{"evaluations": evaluations, "remainder": "wait"}, Arg: "0.5",
		Improved: func(redundancy.Solution) {}, Bounded: func(float64) {},
	}
}

// No policy on machines of speed 1 is better than best, however few evaluations it has.
func TestBestIsNoWorseThanPolicies(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		in := drawConcave(t, rapid.IntRange(1, 8).Draw(t, "jobs"))
		p := bestPass(in, rapid.SampledFrom([]int{1, 200}).Draw(t, "evaluations"))
		told := 0
		p.Improved = func(s redundancy.Solution) {
			told++
			if !redundancy.Problem.Check(in, s).Feasible(nil) {
				t.Fatal("an incumbent is refused")
			}
		}
		out, err := BestKnown.Run(context.Background(), p)
		if err != nil || out.Status != models.Feasible || told == 0 {
			t.Fatalf("%v, %s, %d incumbents", err, out.Status, told)
		}
		value := *redundancy.Problem.Check(in, out.Solution).Objective
		for _, a := range All {
			other, err := a.Run(context.Background(), bestPass(in, 1))
			if na := new(models.NotApplicable); errors.As(err, &na) {
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			if v := *redundancy.Problem.Check(in, other.Solution).Objective; value > v*(1+1e-9) && a != BestKnown {
				t.Fatalf("best has %v, %s %v", value, a.Name, v)
			}
		}
	})
}

// A thousand jobs, and the context ends after a moment: best returns what it has, as a timeout.
func TestBestEndsWithTheContext(t *testing.T) {
	in := &redundancy.Instance{Machines: 3, Speed: 1, Speedup: []float64{1, 1.5, 1.75}}
	for j := range 1000 {
		in.Jobs = append(in.Jobs, redundancy.Job{ID: fmt.Sprint(j), Arrival: float64(12 * j), Work: float64(5 + j*j%61)})
	}
	ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
	defer cancel()
	out, err := BestKnown.Run(ctx, bestPass(in, 0))
	if err != nil || out.Status != models.Timeout || !redundancy.Problem.Check(in, out.Solution).Feasible(nil) {
		t.Fatalf("%v, %s", err, out.Status)
	}
}
