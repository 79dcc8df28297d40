package backend

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"schedgap/exact/milp"
)

// A seed other than 0 changes the order of rows and columns and nothing else: sorted by name the solver's model is the caller's, the
// start and the points on the way and at the end stand for the same columns, and the same seed gives the same order.
func TestShuffled(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 0))
	m := &milp.Model{Name: "m"}
	for j := range 12 {
		m.AddCol(milp.Col{Name: fmt.Sprint("x", j), Hi: float64(j), Cost: rng.Float64(), Integer: j%2 == 0})
	}
	for i := range 9 {
		m.AddRow(fmt.Sprint("r", i), 0, float64(i), milp.Term{Col: i, Coef: 2}, milp.Term{Col: i + 3, Coef: float64(i) + 1})
	}
	point := make([]float64, len(m.Cols))
	for j := range point {
		point[j] = float64(100 + j)
	}
	var seen []*milp.Model
	named := func(m *milp.Model, x []float64) map[string]float64 {
		of := map[string]float64{}
		for j, c := range m.Cols {
			of[c.Name] = x[j]
		}
		return of
	}
	native := Shuffled(func(_ context.Context, got *milp.Model, opt milp.Options) (Answer, error) {
		seen = append(seen, got)
		if diff := cmp.Diff(named(m, point), named(got, opt.Start)); diff != "" {
			t.Errorf("seed %d: start (-want +got):\n%s", opt.Seed, diff)
		}
		opt.Improved(opt.Start, 0)
		return Answer{Status: milp.Limit, X: opt.Start}, nil
	})
	orders := map[string]bool{}
	for _, seed := range []int64{0, 1, 2, 3, -1, 1 << 40, 3} {
		a, err := native(context.Background(), m, milp.Options{Seed: seed, Start: point, Improved: func(x []float64, _ float64) {
			if !slices.Equal(x, point) {
				t.Errorf("seed %d: a point on the way is %v", seed, x)
			}
		}})
		if err != nil || !slices.Equal(a.X, point) {
			t.Errorf("seed %d: %v, %v", seed, a.X, err)
		}
		got := seen[len(seen)-1]
		order := ""
		for _, c := range got.Cols {
			order += c.Name + " "
		}
		for _, r := range got.Rows {
			order += r.Name + " "
		}
		orders[order] = true
		if diff := cmp.Diff(described(m), described(got)); diff != "" {
			t.Errorf("seed %d: the model is another (-want +got):\n%s", seed, diff)
		}
	}
	if len(orders) != 6 {
		t.Errorf("%d orders of 6 seeds", len(orders))
	}
}

// described is a model by names, whatever the order.
func described(m *milp.Model) map[string]any {
	of := map[string]any{}
	for _, c := range m.Cols {
		of[c.Name] = c
	}
	for _, r := range m.Rows {
		terms := map[string]float64{}
		for _, t := range r.Terms {
			terms[m.Cols[t.Col].Name] = t.Coef
		}
		of[r.Name] = []any{r.Lo, r.Hi, terms}
	}
	return of
}
