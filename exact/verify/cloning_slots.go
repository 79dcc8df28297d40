package verify

import (
	"context"
	"encoding/binary"
	"slices"
)

// Next calls emit with the states that follow: of every schedule without fault that begins with st and costs less than the target some
// one whose continuations are as good. The state is emit's until it returns. An error says that there may be more than were found.
func (sp *CloningSpace) Next(ctx context.Context, st *CloningState, target int, emit func(*CloningState)) error {
	switch {
	case sp.fixed:
		return sp.nextEvents(ctx, st, emit)
	case sp.tariff != nil:
		return sp.nextArcs(ctx, st, target, emit)
	}
	return sp.nextSlots(ctx, st, emit)
}

// nextSlots emits the states after a slot of a preemptive schedule, those to which no useful copy can be added: more progress never
// hurts, as copies need not go on.
func (sp *CloningSpace) nextSlots(ctx context.Context, st *CloningState, emit func(*CloningState)) error {
	var ripe []int
	for k := range sp.phases {
		ph := &sp.phases[k]
		if sp.ended(st, k) || !sp.ready(st, k) {
			continue
		}
		for i := ph.from; i < ph.to; i++ {
			if st.Progress[i] < ph.need {
				ripe = append(ripe, i)
			}
		}
	}
	jobs, next := sp.present(st)
	child := &CloningState{At: st.At + 1, Cost: st.Cost + jobs, Progress: make([]int64, len(st.Progress))}
	if len(ripe) == 0 {
		if next >= 0 {
			child.At, child.Cost = next, st.Cost
			copy(child.Progress, st.Progress)
			emit(child)
		}
		return nil
	}
	moves, err := sp.slotMoves(ctx, st, ripe)
	if err != nil {
		return err
	}
	for _, m := range moves {
		copy(child.Progress, st.Progress)
		for q, i := range ripe {
			if m[q] > 0 {
				ph := &sp.phases[sp.task[i]]
				child.Progress[i] = sp.advance(sp.task[i], child.Progress[i], ph.gain[m[q]-1])
			}
		}
		sp.sortTasks(child.Progress)
		emit(child)
	}
	return nil
}

// sortTasks puts each phase's most advanced tasks first.
func (sp *CloningSpace) sortTasks(progress []int64) {
	for k := range sp.phases {
		list := progress[sp.phases[k].from:sp.phases[k].to]
		for i := 1; i < len(list); i++ {
			for q := i; q > 0 && list[q-1] < list[q]; q-- {
				list[q-1], list[q] = list[q], list[q-1]
			}
		}
	}
}

// movesListed bounds the sets of copies that are kept for states alike.
const movesListed = 1 << 20

// slotMoves lists the numbers of copies in which ripe tasks may run for a slot, none of which can be raised: a task runs in no more than
// end it, and of tasks in the same state the first run in the most.
func (sp *CloningSpace) slotMoves(ctx context.Context, st *CloningState, ripe []int) ([][]uint8, error) {
	phases, most, alike := make([]int, len(ripe)), make([]uint8, len(ripe)), make([]bool, len(ripe))
	key := make([]byte, 0, 6*len(ripe))
	for q, i := range ripe {
		k := sp.task[i]
		ph := &sp.phases[k]
		phases[q] = k
		for r, g := range ph.gain {
			most[q] = uint8(r + 1)
			if st.Progress[i]+g >= ph.need {
				break
			}
		}
		alike[q] = q > 0 && phases[q-1] == k && st.Progress[ripe[q-1]] == st.Progress[i]
		key = append(binary.LittleEndian.AppendUint32(key, uint32(k)), most[q], 0)
		if alike[q] {
			key[len(key)-1] = 1
		}
	}
	if known, ok := sp.moves[string(key)]; ok {
		return known, nil
	}
	var found [][]uint8
	move := make([]uint8, len(ripe))
	var try func(q int) error
	try = func(q int) error {
		if sp.room.err != nil {
			return sp.room.err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if q == len(ripe) {
			if !sp.raises(phases, move, most) && sp.room.err == nil {
				found = append(found, slices.Clone(move))
			}
			return sp.room.err
		}
		top := most[q]
		if alike[q] {
			top = min(top, move[q-1])
		}
		for r := int(top); r >= 0; r-- {
			move[q] = uint8(r)
			if r == 0 || sp.room.fits(phases, move) {
				if err := try(q + 1); err != nil {
					return err
				}
			}
		}
		move[q] = 0
		return nil
	}
	if err := try(0); err != nil {
		return nil, err
	}
	if sp.listed += len(found); sp.listed > movesListed {
		clear(sp.moves)
		sp.listed = len(found)
	}
	sp.moves[string(key)] = found
	return found, nil
}

// raises reports whether some task of a move can run in one more copy.
func (sp *CloningSpace) raises(phases []int, move, most []uint8) bool {
	for q := range move {
		if move[q] == most[q] {
			continue
		}
		move[q]++
		more := sp.room.fits(phases, move)
		move[q]--
		if more {
			return true
		}
	}
	return false
}
