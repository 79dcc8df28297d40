package trace

import (
	"math"
	"slices"
)

// Quantiles sum up a sample. They interpolate linearly between order statistics: of n sorted values, counted from 0, the
// p-quantile lies at position (n-1)·p (definition 7 of Hyndman and Fan, 1996), so P50 is the usual median.
type Quantiles struct {
	N    int     `json:"n"`
	Mean float64 `json:"mean"`
	Min  float64 `json:"min"`
	P5   float64 `json:"p5"`
	P25  float64 `json:"p25"`
	P50  float64 `json:"p50"`
	P75  float64 `json:"p75"`
	P90  float64 `json:"p90"`
	P95  float64 `json:"p95"`
	P99  float64 `json:"p99"`
	Max  float64 `json:"max"`
}

// Summarize sorts sample and sums it up; an empty sample gives zeros.
func Summarize(sample []float64) Quantiles {
	if len(sample) == 0 {
		return Quantiles{}
	}
	slices.Sort(sample)
	sum := 0.0
	for _, v := range sample {
		sum += v
	}
	q := func(p float64) float64 { return Quantile(sample, p) }
	return Quantiles{
		N: len(sample), Mean: sum / float64(len(sample)), Min: sample[0], P5: q(.05), P25: q(.25), P50: q(.5), P75: q(.75),
		P90: q(.9), P95: q(.95), P99: q(.99), Max: sample[len(sample)-1],
	}
}

// Quantile is the p-quantile, 0 ≤ p ≤ 1, of an ascending sample that is not empty, defined as in Quantiles.
func Quantile(sorted []float64, p float64) float64 {
	whole, part := math.Modf(float64(len(sorted)-1) * p)
	i := int(whole)
	if part == 0 {
		return sorted[i]
	}
	return sorted[i] + part*(sorted[i+1]-sorted[i])
}
