package stats

import "slices"

// Median is the middle value of xs, the mean of the two middle ones where their number is even; NaN for an empty sample.
func Median(xs []float64) float64 { return Quantile(slices.Sorted(slices.Values(xs)), 0.5) }
