package flex

import (
	"cmp"
	"slices"
)

// A Filling decides whether every job j can complete exactly at a given time E_j, and builds the schedule.
//
// Job j holds m_j slots throughout [0, E_j]; the rest of its work, W_j − m_j·E_j, must fit between m_j and M_j. Jobs are
// filled in in the order of their times. All jobs begin at 0, so every later job can use all that an earlier one could have
// used: it is best to leave the remaining capacity as level as possible, which filling from the highest remaining capacity
// down to a common level does (the water filling of Beaumont, Bonichon, Eyraud-Dubois and Marchal, IPDPS 2012, with minima
// added; docs/design/flex.md#grid-property-and-water-filling). Capacity that minima leave never shrinks with time, and filling
// keeps it that way.
type Filling struct {
	in    *Instance
	order []int       // jobs by time
	len   []float64   // interval lengths; interval q ends with order[q]
	free  []float64   // capacity that the minima, and the jobs filled in so far, leave in interval q
	rate  [][]float64 // rate[k][q]: the rate beyond its minimum of order[k] in interval q
	times []float64   // of hasten
}

func NewFilling(in *Instance) *Filling {
	n := len(in.Jobs)
	p := &Filling{in: in, order: make([]int, n), len: make([]float64, n), free: make([]float64, n)}
	for j := range p.order {
		p.order[j] = j
	}
	return p
}

// KeepRates makes the filling remember who got what, for schedules.
func (p *Filling) KeepRates() *Filling {
	n := len(p.order)
	all := make([]float64, n*n)
	p.rate = make([][]float64, n)
	for k := range p.rate {
		p.rate[k] = all[k*n : k*n+k+1]
	}
	return p
}

// Fits reports whether all jobs can complete at their times, up to tol of each one's work.
func (p *Filling) Fits(times []float64, tol float64) bool {
	// Ties go by file order, not by the order of earlier calls.
	slices.SortFunc(p.order, func(a, b int) int { return cmp.Or(cmp.Compare(times[a], times[b]), cmp.Compare(a, b)) })
	spare := float64(p.in.Slots - p.in.TotalMin())
	start := 0.0
	for q, j := range p.order {
		p.len[q] = max(0, times[j]-start)
		start = times[j]
		p.free[q] = spare
		spare += float64(p.in.Jobs[j].Min)
	}
	for k, j := range p.order {
		job := &p.in.Jobs[j]
		need := job.Work - float64(job.Min)*times[j]
		if need < -tol*job.Work { // the minimum alone would do more than the work
			return false
		}
		if !p.fill(k, float64(job.Max-job.Min), max(0, need), tol*job.Work) {
			return false
		}
	}
	return true
}

// fill puts need into intervals 0..k at a rate of at most rate, from the highest free capacity down.
func (p *Filling) fill(k int, rate, need, tol float64) bool {
	free, length := p.free[:k+1], p.len[:k+1]
	var row []float64
	if p.rate != nil {
		row = p.rate[k]
		clear(row)
	}
	if need <= 0 {
		return true
	}
	line := lower(free, length, rate, need)
	if line.got < need-tol {
		line.level = 0
	}
	for q := k; q > line.top; q-- {
		taken := line.taken(free[q], rate)
		if row != nil {
			row[q] = taken
		}
		free[q] -= taken
	}
	return line.got >= need-tol
}

// A line is how far down free capacity, sorted upwards, is filled by one job.
type line struct {
	top, low int     // nothing is taken up to interval top, and the job's full rate above low; between, all come down to the level
	level    float64 // above which capacity is taken
	lowered  float64 // by so much more, a difference that would be lost in the level
	got      float64 // work
}

// taken is the job's rate in an interval with free capacity.
func (l *line) taken(free, rate float64) float64 {
	return min(max(0, free-l.level+l.lowered), rate, free)
}

// lower fills need into intervals of these free capacities and lengths at a rate of at most rate, from the highest capacity down.
func lower(free, length []float64, rate, need float64) line {
	// free is sorted upwards, so the highest stand at the end. A level h takes min(rate, free−h) from each interval with
	// free > h; below the next break point, free itself or free−rate of some interval, the amount grows by width a unit.
	top := len(free) - 1
	level, lowered := free[len(free)-1], 0.0 // lowered by so much more, a difference that would be lost in the level
	width, got := 0.0, 0.0                   // of the intervals that are being lowered
	low := top                               // intervals above low are lowered by the full rate already
	for {
		for top >= 0 && free[top] >= level {
			width += length[top]
			top--
		}
		for low > top && free[low]-rate >= level {
			width -= length[low]
			low--
		}
		next := 0.0
		if top >= 0 {
			next = max(next, free[top])
		}
		if low > top {
			next = max(next, free[low]-rate)
		}
		if next >= level { // only when level has come down to 0
			break
		}
		if gain := width * (level - next); got+gain >= need {
			if width > 0 {
				lowered = (need - got) / width
			}
			got = need
			break
		} else {
			got += gain
		}
		level = next
	}
	return line{top, low, level, lowered, got}
}

// Rates calls f with every job's rate in every interval of the last fits that was true with rates kept, in time
// order.
func (p *Filling) Rates(f func(j int, start, end, rate float64)) {
	now := 0.0
	for q := range p.order {
		if p.len[q] <= 0 {
			continue
		}
		end := now + p.len[q]
		for k := q; k < len(p.order); k++ {
			f(p.order[k], now, end, float64(p.in.Jobs[p.order[k]].Min)+p.rate[k][q])
		}
		now = end
	}
}

