package verify

import (
	"cmp"
	"math"
	"slices"

	"schedgap/models/proof"
	"schedgap/models/redundancy"
)

// Redundancy checks a proof about a redundancy instance whose canonical file has the given hash. Nil: what it claims is proven.
func Redundancy(p *proof.Proof, in *redundancy.Instance, sha256 string) error {
	of := []string{redundancy.Opt}
	return follow(p, redundancy.Problem.Name, in, sha256, map[string]rule[*redundancy.Instance]{
		proof.Prices: {references: of, check: checkRedundancyPrices},
		proof.RedundancyTree: {
			references: of, check: checkRedundancyTree,
			suits: func(in *redundancy.Instance) error {
				if len(in.Jobs) > RedundancyJobs {
					return refused("proofs of the kind %s have at most %d jobs", proof.RedundancyTree, RedundancyJobs)
				}
				return nil
			},
			solution: solution(true, func(in *redundancy.Instance, s *proof.Schedule, _ string) (interval, float64, error) {
				exact, err := RedundancyValue(in, s.Solution)
				if err != nil {
					return interval{}, 0, err
				}
				value := roundUp(exact)
				return point(value), value, nil
			}),
		},
		"redundancy-events": {successor: proof.RedundancyTree},
		"redundancy-shares": {successor: proof.RedundancyTree},
	})
}

// checkRedundancyPrices checks a bound by prices.
func checkRedundancyPrices(lines *reader, in *redundancy.Instance) error {
	f, err := readRedundancyPrices(lines, len(lines.Lines), in)
	if err != nil {
		return err
	}
	sum := 0.0
	for j := range in.Jobs {
		sum = below(sum, f.least(j, 0, math.Inf(1)))
	}
	if err := f.spent(); err != nil {
		return err
	}
	return conclude(*lines.Header.Bound, below(sum, -f.r.worth(in.Machines)), "prices")
}

// readRedundancyPrices reads the lines up to one of prices, and checks their counts.
func readRedundancyPrices(lines *reader, to int, in *redundancy.Instance) (*redundancyPrices, error) {
	r, err := readPrices(lines, to, len(in.Jobs), func(j int) string { return in.Jobs[j].ID })
	if err != nil {
		return nil, err
	}
	f := newRedundancyPrices(&lines.effort, in, r)
	for i, c := range r.counts {
		if err := f.holds(c, r.grid[c.point]); err != nil {
			return nil, refused("count %d: %v", i, err)
		}
	}
	return f, nil
}

// redundancyPrices evaluates what jobs buy: the r-th machine of a job gains h(r) − h(r−1). That a later machine may be bought
// without the ones before it only makes work cheaper.
type redundancyPrices struct {
	*effort
	in       *redundancy.Instance
	r        *relaxation
	arrival  []interval // from the first one on
	gain     []float64  // of each machine, from above, descending
	machines int
}

func newRedundancyPrices(e *effort, in *redundancy.Instance, r *relaxation) *redundancyPrices {
	f := &redundancyPrices{effort: e, in: in, r: r, machines: in.Machines}
	first := in.Jobs[0].Arrival
	for j := range in.Jobs {
		first = min(first, in.Jobs[j].Arrival)
	}
	for j := range in.Jobs {
		f.arrival = append(f.arrival, point(in.Jobs[j].Arrival).minus(point(first)).positive())
	}
	before := 0.0
	for _, h := range in.Speedup {
		f.gain = append(f.gain, max(0, point(h).minus(point(before)).hi))
		before = h
	}
	for r := len(f.gain) - 2; r >= 0; r-- {
		f.gain[r] = max(f.gain[r], f.gain[r+1]) // h is concave; rounding may not be
	}
	return f
}

// A supply is machine time that a job may buy.
type supply struct {
	f             *redundancyPrices
	length, price []float64 // of each interval of time
	offers        []offer   // by unit price
}

// An offer is a gain in an interval of time.
type offer struct{ unit, work float64 }

// add adds an interval, in which machine time costs price.
func (s *supply) add(length, price float64) {
	if length <= 0 {
		return
	}
	s.length, s.price = append(s.length, length), append(s.price, price)
	for _, g := range s.f.gain {
		if g > 0 {
			o := offer{price / g, length * g}
			i, _ := slices.BinarySearchFunc(s.offers, o, func(a, b offer) int { return cmp.Compare(a.unit, b.unit) })
			s.offers = slices.Insert(s.offers, i, o)
		}
	}
}

