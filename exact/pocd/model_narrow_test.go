package pocd

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"schedgap/exact"
	"schedgap/exact/milp"
	"schedgap/models/pocd"
)

// At every price of copies that is not below 0 the options of all optima are left, and at some prices others are not.
func TestNarrowKeepsOptima(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 0))
	gone := 0
	for range 300 {
		m := &milp.Model{Name: "m", Maximize: true}
		n := &narrowing{built: &exact.BuiltModel[pocd.Copies]{Model: m}, capacity: 2 + rng.IntN(6)}
		for range 4 {
			worths := []float64{0, rng.Float64(), rng.Float64(), rng.Float64()}
			slices.Sort(worths)
			n.menus = append(n.menus, addMenu(m, "j", 0, 3, func(b int) float64 { return worths[b] }))
		}
		best, optima := math.Inf(-1), [][]int(nil)
		for code := range 256 {
			choice := []int{code % 4, code / 4 % 4, code / 16 % 4, code / 64}
			value := m.Objective(n.point(choice))
			switch {
			case choice[0]+choice[1]+choice[2]+choice[3] > n.capacity || value < best:
			case value > best:
				best, optima = value, [][]int{choice}
			default:
				optima = append(optima, choice)
			}
		}
		left := n.without(rng.Float64(), best)
		for _, choice := range optima {
			if v := left.Violation(n.point(choice)); v.Amount > 0 {
				t.Fatalf("an optimum %v of %v is gone: %+v", choice, m.Cols, v)
			}
		}
		for _, c := range left.Cols {
			if c.Hi == 0 {
				gone++
			}
		}
	}
	if gone == 0 {
		t.Error("no option is gone")
	}
}
