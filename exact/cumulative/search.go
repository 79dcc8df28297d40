package cumulative

import (
	"context"
	"math/bits"
	"slices"
)

const (
	// firstRestart is the dead ends before a restart, times Luby's sequence (Luby, Sinclair and Zuckerman 1993).
	firstRestart = 100
	// firstKept nogoods are kept, and one more for each keptPer dead ends.
	firstKept = 4000
	keptPer   = 20
)

// search reports whether it came to its end.
func (e *engine) search(ctx context.Context, deadEnds int64, improved func(starts []int)) bool {
	left, before := int64(0), e.conflicts
	for steps := 0; ; steps++ {
		if steps%64 == 0 && ctx.Err() != nil || e.conflicts-before >= deadEnds {
			return false
		}
		if !e.propagate() {
			left--
			if !e.learn() {
				return true
			}
			continue
		}
		if left <= 0 {
			e.restarts++
			left = firstRestart * luby(e.restarts)
			e.undo(0)
			if !e.forget(firstKept + int(e.conflicts/keptPer)) {
				return true
			}
			continue
		}
		a, open := e.choose()
		if open {
			e.marks = append(e.marks, int32(len(e.trail)))
			e.set(a, reason{})
			continue
		}
		starts, last := slices.Clone(e.lo[:len(e.durations)]), 0
		for i, s := range starts {
			last = max(last, s+e.durations[i])
		}
		e.phase = make([]bool, len(e.orders))
		for k := range e.phase {
			e.phase[k] = e.lo[len(e.durations)+k] == 1
		}
		improved(starts)
		e.undo(0)
		if !e.before(last) {
			return true
		}
	}
}

// choose is the next decision: the order of the most active pair, in the last schedule's way, or else the first start of the most active
// task. Equally active ones come by their first starts. There is none if all starts are fixed.
func (e *engine) choose() (a atom, open bool) {
	n := len(e.durations)
	best, first := int32(-1), 0
	better := func(x int32, at int) bool {
		return best < 0 || e.activity[x] > e.activity[best] || e.activity[x] == e.activity[best] && at < first
	}
	for k, o := range e.orders {
		x := int32(n + k)
		if at := min(e.lo[o.i], e.lo[o.j]); e.lo[x] < e.hi[x] && better(x, at) {
			best, first = x, at
		}
	}
	if best >= 0 {
		o := e.orders[int(best)-n]
		before := e.lo[o.i]+e.hi[o.i]+e.durations[o.i] <= e.lo[o.j]+e.hi[o.j]+e.durations[o.j]
		if e.phase != nil {
			before = e.phase[int(best)-n]
		}
		if before {
			return atom{best, true, 1}, true
		}
		return atom{best, false, 0}, true
	}
	for x := range int32(n) {
		if e.lo[x] < e.hi[x] && better(x, e.lo[x]) {
			best, first = x, e.lo[x]
		}
	}
	if best < 0 {
		return atom{}, false
	}
	return atom{best, false, e.lo[best]}, true
}

// luby is the i-th number of Luby's sequence, 1, 1, 2, 1, 1, 2, 4, …, from i = 1 on.
func luby(i int64) int64 {
	k := bits.Len64(uint64(i))
	if i == 1<<k-1 {
		return 1 << (k - 1)
	}
	return luby(i - 1<<(k-1) + 1)
}
