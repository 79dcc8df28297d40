package flex

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sort"

	"schedgap/exact/verify/core"
	"schedgap/models"
	"schedgap/models/flex"
	"schedgap/models/proof"
)

// Verify checks a proof about a flex instance whose canonical file has the given hash. A nil error says that its claim is proven.
func Verify(p *proof.Proof, in *flex.Instance, sha256 string) (models.Verdict, error) {
	for _, j := range in.Jobs {
		if j.Metric != "" {
			return models.Verdict{}, fmt.Errorf("job %.60q has a metric of its own, and proofs are of instances of one metric", j.ID)
		}
	}
	of := []string{flex.Opt}
	worth := func(in *flex.Instance, s *proof.Completions, _ string) (core.Interval, models.Accuracy, error) {
		value, err := Value(in, s.Times)
		return core.Point(value), flex.Problem.Accuracy(in, 0), err
	}
	times := core.Solution(true, worth)
	return core.Follow(p, flex.Problem.Name, in, sha256, map[string]core.Rule[*flex.Instance]{
		proof.Prices:        {References: of, Check: checkPrices},
		proof.FlexPrices:    {References: of, Solution: times, Check: checkPrices},
		proof.FlexOrders:    {References: of, Suits: haveOrders, Solution: times, Check: leaves(orders)},
		proof.FlexDeadlines: {References: of, Suits: haveLevels, Solution: times, Check: leaves(deadlines)},
		proof.FlexMachine:   {References: of, Solution: core.Solution(false, worth), Check: leaves(machine)},
	})
}

// checkPrices checks a bound by prices.
func checkPrices(lines *core.Reader, in *flex.Instance) error {
	r, err := core.ReadRelaxation(lines, len(lines.Lines), len(in.Jobs), func(j int) string { return in.Jobs[j].ID })
	if err != nil {
		return err
	}
	for i := 1; i < len(r.Price); i++ {
		if r.Price[i] > r.Price[i-1] {
			return fmt.Errorf("price %d, %v, is more than the one before it: at rising prices running late is not the cheapest", i,
				r.Price[i])
		}
	}
	f := newPricing(in, r)
	if in.Objective.Aggregate == flex.Max {
		return f.concludeMax(*lines.Header.Bound)
	}
	for i, c := range r.Counts {
		if n := f.mostDone(c.Set, r.Grid[c.Point]); n > c.Most {
			return fmt.Errorf("count %d: up to %d of its jobs can be done by %v, not %d", i, n, r.Grid[c.Point], c.Most)
		}
	}
	sum := 0.0
	for j := range in.Jobs {
		lines.Spend(1000 * len(r.Grid))
		if err := lines.Spent(); err != nil {
			return err
		}
		sum = core.Below(sum, f.least(j))
	}
	return core.Conclude(*lines.Header.Bound, optimum(in, core.Below(sum, -r.Worth(in.Slots))), "prices")
}

// concludeMax checks a bound on a max objective: at the prices no schedule lets every job pay for its slots and have a lower
// value.
func (f *pricing) concludeMax(bound float64) error {
	if len(f.r.Counts) > 0 {
		return fmt.Errorf("counts of jobs say nothing about a max objective")
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
		sum = core.Below(sum, pays)
	}
	if worth := f.r.Worth(f.in.Slots); !(sum > worth) {
		return fmt.Errorf("jobs with values below %v pay %v and the slots are worth %v: the prices prove nothing", bound, sum, worth)
	}
	return nil
}

// below is a lower bound on job j's payment if its value is below bound. can is false if it has no such completion. A job that completes
// later pays less, since prices do not rise.
func (f *pricing) below(j int, bound float64) (pays float64, can bool) {
	job := &f.jobs[j]
	c := core.Point(bound).Over(job.factor).Plus(core.Point(job.due))
	early := job.work.Over(job.high)
	switch {
	case c.Hi <= early.Lo:
		return 0, false
	case job.Min == job.Max:
		return f.pays(j, early, early), true
	case job.Min > 0:
		if late := job.work.Over(job.low); c.Hi >= late.Lo {
			return f.pays(j, late, late), true
		}
	}
	c = core.Point(max(c.Hi, early.Hi))
	return f.pays(j, c, f.turn(j, c)), true
}

// turn is the moment at which a job that completes at c changes from its minimum to its maximum.
func (f *pricing) turn(j int, c core.Interval) core.Interval {
	job := &f.jobs[j]
	return core.Least(job.high.Times(c).Minus(job.work).Over(job.high.Minus(job.low)).Positive(), c)
}

