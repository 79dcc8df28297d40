package core

import (
	"cmp"
	"math"
	"slices"
)

// Gains are upper bounds on the gains of machines or copies one after the other, descending: tables are concave to 1e-9 only,
// and sums of higher gains are no less.
func Gains(speedup []float64) (gain []float64) {
	before := 0.0
	for _, h := range speedup {
		gain = append(gain, max(0, Point(h).Minus(Point(before)).Hi))
		before = h
	}
	for r := len(gain) - 2; r >= 0; r-- {
		gain[r] = max(gain[r], gain[r+1])
	}
	return gain
}

// A Market is machine time for sale, by intervals of time; each machine gains less than the one before it.
type Market struct {
	*Effort
	Gain          []float64
	Length, Price []float64 // of each interval of time
	Offers        []Offer
}

// An Offer is a gain in an interval of time: the price of a unit of work there, and how much of it.
type Offer struct{ unit, Work float64 }

// Add adds an interval, in which the time of a machine costs price.
func (s *Market) Add(length, price float64) {
	if length <= 0 {
		return
	}
	s.Length, s.Price = append(s.Length, length), append(s.Price, price)
	for _, g := range s.Gain {
		if g > 0 {
			s.Offers = append(s.Offers, Offer{price / g, length * g})
		}
	}
}

// Payment bounds from below what work costs when a unit of it costs at most late elsewhere; infinite: there is nothing elsewhere.
// For every unit price π ≤ late it is at least π·work less the savings of intervals that sell below π; the offers show a good π.
func (s *Market) Payment(work, late float64) float64 {
	slices.SortFunc(s.Offers, func(a, b Offer) int { return cmp.Compare(a.unit, b.unit) })
	unit, left := late, work
	if n := len(s.Offers); n > 0 && math.IsInf(late, 1) {
		unit = s.Offers[n-1].unit
	}
	for _, o := range s.Offers {
		if o.unit >= late {
			break
		}
		left -= o.Work
		if left <= 0 {
			unit = o.unit
			break
		}
	}
	if s.Spent() != nil {
		return 0 // which proves nothing, and soon
	}
	unit = min(unit, math.MaxFloat64) // a quotient may exceed the largest number although the purchase does not
	s.Spend(len(s.Offers) + len(s.Price))
	sum := Down(unit * work)
	for i, v := range s.Price {
		for _, g := range s.Gain {
			cheaper := Up(Up(unit*g) - v)
			if cheaper <= 0 {
				break
			}
			s.Spend(16)
			sum = Down(sum - Up(cheaper*s.Length[i]))
		}
	}
	return max(0, sum) // nothing is sold below 0
}
