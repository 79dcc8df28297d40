package verify

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"schedgap/models"
	"schedgap/models/flex"
	"schedgap/models/proof"
)

// Flex checks a proof about a flex instance whose canonical file has the given hash. A nil error says that its claim is proven.
func Flex(p *proof.Proof, in *flex.Instance, sha256 string) (models.Verdict, error) {
	for _, j := range in.Jobs {
		if j.Metric != "" {
			return models.Verdict{}, refused("job %.60q has a metric of its own, and proofs are of instances of one metric", j.ID)
		}
	}
	of := []string{flex.Opt}
	worth := func(in *flex.Instance, s *proof.Completions, _ string) (interval, models.Accuracy, error) {
		value, err := FlexValue(in, s.Times)
		return point(value), flex.Problem.Accuracy(in, 0), err
	}
	times := solution(true, worth)
	return follow(p, flex.Problem.Name, in, sha256, map[string]rule[*flex.Instance]{
		proof.Prices:        {references: of, check: checkFlexPrices},
		proof.FlexPrices:    {references: of, solution: times, check: checkFlexPrices},
		proof.FlexOrders:    {references: of, suits: haveOrders, solution: times, check: flexLeaves(flexOrders)},
		proof.FlexDeadlines: {references: of, suits: haveLevels, solution: times, check: flexLeaves(flexDeadlines)},
		proof.FlexMachine:   {references: of, solution: solution(false, worth), check: flexLeaves(flexMachine)},
	})
}

// checkFlexPrices checks a bound by prices.
func checkFlexPrices(lines *reader, in *flex.Instance) error {
	r, err := readPrices(lines, len(lines.Lines), len(in.Jobs), func(j int) string { return in.Jobs[j].ID })
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
		return f.concludeMax(*lines.Header.Bound)
	}
	for i, c := range r.counts {
		if n := f.mostDone(c.set, r.grid[c.point]); n > c.most {
			return refused("count %d: up to %d of its jobs can be done by %v, not %d", i, n, r.grid[c.point], c.most)
		}
	}
	sum := 0.0
	for j := range in.Jobs {
		lines.spend(1000 * len(r.grid))
		if err := lines.spent(); err != nil {
			return err
		}
		sum = below(sum, f.least(j))
	}
	return conclude(*lines.Header.Bound, flexOptimum(in, below(sum, -r.worth(in.Slots))), "prices")
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

// below is a lower bound on job j's payment if its value is below bound. can is false if it has no such completion. A job that completes
// later pays less, since prices do not rise.
func (f *flexPrices) below(j int, bound float64) (pays float64, can bool) {
	job := &f.jobs[j]
	c := point(bound).over(job.factor).plus(point(job.due))
	early := job.work.over(job.high)
	switch {
	case c.hi <= early.lo:
		return 0, false
	case job.Min == job.Max:
		return f.pays(j, early, early), true
	case job.Min > 0:
		if late := job.work.over(job.low); c.hi >= late.lo {
			return f.pays(j, late, late), true
		}
	}
	c = point(max(c.hi, early.hi))
	return f.pays(j, c, f.turn(j, c)), true
}

// turn is the moment at which a job that completes at c changes from its minimum to its maximum.
func (f *flexPrices) turn(j int, c interval) interval {
	job := &f.jobs[j]
	return least(job.high.times(c).minus(job.work).over(job.high.minus(job.low)).positive(), c)
}

// pays bounds from below what job j pays that completes at c and runs at its minimum until x, then at its maximum.
func (f *flexPrices) pays(j int, c, x interval) float64 {
	job, paid := &f.jobs[j], f.integral(c)
	if job.Min == job.Max {
		return job.high.times(paid).lo
	}
	return job.low.times(f.integral(x)).plus(job.high.times(paid.minus(f.integral(x)).positive())).lo
}

// mostDone bounds from above how many jobs of a set can be done by t.
func (f *flexPrices) mostDone(set []int, t float64) int {
	free := integer(f.in.Slots).times(point(t))
	for i := range f.jobs {
		job := &f.jobs[i]
		free = free.minus(least(job.low.times(point(t)), job.work))
	}
	var missing []float64
	for _, j := range set {
		job := &f.jobs[j]
		if job.Work <= job.high.times(point(t)).hi {
			missing = append(missing, job.work.minus(job.low.times(point(t))).positive().lo)
		}
	}
	slices.SortFunc(missing, cmp.Compare[float64])
	n, sum := 0, 0.0
	for _, w := range missing {
		sum = below(sum, w)
		if sum > free.hi {
			break
		}
		n++
	}
	return n
}

// flexPrices evaluates the least cost of a job.
type flexPrices struct {
	in   *flex.Instance
	jobs []flexJob
	r    *relaxation
	paid []interval // Λ at the grid points
}

func newFlexPrices(in *flex.Instance, r *relaxation) *flexPrices {
	f := &flexPrices{in: in, jobs: flexJobs(in), r: r, paid: []interval{{}}}
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
// linear and the payment for completing early is constant, falling at grid points: so one of these is best.
func (f *flexPrices) least(j int) float64 {
	job := &f.jobs[j]
	best := math.Inf(1)
	// offer considers completing at c, running at the minimum until x.
	offer := func(c, x interval) {
		best = min(best, below(below(job.least(c.lo), f.pays(j, c, x)), f.r.paid(j, f.at(c.hi))))
	}
	early := job.work.over(job.high)
	if job.Min == job.Max {
		offer(early, point(0))
		return best
	}
	late := point(math.Inf(1))
	if job.Min > 0 {
		late = job.work.over(job.low)
	}
	spread := job.high.minus(job.low)
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
		if c := job.work.plus(spread.times(point(g))).over(job.high); within(c) {
			offer(c, point(g))
		}
	}
	// Where the penalty bends or jumps.
	if job.metric == flex.Tardiness {
		end(point(job.due))
	}
	for _, s := range job.steps {
		end(s.at)
	}
	return best
}
