package flex_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	hflex "schedgap/heuristics/flex"
	"schedgap/models"
	"schedgap/models/fail"
	"schedgap/models/flex"
	"schedgap/models/trials/property"
)

func bestPass(in *flex.Instance, evaluations int) *flex.Pass {
	return &flex.Pass{
		Instance: in, Seed: 1, Params: models.Values{"evaluations": evaluations},
		Improved: func(flex.Schedule) {}, Bounded: func(float64) {},
	}
}

// No policy that keeps the constraints is better than best, however few evaluations it has.
func TestBestIsNoWorseThanPolicies(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		in := drawInstance(t)
		if metric := rapid.SampledFrom(flex.Metrics).Draw(t, "metric"); metric.NeedsDeadline() {
			in.Objective.Metric = metric
			for j := range in.Jobs {
				d := float64(rapid.IntRange(1, 40).Draw(t, "deadline"))
				in.Jobs[j].Deadline = &d
			}
			if metric == flex.Tardy {
				in.Objective.Aggregate = flex.Sum
			}
		}
		p := bestPass(in, rapid.SampledFrom([]int{1, 200}).Draw(t, "evaluations"))
		told := 0
		p.Improved = func(s flex.Schedule) {
			told++
			if !flex.Problem.Check(in, s).Feasible(nil) {
				t.Fatal("an incumbent is refused")
			}
		}
		out, err := hflex.BestKnown.Run(context.Background(), p)
		if err != nil || out.Status != models.Feasible || told == 0 {
			t.Fatalf("%v, %s, %d incumbents", err, out.Status, told)
		}
		value := *flex.Problem.Check(in, out.Solution).Objective
		for _, a := range hflex.All {
			if a.Arg != "" || len(a.Waives) > 0 || a.Applies != nil && a.Applies(in, "") != nil || a == hflex.LocalSearch {
				continue
			}
			pass := bestPass(in, 1)
			pass.Params["specific"] = "one"
			other, err := a.Run(context.Background(), pass)
			fail.On(t, err)
			if v := *flex.Problem.Check(in, other.Solution).Objective; value > v+1e-12*max(1, v) {
				t.Fatalf("best has %v, %s %v", value, a.Name, v)
			}
		}
	})
}

// A thousand jobs, and the context ends after a moment: best returns what it has at once, as a timeout.
func TestBestEndsWithTheContext(t *testing.T) {
	in := &flex.Instance{Slots: 3000, Objective: flex.Objective{Metric: flex.Response, Aggregate: flex.Sum}}
	for j := range 1000 {
		in.Jobs = append(in.Jobs, flex.Job{ID: fmt.Sprint(j), Work: float64(1 + j*j%97), Min: 1, Max: 1 + j%50, Weight: 1})
	}
	ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
	defer cancel()
	out, err := hflex.BestKnown.Run(ctx, bestPass(in, 0))
	if err != nil || out.Status != models.Timeout || !out.Found || !errors.Is(ctx.Err(), context.DeadlineExceeded) {
		t.Fatalf("%v, %s, found: %v", err, out.Status, out.Found)
	}
	if rep := flex.Problem.Check(in, out.Solution); !rep.Feasible(nil) {
		t.Error("the solution is refused")
	}
}
