package cloning

import (
	"cmp"
	"context"
	"slices"

	"schedgap/exact/cloning/values"
)

// Efforts of the search for prices of later moments, in states that a pass finds in the same time: it may spend sharpLeast and
// sharpShare for each state found before the pass; a step takes stepStates, more where there are many arcs and slots. The tables of
// outlooks have at most sharpCells values at a time.
const (
	sharpSteps = 30 // of a climb
	sharpLeast = 100_000
	sharpShare = 3
	stepStates = 100
	stepArcs   = 400 // times slots, for each state
	sharpCells = 60_000_000
)

// sharpen looks for prices that suit the states of a moment better than those that they came with, which were made for an earlier
// one: for one state after the other, the least bound first, it climbs towards prices that close it, and bounds the states after it by them as well. What
// is left is returned by bound. States that follow keep the prices.
func (sp *sweep) sharpen(ctx context.Context, f *front, order []int32, now int) []int32 {
	n := len(sp.market.Graphs)
	open := func(i int32) bool { return sp.slots(f.bound[i]) < sp.below }
	nodes := make([]int32, n)
	slots := len(sp.views[0].prices[0])
	price := int64(max(stepStates, sp.market.Arcs()*slots/stepArcs))
	room := sharpCells/(sp.market.Nodes()*(slots+1)) - sp.live
	for at := 0; at < len(order) && sp.allowance > 0 && room > 0 && ctx.Err() == nil; at++ {
		i := int(order[at])
		if !open(order[at]) {
			continue
		}
		for j := range nodes {
			nodes[j] = int32(f.ids[i*n+j])
		}
		spent := int64(f.cost[i]) * values.Unit
		enough := int64(sp.below-1)*values.Unit + 1 - spent
		steps := sp.polisher.Climb(ctx, sp.views[f.view[i]].prices, now, nodes, sharpSteps, enough)
		sp.allowance -= price * int64(steps+1)
		if spent+sp.polisher.Best <= f.bound[i] {
			continue
		}
		o, view := sp.outlook(sp.polisher.Prices, now), int32(len(sp.views))
		sp.views = append(sp.views, o)
		room--
		f.bound[i], f.view[i] = spent+sp.polisher.Best, view
		for _, i := range order[at+1:] {
			if !open(i) {
				continue
			}
			if b := int64(f.cost[i])*values.Unit + sp.rest(o, f.ids[int(i)*n:int(i+1)*n], now); b > f.bound[i] {
				f.bound[i], f.view[i] = b, view
			}
		}
	}
	order = slices.DeleteFunc(order, func(i int32) bool { return !open(i) })
	slices.SortFunc(order, func(a, b int32) int { return cmp.Or(cmp.Compare(f.bound[a], f.bound[b]), cmp.Compare(a, b)) })
	return order
}
