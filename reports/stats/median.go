package stats

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// Median is the middle value of xs, the mean of the two middle ones where their number is even; NaN for an empty sample.
func Median(xs []float64) float64 { return Quantile(slices.Sorted(slices.Values(xs)), 0.5) }

// MedianInterval is the distribution-free interval of a median between two order statistics whose coverage is at least
// level (Hollander and Wolfe, Nonparametric Statistical Methods, §3.6); none where even the whole range has less, such as
// below six values at 0.95.
func MedianInterval(xs []float64, level float64) Interval {
	n := len(xs)
	if n == 0 || slices.ContainsFunc(xs, math.IsNaN) {
		return NoInterval()
	}
	// The number of values below the median is binomial; k of them are left out at each end.
	below := distuv.Binomial{N: float64(n), P: 0.5}
	tail := (1 - level) / 2
	k := 0
	for k < n/2 && below.CDF(float64(k)) <= tail {
		k++
	}
	if k == 0 {
		return NoInterval()
	}
	sorted := slices.Sorted(slices.Values(xs))
	return Interval{sorted[k-1], sorted[n-k]}
}
