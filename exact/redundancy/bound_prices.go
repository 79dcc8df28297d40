package redundancy

import (
	"context"
	"math"

	"schedgap/exact/prices"
	"schedgap/models"
	"schedgap/models/redundancy"
)

// LBPrice is the bound by prices and count rows as an algorithm.
var LBPrice = &redundancy.Algorithm{
	Name: "lb-price",
	Doc: "lower bound: prices of machine time, and rows that count completions\n\n" +
		"A Lagrangian dual: machine time has prices, and each job alone, at the concave envelope of h, minimises flowtime plus " +
		"payment; count rows bound how many jobs are done by a moment (exact/prices, docs/bounds-and-proofs.md#prices).",
	Kind: models.Bound, Reference: redundancy.Opt, Proves: true,
	Params: []models.Param{prices.Steps},
	Run: func(ctx context.Context, p *redundancy.Pass) (redundancy.Outcome, error) {
		in := p.Instance
		c := priceBound(ctx, in, p.Params.Int("steps"), p.Bounded)
		if c == nil || c.Point.Price == nil {
			b := lowered(singles(in), singles(in))
			return redundancy.Outcome{Status: models.Feasible, Bound: &b}, nil
		}
		b := c.Best.Safe()
		return redundancy.Outcome{Status: models.Feasible, Bound: &b, Proof: c.Claim(ids(in))}, nil
	},
}

// ids are the jobs' as they arrive.
func ids(in *redundancy.Instance) (list []string) {
	for _, j := range redundancy.ByArrival(in) {
		list = append(list, in.Jobs[j].ID)
	}
	return list
}

// priceBound ascends the bound by prices; nil when ctx has ended before there was any.
func priceBound(ctx context.Context, in *redundancy.Instance, steps int, bounded func(float64)) *prices.Climb {
	env := newEnvelope(ctx, in, len(in.Jobs))
	flow, m, ok := startPrices(ctx, in, env)
	if !ok {
		return nil
	}
	at, price := distinct(m.at, m.price)
	c := newClimb(in, m, at, steps)
	c.Bounded = bounded
	zero := prices.Point{Price: make([]float64, len(price))}
	c.Ascend(ctx, []prices.Point{zero, {Price: price}}, flow)
	return c
}

// newClimb prepares an ascent on a grid.
func newClimb(in *redundancy.Instance, m *subproblem, at []float64, steps int) *prices.Climb {
	o := &pricing{subproblem: m, jobs: pendings(in)}
	for _, j := range o.jobs {
		o.works += j.work
	}
	r := &prices.Relaxation{Oracle: o, Jobs: len(o.jobs), At: at, Capacity: float64(in.Machines)}
	return &prices.Climb{
		Relaxation: r, Steps: steps, Bounded: func(float64) {},
		Violated: func(ctx context.Context, slack float64) []prices.Row { return covers(ctx, m.env, o.jobs, r, slack) },
	}
}

// distinct leaves out the intervals without length, except the first, and the last one, which never ends. The
// first begins where it did: work before the grid is not in the bound.
func distinct(at, price []float64) (points, prices []float64) {
	end := at[len(at)-1]
	for i := range len(at) - 1 {
		switch {
		case len(points) == 0:
			points, prices = append(points, at[0]), append(prices, price[0])
		case at[i+1] > at[i]+1e-12*end && at[i] > points[len(points)-1]:
			points, prices = append(points, at[i]), append(prices, price[i])
		}
	}
	return append(points, end), prices
}

// A pricing answers prices for the jobs in the order of their arrivals.
type pricing struct {
	*subproblem
	jobs  []pending
	works float64 // all jobs together
}

// SetPrices implements prices.Oracle.
func (o *pricing) SetPrices(at, price []float64) {
	o.at, o.price = at, append(append(o.price[:0], price...), 0)
	if n := len(at); len(o.late) != n {
		o.late, o.lateR = make([]float64, n), make([]int, n)
	}
	o.changed()
}

// Columns implements prices.Oracle.
func (o *pricing) Columns(j int, w prices.Window, pay []float64, margin float64, list []prices.Column) []prices.Column {
	return o.columns(o.jobs[j].arrival, o.jobs[j].work, w, pay, margin, list)
}

// Use implements prices.Oracle.
func (o *pricing) Use(j int, list []prices.Column, used []float64) {
	o.buy(o.jobs[j].arrival, o.jobs[j].work, list, used)
}

// Magnitude implements prices.Oracle: waiting times are differences of dates, whose rounding errors are some 1e-16 of the
// dates, and payments are sums from which dear offers were taken away again.
func (o *pricing) Magnitude() float64 {
	return 0.01*float64(len(o.jobs))*math.Abs(o.at[len(o.at)-1]) + o.dearest*o.works
}
