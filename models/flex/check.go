package flex

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"schedgap/models"
)

// checkTolerance is the relative error that is forgiven in a constraint, measured against its own magnitude.
const checkTolerance = 1e-6

// timeRounding is the relative error of a time as a float64, a few units in the last place. The work of a job in such a time is
// forgiven too: it is much of the work of a short job that comes late.
const timeRounding = 1e-15

// check recomputes feasibility and objective from the definition in docs/problems/flex.md#constraints:
// in each interval m_j ≤ s_j ≤ M_j for every unfinished job and 0 for a finished one, Σ s_j ≤ S; every job's work adds up
// to W_j; C_j is the end of the interval in which it reaches W_j. Faults below the tolerance are accepted, and the objective is
// then computed for a schedule without fault (projection.go).
func check(in *Instance, s Schedule) models.Report {
	c := checker{in: in, s: s}
	c.contiguity()
	c.completions()
	c.slots()
	r := c.report
	if c.times != nil {
		times, v := c.times, in.Value(c.times)
		if len(r.Violations) == 0 {
			times, v = c.projected()
		}
		r.Objective = &v
		r.Rounding = in.Rounding(times, func(j int) bool { return in.Penalty(j, times[j]) != 0 })
	}
	return r
}

type checker struct {
	in        *Instance
	s         Schedule
	last      []int     // the interval in which job j completes, len(s) if never
	times     []float64 // C_j; nil when some job never completes
	tolerance []float64 // the work of job j that is forgiven
	fault     float64   // the largest that is forgiven, of work, slots, limits or the start of an interval, relative to its magnitude
	report    models.Report
}

func (c *checker) contiguity() {
	end, slips := 0.0, 0.0
	for q, iv := range c.s {
		slips += math.Abs(iv.Start - end)
		// Times are compared at the scale of the schedule so far, so that neither tiny nor huge time units matter.
		scale := checkTolerance * max(end, iv.End)
		d := iv.Start - end
		if d != 0 {
			c.forgive(math.Abs(d) / max(end, iv.End))
		}
		if d > scale || d < -scale {
			c.report.Violate("contiguity", fmt.Sprintf("intervals[%d].start", q), max(d, -d))
		}
		if d := iv.Start - iv.End; d > 0 {
			c.report.Violate("contiguity", fmt.Sprintf("intervals[%d].end", q), d)
		}
		end = iv.End
	}
	if slips > checkTolerance*end && len(c.report.Violations) == 0 {
		c.report.Violate("contiguity", "all intervals together", slips)
	}
}

// completions adds up every job's work, compares it with W_j and finds the interval in which the job reaches it. A job's
// work in the stretches between its changes of slots is the allocation times the sum of the interval lengths, so the
// search inside a stretch goes by the cumulative lengths.
func (c *checker) completions() {
	n := len(c.in.Jobs)
	elapsed := make([]float64, len(c.s)+1) // elapsed[q]: the summed lengths of the intervals before q
	for q, iv := range c.s {
		elapsed[q+1] = elapsed[q] + (iv.End - iv.Start)
	}
	type stretch struct {
		from  int // first interval
		slots float64
	}
	stretches := make([][]stretch, n)
	for q, iv := range c.s {
		for _, ch := range iv.Changes {
			stretches[ch.Job] = append(stretches[ch.Job], stretch{q, ch.Slots})
		}
	}
	c.last, c.tolerance = make([]int, n), make([]float64, n)
	times, all := make([]float64, n), true
	for j, job := range c.in.Jobs {
		sts := append(stretches[j], stretch{from: len(c.s)})
		total, most, grain := 0.0, 0.0, 0.0
		for i, st := range sts[:len(sts)-1] {
			if length := elapsed[sts[i+1].from] - elapsed[st.from]; length > 0 {
				total += st.slots * length
				grain += st.slots * timeRounding * c.s[sts[i+1].from-1].End
			}
			most = max(most, total)
		}
		c.tolerance[j] = max(checkTolerance*job.Work, grain)
		c.forgive(math.Abs(total-job.Work) / job.Work)
		if d := total - job.Work; !(d <= c.tolerance[j] && d >= -min(c.tolerance[j], job.Work/2)) { // NaN keeps no limit
			c.report.Violate("work", fmt.Sprintf("jobs[%s]", job.ID), max(d, -d))
		}
		c.last[j] = len(c.s)
		if most < job.Work-min(c.tolerance[j], job.Work/2) {
			all = false
			continue
		}
		// Of a job that later intervals bring on, only rounding is forgiven: it is not done, and may be late. One that lacks work that
		// is forgiven has no such interval.
		reached, done := min(job.Work, most)*(1-models.Unit), 0.0
		for i := 0; i < len(sts)-1 && c.last[j] == len(c.s); i++ {
			from, to, slots := sts[i].from, sts[i+1].from, sts[i].slots
			if next := done + slots*(elapsed[to]-elapsed[from]); next < reached {
				done = next
				continue
			}
			by := func(q int) float64 { return done + slots*(elapsed[q+1]-elapsed[from]) } // it rises where intervals follow each other
			q := from + sort.Search(to-from, func(i int) bool { return by(from+i) >= reached })
			if q < to {
				c.last[j], done = q, by(q)
			}
		}
		if c.last[j] == len(c.s) {
			all = false // only rounding can lead here: the total reached the work, no interval did
			continue
		}
		times[j] = c.s[c.last[j]].End
	}
	if all {
		c.times = times
	}
}

