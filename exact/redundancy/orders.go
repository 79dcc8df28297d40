package redundancy

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
)

// orderJobs is the largest number of jobs whose completion orders are bounded; the table of earnings has 2^orderJobs
// entries.
const orderJobs = 12

// orderVisits limits the search for the best completion order, beyond which its bound is the one without arrivals.
const orderVisits = 200

// An orderBound is the bound of the envelope's weights over completion orders. Where jobs complete in some order, the
// k-th from the end has weight y_k, and Σ y_k·work is what all earn until they are done. No more than one each is earned
// by the unfinished, and less while some have yet to arrive: that much more time passes. The bound is the least over all
// orders.
type orderBound struct {
	env    *envelope
	earned []float64 // earned[set]: most that the jobs at these positions from the end earn in a unit of time
}

// newOrderBound prepares the bound; of more than orderJobs jobs it is the one without arrivals.
func newOrderBound(env *envelope) *orderBound {
	o := &orderBound{env: env}
	n := min(len(env.y), orderJobs)
	o.earned = make([]float64, 1<<n)
	best := make([][]float64, 1<<n) // by each machine, descending
	best[0] = make([]float64, len(env.gain))
	for set := 1; set < len(best); set++ {
		top := bits.Len(uint(set)) - 1
		best[set] = merge(make([]float64, len(env.gain)), best[set&^(1<<top)], env.y[top], env.gain)
		for _, v := range best[set] {
			o.earned[set] += v
		}
	}
	return o
}

// A waiting job may run from arrival on.
type waiting struct {
	arrival, work, earliest float64
	place                   int // position from the end of the order
}

type orderSearch struct {
	*orderBound
	t      float64
	jobs   []waiting // ascending by work
	gaps   []float64 // arrivals after t, ascending
	order  []int     // from the first to complete on
	used   int       // set of jobs in order
	best   float64
	visits int
}

// bound is a lower bound on the sum of completion times of jobs from t on; jobs that arrived before t are there.
func (o *orderBound) bound(t float64, jobs []pending) float64 {
	s := &orderSearch{orderBound: o, t: t, best: math.Inf(1)}
	for _, j := range jobs {
		a := max(t, j.arrival)
		s.jobs = append(s.jobs, waiting{a, j.work, a + j.work/o.env.h[len(o.env.h)-1], 0})
		if a > t && (len(s.gaps) == 0 || a > s.gaps[len(s.gaps)-1]) {
			s.gaps = append(s.gaps, a)
		}
	}
	slices.SortStableFunc(s.jobs, func(a, b waiting) int { return cmp.Compare(a.work, b.work) })
	relaxed := float64(len(jobs)) * t
	for i := range s.jobs {
		relaxed += o.env.y[len(s.jobs)-1-i] * s.jobs[i].work
	}
	if len(s.gaps) == 0 || len(jobs) > orderJobs {
		return relaxed
	}
	s.next(float64(len(jobs)) * t)
	if s.visits > orderVisits {
		return relaxed
	}
	return s.best
}

// next tries the jobs that may complete next; sum is what those in the order weigh.
func (s *orderSearch) next(sum float64) {
	if s.visits++; s.visits > orderVisits {
		return
	}
	left := len(s.jobs) - len(s.order)
	if left == 0 {
		s.best = min(s.best, sum+s.lag())
		return
	}
	rest, k := sum, left-1
	for i := range s.jobs {
		if s.used&(1<<i) == 0 {
			rest += s.env.y[k] * s.jobs[i].work
			k--
		}
	}
	if rest >= s.best {
		return
	}
	earliest := math.Inf(1) // arrival among the shorter jobs: who is longer and arrives no earlier completes after them
	for i := range s.jobs {
		if s.used&(1<<i) != 0 || s.jobs[i].arrival >= earliest {
			continue
		}
		earliest = s.jobs[i].arrival
		s.used |= 1 << i
		s.jobs[i].place = left - 1
		s.order = append(s.order, i)
		s.next(sum + s.env.y[left-1]*s.jobs[i].work)
		s.order = s.order[:len(s.order)-1]
		s.used &^= 1 << i
	}
}

// lag is how much less than one each the unfinished jobs of the order earn before the last arrival.
func (s *orderSearch) lag() float64 {
	if len(s.jobs) > orderJobs {
		return 0
	}
	sum, from := 0.0, s.t
	for _, to := range s.gaps {
		set := 0
		for i := range s.jobs {
			if s.jobs[i].arrival <= from {
				set |= 1 << s.jobs[i].place
			}
		}
		unfinished := len(s.jobs)
		least, t := float64(unfinished)-s.earned[set], from
		// As soon as the first jobs of the order may be done, either count may hold.
		for unfinished > 0 && set&(1<<(unfinished-1)) != 0 {
			j := &s.jobs[s.order[len(s.jobs)-unfinished]]
			if j.earliest >= to {
				break
			}
			if j.earliest > t {
				sum += (j.earliest - t) * max(0, least)
				t = j.earliest
			}
			unfinished--
			set &^= 1 << unfinished
			least = min(least, float64(unfinished)-s.earned[set])
		}
		sum += (to - t) * max(0, least)
		from = to
	}
	return sum
}
