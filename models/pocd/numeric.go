package pocd

import "math"

// twoSum returns a+b as the rounded sum and its exact error (Knuth, TAOCP 2, 4.2.2).
func twoSum(a, b float64) (sum, low float64) {
	sum = a + b
	t := sum - a
	return sum, (a - (sum - t)) + (b - t)
}

// Log1mexp is ln(1−eˣ) for x ≤ 0 with full accuracy at both ends.
func Log1mexp(x float64) float64 {
	if x > -math.Ln2 {
		return math.Log(-math.Expm1(x))
	}
	return math.Log1p(-math.Exp(x))
}

// A Sum adds numbers with about twice the precision of a float64, so that neither the order of the terms nor terms that
// come and go cost it digits. Infinite terms make it infinite.
type Sum struct{ high, low float64 }

// Add adds x.
func (s *Sum) Add(x float64) {
	high, low := twoSum(s.high, x)
	if math.IsInf(high, 0) || math.IsNaN(high) {
		s.high, s.low = high, 0
		return
	}
	s.high, s.low = twoSum(high, s.low+low)
}

// Value is the sum.
func (s *Sum) Value() float64 { return s.high }
