package verify

import (
	"math"
	"math/big"
)

// functionMargin is the relative error that math.Exp, Expm1, Log and Log1p are granted. They come from FreeBSD's msun, which states less
// than one unit in the last place, 2^-52; this is four, and TestFunctions holds them to one.
const functionMargin = 0x1p-50

// around is an interval that holds the true value of a function of package math.
func around(v float64) interval {
	switch e := math.Abs(v) * functionMargin; {
	case math.IsInf(v, -1):
		return interval{v, -math.MaxFloat64}
	case math.IsInf(v, 1):
		return interval{math.MaxFloat64, v}
	default:
		return interval{down(v - e), up(v + e)}
	}
}

// rising applies a function that rises.
func (a interval) rising(f func(float64) float64) interval {
	return interval{around(f(a.lo)).lo, around(f(a.hi)).hi}
}

func (a interval) negated() interval { return interval{-a.hi, -a.lo} }

// exp is eᵃ.
func (a interval) exp() interval { return a.rising(math.Exp).positive() }

// log is ln a of an a ≥ 0.
func (a interval) log() interval { return a.positive().rising(math.Log) }

// log1p is ln(1 + a) of an a ≥ −1.
func (a interval) log1p() interval { return interval{max(-1, a.lo), max(-1, a.hi)}.rising(math.Log1p) }

// log1mexp is ln(1 − eᵃ) of an a ≤ 0, which falls.
func (a interval) log1mexp() interval {
	at := func(x float64) interval {
		x = min(x, 0)
		if x > -math.Ln2 {
			return point(x).rising(math.Expm1).negated().log()
		}
		return point(x).exp().negated().log1p()
	}
	return interval{at(a.hi).lo, min(0, at(a.lo).hi)}
}

// enclose is the least interval that holds r and has floating-point numbers as its ends, or one wider.
func enclose(r *big.Rat) interval {
	v, exact := r.Float64()
	if exact {
		return point(v)
	}
	return interval{down(v), up(v)}
}
