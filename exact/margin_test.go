package exact

import (
	"context"
	"math"
	"testing"

	"schedgap/exact/milp"
)

// tolerant is a solver with round tolerances.
type tolerant struct{}

func (tolerant) Name() string              { return "tolerant" }
func (tolerant) Version() string           { return "1" }
func (tolerant) Tolerance() milp.Tolerance { return milp.Tolerance{Rows: 0x1p-20, Integers: 0x1p-10} }

func (tolerant) Solve(context.Context, *milp.Model, milp.Options) (*milp.Result, error) {
	return nil, milp.ErrUnavailable
}

// TestHeldBounds: a claim that is not made is held to a bound that is looser, on the side of the sense, by the solver's error and by what
// integers within its tolerance are worth: that times the sum of their costs without signs. It is never held to a tighter one.
func TestHeldBounds(t *testing.T) {
	for _, maximize := range []bool{false, true} {
		sign := 1.0
		if maximize {
			sign = -1
		}
		m := &milp.Model{Name: "m", Maximize: maximize}
		m.AddCol(milp.Col{Name: "whole", Hi: 1, Cost: 3, Integer: true})
		m.AddCol(milp.Col{Name: "less", Hi: 1, Cost: -5, Integer: true})
		m.AddCol(milp.Col{Name: "none", Hi: 1, Integer: true})
		m.AddCol(milp.Col{Name: "share", Hi: 1, Cost: 2})
		m.AddCol(milp.Col{Name: "debt", Hi: 1, Cost: -6})
		for _, by := range []int{0, 4} {
			g := newMargin(&BuiltModel[float64]{Model: m}, m, by, tolerant{}, 0)
			// 8 of integers, 8 of the others' costs, and the tolerance of the scaled objective.
			if rows := 8*0x1p-20 + math.Ldexp(0x1p-10, -by); g.wholes != 8*0x1p-10 || g.absolute != rows {
				t.Fatalf("maximize %v: integers are worth %v, others %v", maximize, g.wholes, g.absolute)
			}
			trivial := -11.0
			if maximize {
				trivial = 5
			}
			if g.trivial != trivial {
				t.Errorf("maximize %v: the columns' bounds prove %v", maximize, g.trivial)
			}
			says := 100.0
			scaled := math.Ldexp(says, by)
			loose := says - sign*(math.Ldexp(g.error(scaled), -by)+g.wholes)
			bound := says - sign*1e-6
			for _, c := range []struct {
				why  string
				near float64
				want float64
			}{
				{"", bound, bound},
				{"small", bound, loose},
				{"small", loose - sign*1e-3, loose - sign*1e-3},
			} {
				if got := g.held(scaled, c.near, c.why); math.Abs(got-c.want) > 1e-12 {
					t.Errorf("maximize %v, by 2^%d, %q: held to %v, want %v", maximize, by, c.why, got, c.want)
				}
			}
			g.refuse = "works span"
			if got := g.held(scaled, bound, g.refuse); got != bound {
				t.Errorf("maximize %v: refused, yet held to %v", maximize, got)
			}
			if e := g.error(scaled); !(e > math.Ldexp(g.absolute, by)) || g.error(-scaled) != e {
				t.Errorf("maximize %v: an error of %v", maximize, e)
			}
		}
	}
}

// TestLost: what tolerances are worth is the larger change of the two sides, whichever the curvature makes it.
func TestLost(t *testing.T) {
	for name, c := range map[string]struct {
		worth func(float64) float64
		want  float64
	}{
		"convex":  {func(v float64) float64 { return v * v }, 4.5*4.5 - 4*4},
		"concave": {math.Sqrt, 2 - math.Sqrt(3.5)},
	} {
		g := &margin{by: 2, worth: c.worth, absolute: 0.5 - 4*relativeError}
		if got := g.lost(16); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// TestTrivialBound: a bound that needs no solver is claimed where the solver's is not, also where both are the same.
func TestTrivialBound(t *testing.T) {
	for _, maximize := range []bool{false, true} {
		g := &margin{maximize: maximize, whole: true, worth: func(v float64) float64 { return v }, refuse: "works span", trivial: 5}
		for says, why := range map[float64]string{4: "", 5: "", 6: "works span"} {
			if maximize {
				says = 10 - says
			}
			if bound, got := g.bound(says); got != why || why == "" && bound != 5 {
				t.Errorf("maximize %v: %v becomes %v, %q", maximize, says, bound, got)
			}
		}
	}
}

// TestScale: costs become about 2^16 in the model and all its relaxations, unless they are whole and no larger than that.
func TestScale(t *testing.T) {
	for _, c := range []struct {
		cost  float64
		whole bool
		want  float64
		by    int
	}{
		{0, true, 0, 0},
		{3, true, 3, 0},
		{1 << costBits, true, 1 << costBits, 0},
		{1<<costBits + 1, true, (1<<costBits + 1) / 2.0, -1},
		{3, false, 3 << 14, 14},
		{0x1p-40, false, 1 << 15, 55},
	} {
		one := func() *milp.Model {
			m := &milp.Model{Name: "m", Offset: c.cost}
			m.AddCol(milp.Col{Name: "x", Hi: 1, Cost: c.cost, Integer: c.whole})
			return m
		}
		for _, relaxed := range []bool{false, true} {
			b := &BuiltModel[float64]{Model: one()}
			if relaxed {
				left := 1
				b.Relaxation, b.Refine = one(), func([]float64) *milp.Model {
					left--
					if left < 0 {
						return nil
					}
					return one()
				}
			}
			if by := b.scale(); by != c.by {
				t.Errorf("a cost of %v grows by 2^%d, want %d", c.cost, by, c.by)
			}
			models := []*milp.Model{b.Model}
			if relaxed {
				models = append(models, b.Relaxation, b.Refine(nil))
				if end := b.Refine(nil); end != nil {
					t.Errorf("after the last relaxation: %v", end)
				}
			}
			for i, m := range models {
				if m.Cols[0].Cost != c.want || m.Offset != math.Ldexp(c.cost, c.by) {
					t.Errorf("model %d: a cost of %v becomes %v, and the offset %v", i, c.cost, m.Cols[0].Cost, m.Offset)
				}
			}
		}
	}
}
