package oracle

import (
	"math/big"
	"testing"
)

func coefficients(values ...int) map[int]*big.Rat {
	c := map[int]*big.Rat{}
	for i, v := range values {
		c[i] = whole(v)
	}
	return c
}

// TestSolveOutcomes covers an optimum with fractions, redundant equations, no solution and no lower bound.
func TestSolveOutcomes(t *testing.T) {
	// −x − y is least where x + 2y = 4 and 3x + y = 6: x = 8/5, y = 6/5.
	p := linear{size: 2, cost: coefficients(-1, -1)}
	p.atMost(whole(4), coefficients(1, 2))
	p.atMost(whole(6), coefficients(3, 1))
	if x, cost, ok := p.solve(); !ok {
		t.Error("a vertex: no optimum")
	} else {
		wantRat(t, "cost", cost, "-14/5")
		wantRat(t, "x", x[0], "8/5")
		wantRat(t, "y", x[1], "6/5")
	}
	// The second equation is twice the first; x + y = 3, cost 2x + y.
	p = linear{size: 2, cost: coefficients(2, 1)}
	p.equals(whole(3), coefficients(1, 1))
	p.equals(whole(6), coefficients(2, 2))
	if _, cost, ok := p.solve(); !ok {
		t.Error("redundant equations: no optimum")
	} else {
		wantRat(t, "cost", cost, "3")
	}
	// x ≥ 2 and x ≤ 1.
	p = linear{size: 1, cost: coefficients(1)}
	p.atMost(whole(-2), coefficients(-1))
	p.atMost(whole(1), coefficients(1))
	if x, _, ok := p.solve(); ok {
		t.Errorf("infeasible, but x = %v", x)
	}
	p = linear{size: 1, cost: coefficients(-1)}
	if x, _, ok := p.solve(); ok {
		t.Errorf("unbounded, but x = %v", x)
	}
}
