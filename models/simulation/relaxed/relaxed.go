// Package relaxed bounds what any policy could have had in one repetition of a simulation, given the durations that the
// repetition realised: jobs share one machine, preempted at will, and all arrivals are known.
// docs/bounds-and-proofs.md#simulated-runs has the proofs.
package relaxed

import (
	"math"
	"slices"

	"schedgap/models"
	"schedgap/models/heap"
)

// A Job is the least service that every schedule of the repetition gives a job. Times are best counted from the first arrival.
type Job struct {
	Release float64 // nothing of it is done before
	Volume  float64 // capacity times time that it takes, ≥ 0
	Least   float64 // from its release to its completion, ≥ Tail
	Tail    float64 // from the end of its volume to its completion
	// Lag is the least time from the mean moment at which its volume is done to its completion, Tail included.
	Lag float64
}

// Margin lowers bounds, relative to the sums they come from: simulators round, too.
const Margin = 1e-9

// Earliest are the jobs' completions if each were alone, less their tails, in order.
func Earliest(jobs []Job) []float64 {
	ends := make([]float64, len(jobs))
	for i := range jobs {
		ends[i] = jobs[i].Release + jobs[i].Least - jobs[i].Tail
	}
	slices.Sort(ends)
	return ends
}

// Shortest are the times at which volumes end, in order, when the machine always works on the job with the least volume left: no
// schedule has its k-th end earlier.
func Shortest(jobs []Job, c Capacity) []float64 {
	ends := make([]float64, 0, len(jobs))
	run(jobs, c, func(left, _ float64) float64 { return left }, func(_ int, _, to float64, done bool) {
		if done {
			ends = append(ends, c.when(to))
		}
	})
	return ends
}

// Later merges lower bounds on the k-th end of all jobs.
func Later(ends []float64, others ...[]float64) []float64 {
	for _, o := range others {
		for k := range ends {
			ends[k] = max(ends[k], o[k])
		}
	}
	return ends
}

// Sum bounds the sum of the completions, given bounds on the k-th ends.
func Sum(jobs []Job, ends []float64) float64 {
	sum, size := 0.0, 0.0
	for k := range jobs {
		sum += ends[k] + jobs[k].Tail
		size += math.Abs(ends[k]) + jobs[k].Tail
	}
	return sum - Margin*size
}

// Busy bounds the sum of the completions by mean busy times: the mean moments at which volumes are done have the least sum when
// the machine always works on the job of least volume.
func Busy(jobs []Job, c Capacity) float64 {
	sum, size := 0.0, 0.0
	for i := range jobs {
		at := jobs[i].Lag
		if jobs[i].Volume == 0 {
			at += jobs[i].Release
		}
		sum += at
		size += math.Abs(at)
	}
	run(jobs, c, func(_, volume float64) float64 { return volume }, func(j int, from, to float64, _ bool) {
		if jobs[j].Volume > 0 {
			moment := c.moment(from, to) / jobs[j].Volume
			sum += moment
			size += math.Abs(moment)
		}
	})
	return sum - Margin*size
}

// A waiting job has been released and is not done.
type waiting struct {
	left float64
	job  int
}

// run works on the job with the least rank, among those released, and tells of every stretch of work, counted in work that the
// machine could have done, and whether the job's volume ends with it.
func run(jobs []Job, c Capacity, rank func(left, volume float64) float64, tell func(j int, from, to float64, done bool)) {
	order := models.OrderBy(len(jobs), func(i int) float64 { return jobs[i].Release })
	var q heap.Keyed[waiting] // by rank
	now, next := math.Inf(-1), 0
	for next < len(order) || len(q) > 0 {
		if len(q) == 0 {
			now = max(now, c.work(jobs[order[next]].Release))
		}
		upTo := math.Inf(1)
		for ; next < len(order); next++ {
			j := order[next]
			if at := c.work(jobs[j].Release); at > now {
				upTo = at
				break
			}
			v := jobs[j].Volume
			q.Push(rank(v, v), waiting{v, j})
		}
		w := q.Top()
		if now+w.left > upTo {
			tell(w.job, now, upTo, false)
			w.left -= upTo - now
			q.Lower(rank(w.left, jobs[w.job].Volume)) // it has not risen: the job stays on top
			now = upTo
			continue
		}
		tell(w.job, now, now+w.left, true)
		now += w.left
		q.Pop()
	}
}
