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
