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

	"schedgap/heuristics/anneal"
	"schedgap/models"
	"schedgap/models/redundancy"
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
			ID: fmt.Sprint("j", j), Arrival: float64(rapid.IntRange(0, 12).Draw(t, "arrival")), Work: float64(rapid.IntRange(1, 9).Draw(t, "work")),
		})
	}
	return in
}

// The sum that a run returns is that of its schedule by the checker, whatever the order and the options; a run with a limit tells
// whether the sum is larger.
func TestListerAgreesWithTheChecker(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 8).Draw(t, "jobs")
		in := drawConcave(t, n)
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		p := anneal.Point{Order: random.Perm(n)}
		for range 2 * n {
			p.Option = append(p.Option, random.IntN(len(behind)))
		}
		l := newLister(t.Context(), in)
		s := l.schedule(p)
		v := l.run(p, math.Inf(1), nil)
		rep := redundancy.Problem.Check(in, s)
		if !rep.Feasible(nil) || math.Abs(*rep.Objective-v) > 1e-9*v {
			t.Fatalf("%v, but the checker has %v, %v: %v", v, *rep.Objective, rep.Violations, s)
		}
		if got := l.run(p, 0.999*v, nil); got <= 0.999*v {
			t.Fatalf("%v with limit %v; it is %v", got, 0.999*v, v)
		}
	})
}

// The worths are those of k jobs that earn k: no other split of the machines earns more.
func TestWorths(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := drawConcave(t, 1)
		const n = 6
		w := newWorths(in.Speedup, n)
		for k := 1; k <= n; k++ {
			earned := 0.0
			for i, c := range w.split(k, 0) {
				earned += w.y[k-1-i] * in.Speedup[c-1]
			}
			if math.Abs(earned-float64(k)) > 1e-9 {
				t.Fatalf("%d jobs of worths %v earn %v", k, w.y, earned)
			}
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
	rapid.Check(t, func(t *rapid.T) {
		in := drawConcave(t, rapid.IntRange(1, 8).Draw(t, "jobs"))
		p := bestPass(in, rapid.SampledFrom([]int{1, 200}).Draw(t, "evaluations"))
		told := 0
		p.Improved = func(s redundancy.Solution) {
			if told++; !redundancy.Problem.Check(in, s).Feasible(nil) {
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
