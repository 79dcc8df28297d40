package cloning

import (
	"encoding/binary"
	"math"
	"slices"

	"schedgap/models/cloning"
)

// states are the parts of partial schedules that both regimes share.
type states struct {
	v          *preprocessed
	surrogates []surrogate
	scale      float64   // units of progress in a slot of one copy, a power of two
	need       []int64   // by phase
	gain       [][]int64 // by phase, of a slot in 1, 2, … copies
	rate       []int64   // by phase, the most that a copy brings in a slot
	from       []int     // by phase, its first task; one more at the end
	phase      []int     // by task
}

// scale is the number of units in a slot's progress: a power of two, so large that int64 just holds the longest mean.
func (v *preprocessed) scale() float64 {
	longest := 1.0
	for k := range v.phases {
		longest = max(longest, v.phases[k].Mean)
	}
	_, exp := math.Frexp(longest)
	return math.Ldexp(1, 61-exp)
}

// maxCutOff bounds the loss of a task when the gains of its slots are cut to whole units. It is less than the 1e-9 by which
// the task may miss its mean, so that the search has no task done a slot late.
const maxCutOff = 5e-10

// countable reports whether all tasks lose no more than that. The gain of a single copy is 1 and loses nothing.
func (v *preprocessed) countable() bool {
	scale := v.scale()
	return !slices.ContainsFunc(v.phases, func(ph phase) bool { return ph.most > 1 && float64(ph.alone) > maxCutOff*scale })
}

// newStates turns progress into integers, so that the order in which slots are added up does not matter. Where units are larger
// than 2^-52 slots needs are rounded down and gains up: bounds of these states hold for the instance.
func newStates(v *preprocessed) *states {
	st := &states{v: v, surrogates: v.surrogates, from: []int{0}}
	st.scale = v.scale()
	for k := range v.phases {
		ph := &v.phases[k]
		st.need = append(st.need, max(1, int64(math.Floor(ph.Required()*st.scale))))
		gain, rate := make([]int64, ph.most), int64(0)
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
	ph := &st.v.phases[k]
	if st.v.in.Jobs[ph.job].Arrival > now {
		return false
	}
	return !slices.ContainsFunc(ph.parents, func(p int) bool { return !st.ended(progress, p) })
}

// present counts the jobs that have arrived and are not done, and finds the next arrival, or −1.
func (st *states) present(progress []int64, now int) (jobs, next int) {
	next = -1
	for j := range st.v.in.Jobs {
		a := st.v.in.Jobs[j].Arrival
		if a > now {
			if next < 0 || a < next {
				next = a
			}
			continue
		}
		for k := st.v.first[j]; k < st.v.until(j); k++ {
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
	ends := make([]int, len(v.phases))
	works := make([]work, 0, len(v.in.Jobs))
	volumes := make([]float64, len(v.phases)) // copies times slots
	space := make([]float64, len(v.in.Jobs)*len(st.surrogates))
	spent := 0
	for _, k := range v.order {
		ph := &v.phases[k]
		at := max(now, v.in.Jobs[ph.job].Arrival)
		for _, p := range ph.parents {
			at = max(at, ends[p])
		}
		if left := st.need[k] - progress[st.from[k+1]-1]; left > 0 {
			most := st.gain[k][ph.most-1]
			for i := st.from[k+1] - 1; i >= st.from[k] && progress[i] < st.need[k]; i-- {
				volumes[k] += float64((st.need[k] - progress[i] + st.rate[k] - 1) / st.rate[k])
			}
			at += v.span(k, int((left+most-1)/most), volumes[k])
		}
		ends[k] = at
	}
	for j := range v.in.Jobs {
		w := work{release: float64(max(now, v.in.Jobs[j].Arrival))}
		open := false
		w.volume, space = space[:len(st.surrogates)], space[len(st.surrogates):]
		for k := v.first[j]; k < v.until(j); k++ {
			w.earliest = max(w.earliest, float64(ends[k]))
			if volumes[k] == 0 {
				continue
			}
			open = true
			for g := range st.surrogates {
				if st.surrogates[g].weight[k] > 0 {
					w.volume[g] += st.surrogates[g].weight[k] * volumes[k] / st.surrogates[g].capacity
				}
			}
		}
		if open {
			works = append(works, w)
			spent += int(w.release)
		}
	}
	if len(works) == 0 {
		return 0, true
	}
	return int(together(works, len(st.surrogates))) - spent, false
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
	ph := &st.v.phases[st.phase[i]]
	return cloning.Task{Job: ph.job, Phase: ph.index, Index: i - st.from[st.phase[i]]}
}
