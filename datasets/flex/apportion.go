package flex

import (
	"cmp"
	"math"
	"slices"
)

// apportion splits total into whole parts in proportion to shares, each part between lo and its hi: the parts are
// λ·share, cut at the limits, for the λ at which they add up to total, then rounded by largest remainders; ties go in file
// order. A total outside [n·lo, Σ hi] is moved to its nearer end. Shares are > 0 and lo ≤ hi.
func apportion(shares []float64, total, lo int, hi []int) []int {
	most := 0
	for _, h := range hi {
		most += h
	}
	total = max(lo*len(shares), min(total, most))
	part := func(j int, level float64) float64 {
		return max(float64(lo), min(level*shares[j], float64(hi[j])))
	}
	sum := func(level float64) (s float64) {
		for j := range shares {
			s += part(j, level)
		}
		return s
	}
	// The sum grows with the level. below keeps it at or under total, so that rounding down leaves something to hand out.
	below, above := 0.0, 1.0
	for sum(above) < float64(total) {
		above *= 2
	}
	for range 100 {
		if mid := (below + above) / 2; sum(mid) <= float64(total) {
			below = mid
		} else {
			above = mid
		}
	}
	parts, order, rest := make([]int, len(shares)), make([]int, len(shares)), make([]float64, len(shares))
	left := total
	for j := range shares {
		whole, fraction := math.Modf(part(j, below))
		parts[j], rest[j], order[j] = int(whole), fraction, j
		left -= parts[j]
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(rest[b], rest[a]) })
	for left > 0 {
		for _, j := range order {
			if left > 0 && parts[j] < hi[j] {
				parts[j]++
				left--
			}
		}
	}
	return parts
}
