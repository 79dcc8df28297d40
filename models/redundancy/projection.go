package redundancy

import (
	"math"
	"slices"
)

// projectionTolerance is what an accepted schedule may beat the optimum by, relatively: what two exact methods may differ by.
const projectionTolerance = 1e-9

// projected is the objective that an accepted schedule is given: that of a schedule without fault, so that no tolerance lets a
// schedule beat the optimum. value is its objective at its own times, which stands unless the other is larger by more than
// projectionTolerance.
func (c *checker) projected(value float64) float64 {
	if v := newReplay(c).run(); !(v <= value+projectionTolerance*value) {
		return v
	}
	return value
}

// A replay carries out the decisions of an accepted schedule to the letter. Jobs hold what they hold there, at an allowed speed
// and with shares that the machines have, from one event to the next. An interval ends when the last of the jobs is done that
// complete with it there, whenever that is; one with which none completes ends at the arrival next to its end; and one that
// ends at neither, with a sliver between it and a completion, at that completion. No job runs before its arrival, and the
// machines of a job that is done are idle. So all jobs get all their work and allocations change only at arrivals and
// completions: the schedule is feasible without any tolerance.
type replay struct {
	*checker
	speed     float64
	origin    float64   // the first arrival; times are counted from it, since late dates have few digits
	now       float64   // where the interval begins
	arrivals  []float64 // ascending
	completes []int     // the intervals with which jobs complete, ascending
	left      []float64 // work, by job
	rates     []float64 // of the jobs in the interval, in its order
}

func newReplay(c *checker) *replay {
	n := len(c.in.Jobs)
	r := &replay{checker: c, speed: 1, arrivals: make([]float64, n), completes: make([]int, n), left: make([]float64, n)}
	if s := c.s.speed(); math.Abs(s-c.in.Speed) < math.Abs(s-1) {
		r.speed = c.in.Speed
	}
	for j := range c.in.Jobs {
		r.arrivals[j], r.left[j] = c.in.Jobs[j].Arrival, c.in.Jobs[j].Work
		r.completes[j] = c.tallies[j].last
	}
	slices.Sort(r.arrivals)
	slices.Sort(r.completes)
	r.origin = r.arrivals[0]
	r.now = -r.origin
	return r
}

// run returns the sum of the flowtimes.
func (r *replay) run() float64 {
	sum, from, completed := 0.0, 0.0, 0
	for q, to := range r.ends {
		if to <= from {
			continue
		}
		r.allocate(q, to-from)
		end := r.end(q)
		for i, a := range r.s.Intervals[q].Alloc {
			j := a.Job
			if r.left[j] == 0 {
				continue
			}
			done := r.done(i, j)
			least := r.least(j, q)
			left := max(r.left[j]-r.rates[i]*max(0, end-r.start(j)), least)
			if least == 0 && done <= end || left == 0 { // where rounding says one and not the other, it completes here
				sum += done - (r.in.Jobs[j].Arrival - r.origin)
				completed++
				left = 0
			}
			r.left[j] = left
		}
		r.now, from = end, to
	}
	if completed < len(r.left) { // a schedule that cannot be carried out is worth nothing
		return math.Inf(1)
	}
	return sum
}

// least is the work that job j keeps in interval q. With shares it is little more than none until its last interval, so that
// this one, in which other jobs may do much, ends with it; a smaller share in q sees to that.
func (r *replay) least(j, q int) float64 {
	if r.in.Multitasking && r.tallies[j].last > q {
		return min(r.left[j], 1e-12*r.in.Jobs[j].Work)
	}
	return 0
}

// start is when job j begins in the interval, done when it has all its work at its rate, the i-th.
func (r *replay) start(j int) float64 { return max(r.now, r.in.Jobs[j].Arrival-r.origin) }

func (r *replay) done(i, j int) float64 {
	if r.left[j] == 0 { // its rate may be 0 as well
		return r.start(j)
	}
	return r.start(j) + r.left[j]/r.rates[i]
}

// allocate sets the rates of the jobs in interval q, which lasts as long as length in the schedule. Where machines are shared,
// those that complete with it get the shares that they need for that, and all less if this is more than there is.
func (r *replay) allocate(q int, length float64) {
	alloc := r.s.Intervals[q].Alloc
	r.rates = r.rates[:0]
	used := 0.0
	for _, a := range alloc {
		share, h := 1.0, r.speed*r.in.Speedup[a.Copies-1]
		if r.in.Multitasking {
			share = min(1, a.Share)
			if time := r.now + length - r.start(a.Job); r.tallies[a.Job].last == q {
				share = 1
				if r.left[a.Job] < h*time {
					share = r.left[a.Job] / (h * time)
				}
			}
		}
		used += share * float64(a.Copies)
		r.rates = append(r.rates, share*h)
	}
	if most := float64(r.in.Machines); used > most {
		for i := range r.rates {
			r.rates[i] *= most / used
		}
	}
}

// end is when interval q ends.
func (r *replay) end(q int) float64 {
	with := r.with(q)
	if with < 0 {
		return max(r.now, nearest(r.arrivals, r.ends[q])-r.origin)
	}
	end := r.now
	for i, a := range r.s.Intervals[q].Alloc {
		if r.tallies[a.Job].last == with {
			end = max(end, r.done(i, a.Job))
		}
	}
	return end
}

// with is the interval whose completing jobs end interval q, or −1 when an arrival does.
func (r *replay) with(q int) int {
	i, found := slices.BinarySearch(r.completes, q)
	if found {
		return q
	}
	near, with := math.Abs(nearest(r.arrivals, r.ends[q])-r.ends[q]), -1
	for _, k := range []int{i - 1, i} {
		if k >= 0 && k < len(r.completes) && math.Abs(r.ends[q]-r.ends[r.completes[k]]) < near {
			with = r.completes[k]
			near = math.Abs(r.ends[q] - r.ends[with])
		}
	}
	return with
}
