package prices

import "math"

// Priced calls each with every job's columns at p, which are valid until it returns, and returns what the capacity and the rows
// are worth: the bound is what the jobs pay at least less worth, and margin covers the rounding of these sums.
func (r *Relaxation) Priced(p Point, each func(j int, list []Column)) (worth, margin float64) {
	r.Oracle.SetPrices(r.At, p.Price)
	r.payments(p.Theta)
	r.row = grow(r.row, len(r.At))
	size := r.Oracle.Magnitude()
	for j := range r.Jobs {
		r.list = r.Oracle.Columns(j, Always, r.paymentsOf(j, r.row), 0, r.list[:0])
		least := r.list[0].Cost
		for _, c := range r.list {
			least = min(least, c.Cost)
		}
		size += math.Abs(least)
		each(j, r.list)
	}
	var sum Sum
	for i, price := range p.Price {
		sum.Add(price * r.Capacity * (r.At[i+1] - r.At[i]))
	}
	for i, t := range p.Theta {
		sum.Add(t * r.Rows[i].Most)
	}
	return sum.Value(), roundingTolerance * (size + sum.Value())
}