// pays bounds from below what job j pays that completes at c and runs at its minimum until x, then at its maximum.
func (f *pricing) pays(j int, c, x core.Interval) float64 {
	job, paid := &f.jobs[j], f.integral(c)
	if job.Min == job.Max {
		return job.high.Times(paid).Lo
	}
	return job.low.Times(f.integral(x)).Plus(job.high.Times(paid.Minus(f.integral(x)).Positive())).Lo
}

// mostDone bounds from above how many jobs of a set can be done by t.
func (f *pricing) mostDone(set []int, t float64) int {
	free := core.Integer(f.in.Slots).Times(core.Point(t))
	for i := range f.jobs {
		job := &f.jobs[i]
		free = free.Minus(core.Least(job.low.Times(core.Point(t)), job.work))
	}
	var missing []float64
	for _, j := range set {
		job := &f.jobs[j]
		if job.Work <= job.high.Times(core.Point(t)).Hi {
			missing = append(missing, job.work.Minus(job.low.Times(core.Point(t))).Positive().Lo)
		}
	}
	slices.SortFunc(missing, cmp.Compare[float64])
	n, sum := 0, 0.0
	for _, w := range missing {
		sum = core.Below(sum, w)
		if sum > free.Hi {
			break
		}
		n++
	}
	return n
}

// pricing evaluates the least cost of a job.
type pricing struct {
	in   *flex.Instance
	jobs []exactJob
	r    *core.Relaxation
	paid []core.Interval // Λ at the grid points
}

func newPricing(in *flex.Instance, r *core.Relaxation) *pricing {
	f := &pricing{in: in, jobs: exactJobs(in), r: r, paid: []core.Interval{{}}}
	for i, v := range r.Price {
		length := core.Point(r.Grid[i+1]).Minus(core.Point(r.Grid[i]))
		f.paid = append(f.paid, f.paid[i].Plus(core.Point(v).Times(length)))
	}
	return f
}

// at is the interval of the grid that time t ≥ 0 lies in.
func (f *pricing) at(t float64) int {
	return sort.Search(len(f.r.Grid), func(i int) bool { return f.r.Grid[i] > t }) - 1
}

// integral is Λ, which does not decrease.
func (f *pricing) integral(t core.Interval) core.Interval {
	one := func(t float64) core.Interval {
		k := f.at(max(0, t))
		if k == len(f.r.Price) {
			return f.paid[k]
		}
		return f.paid[k].Plus(core.Point(f.r.Price[k]).Times(core.Point(max(0, t)).Minus(core.Point(f.r.Grid[k])).Positive()))
	}
	return core.Interval{Lo: one(t.Lo).Lo, Hi: one(t.Hi).Hi}
}

// least bounds job j's least cost from below. Between the times at which C or x is on the grid, at d or at an end the cost is
// linear and the payment for completing early is constant, falling at grid points: so one of these is best.
func (f *pricing) least(j int) float64 {
	job := &f.jobs[j]
	best := math.Inf(1)
	// offer considers completing at c, running at the minimum until x.
	offer := func(c, x core.Interval) {
		best = min(best, core.Below(core.Below(job.least(c.Lo), f.pays(j, c, x)), f.r.Paid(j, f.at(c.Hi))))
	}
	early := job.work.Over(job.high)
	if job.Min == job.Max {
		offer(early, core.Point(0))
		return best
	}
	late := core.Point(math.Inf(1))
	if job.Min > 0 {
		late = job.work.Over(job.low)
	}
	spread := job.high.Minus(job.low)
	within := func(c core.Interval) bool { return c.Hi >= early.Lo && c.Lo <= late.Hi }
	// end considers completing at c, if that is possible.
	end := func(c core.Interval) {
		if within(c) {
			offer(c, f.turn(j, c))
		}
	}
	end(early)
	if job.Min > 0 {
		offer(late, late)
	}
	for _, g := range f.r.Grid {
		end(core.Point(g))
		// x = g: the last of these lets the job wait until nothing costs anything any more.
		if c := job.work.Plus(spread.Times(core.Point(g))).Over(job.high); within(c) {
			offer(c, core.Point(g))
		}
	}
	// Where the penalty bends or jumps.
	if job.metric == flex.Tardiness {
		end(core.Point(job.due))
	}
	for _, s := range job.steps {
		end(s.at)
	}
	return best
}
