package flex

import (
	"cmp"
	"slices"
)

// Sparse builds a schedule that meets feasible completion times with a few changes for each job, in O(n log n) besides the intervals
// that it looks at. It is that of a Filling: intervals that a job brings to the same free capacity are one from then on, and the
// job's rate changes only there.
func Sparse(in *Instance, times []float64) Schedule {
	order := OrderBy(in, func(j int) float64 { return times[j] })
	type change struct {
		at float64
		Share
	}
	changes := make([]change, 0, 3*len(order))
	var starts, free, length []float64
	spare, now := float64(in.Slots-in.TotalMin()), 0.0
	for _, j := range order {
		job, end := &in.Jobs[j], times[j]
		if end > now {
			starts, free, length = append(starts, now), append(free, spare), append(length, end-now)
			now = end
		}
		spare += float64(job.Min)
		rate := float64(job.Max - job.Min)
		l := lower(free, length, rate, max(0, job.Work-float64(job.Min)*end))
		held := 0.0
		set := func(at, slots float64) {
			if slots != held {
				changes = append(changes, change{at, Share{j, slots}})
				held = slots
			}
		}
		if l.top >= 0 {
			set(0, float64(job.Min))
		}
		for q := l.top + 1; q < len(free); q++ {
			taken := l.taken(free[q], rate)
			set(starts[q], float64(job.Min)+taken)
			free[q] -= taken
		}
		set(end, 0)
		if first := l.top + 1; first < l.low { // first to low have one free capacity now
			length[first] = starts[l.low] + length[l.low] - starts[first]
			free[first] = free[l.low]
			starts = slices.Delete(starts, first+1, l.low+1)
			free, length = slices.Delete(free, first+1, l.low+1), slices.Delete(length, first+1, l.low+1)
		}
	}
	slices.SortStableFunc(changes, func(a, b change) int { return cmp.Compare(a.at, b.at) })
	var rec Recorder
	for i := range changes {
		rec.Advance(changes[i].at)
		rec.Set(changes[i].Job, changes[i].Slots)
	}
	return rec.Schedule()
}
