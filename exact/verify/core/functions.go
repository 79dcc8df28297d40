package core

import (
	"math"
	"math/big"
)

// functionMargin is the relative error that math.Exp, Expm1, Log and Log1p are granted. They come from FreeBSD's msun, which
// states less than one unit in the last place, 2^-52; this is four, and TestFunctions holds them to one.
const functionMargin = 0x1p-50

// around is an interval that holds the true value of a function of package math.
func around(v float64) Interval {
	switch e := math.Abs(v) * functionMargin; {
	case math.IsInf(v, -1):
		return Interval{v, -math.MaxFloat64}
	case math.IsInf(v, 1):
		return Interval{math.MaxFloat64, v}
	default:
		return Interval{Down(v - e), Up(v + e)}
	}
}

// rising applies a function that rises.
func (a Interval) rising(f func(float64) float64) Interval {
	return Interval{around(f(a.Lo)).Lo, around(f(a.Hi)).Hi}
}

// Negated is −a.
func (a Interval) Negated() Interval { return Interval{-a.Hi, -a.Lo} }

// Exp is eᵃ.
func (a Interval) Exp() Interval { return a.rising(math.Exp).Positive() }

// Log is ln a of an a ≥ 0. Numbers below the normal ones are scaled, as math.Log takes them for others on some machines.
func (a Interval) Log() Interval {
	at := func(x float64) Interval {
		if x > 0 && x < 0x1p-1022 {
			return around(math.Log(x * 0x1p100)).Minus(Ln2.Times(Point(100)))
		}
		return around(math.Log(x))
	}
	a = a.Positive()
	return Interval{at(a.Lo).Lo, at(a.Hi).Hi}
}

// Ln2 is ln 2.
var Ln2 = Interval{math.Ln2, Up(math.Ln2)}

// Logarithm is ln r of an r > 0, also where r is too small for a float64.
func Logarithm(r *big.Rat) Interval {
	e := r.Num().BitLen() - r.Denom().BitLen()
	if e > -1000 {
		return Enclose(r).Log()
	}
	r = new(big.Rat).SetFrac(new(big.Int).Lsh(r.Num(), uint(-e)), r.Denom())
	return Enclose(r).Log().Plus(Ln2.Times(Integer(e)))
}

// Log1p is ln(1 + a) of an a ≥ −1.
func (a Interval) Log1p() Interval { return Interval{max(-1, a.Lo), max(-1, a.Hi)}.rising(math.Log1p) }

// Log1mexp is ln(1 − eᵃ) of an a ≤ 0, which falls.
func (a Interval) Log1mexp() Interval {
	at := func(x float64) Interval {
		x = min(x, 0)
		if x > -math.Ln2 {
			return Point(x).rising(math.Expm1).Negated().Log()
		}
		return Point(x).Exp().Negated().Log1p()
	}
	return Interval{at(a.Hi).Lo, min(0, at(a.Lo).Hi)}
}

// Enclose is the least interval that holds r and has floating-point numbers as its ends, or one wider.
func Enclose(r *big.Rat) Interval {
	v, exact := r.Float64()
	if exact {
		return Point(v)
	}
	return Interval{Down(v), Up(v)}
}
