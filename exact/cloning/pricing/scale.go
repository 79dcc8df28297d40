package pricing

import "math"

// A scale turns prices in slots into whole numbers of units, large enough that no sum that matters leaves an int64.
type scale struct {
	bits    int     // a slot is 2^bits units
	highest float64 // price, in slots
}

const (
	mostBits  = 30
	leastBits = 8
)

// newScale returns a scale for jobs that all stay until the horizon; ok is false when that is too far for any.
func newScale(p *instance, horizon int) (s scale, ok bool) {
	flow := float64(len(p.In.Jobs)) * (float64(horizon) + 1)
	s.bits = mostBits
	for s.bits >= leastBits && math.Ldexp(flow, s.bits) > 1<<60 {
		s.bits--
	}
	units := 1.0
	for k := range p.phases {
		units = max(units, float64(p.phases[k].Alone)*float64(len(p.phases[k].gain)))
	}
	surrogates := float64(len(p.In.Resources) * (maxParts + 1)) // that add up to the price of a copy
	s.highest = math.Ldexp(1, 60-s.bits) / units / surrogates
	return s, s.bits >= leastBits
}

// units rounds a price down.
func (s scale) units(price float64) int64 {
	return int64(math.Ldexp(min(max(0, price), s.highest), s.bits))
}

// slots is the inverse of units.
func (s scale) slots(units float64) float64 { return math.Ldexp(units, -s.bits) }

// A tally is a sum that knows whether it may have left the range of an int64.
type tally struct {
	sum  int64
	size float64
}

// add adds a·b.
func (t *tally) add(a, b int64) {
	t.sum += a * b
	t.size += math.Abs(float64(a)) * math.Abs(float64(b))
}

// value is the sum, and the least int64 when that is not certain.
func (t *tally) value() int64 {
	if t.size > 1<<62 {
		return math.MinInt64
	}
	return t.sum
}
