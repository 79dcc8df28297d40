package catalog

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"schedgap/bench"
	"schedgap/exact/milp/linked/linkedtest"
	"schedgap/models/trials"
)

// claimed solves an instance by a solver that gets no start.
func claimed(t *testing.T, in *bench.Instance, model, solver string) *bench.Result {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	return in.Problem.Run(ctx, in, bench.Request{
		Algorithm: "opt", Solver: solver, Model: model, Threads: 1, Params: map[string]any{"start": "none"},
	}, bench.Observer{})
}

// unfounded says what of a result contradicts the optimum; empty: nothing.
func unfounded(res *bench.Result, sense, optimum float64) string {
	slack := 1e-9 * math.Abs(optimum)
	over := func(b *float64) bool { return b != nil && sense*(*b-optimum) > slack }
	switch {
	case over(res.Bound):
		return fmt.Sprintf("the bound %v", *res.Bound)
	case over(res.RootBound):
		return fmt.Sprintf("the root's bound %v", *res.RootBound)
	case res.Status == bench.Optimal && math.Abs(*res.Objective-optimum) > 1e-6*math.Abs(optimum):
		return fmt.Sprintf("the optimum %v", *res.Objective)
	case res.Status == bench.Refuted && (res.RefutedBy == nil || res.Bound != nil || !strings.Contains(res.Error, res.SolverVersion)):
		return "a refuted claim without its evidence: " + res.Error
	case falseInfeasible(res): // counted by TestWideClaims
	case res.Status != bench.Optimal && res.Status != bench.Feasible && res.Status != bench.Refuted && res.Status != bench.Timeout &&
		res.Status != bench.Skipped && res.Status != bench.Invalid:
		return string(res.Status) + ": " + res.Error
	}
	return ""
}

// falseInfeasible reports whether a solver that knows no solution says that there is none.
func falseInfeasible(res *bench.Result) bool {
	return res.Status == bench.Error && strings.Contains(res.Error, `refusing "infeasible"`)
}

// TestWideClaims: whatever a solver claims of instances whose works span up to twelve decades, no bound in a row is beyond the
// optimum that branch and bound proves, and no row is optimal that is not. Every night all solvers are asked about each model; else one
// of the four, in turn.
func TestWideClaims(t *testing.T) {
	linkedtest.Need(t, "highs")
	registry, err := New()
	if err != nil {
		t.Fatal(err)
	}
	ends, asked, pairs, lost, runs := map[string]int{}, map[string]int{}, map[string]int{}, 0, 0
	for i := range trials.Count(60) {
		rng := rand.New(rand.NewPCG(uint64(i), 52))
		problem := []string{"redundancy", "flex"}[i%2]
		p, err := registry.Problem(problem)
		if err != nil {
			t.Fatal(err)
		}
		in, err := registry.ParseInstance("wide", wideInstance(rng, problem))
		if err != nil {
			t.Fatal(err)
		}
		best := p.Run(t.Context(), in, bench.Request{Algorithm: "opt", Threads: 1}, bench.Observer{})
		if best.Status != bench.Optimal {
			continue
		}
		a, _, err := p.Find("opt")
		if err != nil {
			t.Fatal(err)
		}
		pairs[problem] = 4 * len(a.Models)
		for m, model := range a.Models {
			for k, solver := range []string{"highs", "lpsolve", "cbc", "glpsol"} {
				if !trials.Whole() && (i/2+m+k)%4 > 0 {
					continue
				}
				asked[problem+" "+model+" by "+solver]++
				res := claimed(t, in, model, solver)
				ends[solver+" "+string(res.Status)]++
				if falseInfeasible(res) {
					t.Logf("%s: %s", res.Error, in.JSON)
					lost++
					if works(in) < 4 {
						t.Errorf("%s, where works are of few sizes: %s", res.Error, in.JSON)
					}
				}
				runs++
				if why := unfounded(res, float64(p.Sense), *best.Objective); why != "" {
					t.Errorf("%s %s by %s, optimum %v: %s (%s)\n%s", problem, model, solver, *best.Objective, why, res.Raw, in.JSON)
				}
			}
		}
	}
	t.Log(ends, asked)
	if want := pairs["flex"] + pairs["redundancy"]; len(asked) != want {
		t.Errorf("%d pairs of a model and a solver were asked, want %d", len(asked), want)
	}
	if lost > runs/20 {
		t.Errorf("%d of %d solves end as infeasible", lost, runs)
	}
}

// wideInstance draws two to four jobs whose works span up to twelve decades.
func wideInstance(rng *rand.Rand, problem string) []byte {
	decades := 1 + rng.IntN(12)
	wide := func() float64 {
		return []float64{1, 1, 2, 1.5}[rng.IntN(4)] * math.Pow(10, float64(rng.IntN(decades+1)-decades/2))
	}
	slots := 1 + rng.IntN(2)
	var jobs []map[string]any
	for j := range 2 + rng.IntN(3) {
		job := map[string]any{"id": fmt.Sprint("j", j), "work": wide()}
		if problem == "redundancy" {
			job["arrival"] = []float64{0, 0, 1, 0.5, wide()}[rng.IntN(5)]
		} else {
			job["min"], job["max"], job["weight"], job["deadline"] = 0, 1+rng.IntN(slots), float64(1+rng.IntN(3)), wide()
		}
		jobs = append(jobs, job)
	}
	file := map[string]any{"problem": problem, "version": 1, "name": "wide", "jobs": jobs}
	if problem == "redundancy" {
		file["machines"], file["speedup"], file["multitasking"], file["speed"] = 2, []float64{1, []float64{1.5, 2, 1.9}[rng.IntN(3)]}, rng.IntN(3) == 0, 1
	} else {
		metric := []string{"response", "lateness", "tardiness", "tardy"}[rng.IntN(4)]
		aggregate := "sum"
		if metric == "lateness" && rng.IntN(2) == 0 {
			aggregate = "max"
		}
		file["slots"], file["objective"] = slots, map[string]any{"metric": metric, "aggregate": aggregate, "weighted": rng.IntN(2) == 0}
	}
	text, err := json.Marshal(file)
	if err != nil {
		panic(err)
	}
	return text
}
