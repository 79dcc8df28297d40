package stats

import (
	"math"
	"slices"
)

// A Curve is a right-continuous step function that is 0 left of X[0] and Y[i] from X[i] on, with X increasing strictly.
type Curve struct{ X, Y []float64 }

// Distribution returns the share of total items whose value is at most x. Values that are NaN or infinite are never
// reached, and neither are the total − len(xs) items without a value, so the curve may end below 1.
func Distribution(xs []float64, total int) Curve {
	finite := Finite(xs)
	slices.Sort(finite)
	distinct := 0
	for i, x := range finite {
		if i == 0 || finite[i-1] != x {
			distinct++
		}
	}
	c := Curve{make([]float64, 0, distinct), make([]float64, 0, distinct)}
	for i, x := range finite {
		if i+1 < len(finite) && finite[i+1] == x {
			continue
		}
		c.X = append(c.X, x)
		c.Y = append(c.Y, float64(i+1)/float64(total))
	}
	return c
}

// Finite returns the finite values of xs in order.
func Finite(xs []float64) []float64 {
	out := make([]float64, 0, len(xs))
	for _, x := range xs {
		if IsFinite(x) {
			out = append(out, x)
		}
	}
	return out
}

// IsFinite reports whether there is a finite number.
func IsFinite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// Value is a number that there may not be; NaN then.
func Value[T ~int64 | ~float64](x *T) float64 {
	if x == nil {
		return math.NaN()
	}
	return float64(*x)
}

// At evaluates the curve.
func (c Curve) At(x float64) float64 { return c.From(0, x) }

// From evaluates a curve that is another value left of X[0].
func (c Curve) From(left, x float64) float64 {
	i, found := slices.BinarySearch(c.X, x)
	switch {
	case found:
		return c.Y[i]
	case i == 0:
		return left
	}
	return c.Y[i-1]
}

// Thin returns a curve of at most steps steps, steps ≥ 2, that meets c at each of them, the first and the last among them.
func (c Curve) Thin(steps int) Curve { return Curve{Thin(c.X, steps), Thin(c.Y, steps)} }

// Thin leaves at most n of the values, n ≥ 2, evenly, the first and the last among them.
func Thin(xs []float64, n int) []float64 {
	if len(xs) <= n {
		return xs
	}
	out := make([]float64, n)
	for k := range n {
		out[k] = xs[k*(len(xs)-1)/(n-1)]
	}
	return out
}
