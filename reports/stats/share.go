package stats

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// tail is the probability beyond each end of a 95 % interval.
const tail = 0.025

// Share returns the ends of the exact 95 % interval of a share of which k successes among n trials are known: C. J. Clopper and
// E. S. Pearson, The use of confidence or fiducial limits illustrated in the case of the binomial, Biometrika 26 (1934). It is [0, 1]
// for n = 0.
func Share(k, n int) (lo, hi float64) {
	hi = 1
	if k > 0 {
		lo = distuv.Beta{Alpha: float64(k), Beta: float64(n - k + 1)}.Quantile(tail)
	}
	if k < n {
		hi = distuv.Beta{Alpha: float64(k + 1), Beta: float64(n - k)}.Quantile(1 - tail)
	}
	return lo, hi
}

// MedianInterval returns the ends of the narrowest symmetric pair of order statistics that holds the median of the distribution of xs
// with probability 0.95 or more (H. A. David and H. N. Nagaraja, Order Statistics, 2003, section 7.1). It supposes nothing of the
// distribution, and takes +Inf for values of which only their size is known. Both are NaN for fewer than 6 values, which have no such
// pair.
func MedianInterval(xs []float64) (lo, hi float64) {
	sorted := slices.Sorted(slices.Values(xs))
	below := distuv.Binomial{N: float64(len(xs)), P: 0.5}
	r := 0
	for 2*(r+1) <= len(xs) && below.CDF(float64(r)) <= tail {
		r++
	}
	if r == 0 {
		return math.NaN(), math.NaN()
	}
	return sorted[r-1], sorted[len(xs)-r]
}
