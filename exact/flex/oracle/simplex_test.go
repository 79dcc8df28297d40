package oracle

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"schedgap/models/trials/property"
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
	// x ≤ 1 and x ≥ 2.
	p = linear{size: 1, cost: coefficients(1)}
	p.atMost(whole(1), coefficients(1))
	p.atMost(whole(-2), coefficients(-1))
	if x, _, ok := p.solve(); ok {
		t.Errorf("infeasible, but x = %v", x)
	}
	p = linear{size: 1, cost: coefficients(-1)}
	if x, _, ok := p.solve(); ok {
		t.Errorf("unbounded, but x = %v", x)
	}
}

// TestDuality: the optimum of min c·x, A·x ≥ b is that of max b·y, yᵀA ≤ c, which proves both.
func TestDuality(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		rows, cols := rapid.IntRange(1, 4).Draw(t, "rows"), rapid.IntRange(1, 4).Draw(t, "cols")
		draw := func(n, from int, name string) []int {
			return rapid.SliceOfN(rapid.IntRange(from, 5), n, n).Draw(t, name)
		}
		b, c := draw(rows, -3, "b"), draw(cols, 0, "c")
		primal := linear{size: cols, cost: coefficients(c...)}
		dual := linear{size: rows, cost: map[int]*big.Rat{}}
		transposed := make([]map[int]*big.Rat, cols)
		for j := range transposed {
			transposed[j] = map[int]*big.Rat{}
		}
		for i := range rows {
			row := map[int]*big.Rat{}
			for j, v := range draw(cols, -3, "a") {
				row[j], transposed[j][i] = whole(-v), whole(v)
			}
			primal.atMost(whole(-b[i]), row)
			dual.cost[i] = whole(-b[i])
		}
		for j := range transposed {
			dual.atMost(whole(c[j]), transposed[j])
		}
		// With c ≥ 0 the dual is feasible, so both have an optimum or the primal is infeasible and the dual unbounded.
		_, least, ok := primal.solve()
		_, most, dualOK := dual.solve()
		if ok != dualOK || ok && least.Cmp(mul(whole(-1), most)) != 0 {
			t.Fatalf("primal %v %v, dual −(%v) %v", least, ok, most, dualOK)
		}
	})
}
