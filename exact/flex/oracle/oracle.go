// Package oracle solves small flex instances slowly and exactly, for the tests of other packages only.
//
// It shares no code with the packages under test except the types of an instance and a schedule. Everything that is not read from
// a schedule is computed in rational numbers, so that a value carries no rounding but the final one to float64, and ties
// are ties. Comparisons with deadlines and steps are exact except in Check, which allows for the rounding of completion
// times that others computed.
package oracle

import (
	"iter"
	"math/big"

	"schedgap/models/flex"
)

// The functions below keep rational arithmetic readable. None of them changes its arguments.

func whole(n int) *big.Rat       { return big.NewRat(int64(n), 1) }
func exactly(f float64) *big.Rat { return new(big.Rat).SetFloat64(f) }
func add(a, b *big.Rat) *big.Rat { return new(big.Rat).Add(a, b) }
func sub(a, b *big.Rat) *big.Rat { return new(big.Rat).Sub(a, b) }
func mul(a, b *big.Rat) *big.Rat { return new(big.Rat).Mul(a, b) }
func quo(a, b *big.Rat) *big.Rat { return new(big.Rat).Quo(a, b) }
func less(a, b *big.Rat) bool    { return a.Cmp(b) < 0 }
func least(a, b *big.Rat) *big.Rat {
	if less(b, a) {
		return b
	}
	return a
}

func rounded(a *big.Rat) float64 {
	f, _ := a.Float64()
	return f
}

func roundedAll(a []*big.Rat) []float64 {
	f := make([]float64, len(a))
	for i := range a {
		f[i] = rounded(a[i])
	}
	return f
}

// works returns every job's W_j.
func works(in *flex.Instance) []*big.Rat {
	w := make([]*big.Rat, len(in.Jobs))
	for j := range w {
		w[j] = exactly(in.Jobs[j].Work)
	}
	return w
}

// orders yields all permutations of 0..n-1 in lexicographic order, each in a slice of its own.
func orders(n int) iter.Seq[[]int] {
	return func(yield func([]int) bool) {
		used := make([]bool, n)
		var extend func(prefix []int) bool
		extend = func(prefix []int) bool {
			if len(prefix) == n {
				return yield(append([]int(nil), prefix...))
			}
			for j := range n {
				if used[j] {
					continue
				}
				used[j] = true
				goOn := extend(append(prefix, j))
				used[j] = false
				if !goOn {
					return false
				}
			}
			return true
		}
		extend(make([]int, 0, n))
	}
}
