package stats

import (
	"math"
	"slices"
)

// Correlation estimates that of each value of several series with the next, from 0 to 0.8: less is taken as none, and more cannot
// be told from drifts. The series may have steps and drift slowly; one of less than eight values says nothing. It goes by the
// differences of values one and two apart (Tecuapetla-Gómez and Munk, Autocovariance estimation in regression with a
// discontinuous signal and m-dependent errors, 2017) and by the median over the series: one alone says little.
func Correlation(series ...[]float64) float64 {
	var estimates []float64
	values := 0
	for _, xs := range series {
		if len(xs) < fewestValues {
			continue
		}
		if one, two := differences(xs, 1), differences(xs, 2); one > 0 {
			estimates = append(estimates, two*two/(one*one)-1) // var(two)/var(one) is 1 + correlation
			values += len(xs)
		}
	}
	if values == 0 {
		return 0
	}
	return min(0.8, max(0, Median(estimates)-1.5/math.Sqrt(float64(values)))) // less some two thirds of its standard error
}

// Noise is the standard deviation of a series around its level, which may have steps and drift slowly, by the differences of
// neighbours; NaN below three values.
func Noise(xs []float64) float64 {
	if len(xs) < 3 {
		return math.NaN()
	}
	return differences(xs, 1) / math.Sqrt2
}

// differences is the standard deviation of the differences of values lag apart, by their 3/4 quantile around the median: up to a
// quarter of them may be those of steps and outliers.
func differences(xs []float64, lag int) float64 {
	ds := make([]float64, len(xs)-lag)
	for i := range ds {
		ds[i] = xs[i+lag] - xs[i]
	}
	middle := Median(ds)
	for i := range ds {
		ds[i] = math.Abs(ds[i] - middle)
	}
	slices.Sort(ds)
	return Quantile(ds, 0.75) / 1.15035 // that of a standard normal variable
}

// Hampel replaces the values that are further than three standard deviations from the median of the five around them by that
// median (Davies and Gather 1993), so that one bad night is no step.
func Hampel(xs []float64, sd float64) []float64 {
	out := slices.Clone(xs)
	for i, x := range xs {
		if middle := Median(xs[max(0, i-2):min(len(xs), i+3)]); math.Abs(x-middle) > 3*sd {
			out[i] = middle
		}
	}
	return out
}
