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
	"schedgap/models/fail"
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
			fail.On(t, err)
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

// Optima that no schedule with one order of the jobs and even splits has: opt proves 869.1613656 and 425.1115715 (seeds 829101
// and 915003 of the generator, 17 jobs).
func TestBestFindsOptima(t *testing.T) {
	for name, c := range map[string]struct {
		optimum float64
		jobs    [][2]float64 // arrival, work
	}{
		"split among the first in line": {869.161365591716, [][2]float64{
			{0, 37.42},
			{2.85, 21.67},
			{5.34, 86.05},
			{9.25, 26.2},
			{21.77, 35.79},
			{36.43, 39.21},
			{46.35, 28.18},
			{58.89, 44.35},
			{68.51, 87.59},
			{74.4, 24.51},
			{79.08, 39.94},
			{84.37, 23.92},
			{86.63, 30.77},
			{93.56, 24.09},
			{98.22, 25.28},
			{134.34, 28.94},
			{136.86, 22.81},
		}},
		"order that changes": {425.1115714983992, [][2]float64{
			{0, 60.85},
			{32.96, 23.22},
			{39.15, 22.01},
			{39.74, 20.09},
			{47.22, 36.34},
			{62.38, 34.99},
			{72.58, 21.08},
			{82.72, 20.86},
			{98.98, 48.71},
			{129.07, 20.73},
			{144.55, 30.24},
			{147.44, 63.67},
			{159.01, 33.58},
			{167.77, 20.22},
			{195.28, 22.78},
			{230.42, 22.95},
			{255.55, 20.56},
		}},
	} {
		in := &redundancy.Instance{Machines: 3, Speed: 1, Speedup: []float64{1, 1.5, 1.666667}}
		for j, x := range c.jobs {
			in.Jobs = append(in.Jobs, redundancy.Job{ID: fmt.Sprint("j", j), Arrival: x[0], Work: x[1]})
		}
		out, err := BestKnown.Run(t.Context(), bestPass(in, 0))
		fail.On(t, err)
		if v := *redundancy.Problem.Check(in, out.Solution).Objective; v > c.optimum*(1+1e-7) {
			t.Errorf("%s: %v, the optimum is %v", name, v, c.optimum)
		}
	}
}
