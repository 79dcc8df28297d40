package cloning

import (
	"cmp"
	"context"
	"encoding/binary"
	"slices"

	"schedgap/models/cloning"
)

// preemptive is the space of preemptive schedules, slot by slot. Only moves to which no useful copy can be added matter: more
// progress never hurts, as copies need not go on.
type preemptive struct {
	*states
	packer *packer
	moves  map[string]moveList // by what is ready and which of it is alike
}

// A moveList holds numbers of copies by ready task; whole says that it holds all that matter.
type moveList struct {
	list  [][]uint8
	whole bool
}

func (sp *preemptive) root() *node {
	return sp.finish(&node{state: state{progress: make([]int64, len(sp.phase))}})
}

// ripe lists the tasks that may run after now.
func (sp *preemptive) ripe(progress []int64, now int) []int {
	var list []int
	for k := range sp.v.phases {
		if sp.ended(progress, k) || !sp.ready(progress, now, k) {
			continue
		}
		for i := sp.from[k]; i < sp.from[k+1]; i++ {
			if progress[i] < sp.need[k] {
				list = append(list, i)
			}
		}
	}
	return list
}

func (sp *preemptive) expand(ctx context.Context, n *node, limit int, emit func(*node)) bool {
	ripe := sp.ripe(n.progress, n.now)
	jobs, next := sp.present(n.progress, n.now)
	if len(ripe) == 0 {
		emit(sp.finish(&node{parent: n, now: next, cost: n.cost, state: n.state}))
		return true
	}
	moves := sp.movesOf(ctx, n.progress, ripe, limit)
	for i, m := range moves.list {
		if i%64 == 63 && ctx.Err() != nil {
			return false
		}
		emit(sp.finish(&node{
			parent: n, move: m, now: n.now + 1, cost: n.cost + jobs, state: state{progress: sp.after(n.progress, ripe, m)},
		}))
	}
	return moves.whole
}

// after is the progress after a slot, sorted within phases, the most advanced task first.
func (sp *preemptive) after(progress []int64, ripe []int, move []uint8) []int64 {
	next := slices.Clone(progress)
	for q, i := range ripe {
		if r := move[q]; r > 0 {
			k := sp.phase[i]
			next[i] = min(sp.need[k], next[i]+sp.gain[k][r-1])
		}
	}
	for k := range sp.v.phases {
		slices.SortFunc(next[sp.from[k]:sp.from[k+1]], func(a, b int64) int { return cmp.Compare(b, a) })
	}
	return next
}

// movesOf lists the maximal moves. Of tasks of one phase with equal progress the first run in the most copies.
func (sp *preemptive) movesOf(ctx context.Context, progress []int64, ripe []int, limit int) moveList {
	alike := make([]bool, len(ripe))
	key := make([]byte, 0, 5*len(ripe))
	for q, i := range ripe {
		k := sp.phase[i]
		alike[q] = q > 0 && sp.phase[ripe[q-1]] == k && progress[ripe[q-1]] == progress[i]
		key = append(binary.LittleEndian.AppendUint32(key, uint32(k)), 0)
		if alike[q] {
			key[len(key)-1] = 1
		}
	}
	if known, ok := sp.moves[string(key)]; ok && (known.whole || len(known.list) >= limit) {
		return known
	}
	found := moveList{whole: true}
	move, demands := make([]uint8, len(ripe)), []demand{}
	fits := func() bool {
		demands = demands[:0]
		for q, r := range move {
			if r > 0 {
				demands = append(demands, demand{sp.phase[ripe[q]], int(r)})
			}
		}
		return sp.packer.fits(demands)
	}
	var try func(q int)
	try = func(q int) {
		if ctx.Err() != nil || len(found.list) >= limit {
			found.whole = false
			return
		}
		if q == len(ripe) {
			for i := range move {
				if ctx.Err() != nil {
					return
				}
				if int(move[i]) == sp.v.phases[sp.phase[ripe[i]]].most {
					continue
				}
				move[i]++
				more := fits()
				move[i]--
				if more {
					return
				}
			}
			found.list = append(found.list, slices.Clone(move))
			return
		}
		most := sp.v.phases[sp.phase[ripe[q]]].most
		if alike[q] {
			most = min(most, int(move[q-1]))
		}
		for r := most; r >= 0; r-- {
			move[q] = uint8(r)
			if r == 0 || fits() {
				try(q + 1)
			}
		}
		move[q] = 0
	}
	try(0)
	found.whole = found.whole && !sp.packer.gaveUp
	if ctx.Err() == nil {
		sp.moves[string(key)] = found
	}
	return found
}

