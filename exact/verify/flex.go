package verify

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"schedgap/models/flex"
	"schedgap/models/proof"
)

// Flex checks a proof about a flex instance whose canonical file has the given hash. Nil: what it claims is proven.
func Flex(p *proof.Proof, in *flex.Instance, sha256 string) error {
	for _, j := range in.Jobs {
		if j.Metric != "" {
			return refused("job %.60q has a metric of its own, and proofs are of instances of one metric", j.ID)
		}
	}
	return follow(p, flex.Problem.Name, in, sha256, map[string]rule[*flex.Instance]{
		proof.Prices: {references: []string{flex.Opt}, check: checkFlexPrices},
		proof.FlexPrices: {references: []string{flex.Opt}, optimal: true, check: func(p *proof.Proof, in *flex.Instance) error {
			if err := flexSolution(p, in); err != nil {
				return err
			}
			return checkFlexPrices(&proof.Proof{Header: p.Header, Lines: p.Lines[1:]}, in)
		}},
		proof.FlexOrders:    {references: []string{flex.Opt}, optimal: true, check: checkFlexTree(flexOrders)},
		proof.FlexDeadlines: {references: []string{flex.Opt}, optimal: true, check: checkFlexTree(flexDeadlines)},
	})
}

// checkFlexPrices checks a bound by prices.
func checkFlexPrices(p *proof.Proof, in *flex.Instance) error {
	ids := make([]string, len(in.Jobs))
	for j := range in.Jobs {
		ids[j] = in.Jobs[j].ID
	}
	r, err := readPrices(p, ids)
	if err != nil {
		return err
	}
	for i := 1; i < len(r.price); i++ {
		if r.price[i] > r.price[i-1] {
			return refused("price %d, %v, is more than the one before it: at rising prices running late is not the cheapest", i,
				r.price[i])
		}
	}
	f := newFlexPrices(in, r)
	if in.Objective.Aggregate == flex.Max {
		return f.concludeMax(*p.Header.Bound)
	}
	for i, c := range r.counts {
		if n := mostDone(in, c.set, r.grid[c.point]); n > c.most {
			return refused("count %d: up to %d of its jobs can be done by %v, not %d", i, n, r.grid[c.point], c.most)
		}
	}
	sum := 0.0
	for j := range in.Jobs {
		f.spend(1000 * len(r.grid))
		if err := f.spent(); err != nil {
			return err
		}
		sum = below(sum, f.least(j))
	}
	return conclude(*p.Header.Bound, below(sum, -r.worth(in.Slots)), "prices")
}

// concludeMax checks a bound on a max objective: at the prices no schedule lets every job pay for its slots and have a lower
// value.
func (f *flexPrices) concludeMax(bound float64) error {
	if len(f.r.counts) > 0 {
		return refused("counts of jobs say nothing about a max objective")
	}
	if f.in.Objective.Metric == flex.Tardiness && bound <= 0 {
		return nil
	}
	sum := 0.0
	for j := range f.in.Jobs {
		pays, can := f.below(j, bound)
		if !can {
			return nil
		}
		sum = below(sum, pays)
	}
	if worth := f.r.worth(f.in.Slots); !(sum > worth) {
		return refused("jobs with values below %v pay %v and the slots are worth %v: the prices prove nothing", bound, sum, worth)
	}
	return nil
}

// below bounds what job j pays when its value is below a bound; false: it cannot be. The later a job completes the less it
// pays, at prices that do not rise.
func (f *flexPrices) below(j int, bound float64) (pays float64, can bool) {
	job := &f.in.Jobs[j]
	work, c := point(job.Work), point(bound)
	switch {
	case f.in.Objective.Metric == flex.Stretch:
		c = c.times(work)
	case f.in.Objective.Weighted:
		c = c.over(point(job.Weight))
	}
	if f.in.Objective.Metric.NeedsDeadline() {
		c = c.plus(point(*job.Deadline))
	}
	early := work.over(integer(job.Max))
	switch {
	case c.hi <= early.lo:
		return 0, false
	case job.Min == job.Max:
		return f.pays(j, early, early), true
	case job.Min > 0:
		if late := work.over(integer(job.Min)); c.hi >= late.lo {
			return f.pays(j, late, late), true
		}
	}
	c = point(max(c.hi, early.hi))
	return f.pays(j, c, f.turn(j, c)), true
}

// turn is until when a job runs at its minimum that completes at c.
func (f *flexPrices) turn(j int, c interval) interval {
	job := &f.in.Jobs[j]
	low, high := integer(job.Min), integer(job.Max)
	return least(high.times(c).minus(point(job.Work)).over(high.minus(low)).positive(), c)
}

// pays bounds from below what job j pays that completes at c and runs at its minimum until x, then at its maximum.
func (f *flexPrices) pays(j int, c, x interval) float64 {
	job, paid := &f.in.Jobs[j], f.integral(c)
	low, high := integer(job.Min), integer(job.Max)
	if job.Min == job.Max {
		return high.times(paid).lo
	}
	return low.times(f.integral(x)).plus(high.times(paid.minus(f.integral(x)).positive())).lo
}

