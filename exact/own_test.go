package exact_test

import (
	"context"
	"strings"
	"testing"

	"schedgap/exact"
	"schedgap/exact/milp"
	"schedgap/models"
	"schedgap/models/fail"
)

// stops is a solver that ends at a gap of its own, or at the time limit, with a value and a bound.
type stops struct {
	own          string
	value, bound float64
}

func (stops) Name() string    { return "stops" }
func (stops) Version() string { return "1" }

func (s stops) Solve(context.Context, *milp.Model, milp.Options) (*milp.Result, error) {
	return &milp.Result{
		Status: milp.Limit, Raw: "limit", Own: s.own, X: []float64{s.value}, Objective: s.value, Bound: &s.bound, Nodes: -1,
	}, nil
}

// TestOwnLimit: a solver that ends at a gap of its own was not stopped by the time limit. Its solution counts, also where the
// model has a relaxation, which it leaves at that gap, too.
func TestOwnLimit(t *testing.T) {
	for _, relaxed := range []bool{false, true} {
		for own, want := range map[string]models.Status{"": models.Timeout, "stopped at its gap of 1 %": models.Feasible} {
			form := &exact.Formulation[number, float64]{
				Name: "model",
				Build: func(number, exact.BuildOptions) (*exact.BuiltModel[float64], error) {
					m := &milp.Model{Name: "model", Cols: []milp.Col{{Name: "x", Hi: 1000, Cost: 1, Integer: true}}}
					b := &exact.BuiltModel[float64]{
						Model:  m,
						Decode: func(x []float64) (float64, error) { return x[0], nil },
						Encode: func(s float64) ([]float64, error) { return []float64{s}, nil },
					}
					if relaxed {
						b.Relaxation, b.Refine = m, func([]float64) *milp.Model { return nil }
					}
					return b, nil
				},
			}
			target := &exact.Target[number, float64]{
				Name: "opt", Problem: numbers, Reference: "opt", Class: "opt", Formulations: []*exact.Formulation[number, float64]{form},
			}
			parts := exact.Deps[number, float64]{Solvers: []milp.Solver{stops{own, 500, 496}}}
			out, err := target.Algorithm(parts).Run(t.Context(), &models.Pass[number, float64]{
				Threads: 1, Solver: "stops", Model: "model", Improved: func(float64) {}, Bounded: func(float64) {},
			})
			fail.On(t, err)
			if out.Status != want || !strings.Contains(out.Stats.Raw, own) {
				t.Errorf("relaxed %v, %q: status %s, %q", relaxed, own, out.Status, out.Stats.Raw)
			}
			if found := !relaxed || own != ""; out.Found != found || found && out.Solution != 500 {
				t.Errorf("relaxed %v, %q: found %v, %v", relaxed, own, out.Found, out.Solution)
			}
			if out.Bound == nil || *out.Bound > 496 || *out.Bound < 495 {
				t.Errorf("relaxed %v, %q: bound %v", relaxed, own, out.Bound)
			}
		}
	}
}