// better compares progress task by task: sorted within phases, that is the best way to pair them.
func (sp *preemptive) better(a, b *node) bool {
	if a.cost > b.cost {
		return false
	}
	for i := range a.progress {
		if a.progress[i] < b.progress[i] {
			return false
		}
	}
	return true
}

// solution replays the moves with tasks that keep their names.
func (sp *preemptive) solution(n *node) cloning.Solution {
	progress := make([]int64, len(sp.phase))
	names := make([]int, len(sp.phase)) // place → task
	for i := range names {
		names[i] = i
	}
	var rec recorder
	now := 0
	for _, m := range n.moves() {
		if m.move == nil {
			now = m.now
			continue
		}
		ripe := sp.ripe(progress, now)
		var list []demand
		var who []int
		for q, r := range m.move {
			if r > 0 {
				list, who = append(list, demand{sp.phase[ripe[q]], int(r)}), append(who, names[ripe[q]])
			}
		}
		sp.packer.place(list, func(i, server int) { rec.add(sp.task(who[i]), server) })
		now = m.now
		rec.flush(now)
		byName := make([]int64, len(names))
		for q, i := range ripe {
			if r := m.move[q]; r > 0 {
				k := sp.phase[i]
				progress[i] = min(sp.need[k], progress[i]+sp.gain[k][r-1])
			}
		}
		for i, name := range names {
			byName[name] = progress[i]
		}
		for k := range sp.v.phases {
			slices.SortStableFunc(names[sp.from[k]:sp.from[k+1]], func(a, b int) int { return cmp.Compare(byName[b], byName[a]) })
		}
		for i, name := range names {
			progress[i] = byName[name]
		}
	}
	return cloning.Solution{Copies: rec.finish(), Regime: cloning.Preemptive}
}

// task names a task of the states.
func (st *states) task(i int) cloning.Task {
	ph := &st.v.phases[st.phase[i]]
	return cloning.Task{Job: ph.job, Phase: ph.index, Index: i - st.from[st.phase[i]]}
}

// A recorder turns slots with copies into copies with starts and ends.
type recorder struct {
	now    int
	slot   map[place]int // copies of the slot that is being filled
	open   map[place][]int
	copies []cloning.Copy
}

// A place is where a task's copies run.
type place struct {
	task   cloning.Task
	server int
}

// add puts one more copy into the next slot.
func (r *recorder) add(t cloning.Task, server int) {
	if r.slot == nil {
		r.slot = map[place]int{}
	}
	r.slot[place{t, server}]++
}

// flush ends the slot (now−1, now]. What ran in the slot before goes on; moments that are skipped are idle.
func (r *recorder) flush(now int) {
	if r.open == nil {
		r.open = map[place][]int{}
	}
	for at, starts := range r.open {
		keep := r.slot[at]
		if r.now != now-1 {
			keep = 0
		}
		for len(starts) > keep {
			r.copies = append(r.copies, cloning.Copy{Task: at.task, Server: at.server, Start: starts[len(starts)-1], End: r.now})
			starts = starts[:len(starts)-1]
		}
		r.open[at] = starts
	}
	for at, n := range r.slot {
		for len(r.open[at]) < n {
			r.open[at] = append(r.open[at], now-1)
		}
	}
	clear(r.slot)
	r.now = now
}

// finish returns all copies in a fixed order.
func (r *recorder) finish() []cloning.Copy {
	clear(r.slot)
	r.flush(r.now + 1)
	slices.SortFunc(r.copies, compareCopies)
	return r.copies
}
