package flex

import (
	"math"
	"math/big"

	"schedgap/exact/verify/core"
	"schedgap/models/flex"
)

// A exactJob is a job in exact numbers, and where many are needed in intervals.
type exactJob struct {
	*flex.Job
	metric          flex.Metric
	low, high, work core.Interval // its minimum, maximum and work
	// Completion times: W/M, and min(W/m, ΣW/S + max W/M), by which it ends in a schedule that wastes nothing, as until
	// ΣW/S + max W/M either all slots work or each job that is left runs at its maximum.
	early, late *big.Rat
	first, last float64       // early from below and late from above
	rate        *big.Rat      // what its penalty is multiplied by
	factor      core.Interval // rate as an interval
	due         float64       // what lateness and tardiness are counted from, else 0
	steps       []exactStep
}

// A exactStep is the penalty, before it is multiplied, in force after a time that has the tolerance of the definition.
type exactStep struct {
	passed  *big.Rat
	at      core.Interval // passed as an interval
	penalty float64
}

func exactJobs(in *flex.Instance) []exactJob {
	jobs := make([]exactJob, len(in.Jobs))
	last, longest := new(big.Rat), new(big.Rat)
	for j := range jobs {
		f := exactJob{Job: &in.Jobs[j], metric: in.MetricOf(j), rate: core.Natural(1)}
		f.low, f.high, f.work = core.Integer(f.Min), core.Integer(f.Max), core.Point(f.Work)
		f.early = new(big.Rat).Quo(core.Exactly(f.Work), core.Natural(f.Max))
		last.Add(last, core.Exactly(f.Work))
		if f.early.Cmp(longest) > 0 {
			longest = f.early
		}
		switch {
		case f.metric == flex.Stretch:
			f.rate.Inv(core.Exactly(f.Work))
		case in.Objective.Weighted:
			f.rate = core.Exactly(f.Weight)
		}
		f.factor = core.Enclose(f.rate)
		if f.metric == flex.Lateness || f.metric == flex.Tardiness {
			f.due = *f.Deadline
		}
		for k, t := range in.StepTimes(j) {
			s := exactStep{penalty: 1, passed: core.Exactly(math.Abs(t))}
			if f.metric == flex.SLA {
				s.penalty = f.Steps[k].Penalty
			}
			s.passed.Mul(s.passed, core.Exactly(flex.Tolerance)).Add(s.passed, core.Exactly(t))
			s.at = core.Enclose(s.passed)
			f.steps = append(f.steps, s)
		}
		jobs[j] = f
	}
	last.Quo(last, core.Natural(in.Slots)).Add(last, longest)
	for j := range jobs {
		f := &jobs[j]
		f.late = last
		if f.Min > 0 {
			if end := new(big.Rat).Quo(core.Exactly(f.Work), core.Natural(f.Min)); end.Cmp(last) < 0 {
				f.late = end
			}
		}
		f.first, f.last = core.Enclose(f.early).Lo, core.Enclose(f.late).Hi
	}
	return jobs
}

// penalty is the job's cost if it completes at c.
func (f *exactJob) penalty(c *big.Rat) *big.Rat {
	v := new(big.Rat)
	if !f.metric.Steps() {
		v.Sub(c, core.Exactly(f.due))
		if f.metric == flex.Tardiness && v.Sign() < 0 {
			v.SetInt64(0)
		}
	}
	for _, s := range f.steps {
		if c.Cmp(s.passed) > 0 {
			v = core.Exactly(s.penalty)
		}
	}
	return v.Mul(v, f.rate)
}

// least is a lower bound on the job's cost if it completes at c or later.
func (f *exactJob) least(c float64) float64 {
	v := core.Interval{}
	if !f.metric.Steps() {
		v = core.Point(c).Minus(core.Point(f.due))
		if f.metric == flex.Tardiness {
			v = v.Positive()
		}
	}
	for _, s := range f.steps {
		if c > s.at.Hi {
			v = core.Point(s.penalty)
		}
	}
	return f.factor.Times(v).Lo
}

// Pairs lists pairs of jobs of a sum of convex penalties. One optimal schedule keeps all of them and ends by Σ W/S + max W/M:
// before[i][j] says that i completes no later than j. Wherever j completes before i, the two may change places (docs/bounds-and-proofs.md).
// Among equals the file order decides. Everything is exact.
func Pairs(in *flex.Instance) (before [][]bool) {
	var list []exchange
	for _, f := range exactJobs(in) {
		e := exchange{exactJob: f, share: big.NewRat(int64(f.Min), int64(f.Max)), from: new(big.Rat)}
		if f.metric == flex.Tardiness {
			switch e.from = core.Exactly(f.due); {
			case e.from.Cmp(f.late) >= 0:
				e.rate, e.from = new(big.Rat), core.Exactly(math.MaxFloat64)
			case e.from.Cmp(f.early) < 0:
				e.from = f.early
			}
		}
		list = append(list, e)
	}
	before = make([][]bool, len(list))
	for i := range before {
		before[i] = make([]bool, len(list))
		for j := range before[i] {
			before[i][j] = i != j && list[i].leads(&list[j]) && (i < j || !list[j].leads(&list[i]))
		}
	}
	return before
}

// An exchange has the data that decide whether a job may change places with another one: its penalty grows at its rate from some
// time between its completions on, or never, with the rate 0.
type exchange struct {
	exactJob
	share *big.Rat // m/M
	from  *big.Rat
}

// leads reports whether a schedule in which b completes before a is not the only best one.
func (a *exchange) leads(b *exchange) bool {
	if a.Max > b.Max || a.early.Cmp(b.early) > 0 {
		return false
	}
	// W/M + τ (1 − m/M) must not be more than b's at τ = 0 and at the latest end.
	last := new(big.Rat).Sub(a.share, b.share)
	last.Add(last.Mul(last, a.late), b.early)
	return last.Cmp(a.early) >= 0 && a.rate.Cmp(b.rate) >= 0 && a.from.Cmp(b.from) <= 0
}
