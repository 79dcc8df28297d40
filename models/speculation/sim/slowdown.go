package sim

import "math"

// The laws of a straggler's slowdown, from 1.5 on, where an attempt begins to count as a straggler. Mantri follows the
// outliers that Mantri (Ananthanarayanan et al., OSDI 2010) reports, Even spreads them evenly, and Fixed slows all by the same.
const (
	Mantri = "mantri"
	Even   = "even"
	Fixed  = "fixed"
)

// SlowdownLaws lists them, the default first.
var SlowdownLaws = []string{Mantri, Even, Fixed}

// Slowdown returns the quantile function of a straggler's slowdown, with no slowdown above most ≥ 1.5.
func Slowdown(law string, most float64) func(u float64) float64 {
	switch law {
	case Even:
		return func(u float64) float64 { return 1.5 + (most-1.5)*u }
	case Fixed:
		return func(float64) float64 { return most }
	}
	return func(u float64) float64 { return min(most, outlier(u)) }
}

// outlier is the u-quantile of a slowdown as Mantri reports it: even from 1.5 to 2.5 up to u = 0.8, from there the tail 2.5/v²
// with v = (1 − u)/0.2, which passes 10 at u = 0.9: a Pareto distribution of shape 1/2.
func outlier(u float64) float64 {
	if u < 0.8 {
		return 1.5 + u/0.8
	}
	v := (1 - u) / 0.2
	return 2.5 / (v * v)
}

// MeanSlowdown is the mean of Slowdown's distribution.
func MeanSlowdown(law string, most float64) float64 {
	switch law {
	case Even:
		return (1.5 + most) / 2
	case Fixed:
		return most
	}
	body, tail := 2.0, most // of the even part, and of the tail
	if most < 2.5 {
		below := most - 1.5
		body = below*(1.5+most)/2 + (1-below)*most
	} else {
		v := math.Sqrt(2.5 / most) // below it the tail is cut off
		tail = most*v + 2.5*(1/v-1)
	}
	return 0.8*body + 0.2*tail
}
