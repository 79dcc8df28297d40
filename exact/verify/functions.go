package verify

import (
	"math"
	"math/big"
)

// functionMargin is the relative error that math.Exp, Expm1, Log and Log1p are granted. They come from FreeBSD's msun, which
// states less than one unit in the last place, 2^-52; this is four, and TestFunctions holds them to one.
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

// log is ln a of an a ≥ 0. Numbers below the normal ones are scaled, as math.Log takes them for others on some machines.
func (a interval) log() interval {
	at := func(x float64) interval {
		if x > 0 && x < 0x1p-1022 {
			return around(math.Log(x * 0x1p100)).minus(ln2.times(point(100)))
		}
		return around(math.Log(x))
	}
	a = a.positive()
	return interval{at(a.lo).lo, at(a.hi).hi}
}

// ln2 is ln 2.
var ln2 = interval{math.Ln2, up(math.Ln2)}

// logarithm is ln r of an r > 0, also where r is too small for a float64.
func logarithm(r *big.Rat) interval {
	e := r.Num().BitLen() - r.Denom().BitLen()
	if e > -1000 {
		return enclose(r).log()
	}
	r = new(big.Rat).SetFrac(new(big.Int).Lsh(r.Num(), uint(-e)), r.Denom())
	return enclose(r).log().plus(ln2.times(integer(e)))
}

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
