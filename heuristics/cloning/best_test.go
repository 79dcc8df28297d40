package cloning_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"pgregory.net/rapid"

	heuristics "schedgap/heuristics/cloning"
	"schedgap/models"
	"schedgap/models/cloning"
	"schedgap/models/cloning/sim"
	"schedgap/models/fail"
	"schedgap/models/trials/property"
)

func bestPass(in *cloning.Instance, a *cloning.Algorithm, evaluations int) *cloning.Pass {
	p := &cloning.Pass{
		Instance: in, Seed: 1, Params: models.Defaults(a.Params), Improved: func(cloning.Solution) {}, Bounded: func(float64) {},
	}
	if a == heuristics.BestKnown {
		p.Params["evaluations"] = evaluations
	}
	return p
}

// No policy is better than best, however few evaluations it has, and incumbents become better.
func TestBestIsNoWorseThanPolicies(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		in := drawInstance(t)
		p := bestPass(in, heuristics.BestKnown, rapid.SampledFrom([]int{1, 100}).Draw(t, "evaluations"))
		last := 0.0
		p.Improved = func(s cloning.Solution) {
			rep := cloning.Problem.Check(in, s)
			if !rep.Feasible(nil) || last > 0 && *rep.Objective >= last {
				t.Fatalf("an incumbent of %v after one of %v: %v", rep.Objective, last, rep.Violations)
			}
			last = *rep.Objective
		}
		out, err := heuristics.BestKnown.Run(context.Background(), p)
		if err != nil || out.Status != models.Feasible {
			t.Fatalf("%v, %s", err, out.Status)
		}
		rep := cloning.Problem.Check(in, out.Solution)
		if !rep.Feasible(nil) || *rep.Objective > last {
			t.Fatalf("best has %v after an incumbent of %v: %v", *rep.Objective, last, rep.Violations)
		}
		for _, a := range heuristics.Schedulers {
			other, err := a.Run(context.Background(), bestPass(in, a, 0))
			fail.On(t, err)
			if v := *cloning.Problem.Check(in, other.Solution).Objective; *rep.Objective > v {
				t.Fatalf("best has %v, %s %v", *rep.Objective, a.Name, v)
			}
		}
	})
}

// The sum that the simulator returns is that of its schedule by the checker; with a limit it tells whether the sum is larger.
func TestFlowtime(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		in := drawInstance(t)
		a := rapid.SampledFrom(heuristics.Policies).Draw(t, "policy")
		v := models.Defaults(a.Params)
		s, err := sim.Schedule(context.Background(), in, &a, v, 1, rand.New(rand.NewPCG(1, 0)))
		fail.On(t, err)
		want := *cloning.Problem.Check(in, s).Objective
		for _, limit := range []float64{math.Inf(1), want, want - 1} {
			got, err := sim.Flowtime(context.Background(), in, &a, v, rand.New(rand.NewPCG(1, 0)), limit)
			if err != nil || limit >= want && got != want || limit < want && got <= limit {
				t.Fatalf("%v with limit %v, %v; the schedule's is %v", got, limit, err, want)
			}
		}
	})
}

// Two hundred jobs on fifty servers, and the context ends after a moment: best returns what it has, as a timeout.
func TestBestEndsWithTheContext(t *testing.T) {
	in := &cloning.Instance{Resources: cloning.DefaultResources(), MaxCopies: 3, MaxCopiesPerServer: 1}
	for i := range 50 {
		in.Servers = append(in.Servers, cloning.Server{ID: fmt.Sprint(i), Capacity: []float64{1, 1}})
	}
	for j := range 200 {
		mean := float64(3 + j%40)
		in.Jobs = append(in.Jobs, cloning.Job{ID: fmt.Sprint(j), Phases: []cloning.Phase{{
			ID: "p", Tasks: 1 + j%7, Demand: []float64{0.1 + float64(j%5)/10, 0.3}, Mean: mean, SD: mean,
			Speedup: cloning.ParetoSpeedup(mean, mean, 3),
		}}})
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	out, err := heuristics.BestKnown.Run(ctx, bestPass(in, heuristics.BestKnown, 1e9))
	if err != nil || out.Status != models.Timeout || !out.Found || !cloning.Problem.Check(in, out.Solution).Feasible(nil) {
		t.Fatalf("%v, %s, found: %v", err, out.Status, out.Found)
	}
}
