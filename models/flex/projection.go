package flex

import (
	"cmp"
	"math"
	"math/big"
	"slices"

	"schedgap/models"
)

const (
	// decisionTolerance is by how much, relatively, the faults that the checker accepts may have moved a job's time.
	decisionTolerance = 1e-6
	// faultTimes is by how many times its largest fault, relatively, a schedule may be behind a step that it means to keep: times
	// that were printed with few digits are off by as much as the work that they leave room for, and intervals have two ends.
	faultTimes = 4
	// mostClose is how many jobs close to their steps are looked at one by one.
	mostClose = 64
)

// margin is by how much the rounding of the sums in meets may move a time, relatively: each of n jobs adds two terms to them, and each
// addition errs by 2^-53. Beyond 4,500 jobs errors of both signs make it no more.
func margin(n int) float64 { return min(1e-12, 0x1p-52*float64(n+8)) }

// projected are the completion times that an accepted schedule counts as, and their value: no better than the optimum by more than
// Tolerance, whatever rows, completions and due dates together are off by.
//
// It is the value of completion times that can be met without any tolerance (meets): those of the schedule, all of them later
// by the least factor for which that is so. Or jobs whose steps it keeps have until the steps, which grant their tolerance once,
// jobs that are in time until their due dates, and the others are later by the least factor. The better of the two counts, unless
// it is the schedule's own value but for Tolerance, of the value and of the scale of regrets.
func (c *checker) projected() (times []float64, value float64) {
	own := c.in.Value(c.times)
	times, value = c.stretched(c.times, make([]bool, len(c.times)))
	if c.in.Any(func(m Metric) bool { return m.Steps() || m == Tardiness }) {
		if later, v := c.stretched(c.decisions()); v < value {
			times, value = later, v
		}
	}
	if off := math.Abs(value-own) / Tolerance; off <= math.Abs(own) && off <= cmp.Or(scale(c.in, ""), off) {
		return c.times, own
	}
	return times, value
}

// decisions are the latest times that cost as much as the schedule means its jobs to cost, those at steps fixed: a job that is in
// time has until then, and where not all that are in time by little can be, as many as can, by the order of their steps. In time is
// to the rounding of a time for a due date of tardiness, and for a step to its own tolerance or to what the schedule's faults can
// have moved the time by. One without any fault means its own times: what it could do otherwise another schedule does.
func (c *checker) decisions() (times []float64, fixed []bool) {
	times, fixed = slices.Clone(c.times), make([]bool, len(c.times))
	latest := 2 * Horizon(c.in) // later than all steps that matter
	var close []int             // jobs with a step close to their times
	next := slices.Clone(times) // their times without it
	for j, t := range times {
		steps, tolerance := apart(c.in.StepTimes(j)), max(Tolerance, min(decisionTolerance, faultTimes*c.fault))
		if c.in.MetricOf(j) == Tardiness {
			// Tardiness is not forgiven, however small it is: the weight may be large.
			steps, tolerance = []float64{*c.in.Jobs[j].Deadline}, models.Unit
		} else {
			fixed[j] = steps != nil
			if fixed[j] {
				times[j], next[j] = latest, latest
			}
		}
		k := slices.IndexFunc(steps, func(s float64) bool { return t <= s+tolerance*math.Abs(s) })
		if k < 0 {
			continue
		}
		times[j] = steps[k]
		next[j] = steps[k]
		if fixed[j] && t >= steps[k]*(1-decisionTolerance) {
			close = append(close, j)
			next[j] = latest
			if k+1 < len(steps) {
				next[j] = steps[k+1]
			}
		}
	}
	possible := func(times []float64) bool {
		late := slices.Clone(times)
		for j := range late {
			if !fixed[j] {
				late[j] *= (1 + Tolerance) * (1 + decisionTolerance)
			}
		}
		return c.met(late, fixed)
	}
	if len(close) > mostClose || possible(times) {
		return times, fixed
	}
	slices.SortStableFunc(close, func(a, b int) int { return cmp.Compare(times[a], times[b]) })
	for _, j := range close {
		times[j], next[j] = next[j], times[j]
		if !possible(next) {
			next[j] = times[j]
		}
	}
	return next, fixed
}

// apart leaves out steps within the tolerance of the step before. Their own times count as in time for that, so that a job which is
// behind it and in time for them would count as in time for both.
func apart(steps []float64) (kept []float64) {
	for i, s := range steps {
		if i == 0 || After(s, steps[i-1]) {
			kept = append(kept, s)
		}
	}
	return kept
}

// stretched are the given times, those that are not fixed multiplied by the least factor for which all can be met, and their
// value; infinite: there is none.
func (c *checker) stretched(given []float64, fixed []bool) (times []float64, value float64) {
	times = make([]float64, len(given))
	least, last := math.Inf(1), 4*Horizon(c.in)
	for j, t := range given {
		if !fixed[j] {
			least = min(least, t)
		}
	}
	met := func(factor float64) bool {
		for j, t := range given {
			times[j] = t
			if !fixed[j] {
				times[j] *= factor
			}
		}
		return c.met(times, fixed)
	}
	low, factor := 1.0, 1.0
	for by := 0x1p-51; !met(factor); by *= 4 {
		low = factor
		if least*low > last {
			return c.times, math.Inf(1)
		}
		factor = 1 + by
	}
	for factor-low > Tolerance/8*factor {
		if middle := low + (factor-low)/2; met(middle) {
			factor = middle
		} else {
			low = middle
		}
	}
	for j, t := range given {
		switch times[j] = t * factor; {
		case fixed[j]:
			times[j] = t
		case c.in.MetricOf(j).Steps():
			times[j] *= 1 + margin(len(given))
		}
	}
	return times, c.in.Value(times)
}

