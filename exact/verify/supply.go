package verify

import (
	"cmp"
	"math"
	"slices"
)

// gainsOf are upper bounds on the gains of machines or copies one after the other, descending: tables are concave to 1e-9 only,
// and sums of higher gains are no less.
func gainsOf(speedup []float64) (gain []float64) {
	before := 0.0
	for _, h := range speedup {
		gain = append(gain, max(0, point(h).minus(point(before)).hi))
		before = h
	}
	for r := len(gain) - 2; r >= 0; r-- {
		gain[r] = max(gain[r], gain[r+1])
	}
	return gain
}

// A gainMarket is machine time for sale; each machine gains less than the one before it.
type gainMarket struct {
	*effort
	gain          []float64
	length, price []float64 // of each interval of time
	offers        []offer
}

// An offer is a gain in an interval of time.
type offer struct{ unit, work float64 }

// add adds an interval, in which the time of a machine costs price.
func (s *gainMarket) add(length, price float64) {
	if length <= 0 {
		return
	}
	s.length, s.price = append(s.length, length), append(s.price, price)
	for _, g := range s.gain {
		if g > 0 {
			s.offers = append(s.offers, offer{price / g, length * g})
		}
	}
}

// payment bounds from below what work costs when a unit of it costs at most late elsewhere; infinite: there is nothing elsewhere.
// For every unit price π ≤ late it is at least π·work less the savings of intervals that sell below π; the offers show a good π.
func (s *gainMarket) payment(work, late float64) float64 {
	slices.SortFunc(s.offers, func(a, b offer) int { return cmp.Compare(a.unit, b.unit) })
	unit, left := late, work
	if n := len(s.offers); n > 0 && math.IsInf(late, 1) {
		unit = s.offers[n-1].unit
	}
	for _, o := range s.offers {
		if o.unit >= late {
			break
		}
		left -= o.work
		if left <= 0 {
			unit = o.unit
			break
		}
	}
	if s.spent() != nil {
		return 0 // which proves nothing, and soon
	}
	unit = min(unit, math.MaxFloat64) // a quotient may exceed the largest number although the purchase does not
	s.spend(len(s.offers) + len(s.price))
	sum := down(unit * work)
	for i, v := range s.price {
		for _, g := range s.gain {
			cheaper := up(up(unit*g) - v)
			if cheaper <= 0 {
				break
			}
			s.spend(16)
			sum = down(sum - up(cheaper*s.length[i]))
		}
	}
	return max(0, sum) // nothing is sold below 0
}
