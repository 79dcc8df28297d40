package claims

import "math"

// Bounds are the ends of a range of values, which belong to it.
type Bounds struct{ Low, High float64 }

// Line is the range of all values.
func Line() Bounds { return Bounds{math.Inf(-1), math.Inf(1)} }

// Inside reports whether b lies in c.
func (b Bounds) Inside(c Bounds) bool { return c.Low <= b.Low && b.High <= c.High }

// Misses reports whether b and c have no value in common.
func (b Bounds) Misses(c Bounds) bool { return b.High < c.Low || c.High < b.Low }

// Middle stands for the range: of a half-line its end; NaN of all values.
func (b Bounds) Middle() float64 {
	switch {
	case b == Line():
		return math.NaN()
	case math.IsInf(b.Low, 0):
		return b.High
	case math.IsInf(b.High, 0):
		return b.Low
	}
	return (b.Low + b.High) / 2
}

// none is the range without a value.
var none = Bounds{math.Inf(1), math.Inf(-1)}

// Union is the smallest range that holds both.
func (b Bounds) Union(c Bounds) Bounds { return Bounds{min(b.Low, c.Low), max(b.High, c.High)} }
