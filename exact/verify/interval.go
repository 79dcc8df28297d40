package verify

import "math"

// An interval is a pair of floating-point numbers with the true value in between: every operation rounds outwards.
type interval struct{ lo, hi float64 }

func point(v float64) interval { return interval{v, v} }

// integer encloses n, which a float64 may not hold beyond 2^53.
func integer(n int) interval {
	v := float64(n)
	if n > 1<<53 || n < -1<<53 {
		return interval{down(v), up(v)}
	}
	return point(v)
}

// down and up are one step outwards, which is more than the rounding of one operation.
func down(v float64) float64 { return math.Nextafter(v, math.Inf(-1)) }
func up(v float64) float64   { return math.Nextafter(v, math.Inf(1)) }

// below and above add from one side. A sum with 0, or that is 0, is exact.
func below(a, b float64) float64 {
	if s := a + b; a == 0 || b == 0 || s == 0 {
		return s
	}
	return down(a + b)
}

func above(a, b float64) float64 { return -below(-a, -b) }

func (a interval) plus(b interval) interval { return interval{below(a.lo, b.lo), above(a.hi, b.hi)} }

func (a interval) minus(b interval) interval { return interval{below(a.lo, -b.hi), above(a.hi, -b.lo)} }

func (a interval) times(b interval) interval {
	if a == point(0) || b == point(0) {
		return point(0)
	}
	p, q, r, s := a.lo*b.lo, a.lo*b.hi, a.hi*b.lo, a.hi*b.hi
	return outwards(min(p, q, r, s), max(p, q, r, s), a.lo >= 0 && b.lo >= 0)
}

// over divides by a b above 0.
func (a interval) over(b interval) interval {
	p, q, r, s := a.lo/b.lo, a.lo/b.hi, a.hi/b.lo, a.hi/b.hi
	return outwards(min(p, q, r, s), max(p, q, r, s), a.lo >= 0)
}

// outwards rounds the ends of a result, which stays from 0 on where positive is true.
func outwards(lo, hi float64, positive bool) interval {
	lo = down(lo)
	if positive {
		lo = max(0, lo)
	}
	return interval{lo, up(hi)}
}

// positive is max(0, a).
func (a interval) positive() interval { return interval{max(0, a.lo), max(0, a.hi)} }

// most is the larger, least the smaller of two values.
func most(a, b interval) interval  { return interval{max(a.lo, b.lo), max(a.hi, b.hi)} }
func least(a, b interval) interval { return interval{min(a.lo, b.lo), min(a.hi, b.hi)} }