// Schedule is the schedule of the last fits that was true with rates kept. Intervals end at the times themselves,
// not at sums of lengths, so that a deadline is met to the last bit.
func (p *Filling) Schedule(times []float64) Schedule {
	var rec Recorder
	held := make([]float64, len(p.order))
	for q, finished := range p.order {
		if p.len[q] > 0 {
			for k := q; k < len(p.order); k++ {
				j := p.order[k]
				if s := float64(p.in.Jobs[j].Min) + p.rate[k][q]; s != held[j] {
					held[j] = s
					rec.Set(j, s)
				}
			}
			rec.Advance(times[finished])
		}
		if held[finished] != 0 {
			held[finished] = 0
			rec.Set(finished, 0)
		}
	}
	return rec.Schedule()
}

// RealizeTolerance is the share of a job's work that rounding may leave undone when times come from a linear program. It is
// far below the tolerance of the checker.
const RealizeTolerance = 1e-9

// Realize builds the schedule that meets completion times, with its objective value as the checker computes it.
func Realize(in *Instance, p *Filling, times []float64) (Schedule, float64, bool) {
	// A linear program's times are right to a rounding error of the largest: jobs whose work is far below that get a little
	// more time, which costs no more than the error itself.
	h := Horizon(in)
	for push := 0.0; !p.Fits(times, RealizeTolerance); push = max(1e-13, 10*push) {
		if push > 1e-10 {
			return nil, 0, false
		}
		times = slices.Clone(times)
		for j := range times {
			times[j] = max(Earliest(in, j), min(times[j]+push*h, Latest(in, j, h)))
		}
	}
	plan := p.Schedule(times)
	r := Problem.Check(in, plan)
	if !r.Feasible(nil) && p.hasten(times) {
		plan = p.Schedule(p.times)
		r = Problem.Check(in, plan)
	}
	if !r.Feasible(nil) || r.Objective == nil {
		return nil, 0, false
	}
	value := *r.Objective
	if p.Prompt(times) {
		better := p.Schedule(p.times)
		if r := Problem.Check(in, better); r.Feasible(nil) && r.Objective != nil && *r.Objective < value {
			return better, *r.Objective, true
		}
	}
	return plan, value, true
}

// Prompt moves jobs whose tardiness is no more than the tolerance of the search that found their times, relative to those, to their
// due dates where all jobs still fit, and reports whether it moved any: a large weight makes much of such a tardiness. No job
// completes later than before. The fit is then that of the times that Prompted returns.
func (p *Filling) Prompt(times []float64) (moved bool) {
	p.times = append(p.times[:0], times...)
	tries := 0
	for j, t := range times {
		if p.in.MetricOf(j) != Tardiness || tries == mostClose {
			continue
		}
		due := *p.in.Jobs[j].Deadline
		if !(due < t && t <= due*(1+Tolerance)) || due < Earliest(p.in, j) {
			continue
		}
		tries++
		p.times[j] = due
		if p.Fits(p.times, promptFit) {
			moved = true
		} else {
			p.times[j] = t
		}
	}
	return moved && p.Fits(p.times, promptFit)
}

// Prompted are the times of the last Prompt. They are valid until the next call.
func (p *Filling) Prompted() []float64 { return p.times }

// promptFit is the share of a job's work that Prompt forgives: ten times what the searches for maxima forgive, so that a move that
// costs nothing is not lost by rounding.
const promptFit = 1e-13

// lost is the share of a time below which a job is not to be done shortly before it: of the 1e-16 of a time that rounding takes, the
// checker's millionth of the job's work must still be more.
const lost = 1e-9

// hasten moves jobs that are so short beside their times that rounding would lose their work to the earliest times that they can
// have, where all jobs still fit, and reports whether it moved any. No job completes later than before. The fit is then that of p.times.
func (p *Filling) hasten(times []float64) (moved bool) {
	p.times = append(p.times[:0], times...)
	for j, t := range times {
		early := Earliest(p.in, j)
		if early >= lost*t {
			continue
		}
		p.times[j] = early
		if p.Fits(p.times, RealizeTolerance) {
			moved = true
		} else {
			p.times[j] = t
		}
	}
	return moved && p.Fits(p.times, RealizeTolerance)
}

// Horizon is a time by which an optimal schedule has ended: in a schedule whose completion times cannot all be improved, at
// any time before the last completion all slots are busy or the last job holds its maximum.
func Horizon(in *Instance) float64 {
	total, longest := 0.0, 0.0
	for j := range in.Jobs {
		total += in.Jobs[j].Work
		longest = max(longest, in.Jobs[j].Work/float64(in.Jobs[j].Max))
	}
	return total/float64(in.Slots) + longest
}

// Latest is the time by which job j has completed in any schedule that wastes nothing: its minimum sees to it, or horizon h.
func Latest(in *Instance, j int, h float64) float64 {
	return min(h, in.Jobs[j].Work/float64(in.Jobs[j].Min)) // a minimum of 0 has infinite time
}

// Earliest is the time that job j needs at its maximum.
func Earliest(in *Instance, j int) float64 {
	return in.Jobs[j].Work / float64(in.Jobs[j].Max)
}
