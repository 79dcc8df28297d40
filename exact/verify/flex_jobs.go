package verify

import (
	"math"
	"math/big"

	"schedgap/models/flex"
)

// A flexJob is a job in exact numbers, and where many are needed in intervals.
type flexJob struct {
	*flex.Job
	metric          flex.Metric
	low, high, work interval // its minimum, maximum and work
	// Completion times: W/M, and min(W/m, ΣW/S + max W/M), by which it ends in a schedule that wastes nothing, as until
	// ΣW/S + max W/M either all slots work or each job that is left runs at its maximum.
	early, late *big.Rat
	first, last float64  // early from below and late from above
	rate        *big.Rat // what its penalty is multiplied by
	factor      interval // rate as an interval
	due         float64  // what lateness and tardiness are counted from, else 0
	steps       []flexStep
}

// A flexStep is the penalty, before it is multiplied, in force after a time that has the tolerance of the definition.
type flexStep struct {
	passed  *big.Rat
	at      interval // passed as an interval
	penalty float64
}

func flexJobs(in *flex.Instance) []flexJob {
	jobs := make([]flexJob, len(in.Jobs))
	last, longest := new(big.Rat), new(big.Rat)
	for j := range jobs {
		f := flexJob{Job: &in.Jobs[j], metric: in.MetricOf(j), rate: natural(1)}
		f.low, f.high, f.work = integer(f.Min), integer(f.Max), point(f.Work)
		f.early = new(big.Rat).Quo(exactly(f.Work), natural(f.Max))
		last.Add(last, exactly(f.Work))
		if f.early.Cmp(longest) > 0 {
			longest = f.early
		}
		switch {
		case f.metric == flex.Stretch:
			f.rate.Inv(exactly(f.Work))
		case in.Objective.Weighted:
			f.rate = exactly(f.Weight)
		}
		f.factor = enclose(f.rate)
		if f.metric == flex.Lateness || f.metric == flex.Tardiness {
			f.due = *f.Deadline
		}
		for k, t := range in.StepTimes(j) {
			s := flexStep{penalty: 1, passed: exactly(math.Abs(t))}
			if f.metric == flex.SLA {
				s.penalty = f.Steps[k].Penalty
			}
			s.passed.Mul(s.passed, exactly(flex.Tolerance)).Add(s.passed, exactly(t))
			s.at = enclose(s.passed)
			f.steps = append(f.steps, s)
		}
		jobs[j] = f
	}
	last.Quo(last, natural(in.Slots)).Add(last, longest)
	for j := range jobs {
		f := &jobs[j]
		f.late = last
		if f.Min > 0 {
			if end := new(big.Rat).Quo(exactly(f.Work), natural(f.Min)); end.Cmp(last) < 0 {
				f.late = end
			}
		}
		f.first, f.last = enclose(f.early).lo, enclose(f.late).hi
	}
	return jobs
}

// penalty is the job's cost if it completes at c.
func (f *flexJob) penalty(c *big.Rat) *big.Rat {
	v := new(big.Rat)
	if !f.metric.Steps() {
		v.Sub(c, exactly(f.due))
		if f.metric == flex.Tardiness && v.Sign() < 0 {
			v.SetInt64(0)
		}
	}
	for _, s := range f.steps {
		if c.Cmp(s.passed) > 0 {
			v = exactly(s.penalty)
		}
	}
	return v.Mul(v, f.rate)
}

// least is a lower bound on the job's cost if it completes at c or later.
func (f *flexJob) least(c float64) float64 {
	v := interval{}
	if !f.metric.Steps() {
		v = point(c).minus(point(f.due))
		if f.metric == flex.Tardiness {
			v = v.positive()
		}
	}
	for _, s := range f.steps {
		if c > s.at.hi {
			v = point(s.penalty)
		}
	}
	return f.factor.times(v).lo
}

// FlexPairs lists pairs of jobs of a sum of convex penalties. One optimal schedule keeps all of them and ends by Σ W/S + max W/M:
// before[i][j] says that i completes no later than j. Wherever j completes before i, the two may change places (docs/bounds-and-proofs.md).
// Among equals the file order decides. Everything is exact.
func FlexPairs(in *flex.Instance) (before [][]bool) {
	var list []exchange
	for _, f := range flexJobs(in) {
		e := exchange{flexJob: f, share: big.NewRat(int64(f.Min), int64(f.Max)), from: new(big.Rat)}
		if f.metric == flex.Tardiness {
			switch e.from = exactly(f.due); {
			case e.from.Cmp(f.late) >= 0:
				e.rate, e.from = new(big.Rat), exactly(math.MaxFloat64)
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
	flexJob
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
