package cloning

import (
	"cmp"
	"context"
	"slices"

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

// A climb is what came of looking for prices of a state.
type climb struct {
	steps int
	bound int64      // on the state's cost, in units
	dual  *potential // nil: no better than before
}

// reprice looks for prices that suit the states of a moment better than those that they came with, which were made for an earlier
// one: for some states at a time, the least bound first, it climbs towards prices that close them, and bounds the states after
// them by the prices as well. What is left is returned by bound. States that follow keep the prices.
func (sp *sweep) reprice(ctx context.Context, f *frontier, order []int32, now int) []int32 {
	n := len(sp.relaxation.Graphs)
	open := func(i int32) bool { return f.bound[i] <= int64(sp.below-1)*values.Unit }
	slots := len(sp.duals[0].prices[0])
	price := int64(max(stepStates, sp.relaxation.Arcs()*slots/stepArcs))
	room := repriceCells/(sp.relaxation.Nodes()*(slots+1)) - sp.live
	tried, batch := 0, make([]int, 0, repriceBatch)
	for at := 0; sp.spent < repriceLeast+repriceShare*sp.nodes && room > 0 && ctx.Err() == nil; {
		// What the first climbs find may close many others.
		batch = batch[:0]
		for ; at < len(order) && len(batch) < min(1+tried/4, repriceBatch); at++ {
			if open(order[at]) {
				batch = append(batch, at)
			}
		}
		if len(batch) == 0 {
			break
		}
		tried += len(batch)
		climbs := make([]climb, len(batch))
		parallel.Each(len(sp.successors), len(batch), func(thread, part int) {
			climbs[part] = sp.climb(ctx, sp.ascents[thread], f, int(order[batch[part]]), now)
		})
		first := len(sp.duals)
		for part, c := range climbs {
			sp.spent += price * int64(c.steps+1)
			if i := order[batch[part]]; c.dual != nil {
				f.bound[i], f.dual[i] = c.bound, int32(len(sp.duals))
				sp.duals = append(sp.duals, c.dual)
				room--
			}
		}
		ranges(len(sp.successors), len(order)-batch[0], 256, func(from, to int) {
			for _, i := range order[batch[0]+from : batch[0]+to] {
				for v := first; v < len(sp.duals) && open(i); v++ {
					if b := int64(f.cost[i])*values.Unit + sp.rest(sp.duals[v], f.ids[int(i)*n:int(i+1)*n], now); b > f.bound[i] {
						f.bound[i], f.dual[i] = b, int32(v)
					}
				}
			}
		})
	}
	order = slices.DeleteFunc(order, func(i int32) bool { return !open(i) })
	slices.SortFunc(order, func(a, b int32) int { return cmp.Or(cmp.Compare(f.bound[a], f.bound[b]), cmp.Compare(a, b)) })
	return order
}

// climb looks for prices of a state.
func (sp *sweep) climb(ctx context.Context, a *values.Ascent, f *frontier, i, now int) climb {
	n := len(sp.relaxation.Graphs)
	nodes := make([]int32, n)
	for j := range nodes {
		nodes[j] = int32(f.ids[i*n+j])
	}
	spent := int64(f.cost[i]) * values.Unit
	enough := int64(sp.below-1)*values.Unit + 1 - spent
	a.Begin(sp.duals[f.dual[i]].prices, now, nodes)
	c := climb{steps: a.Run(ctx, repriceSteps, enough, true), bound: spent + a.Best}
	if c.bound > f.bound[i] {
		c.dual = sp.potential(a.Prices, now)
	}
	return c
}
