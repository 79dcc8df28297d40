package redundancy

import (
	"fmt"
	"math"
	"slices"

	"schedgap/models"
)

// checkTolerance is the relative error that is forgiven in a constraint, measured against its own magnitude. An error in time is
// measured by the work that jobs can do in it, against a millionth of their works, so a short job that comes late gains nothing.
const checkTolerance = 1e-6

// rounding is the relative error of a time as a float64: a few units in the last place.
const rounding = 1e-15

// check recomputes feasibility and objective from the definition in docs/problems/redundancy.md#constraints: a job runs at
// speed·share·h(copies), not before its arrival, until its work adds up to W_j, which is at an interval's end; intervals follow
// each other from 0 on and end at arrivals and completions. What is off by less than the tolerance is accepted; the objective is
// that of a schedule without fault (projection.go).
func check(in *Instance, s Solution) models.Report {
	c := newChecker(in, s)
	c.speed()
	for q := range s.Intervals {
		c.machines(q)
	}
	for j := range in.Jobs {
		c.job(j)
	}
	c.events()
	r := c.report
	r.Augmentation = s.speed()
	if times := c.completions(); times != nil {
		v := 0.0
		for j, t := range times {
			v += t - in.Jobs[j].Arrival
			r.Rounding += models.Unit * (t + in.Jobs[j].Arrival) // times are numbers since 0, which dates make coarse
		}
		if len(r.Violations) == 0 {
			v = c.projected(v)
		}
		r.Objective = &v
	}
	return r
}

// Completions returns the completion times of the schedule as the checker sees them, nil when some job never completes.
func Completions(in *Instance, s Solution) []float64 { return newChecker(in, s).completions() }

type checker struct {
	in      *Instance
	s       Solution
	ends    []float64 // of the intervals; each lasts from the end of the one before, 0 for the first, never less than nothing
	slack   []float64 // the least time, over the jobs of the interval, in which one does all its work as it runs there
	tallies []tally   // by job
	report  models.Report
}

// A tally adds up the work that a job gets.
type tally struct {
	work      float64
	grain     float64 // the work that corresponds to a rounding error of a time
	last      int     // the last interval in which it works, −1: none
	reached   int     // the first interval at whose end it has all its work, −1: none
	early     float64 // time that it runs before its arrival
	earlyWork float64
	doubt     float64 // work in the gaps and overlaps of intervals, which are a violation of their own and not reported twice
}

func newChecker(in *Instance, s Solution) *checker {
	c := &checker{
		in: in, s: s, ends: make([]float64, len(s.Intervals)), slack: make([]float64, len(s.Intervals)),
		tallies: make([]tally, len(in.Jobs)),
	}
	for j := range c.tallies {
		c.tallies[j].last, c.tallies[j].reached = -1, -1
	}
	from := 0.0
	for q, iv := range s.Intervals {
		to := max(from, iv.End)
		c.ends[q], c.slack[q] = to, math.Inf(1)
		for _, a := range iv.Alloc {
			if a.Job < 0 || a.Job >= len(in.Jobs) {
				continue
			}
			job, t, rate := &in.Jobs[a.Job], &c.tallies[a.Job], c.rate(a)
			if rate > 0 {
				c.slack[q] = min(c.slack[q], job.Work/rate)
			}
			t.grain = max(t.grain, rate*rounding*to)
			early := max(0, min(to, job.Arrival)-from)
			t.early += early
			t.earlyWork += rate * early
			if w := rate * (to - from); w > 0 {
				t.work += w
				t.last = q
				if t.reached < 0 && t.work >= job.Work {
					t.reached = q
				}
			}
		}
		// events may report a smaller slip. It is worth less than the tolerance of work of every job here, and needs no doubt.
		if slip := math.Abs(iv.Start - from); !(slip <= near(to, c.slack[q])) {
			for _, a := range iv.Alloc {
				if a.Job >= 0 && a.Job < len(in.Jobs) {
					c.tallies[a.Job].doubt += c.rate(a) * slip
				}
			}
		}
		from = to
	}
	return c
}

// rate is a job's rate while it has a; what no machine can do counts as nothing, too many copies as all machines.
func (c *checker) rate(a Allocation) float64 {
	if a.Copies < 1 {
		return 0
	}
	return c.s.speed() * max(0, a.Share) * c.in.Speedup[min(a.Copies, c.in.Machines)-1]
}

// speed is the machines' speed.
func (s Solution) speed() float64 {
	if s.Speed == 0 {
		return 1
	}
	return s.Speed
}

func (c *checker) speed() {
	s := c.s.speed()
	if d := min(math.Abs(s-1), math.Abs(s-c.in.Speed)); !(d <= checkTolerance*s) {
		c.report.Violate("speed", "speed", d)
	}
}