// slots checks minima, maxima and the total in every interval that lasts. Only what changes is looked at: a job's own
// limits when its slots change or it completes, the total whenever any does.
func (c *checker) slots() {
	n := len(c.in.Jobs)
	held := make([]float64, n)
	ends := make([][]int, len(c.s)+1) // jobs by the interval after the one in which they complete
	for j, q := range c.last {
		ends[min(q+1, len(c.s))] = append(ends[min(q+1, len(c.s))], j)
	}
	look := make([]int, n) // the jobs to look at from the next lasting interval on
	for j := range look {
		look[j] = j
	}
	total := 0.0
	for q, iv := range c.s {
		for _, ch := range iv.Changes {
			total += ch.Slots - held[ch.Job]
			held[ch.Job] = ch.Slots
			look = append(look, ch.Job)
		}
		look = append(look, ends[q]...)
		if iv.End <= iv.Start {
			continue
		}
		slices.Sort(look)
		for _, j := range slices.Compact(look) {
			c.limits(j, q, held[j])
		}
		look = look[:0]
		c.forgive((total - float64(c.in.Slots)) / float64(c.in.Slots))
		if d := total - float64(c.in.Slots); !(d <= checkTolerance*float64(c.in.Slots)) {
			c.report.Violate("slots", fmt.Sprintf("intervals[%d]", q), d)
		}
	}
}

// limits checks job j, which holds s slots from interval q on.
func (c *checker) limits(j, q int, s float64) {
	job := &c.in.Jobs[j]
	lo, hi := float64(job.Min), float64(job.Max)
	if q > c.last[j] {
		lo, hi = 0, 0
		// Slots of a finished job are measured in work, so that a time as short as a rounding error is no violation.
		if s*(c.s[q].End-c.s[q].Start) <= c.tolerance[j] {
			hi = s
		}
	}
	where := func() string { return fmt.Sprintf("jobs[%s] in intervals[%d]", job.ID, q) }
	c.forgive((lo - s) / max(1, lo))
	c.forgive((s - hi) / float64(job.Max))
	if d := lo - s; d > checkTolerance*max(1, lo) {
		c.report.Violate("minimum", where(), d)
	}
	if d := s - hi; d > checkTolerance*float64(job.Max) {
		c.report.Violate("maximum", where(), d)
	}
}

// forgive notes a fault, relative to its magnitude; below 0 it is none.
func (c *checker) forgive(fault float64) { c.fault = max(c.fault, fault) }

// Completions returns the completion times of the schedule as the checker sees them, nil when some job never completes.
func Completions(in *Instance, s Schedule) []float64 {
	c := checker{in: in, s: s}
	c.completions()
	return c.times
}
