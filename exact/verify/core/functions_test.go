package core

import (
	"math"
	"math/big"
	"testing"

	"schedgap/models/trials"
)

const digits = 2400 // of the reference values: 1 − eˣ of an x below the normal numbers takes 1100, what is compared 640

func precise(v float64) *big.Float { return new(big.Float).SetPrec(digits).SetFloat64(v) }

// bigExp is eˣ by the Taylor series at x/2^k, squared k times.
func bigExp(x *big.Float) *big.Float {
	k := max(0, x.MantExp(nil)+20)
	small := new(big.Float).SetMantExp(x, -k)
	sum, term := precise(1), precise(1)
	for n := 1.0; n < 30; n++ {
		term.Mul(term, small).Quo(term, precise(n))
		sum.Add(sum, term)
	}
	for range k {
		sum.Mul(sum, sum)
	}
	return sum
}

// bigLog is ln x by Newton's method from a double.
func bigLog(x *big.Float) *big.Float {
	mantissa := new(big.Float)
	e := x.MantExp(mantissa)
	near, _ := mantissa.Float64()
	y := precise(math.Log(near) + float64(e)*math.Ln2)
	for range 4 { // each doubles the digits
		e := bigExp(y)
		step := new(big.Float).Sub(x, e)
		step.Quo(step, e.Add(e, x)).Mul(step, precise(2))
		y.Add(y, step)
	}
	return y
}

// The functions of package math keep one unit in the last place, where four are granted, and intervals hold the true values.
func TestFunctions(t *testing.T) {
	rng := trials.Rand(t, 16, 3)
	one := precise(1)
	for i := range trials.Count(4000) {
		x := -math.Exp(20*rng.Float64() - 14)
		share := math.Exp(-30 * rng.Float64())
		switch i % 4 {
		case 0: // below the normal numbers
			x, share = -math.Ldexp(rng.Float64(), -1022), math.Ldexp(rng.Float64(), -1022)
		case 1: // and those of which eˣ is
			x = -700 - 50*rng.Float64()
		}
		for name, c := range map[string]struct {
			got  float64
			true *big.Float
			in   Interval
		}{
			"exp":      {math.Exp(x), bigExp(precise(x)), Point(x).Exp()},
			"expm1":    {math.Expm1(x), new(big.Float).Sub(bigExp(precise(x)), one), Point(x).rising(math.Expm1)},
			"log":      {math.Log(share), bigLog(precise(share)), Point(share).Log()},
			"log1p":    {math.Log1p(-share), bigLog(new(big.Float).Sub(one, precise(share))), Point(-share).Log1p()},
			"log1mexp": {math.NaN(), bigLog(new(big.Float).Sub(one, bigExp(precise(x)))), Point(x).Log1mexp()},
		} {
			v, _ := c.true.Float64()
			if off := new(big.Float).Sub(precise(c.in.Lo), c.true); off.Sign() > 0 || precise(c.in.Hi).Cmp(c.true) < 0 {
				t.Fatalf("%s of %v, %v: [%v, %v] does not hold %v", name, x, share, c.in.Lo, c.in.Hi, c.true)
			}
			if math.Abs(v) < 0x1p-1000 {
				continue // with fewer digits
			}
			if width := c.in.Hi - c.in.Lo; width > 1e-14*math.Abs(v) {
				t.Fatalf("%s of %v, %v: [%v, %v] is wider than it need be", name, x, share, c.in.Lo, c.in.Hi)
			}
			if math.IsNaN(c.got) || share < 0x1p-1022 {
				continue // of numbers below the normal ones math.Log may be wrong
			}
			off, _ := new(big.Float).Quo(new(big.Float).Sub(precise(c.got), c.true), c.true).Float64()
			if math.Abs(off) > 0x1p-52 {
				t.Fatalf("%s of %v, %v: %v is off by %g of %v", name, x, share, c.got, off, v)
			}
		}
	}
}