// machines checks the machines that the jobs of interval q hold.
func (c *checker) machines(q int) {
	used, before := 0.0, -1
	for _, a := range c.s.Intervals[q].Alloc {
		if a.Job <= before || a.Job >= len(c.in.Jobs) {
			c.report.Violate("machines", fmt.Sprintf("intervals[%d]: job %d is unknown, out of order or comes twice", q, a.Job), 1)
			continue
		}
		before = a.Job
		where := func() string { return fmt.Sprintf("jobs[%s] in intervals[%d]", c.in.Jobs[a.Job].ID, q) }
		switch {
		case a.Copies < 1:
			c.report.Violate("machines", where(), 1-float64(a.Copies))
		case a.Copies > c.in.Machines:
			c.report.Violate("machines", where(), float64(a.Copies)-float64(c.in.Machines))
		}
		copies := float64(max(0, a.Copies))
		if !c.in.Multitasking {
			used += copies
			if d := math.Abs(a.Share - 1); !(d <= checkTolerance) {
				c.report.Violate("share", where(), d)
			}
			continue
		}
		used += max(0, a.Share) * copies
		switch {
		case !(a.Share > 0):
			c.report.Violate("share", where(), max(checkTolerance, -a.Share))
		case a.Share > 1+checkTolerance:
			c.report.Violate("share", where(), a.Share-1)
		}
	}
	most := float64(c.in.Machines)
	if c.in.Multitasking {
		most *= 1 + checkTolerance // without shares all terms are integers, and nothing is forgiven
	}
	if !(used <= most) {
		c.report.Violate("machines", fmt.Sprintf("intervals[%d]", q), used-float64(c.in.Machines))
	}
}

// tolerance is the work of job j that is forgiven.
func (c *checker) tolerance(j int) float64 {
	w := c.in.Jobs[j].Work
	return min(w/2, max(checkTolerance*w, c.tallies[j].grain)) + c.tallies[j].doubt
}

// job checks the work of job j and that it is done after its arrival.
func (c *checker) job(j int) {
	job, t := &c.in.Jobs[j], &c.tallies[j]
	where := fmt.Sprintf("jobs[%s]", job.ID)
	if t.earlyWork > c.tolerance(j) {
		c.report.Violate("arrival", where, t.early)
	}
	if d := math.Abs(t.work - job.Work); !(d <= c.tolerance(j)) {
		c.report.Violate("work", where, d)
	}
}

// completion is the interval at whose end job j completes, −1 when it never does: the last one in which it works, or with too
// much work the one in which it reaches W_j.
func (c *checker) completion(j int) int {
	t, w := &c.tallies[j], c.in.Jobs[j].Work
	switch {
	case t.work > w+c.tolerance(j):
		return t.reached
	case t.work >= w-c.tolerance(j):
		return t.last
	}
	return -1
}

func (c *checker) completions() []float64 {
	times := make([]float64, len(c.in.Jobs))
	for j := range times {
		q := c.completion(j)
		if q < 0 {
			return nil
		}
		times[j] = c.ends[q]
	}
	return times
}

// events checks that every interval begins where the one before ends, and ends at an arrival or a completion.
func (c *checker) events() {
	var events []float64 // when something arrives or completes, ascending
	for j := range c.in.Jobs {
		events = append(events, c.in.Jobs[j].Arrival)
		if q := c.completion(j); q >= 0 {
			events = append(events, c.ends[q])
		}
	}
	slices.Sort(events)
	after := make([]float64, len(c.ends)) // slack of the next interval that lasts
	for q, next := len(after)-1, math.Inf(1); q >= 0; q-- {
		after[q] = next
		if q == 0 || c.ends[q] > c.ends[q-1] {
			next = c.slack[q]
		}
	}
	from, before := 0.0, math.Inf(1)
	for q, iv := range c.s.Intervals {
		to, lasts := c.ends[q], c.ends[q] > from
		if d := math.Abs(iv.Start - from); !(d <= near(to, min(before, c.slack[q]))) {
			c.report.Violate("event", fmt.Sprintf("intervals[%d].start", q), d)
		}
		if lasts {
			before = c.slack[q]
		}
		d := to - iv.End
		if lasts {
			d = max(d, math.Abs(nearest(events, to)-to))
		}
		if !(d <= near(to, min(before, after[q]))) {
			c.report.Violate("event", fmt.Sprintf("intervals[%d].end", q), d)
		}
		from = to
	}
}

// near is how far from t counts as t where no job does all its work in less than slack.
func near(t, slack float64) float64 { return max(rounding*t, checkTolerance*min(t, slack)) }

// nearest is the element of list, which is ascending, that is nearest to t.
func nearest(list []float64, t float64) float64 {
	i, _ := slices.BinarySearch(list, t)
	if i == len(list) || i > 0 && t-list[i-1] <= list[i]-t {
		i--
	}
	return list[i]
}