// mostDone bounds from above how many jobs of a set can be done by t.
func mostDone(in *flex.Instance, set []int, t float64) int {
	free := integer(in.Slots).times(point(t))
	for i := range in.Jobs {
		job := &in.Jobs[i]
		free = free.minus(least(integer(job.Min).times(point(t)), point(job.Work)))
	}
	var missing []float64
	for _, j := range set {
		job := &in.Jobs[j]
		if job.Work <= integer(job.Max).times(point(t)).hi {
			missing = append(missing, point(job.Work).minus(integer(job.Min).times(point(t))).positive().lo)
		}
	}
	slices.SortFunc(missing, cmp.Compare[float64])
	n, sum := 0, 0.0
	for _, w := range missing {
		if sum = below(sum, w); sum > free.hi {
			break
		}
		n++
	}
	return n
}

// flexPrices evaluates the least cost of a job.
type flexPrices struct {
	effort
	in   *flex.Instance
	r    *relaxation
	paid []interval // Λ at the grid points
}

func newFlexPrices(in *flex.Instance, r *relaxation) *flexPrices {
	f := &flexPrices{in: in, r: r, paid: []interval{{}}}
	for i, v := range r.price {
		length := point(r.grid[i+1]).minus(point(r.grid[i]))
		f.paid = append(f.paid, f.paid[i].plus(point(v).times(length)))
	}
	return f
}

// at is the interval of the grid that time t ≥ 0 lies in.
func (f *flexPrices) at(t float64) int {
	return sort.Search(len(f.r.grid), func(i int) bool { return f.r.grid[i] > t }) - 1
}

// integral is Λ, which does not decrease.
func (f *flexPrices) integral(t interval) interval {
	one := func(t float64) interval {
		k := f.at(max(0, t))
		if k == len(f.r.price) {
			return f.paid[k]
		}
		return f.paid[k].plus(point(f.r.price[k]).times(point(max(0, t)).minus(point(f.r.grid[k])).positive()))
	}
	return interval{one(t.lo).lo, one(t.hi).hi}
}

// least bounds job j's least cost from below. Between the times at which C or x is on the grid, at d or at an end the cost is
// linear and what is paid for completing early is constant, falling at grid points: so one of these is best.
func (f *flexPrices) least(j int) float64 {
	job := &f.in.Jobs[j]
	low, high, work := integer(job.Min), integer(job.Max), point(job.Work)
	best := math.Inf(1)
	// offer considers completing at c, running at the minimum until x.
	offer := func(c, x interval) {
		best = min(best, below(below(flexLeast(f.in, j, c.lo), f.pays(j, c, x)), f.r.paid(j, f.at(c.hi))))
	}
	early := work.over(high)
	if job.Min == job.Max {
		offer(early, point(0))
		return best
	}
	late := point(math.Inf(1))
	if job.Min > 0 {
		late = work.over(low)
	}
	spread := high.minus(low)
	within := func(c interval) bool { return c.hi >= early.lo && c.lo <= late.hi }
	// end considers completing at c, if that is possible.
	end := func(c interval) {
		if within(c) {
			offer(c, f.turn(j, c))
		}
	}
	end(early)
	if job.Min > 0 {
		offer(late, late)
	}
	for _, g := range f.r.grid {
		end(point(g))
		// x = g: the last of these lets the job wait until nothing costs anything any more.
		if c := work.plus(spread.times(point(g))).over(high); within(c) {
			offer(c, point(g))
		}
	}
	for _, d := range f.kinks(j) {
		end(d)
	}
	return best
}

// kinks are the times at which job j's penalty bends or jumps.
func (f *flexPrices) kinks(j int) []interval {
	job := &f.in.Jobs[j]
	if f.in.Objective.Metric == flex.Tardiness {
		return []interval{point(*job.Deadline)}
	}
	var list []interval
	for _, t := range f.in.StepTimes(j) {
		list = append(list, passed(t))
	}
	return list
}

// passed is the time after which a step at t counts as passed.
func passed(t float64) interval {
	return point(t).plus(point(flex.Tolerance).times(point(math.Abs(t))))
}

// flexLeast bounds what job j costs from below when it completes at c or later.
func flexLeast(in *flex.Instance, j int, c float64) float64 {
	job, factor := &in.Jobs[j], flexFactor(in, j)
	switch in.Objective.Metric {
	case flex.Response, flex.Stretch:
		return factor.times(point(c)).lo
	case flex.Lateness:
		return factor.times(point(c).minus(point(*job.Deadline))).lo
	case flex.Tardiness:
		return factor.times(point(c).minus(point(*job.Deadline)).positive()).lo
	case flex.Tardy:
		if c > passed(*job.Deadline).hi {
			return factor.lo
		}
		return 0
	}
	v := 0.0
	for _, s := range job.Steps {
		if c > passed(s.At).hi {
			v = s.Penalty
		}
	}
	return factor.times(point(v)).lo
}
