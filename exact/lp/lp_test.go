package lp_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"schedgap/exact/lp"
)

// A row of which rounding left nothing but a trace cannot be mended by it: there is no point, and not one at 5·10⁹.
func TestNoPivotOnTraces(t *testing.T) {
	d := lp.New[int]([]float64{1, 1})
	d.Add([]float64{1e-10, -1}, 0.5, true, 0)
	if end := d.Optimize(t.Context(), math.Inf(1)); end != lp.NoPoint {
		t.Errorf("ended as %v with the value %v, want no point", end, d.Value)
	}
	// A trace that is violated by no more than rounding is no contradiction either.
	d = lp.New[int]([]float64{1, 1})
	d.Add([]float64{1e-12, -1}, 1e-10, true, 0)
	if end := d.Optimize(t.Context(), math.Inf(1)); end != lp.Solved || d.Value != 0 {
		t.Errorf("ended as %v with the value %v, want solved at 0", end, d.Value)
	}
}

// A bound counts what its multipliers leave of the costs below 0, at the most that variables may be: by hand,
// min x₀ + x₁ − (2x₀ − x₁) for x ≤ 3 is −3.
func TestBoundOfNegativeCosts(t *testing.T) {
	d := lp.New[int]([]float64{1, 1})
	if b := d.BoundWith(nil, 1, []float64{2, -1}, []float64{3, 3}); b != -3 {
		t.Errorf("the bound is %v, want -3", b)
	}
}

// Numbers of 10⁻³ and less are coefficients, not traces: a row of them is pivoted on.
func TestSmallPivots(t *testing.T) {
	for _, a := range []float64{1e-3, 5e-4, 1e-6, 2e-9} {
		d := lp.New[int]([]float64{1})
		d.Add([]float64{a}, 1, true, 0)
		if end := d.Optimize(t.Context(), math.Inf(1)); end != lp.Solved || math.Abs(d.Value*a-1) > 1e-12 {
			t.Errorf("%v·x ≥ 1: ended as %v at %v, want %v", a, end, d.Value, 1/a)
		}
	}
}

// TestPrune: a row that is not tight goes unless it lasts. x₀ ≤ 5 goes, so that x₀ may be 7; x₁ ≤ 5 stays.
func TestPrune(t *testing.T) {
	d := lp.New[int]([]float64{1, 2})
	d.Add([]float64{-1, 0}, -5, false, 0)
	d.Add([]float64{1, 0}, 1, false, 1)
	d.Add([]float64{0, -1}, -5, true, 2)
	d.Add([]float64{0, 1}, 2, true, 3)
	solved := func(want float64) {
		t.Helper()
		if end := d.Optimize(t.Context(), math.Inf(1)); end != lp.Solved || d.Value != want || d.X(0)+2*d.X(1) != want {
			t.Fatalf("ended as %v at %v, x = %v, %v; want %v", end, d.Value, d.X(0), d.X(1), want)
		}
	}
	solved(5)
	d.Prune()
	solved(5)
	d.Add([]float64{1, 0}, 7, true, 4)
	solved(11)
	d.Add([]float64{0, 1}, 7, true, 5)
	if end := d.Optimize(t.Context(), math.Inf(1)); end != lp.NoPoint {
		t.Errorf("ended as %v at %v, want no point", end, d.Value)
	}
}

// TestOptimizeInterrupted: the end of a context is noticed at every fourth step, and the value is a bound until then.
func TestOptimizeInterrupted(t *testing.T) {
	d := lp.New[int](slices.Repeat([]float64{1}, 8))
	for j := range 8 {
		row := make([]float64, 8)
		row[j] = 1
		d.Add(row, 1, true, j)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if end := d.Optimize(ctx, math.Inf(1)); end != lp.Exhausted || d.Value != 3 {
		t.Errorf("ended as %v at %v, want exhausted at 3", end, d.Value)
	}
}

// TestRatio: a row may be subtracted from the costs 3 and 4 as often as both stay.
func TestRatio(t *testing.T) {
	d := lp.New[int]([]float64{3, 4})
	for _, c := range []struct{ a, b, want float64 }{{1, 2, 2}, {2, 1, 1.5}, {-1, 0, 0}, {-1, 4, 1}, {1e-9, 1, 4}, {0, 0, 0}} {
		if got := d.Ratio([]float64{c.a, c.b}); got != c.want {
			t.Errorf("%v, %v: %v, want %v", c.a, c.b, got, c.want)
		}
	}
}

// TestLeastPivot: a coefficient of 10⁻⁹ is a trace, and 10⁻⁷ is no contradiction.
func TestLeastPivot(t *testing.T) {
	for rhs, want := range map[float64]lp.Ending{1: lp.NoPoint, 1e-7: lp.Solved} {
		d := lp.New[int]([]float64{1})
		d.Add([]float64{1e-9}, rhs, true, 0)
		if end := d.Optimize(t.Context(), math.Inf(1)); end != want {
			t.Errorf("10⁻⁹·x ≥ %v: ended as %v, want %v", rhs, end, want)
		}
	}
}
