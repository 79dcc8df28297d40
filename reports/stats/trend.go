package stats

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// MannKendall returns Kendall's score of a series against its order, the number of pairs that rise less the number of those that
// fall, and its two-sided p-value by the normal approximation with corrections for ties and continuity (Mann 1945; Kendall, Rank
// Correlation Methods, §4). inflation is by how much serial correlation makes the score's variance larger, 1 for none (Hamed and
// Rao 1998). NaN for fewer than three values.
func MannKendall(xs []float64, inflation float64) (score, p float64) {
	n := float64(len(xs))
	if n < 3 {
		return math.NaN(), math.NaN()
	}
	for i, x := range xs {
		for _, y := range xs[i+1:] {
			switch {
			case y > x:
				score++
			case y < x:
				score--
			}
		}
	}
	sd := math.Sqrt(inflation * scoreVariance(xs))
	if sd == 0 || score == 0 {
		return score, 1
	}
	return score, math.Erfc((math.Abs(score) - 1) / sd / math.Sqrt2)
}

// scoreVariance is the variance of Kendall's score when all orders are equally likely.
func scoreVariance(xs []float64) float64 {
	n := float64(len(xs))
	sum := n * (n - 1) * (2*n + 5)
	sorted := slices.Sorted(slices.Values(xs))
	for i := 0; i < len(sorted); {
		j := i
		for j < len(sorted) && sorted[j] == sorted[i] {
			j++
		}
		t := float64(j - i)
		sum -= t * (t - 1) * (2*t + 5)
		i = j
	}
	return sum / 18
}

// TheilSen returns the median of the slopes between all pairs of a series, a step from one value to the next being 1, and its
// interval at a level such as 0.95 (Sen 1968), with Kendall's score as in MannKendall. NaN for fewer than two values; no interval
// where the series is too short for the level.
func TheilSen(xs []float64, level, inflation float64) (slope float64, interval Interval) {
	var slopes []float64
	for i, x := range xs {
		for j := i + 1; j < len(xs); j++ {
			slopes = append(slopes, (xs[j]-x)/float64(j-i))
		}
	}
	slices.Sort(slopes)
	half := distuv.UnitNormal.Quantile((1+level)/2) * math.Sqrt(inflation*scoreVariance(xs))
	pairs := float64(len(slopes))
	lo, hi := int(math.Floor((pairs-half)/2))-1, int(math.Ceil((pairs+half)/2)) // from 0
	interval = NoInterval()
	if lo >= 0 && hi < len(slopes) {
		interval = Interval{slopes[lo], slopes[hi]}
	}
	return Quantile(slopes, 0.5), interval
}
