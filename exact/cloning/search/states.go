package search

import (
	"encoding/binary"
	"math"
	"slices"

	"schedgap/exact/cloning/bounds"
	"schedgap/exact/verify/cloning/kernel"
	"schedgap/models/cloning"
)

// states are the parts of partial schedules that both regimes share.
type states struct {
	v          *bounds.Outlook
	surrogates []bounds.Surrogate
	scale      float64   // units of progress in a slot of one copy, a power of two
	need       []int64   // by phase
	gain       [][]int64 // by phase, of a slot in 1, 2, … copies
	rate       []int64   // by phase, the most that a copy brings in a slot
	from       []int     // by phase, its first task; one more at the end
	phase      []int     // by task
}

// scaleOf is the number of units in a slot's progress: a power of two, so large that int64 just holds the longest mean.
func scaleOf(v *kernel.Listing) float64 {
	longest := 1.0
	for k := range v.Phases {
		longest = max(longest, v.Phases[k].Mean)
	}
	_, exp := math.Frexp(longest)
	return math.Ldexp(1, 61-exp)
}

// maxCutOff bounds the loss of a task when the gains of its slots are cut to whole units. It is less than the 1e-9 by which
// the task may miss its mean, so that the search has no task done a slot late.
const maxCutOff = 5e-10

// countable reports whether all tasks lose no more than that. The gain of a single copy is 1 and loses nothing.
func countable(v *kernel.Listing) bool {
	scale := scaleOf(v)
	return !slices.ContainsFunc(v.Phases, func(ph kernel.Listed) bool { return ph.Most > 1 && float64(ph.Alone) > maxCutOff*scale })
}

// newStates turns progress into integers, so that the order in which slots are added up does not matter. Where units are larger
// than 2^-52 slots needs are rounded down and gains up: bounds of these states hold for the instance.
func newStates(v *bounds.Outlook) *states {
	st := &states{v: v, surrogates: v.Surrogates, from: []int{0}}
	st.scale = scaleOf(v.Listing)
	for k := range v.Phases {
		ph := &v.Phases[k]
		st.need = append(st.need, max(1, int64(math.Floor(ph.Required()*st.scale))))
		gain, rate := make([]int64, ph.Most), int64(0)
		for r := range gain {
			gain[r] = int64(math.Ceil(ph.Speedup[r] * st.scale))
			rate = max(rate, (gain[r]+int64(r))/int64(r+1))
		}
		st.gain, st.rate = append(st.gain, gain), append(st.rate, rate)
		st.from = append(st.from, st.from[k]+ph.Tasks)
		for range ph.Tasks {
			st.phase = append(st.phase, k)
		}
	}
	return st
}

// ended reports whether all tasks of a phase are done. Sorted by progress, the last is the least.
func (st *states) ended(progress []int64, k int) bool { return progress[st.from[k+1]-1] >= st.need[k] }

// ready reports whether a phase's tasks may run from a moment on.
func (st *states) ready(progress []int64, now, k int) bool {
	ph := &st.v.Phases[k]
	if st.v.In.Jobs[ph.Job].Arrival > now {
		return false
	}
	return !slices.ContainsFunc(ph.Preds, func(p int) bool { return !st.ended(progress, p) })
}

// present counts the jobs that have arrived and are not done, and finds the next arrival, or −1.
func (st *states) present(progress []int64, now int) (jobs, next int) {
	next = -1
	for j := range st.v.In.Jobs {
		a := st.v.In.Jobs[j].Arrival
		if a > now {
			if next < 0 || a < next {
				next = a
			}
			continue
		}
		for k := st.v.First[j]; k < st.v.First[j+1]; k++ {
			if !st.ended(progress, k) {
				jobs++
				break
			}
		}
	}
	return jobs, next
}

// rest is a bound on the slots that jobs still spend in the system, the same as at the root with the remaining needs of all
// tasks; done says that nothing is.
func (st *states) rest(progress []int64, now int) (slots int, done bool) {
	v := st.v
	ends := make([]int, len(v.Phases))
	works := make([]bounds.Work, 0, len(v.In.Jobs))
	volumes := make([]float64, len(v.Phases)) // copies times slots
	space := make([]float64, len(v.In.Jobs)*len(st.surrogates))
	spent := 0
	for _, k := range v.Order {
		ph := &v.Phases[k]
		at := max(now, v.In.Jobs[ph.Job].Arrival)
		for _, p := range ph.Preds {
			at = max(at, ends[p])
		}
		if left := st.need[k] - progress[st.from[k+1]-1]; left > 0 {
			most := st.gain[k][ph.Most-1]
			for i := st.from[k+1] - 1; i >= st.from[k] && progress[i] < st.need[k]; i-- {
				volumes[k] += float64((st.need[k] - progress[i] + st.rate[k] - 1) / st.rate[k])
			}
			at += v.SpanOf(k, int((left+most-1)/most), volumes[k])
		}
		ends[k] = at
	}
	for j := range v.In.Jobs {
		w := bounds.Work{Release: float64(max(now, v.In.Jobs[j].Arrival))}
		open := false
		w.Volume, space = space[:len(st.surrogates)], space[len(st.surrogates):]
		for k := v.First[j]; k < v.First[j+1]; k++ {
			w.Earliest = max(w.Earliest, float64(ends[k]))
			if volumes[k] == 0 {
				continue
			}
			open = true
			for g := range st.surrogates {
				if st.surrogates[g].Weight[k] > 0 {
					w.Volume[g] += st.surrogates[g].Weight[k] * volumes[k] / st.surrogates[g].Capacity
				}
			}
		}
		if open {
			works = append(works, w)
			spent += int(w.Release)
		}
	}
	if len(works) == 0 {
		return 0, true
	}
	return int(bounds.Together(works, len(st.surrogates))) - spent, false
}

// finish completes a node: its bound and its key.
func (st *states) finish(n *node) *node {
	rest, done := st.rest(n.progress, n.now)
	n.bound, n.done = n.cost+rest, done
	key := make([]byte, 0, 8*len(n.progress)+len(n.placed))
	for _, p := range n.progress {
		key = binary.LittleEndian.AppendUint64(key, uint64(p))
	}
	n.key = string(append(key, n.placed...))
	return n
}

// task names a task of the states.
func (st *states) task(i int) cloning.Task {
	ph := &st.v.Phases[st.phase[i]]
	return cloning.Task{Job: ph.Job, Phase: ph.Index, Index: i - st.from[st.phase[i]]}
}
