package redundancy

import (
	"context"
	"math"
	"slices"
)

// A phase is a stretch of time with the same unfinished jobs.
type phase struct {
	start, end float64
	active     int
}

// allot returns the copies for k unfinished jobs that earn most, the shortest job first, at most len(y) machines' worth:
// the r-th machine of the i-th shortest of k jobs earns y_{k−i}·(h(r) − h(r−1)). With no arrival to come this is
// optimal.
func (e *envelope) allot(k int) []int {
	copies := make([]int, min(k, len(e.gain)))
	for range e.gain {
		best, most := -1, 0.0
		for i, r := range copies {
			if r == len(e.gain) {
				continue
			}
			if v := e.y[k-1-i] * e.gain[r]; v > most {
				best, most = i, v
			}
			if r == 0 {
				break // those after it earn no more
			}
		}
		if best < 0 {
			break
		}
		copies[best]++
	}
	return copies
}

// greedy runs allot's copies at every event, shortest remaining work first, and returns the sum of completion times and
// the phases. jobs are ascending by arrival. It is cut short when ctx ends, with ok false.
func (e *envelope) greedy(ctx context.Context, jobs []pending) (sum float64, phases []phase, ok bool) {
	var left []float64 // ascending
	t, arrived := jobs[0].arrival, 0
	allots := make([][]int, len(jobs)+1)
	for arrived < len(jobs) || len(left) > 0 {
		if ctx.Err() != nil {
			return 0, nil, false
		}
		for arrived < len(jobs) && jobs[arrived].arrival <= t {
			i, _ := slices.BinarySearch(left, jobs[arrived].work)
			left = slices.Insert(left, i, jobs[arrived].work)
			arrived++
		}
		k := len(left)
		if allots[k] == nil {
			allots[k] = e.allot(k)
		}
		end := math.Inf(1)
		if arrived < len(jobs) {
			end = jobs[arrived].arrival
		}
		for i, r := range allots[k] {
			if r > 0 {
				end = min(end, t+left[i]/e.h[r])
			}
		}
		done := 0
		for i, r := range allots[k] {
			switch {
			case r > 0 && t+left[i]/e.h[r] <= end:
				left[i] = 0
				done++
			default:
				left[i] -= e.h[r] * (end - t)
			}
		}
		slices.Sort(left[:min(k, len(allots[k]))])
		left = slices.Delete(left, 0, done)
		sum += float64(done) * end
		phases = append(phases, phase{t, end, k})
		t = end
	}
	return sum, phases, true
}
