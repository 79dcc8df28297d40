package core

import "math"

// An Interval is a pair of floating-point numbers with the true value in between: every operation rounds outwards.
type Interval struct{ Lo, Hi float64 }

// Point is the interval of one number.
func Point(v float64) Interval { return Interval{v, v} }

// Integer encloses n, which a float64 may not hold beyond 2^53.
func Integer(n int) Interval {
	v := float64(n)
	if n > 1<<53 || n < -1<<53 {
		return Interval{Down(v), Up(v)}
	}
	return Point(v)
}

// Down and Up are one step outwards, which is more than the rounding of one operation.
func Down(v float64) float64 { return math.Nextafter(v, math.Inf(-1)) }
func Up(v float64) float64   { return math.Nextafter(v, math.Inf(1)) }

// Below and Above add from one side. A sum with 0, or that is 0, is exact.
func Below(a, b float64) float64 {
	if s := a + b; a == 0 || b == 0 || s == 0 {
		return s
	}
	return Down(a + b)
}

func Above(a, b float64) float64 { return -Below(-a, -b) }

// Plus, Minus and Times enclose the sum, the difference and the product.
func (a Interval) Plus(b Interval) Interval { return Interval{Below(a.Lo, b.Lo), Above(a.Hi, b.Hi)} }

func (a Interval) Minus(b Interval) Interval { return Interval{Below(a.Lo, -b.Hi), Above(a.Hi, -b.Lo)} }

func (a Interval) Times(b Interval) Interval {
	if a == Point(0) || b == Point(0) {
		return Point(0)
	}
	p, q, r, s := a.Lo*b.Lo, a.Lo*b.Hi, a.Hi*b.Lo, a.Hi*b.Hi
	return outwards(min(p, q, r, s), max(p, q, r, s), a.Lo >= 0 && b.Lo >= 0)
}

// Over encloses the quotient by a b above 0.
func (a Interval) Over(b Interval) Interval {
	p, q, r, s := a.Lo/b.Lo, a.Lo/b.Hi, a.Hi/b.Lo, a.Hi/b.Hi
	return outwards(min(p, q, r, s), max(p, q, r, s), a.Lo >= 0)
}

// outwards rounds the ends of a result, which stays from 0 on where positive is true.
func outwards(lo, hi float64, positive bool) Interval {
	lo = Down(lo)
	if positive {
		lo = max(0, lo)
	}
	return Interval{lo, Up(hi)}
}

// Positive is max(0, a).
func (a Interval) Positive() Interval { return Interval{max(0, a.Lo), max(0, a.Hi)} }

// Most is the larger, Least the smaller of two values.
func Most(a, b Interval) Interval  { return Interval{max(a.Lo, b.Lo), max(a.Hi, b.Hi)} }
func Least(a, b Interval) Interval { return Interval{min(a.Lo, b.Lo), min(a.Hi, b.Hi)} }