// payment bounds from below what work costs when a unit of it costs at most late elsewhere. For every unit price π ≤ late it is
// at least π·work less what the intervals sell below π; the offers show a good π.
func (s *supply) payment(work, late float64) float64 {
	unit, left := late, work
	for _, o := range s.offers {
		if o.unit >= late {
			break
		}
		if left -= o.work; left <= 0 {
			unit = o.unit
			break
		}
	}
	if s.f.spent() != nil {
		return 0 // which proves nothing, and soon
	}
	unit = min(unit, math.MaxFloat64) // a quotient may be too large for a number though what is bought is not
	s.f.spend(len(s.offers) + len(s.price))
	sum := down(unit * work)
	for i, v := range s.price {
		for _, g := range s.f.gain {
			cheaper := up(up(unit*g) - v)
			if cheaper <= 0 {
				break
			}
			s.f.spend(16)
			sum = down(sum - up(cheaper*s.length[i]))
		}
	}
	return max(0, sum) // nothing is sold below 0
}

// least bounds job j's least cost from below, if it completes at from or later and before to: over the intervals that it
// may complete in, its waiting until the interval begins, what it buys before that, and the rest of its work at the least
// cost of a unit there, time included.
func (f *redundancyPrices) least(j int, from, to float64) float64 {
	r, arrival, work := f.r, f.arrival[j], f.in.Jobs[j].Work
	early := max(from, arrival.plus(point(work).over(point(f.in.Speedup[f.machines-1]))).lo)
	best, bought := math.Inf(1), supply{f: f}
	for k, at := range r.grid {
		if k+1 < len(r.grid) && r.grid[k+1] <= arrival.lo {
			continue
		}
		sell := func(v float64) { bought.add(point(r.grid[k+1]).minus(most(point(at), arrival)).hi, v) }
		if k < len(r.price) && r.grid[k+1] <= early { // it is not done before the interval ends
			sell(r.price[k])
			continue
		}
		wait := point(at).minus(arrival).positive().lo
		if wait >= best || at >= to {
			break
		}
		v := 0.0
		if k < len(r.price) {
			v = r.price[k]
		}
		late := math.Inf(1)
		for m := 1; m <= f.machines; m++ {
			late = min(late, down(down(1+down(v*float64(m)))/f.in.Speedup[m-1]))
		}
		best = min(best, below(below(wait, bought.payment(work, late)), r.paid(j, k)))
		if k < len(r.price) {
			sell(v)
		}
	}
	return best
}

// holds checks a count row at time t: either no more of its jobs have arrived before t, or one more than they may be could
// not pay for what all machines earn until t, or until a later moment.
func (f *redundancyPrices) holds(c count, t float64) error {
	var able []int
	for _, j := range c.set {
		if f.arrival[j].lo < t {
			able = append(able, j)
		}
	}
	if c.most < 0 {
		return refused("%d jobs", c.most)
	}
	if len(able) <= c.most {
		return nil
	}
	p := c.proof
	if p == nil || len(p.Grid) < 2 {
		return refused("there are no prices that show it")
	}
	if err := checkPrices(p.Grid, p.Price, len(f.in.Jobs)); err != nil {
		return err
	}
	if p.Grid[len(p.Grid)-1] < t {
		return refused("its prices end at %v, before %v", p.Grid[len(p.Grid)-1], t)
	}
	worth := worth(p.Grid, p.Price, f.machines)
	var costs []float64
	for _, j := range c.set {
		from := f.arrival[j]
		s := supply{f: f}
		s.add(point(p.Grid[0]).minus(from).hi, 0) // before the prices begin
		for i, v := range p.Price {
			s.add(point(p.Grid[i+1]).minus(most(point(p.Grid[i]), from)).hi, v)
		}
		possible := 0.0
		for _, o := range s.offers {
			possible = up(possible + up(o.work))
		}
		if n := len(s.offers); possible >= f.in.Jobs[j].Work && n > 0 { // else it cannot be done
			costs = append(costs, s.payment(f.in.Jobs[j].Work, s.offers[n-1].unit))
		}
	}
	if err := f.spent(); err != nil {
		return err
	}
	if len(costs) <= c.most {
		return nil
	}
	slices.Sort(costs)
	sum := 0.0
	for _, v := range costs[:c.most+1] {
		sum = below(sum, v)
	}
	if sum <= worth {
		return refused("%d of its jobs can pay %v for what is worth %v", c.most+1, sum, worth)
	}
	return nil
}
