package search

import (
	"cmp"
	"context"
	"slices"
	"sync/atomic"

	"schedgap/exact/cloning/values"
	"schedgap/exact/parallel"
)

// Efforts of the search for prices of later moments, in states that a pass finds in the same time: it may spend repriceLeast and
// repriceShare for each state found so far; a step takes stepStates, more where there are many arcs and slots. The tables of
// potentials have at most repriceCells values at a time.
const (
	repriceSteps = 30 // of a climb
	repriceLeast = 100_000
	repriceShare = 1
	stepStates   = 100
	stepArcs     = 420 // times slots, for each state
	repriceCells = 60_000_000
	repriceBatch = 8 // climbs at a time
)

// A climb is the result of an ascent of prices for a state.
type climb struct {
	steps int
	bound int64      // on the state's cost, in units
	dual  *potential // nil: no better than before
}

// reprice looks for prices that suit the states of a moment, by bound, better than those that they came with, which were made for
// an earlier one: for some states at a time, the least bound first, it climbs towards prices that close them, and bounds the
// states after them by the prices as well. The others are returned by bound. States that follow keep the prices.
func (sp *layeredSearch) reprice(ctx context.Context, f *frontier, now int) []int32 {
	n := len(sp.relaxation.Graphs)
	open := func(i int32) bool { return f.list[i].bound <= int64(sp.cutoff-1)*values.Unit }
	slots := len(sp.duals[0].prices[0])
	price := int64(max(stepStates, sp.relaxation.Arcs()*slots/stepArcs))
	room := repriceCells/(sp.relaxation.Nodes()*(slots+1)) - sp.live
	var kept []int32 // that were climbed from
	pending, kind, kinds := make([]int32, len(f.list)), make([]int32, len(f.list)), map[uint64]int32{}
	for i := range pending {
		phases := sp.openPhases(f.ids[i*n : (i+1)*n])
		if _, known := kinds[phases]; !known {
			kinds[phases] = int32(len(kinds))
		}
		pending[i], kind[i] = int32(i), kinds[phases]
	}
	for sp.spent < repriceLeast+repriceShare*sp.nodes && room > 0 && len(pending) > 0 && ctx.Err() == nil {
		// The prices of the first climbs may close many others.
		batch := pending[:min(1+len(kept)/4, repriceBatch, len(pending))]
		climbs := make([]climb, len(batch))
		parallel.Each(len(sp.successors), len(batch), func(thread, part int) {
			climbs[part] = sp.climb(ctx, sp.ascents[thread], f, int(batch[part]), now)
		})
		var fresh []trial
		for part, c := range climbs {
			sp.spent += price * int64(c.steps+1)
			if i := batch[part]; c.dual != nil {
				f.list[i].bound, f.list[i].dual = c.bound, int32(len(sp.duals))
				fresh = append(fresh, sp.trial(c.dual, int32(len(sp.duals)), now, len(kinds)))
				sp.duals = append(sp.duals, c.dual)
				room--
			}
		}
		kept, pending = append(kept, batch...), pending[len(batch):]
		ranges(len(sp.successors), len(pending), 256, func(from, to int) {
			for _, i := range pending[from:to] {
				ids, spent := f.ids[int(i)*n:int(i+1)*n], int64(f.list[i].cost)*values.Unit
				for v := 0; v < len(fresh) && open(i); v++ {
					if b := spent + sp.try(&fresh[v], ids, kind[i], now); b > f.list[i].bound {
						f.list[i].bound, f.list[i].dual = b, fresh[v].place
					}
				}
			}
		})
		pending = slices.DeleteFunc(pending, func(i int32) bool { return !open(i) })
	}
	pending = append(slices.DeleteFunc(kept, func(i int32) bool { return !open(i) }), pending...)
	slices.SortFunc(pending, func(a, b int32) int { return cmp.Or(cmp.Compare(f.list[a].bound, f.list[b].bound), cmp.Compare(a, b)) })
	return pending
}

// A trial is prices that bound many states of a moment.
type trial struct {
	*potential
	place  int32     // in duals
	rows   [][]int32 // by job, the values of its nodes
	earned []int64   // by kind of states, whose open phases are the same, what servers are worth; −1: not known yet
}

func (sp *layeredSearch) trial(o *potential, place int32, now, kinds int) trial {
	t := trial{o, place, nil, slices.Repeat([]int64{-1}, kinds)}
	for j, table := range o.tables {
		t.rows = append(t.rows, table.Row(max(now, sp.relaxation.Arrival[j])))
	}
	return t
}

// try is rest for a state of a kind.
func (sp *layeredSearch) try(t *trial, ids []uint16, kind int32, now int) int64 {
	sum := int64(0)
	for j, s := range ids {
		sum += int64(t.rows[j][s])
	}
	earned := atomic.LoadInt64(&t.earned[kind])
	if earned < 0 {
		earned = sp.earningsAfter(t.potential, sp.openPhases(ids), now)
		atomic.StoreInt64(&t.earned[kind], earned)
	}
	return sum - earned
}

// climb looks for prices of a state.
func (sp *layeredSearch) climb(ctx context.Context, a *values.Ascent, f *frontier, i, now int) climb {
	n := len(sp.relaxation.Graphs)
	nodes := make([]int32, n)
	for j := range nodes {
		nodes[j] = int32(f.ids[i*n+j])
	}
	spent := int64(f.list[i].cost) * values.Unit
	enough := int64(sp.cutoff-1)*values.Unit + 1 - spent
	a.Begin(sp.duals[f.list[i].dual].prices, now, nodes)
	c := climb{steps: a.Run(ctx, repriceSteps, enough, true), bound: spent + a.Best}
	if c.bound > f.list[i].bound {
		c.dual = sp.potential(a.Prices, now)
	}
	return c
}
