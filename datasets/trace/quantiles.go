package trace

import (
	"cmp"
	"math"
	"slices"
	"sort"
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

// A Sample holds values and how often each of them occurs. Tasks that one record stands for count as often as those that are
// recorded one by one.
type Sample struct {
	values []counted
	sorted bool
}

// A counted value: before sorting n is how often it occurs, afterwards how many values there are up to it.
type counted struct {
	value float64
	n     int
}

// Add adds a value that occurs a number of times.
func (s *Sample) Add(value float64, times int) {
	if times > 0 {
		s.values, s.sorted = append(s.values, counted{value, times}), false
	}
}

// sort sorts the values and puts equal ones together, so that sums do not depend on how values were added.
func (s *Sample) sort() {
	if s.sorted {
		return
	}
	slices.SortFunc(s.values, func(a, b counted) int { return cmp.Compare(a.value, b.value) })
	kept := s.values[:0]
	for _, v := range s.values {
		if last := len(kept) - 1; last >= 0 && kept[last].value == v.value {
			kept[last].n += v.n
		} else {
			kept = append(kept, v)
		}
	}
	for i := 1; i < len(kept); i++ {
		kept[i].n += kept[i-1].n
	}
	s.values, s.sorted = kept, true
}

// at is the value at a position in ascending order, counted from 0.
func (s *Sample) at(position int) float64 {
	i := sort.Search(len(s.values), func(i int) bool { return s.values[i].n > position })
	return s.values[i].value
}

// Quantiles sums the sample up; an empty one gives zeros.
func (s *Sample) Quantiles() Quantiles {
	if len(s.values) == 0 {
		return Quantiles{}
	}
	s.sort()
	sum, before := 0.0, 0
	for _, v := range s.values {
		sum += float64(v.value * float64(v.n-before))
		before = v.n
	}
	n := before
	q := func(p float64) float64 { return quantile(n, s.at, p) }
	return Quantiles{
		N: n, Mean: sum / float64(n), Min: q(0), P5: q(.05), P25: q(.25), P50: q(.5), P75: q(.75), P90: q(.9), P95: q(.95),
		P99: q(.99), Max: q(1),
	}
}

// Quantile is the p-quantile, 0 ≤ p ≤ 1, of an ascending sample that is not empty, defined as in Quantiles.
func Quantile(sorted []float64, p float64) float64 {
	return quantile(len(sorted), func(i int) float64 { return sorted[i] }, p)
}

func quantile(n int, at func(i int) float64, p float64) float64 {
	whole, part := math.Modf(float64(n-1) * p)
	i := int(whole)
	if part == 0 {
		return at(i)
	}
	return at(i) + part*(at(i+1)-at(i))
}