// met reports whether job j may complete by times[j], for all j at once, those that are fixed with the tolerance of a step. Where
// rounding may decide that, exact numbers do.
func (c *checker) met(times []float64, fixed []bool) bool {
	steps := slices.Contains(fixed, true)
	with := func(tolerance float64) bool {
		if !steps {
			return meets(c.in, times)
		}
		late := slices.Clone(times)
		for j := range late {
			if fixed[j] {
				late[j] *= 1 + tolerance
			}
		}
		return meets(c.in, late)
	}
	by, small := margin(len(times)), len(times) <= sharpJobs
	switch {
	case with(Tolerance - by):
		return !small || !c.sharp() || meetsSharply(c.in, times, fixed)
	case !steps || !with(Tolerance+by):
		return false
	}
	return small && meetsSharply(c.in, times, fixed)
}

// Possible reports whether job j may complete by times[j], for all j at once; false is certain in spite of rounding.
func Possible(in *Instance, times []float64) bool {
	later := slices.Clone(times)
	for j := range later {
		later[j] *= 1 + margin(len(later))
	}
	return meets(in, later)
}

// meets reports whether a schedule without any fault has job j completed by times[j], for all j at once, up to the rounding of
// sums of positive numbers, which a factor of as much makes up for.
//
// A job that its minimum completes by then needs nothing else. Any other is to do W − M (C − t) by t at least, which is more than
// its minimum does from a moment on; then it needs M − m more slots than those until C. The times can be met if and only if
// this is never more, since 0, than all minima of unfinished jobs leave (docs/design/flex.md#times-that-can-be-met).
func meets(in *Instance, times []float64) bool {
	type event struct {
		at         float64
		need, free int // change of slots
	}
	events := make([]event, 0, 2*len(times))
	for j := range in.Jobs {
		job, end := &in.Jobs[j], times[j]
		if alone := job.Work / float64(job.Min); end >= alone { // never, at a minimum of 0
			events = append(events, event{at: alone, free: job.Min})
			continue
		}
		// Not below 0: it can do its work. Where m = M, the job would have ended by its minimum.
		late := math.FMA(float64(job.Max), end, -job.Work)
		if late < 0 || job.Max == job.Min {
			return false
		}
		more := job.Max - job.Min
		events = append(events, event{at: late / float64(more), need: more}, event{end, -more, job.Min})
	}
	slices.SortFunc(events, func(a, b event) int { return cmp.Compare(a.at, b.at) })
	now, need, free := 0.0, 0.0, 0.0
	needs, leaves := 0, in.Slots-in.TotalMin()
	for _, e := range events {
		need += float64(needs) * (e.at - now)
		free += float64(leaves) * (e.at - now)
		if need > free {
			return false
		}
		now, needs, leaves = e.at, needs+e.need, leaves+e.free
	}
	return true
}

// sharp reports whether rounding may decide if a job with tardiness is late: its weight may make much of the least tardiness. Jobs
// that are in time by more than the checker forgives have no part in that.
func (c *checker) sharp() bool {
	for j, t := range c.times {
		if c.in.MetricOf(j) == Tardiness {
			due := *c.in.Jobs[j].Deadline
			if t >= due*(1-decisionTolerance) && t <= due+models.Unit*math.Abs(due) {
				return true
			}
		}
	}
	return false
}

const (
	// sharpBits hold the products and sums of meets without any error, as works and times span 2^±333 and slots 2^63.
	sharpBits = 1024
	// sharpJobs is how many jobs exact numbers are used for: 1,000 take 14 ms, and a check asks up to a hundred times.
	sharpJobs = 1_000
	// sharpError is more than the error of the quotients in it, relative to the sums.
	sharpError = 0x1p-900
)

// meetsSharply is meets in numbers that are so long that nothing of it is lost. Fixed times have the tolerance of a step.
func meetsSharply(in *Instance, times []float64, fixed []bool) bool {
	number := func(v float64) *big.Float { return new(big.Float).SetPrec(sharpBits).SetFloat64(v) }
	whole := func(v int) *big.Float { return new(big.Float).SetPrec(sharpBits).SetInt64(int64(v)) }
	type event struct {
		at         *big.Float
		need, free int // change of slots
	}
	events := make([]event, 0, 2*len(times))
	for j := range in.Jobs {
		job, end := &in.Jobs[j], number(times[j])
		if fixed[j] {
			end.Add(end, number(0).Mul(number(Tolerance), number(0).Abs(end)))
		}
		late := whole(job.Min)
		if late.Mul(late, end).Cmp(number(job.Work)) >= 0 {
			at := number(job.Work)
			events = append(events, event{at: at.Quo(at, whole(job.Min)), free: job.Min})
			continue
		}
		late = whole(job.Max)
		late.Sub(late.Mul(late, end), number(job.Work))
		if late.Sign() < 0 || job.Max == job.Min {
			return false
		}
		more := job.Max - job.Min
		events = append(events, event{at: late.Quo(late, whole(more)), need: more}, event{end, -more, job.Min})
	}
	slices.SortFunc(events, func(a, b event) int { return a.at.Cmp(b.at) })
	now, need, free := number(0), number(0), number(0)
	needs, leaves := 0, in.Slots-in.TotalMin()
	for _, e := range events {
		passed := number(0).Sub(e.at, now)
		need.Add(need, number(0).Mul(whole(needs), passed))
		free.Add(free, number(0).Mul(whole(leaves), passed))
		if over := number(0).Sub(need, free); over.Cmp(number(0).Mul(free, number(sharpError))) > 0 {
			return false
		}
		now, needs, leaves = e.at, needs+e.need, leaves+e.free
	}
	return true
}
