package search

import (
	"context"
	"math"
	"slices"

	"schedgap/exact/cloning/bounds"
	"schedgap/exact/cloning/schedule"
	"schedgap/exact/cloning/values"
	"schedgap/exact/parallel"
	"schedgap/models/cloning"
)

// A layeredSearch searches partial schedules slot by slot. A partial schedule is a node of each job's graph, and its least cost
// is looked up: the slots spent so far and, by the prices of a relaxation, the nodes' values less the worth of the servers in all
// later slots (docs/bounds-and-proofs.md#states).
type layeredSearch struct {
	v          *bounds.Outlook
	relaxation *values.Relaxation
	fixed      bool
	moves      *moves
	ascent     *values.Ascent // of the prices at the beginning
	duals      []*potential
	live       int              // duals that some state is bounded by
	open       [][]uint64       // by job and node, the phases that are not done, modulo 64
	ascents    []*values.Ascent // by thread
	spent      int64            // of effort by a pass for prices of later moments
	best       int              // cost of the incumbent
	cutoff     int              // only what costs less is looked for
	lower      int              // proven
	improved   func(cloning.Solution)
	bounded    func(b int)
	nodes      int64
	frontiers  []*frontier   // by moment
	successors []*successors // by thread
	found      []*found      // by part of a round
	log        *passLog      // nil: there is to be no proof
}

// newLayeredSearch returns a search for some threads that begins with a schedule and its prices; nil means that jobs have too many
// states, or states times slots.
func newLayeredSearch(ctx context.Context, v *bounds.Outlook, first cloning.Solution, fixed bool, arcSlots, threads int) *layeredSearch {
	begin := schedule.Prices(v, first)
	if m := schedule.Relaxation(ctx, v.In, fixed, arcSlots/len(begin[0])); m != nil {
		return layeredSearchOf(v, m, begin, threads)
	}
	return nil
}

func layeredSearchOf(v *bounds.Outlook, m *values.Relaxation, begin values.Prices, threads int) *layeredSearch {
	sp := &layeredSearch{v: v, relaxation: m, fixed: m.Fixed, moves: newMoves(m), ascent: values.NewAscent(m, len(begin[0]))}
	sp.ascent.Begin(begin, 0, nil)
	for _, g := range m.Graphs {
		open := make([]uint64, len(g.Nodes))
		for s := range open {
			open[s] = g.Nodes[s].Open
		}
		sp.open = append(sp.open, open)
	}
	for range max(1, threads) {
		sp.successors = append(sp.successors, &successors{layeredSearch: sp})
	}
	for range roundParts {
		sp.found = append(sp.found, &found{})
	}
	return sp
}

// An effort limits a pass: rounds of price ascent before it, states that it keeps in a slot (width), and states that it finds in one
// (capacity).
type effort struct{ rounds, width, capacity int }

// efforts bound a layered search's first passes.
var efforts = []effort{{100, 30, 3_000}, {200, 300, 30_000}}

// Efforts of the passes that follow, which look for schedules of the least cost that is not yet excluded.
const (
	lateRounds = 300
	lateWidth  = 4_000_000
)

// maxArcSlots bounds arcs times slots, which a round of the ascent takes time for.
const maxArcSlots = 20_000_000

// run looks for a better schedule than the incumbent. It reports whether the best is proven optimal.
func (sp *layeredSearch) run(ctx context.Context) bool {
	for _, e := range efforts {
		if sp.narrow(ctx, e) {
			return true
		}
	}
	return sp.climbed(ctx, lateRounds) || sp.exclude(ctx)
}

// narrow is a pass after a climb, of some effort.
func (sp *layeredSearch) narrow(ctx context.Context, e effort) bool {
	return sp.climbed(ctx, e.rounds) || sp.raise(sp.pass(ctx, sp.best, e.width, e.capacity, false))
}

// climbed goes on with the ascent of the prices at the beginning, and reports whether they prove the best optimal.
func (sp *layeredSearch) climbed(ctx context.Context, rounds int) bool {
	sp.ascent.Run(ctx, rounds, int64(sp.best-1)*values.Unit+1, false)
	sp.duals, sp.cutoff = []*potential{sp.potential(sp.ascent.Prices, 0)}, sp.best
	return sp.raise(sp.slots(sp.ascent.Best))
}

// raise takes a proven bound, and reports whether it meets the best.
func (sp *layeredSearch) raise(lower int) bool {
	if lower > sp.lower {
		sp.lower = lower
		sp.bounded(lower)
	}
	return sp.lower >= sp.best
}

// exclude raises the proven bound from target to target until it meets the best.
func (sp *layeredSearch) exclude(ctx context.Context) bool {
	for range sp.successors {
		sp.ascents = append(sp.ascents, values.NewAscent(sp.relaxation, len(sp.duals[0].prices[0])))
	}
	var last targetStep
	for ctx.Err() == nil {
		before, nodes := sp.lower, sp.nodes
		sp.spent = 0
		lower := sp.pass(ctx, last.next(sp.lower, sp.best), lateWidth, lateWidth, !sp.fixed)
		if sp.log != nil && !sp.log.end(lower == sp.cutoff) {
			return false
		}
		if sp.raise(lower) {
			return true
		}
		if sp.lower == before {
			return false
		}
		last.took(sp.lower-before, float64(sp.nodes-nodes+sp.spent))
	}
	return false
}

// forget drops the potentials that no state of a frontier is bounded by.
func (sp *layeredSearch) forget(f *frontier) {
	used := make([]bool, len(sp.duals))
	for i := range f.list {
		used[f.list[i].dual] = true
	}
	sp.live = 0
	for v := 1; v < len(used); v++ {
		if used[v] {
			sp.live++
		} else {
			sp.duals[v] = nil
		}
	}
}

// A pass keeps states of maxLayersBytes, each of stateBytes and 4 a job, and finds at most those of maxFrontBytes in a moment.
const (
	maxLayersBytes = 700 << 20
	maxFrontBytes  = 250 << 20
	stateBytes     = 24
)

// pass looks for schedules of less cost than below, with at most width states of a moment, of at most room. It returns a bound
// on the optimum: the least of all that was left out, and below.
func (sp *layeredSearch) pass(ctx context.Context, below, width, room int, reprices bool) int {
	n := len(sp.relaxation.Graphs)
	sp.cutoff, sp.duals, sp.live = below, sp.duals[:1], 0
	left, memory := int64(math.MaxInt64), maxLayersBytes
	room = min(room, maxFrontBytes/(4*n+stateBytes))
	root := make([]uint16, n)
	f := &frontier{}
	f.add(root, slices.Repeat([]uint16{schedule.Stay}, n), begun{parent: -1, bound: sp.remaining(sp.duals[0], root, 0)})
	sp.frontiers = nil
	for now := 0; ; now++ {
		sp.log.begin(sp, f, int64(below-1)*values.Unit)
		f = f.only(sp.sorted(f), n, len(sp.successors))
		first := f
		if reprices {
			f = f.only(sp.reprice(ctx, f, now), n, len(sp.successors))
		}
		sp.log.add(sp, first)
		if len(f.list) == 0 {
			break
		}
		if most := min(width, memory/(4*n+stateBytes)); len(f.list) > most {
			left = min(left, leastBound(f.list[most:]))
			f.cut(most, n)
		}
		memory -= len(f.list) * (4*n + stateBytes)
		sp.frontiers = append(sp.frontiers, f)
		sp.forget(f)
		next, least, whole := sp.follow(ctx, now, f, room)
		left = min(left, least)
		if !whole {
			break
		}
		f = next
	}
	return sp.slots(left)
}

// A round of expansions is cut into parts, always the same ones: threads only share them out. A part finds at most partRoom of
// what fits into maxFrontBytes.
const (
	roundParts = 32
	partStates = 64
	partRoom   = 1. / 16
)

// follow finds the successors of the states of a moment. It returns the least bound of those left out, and whether to go on.
func (sp *layeredSearch) follow(ctx context.Context, now int, f *frontier, room int) (next *frontier, left int64, whole bool) {
	n, states := len(sp.relaxation.Graphs), len(f.list)
	list := make([]*shard, shards)
	for s := range list {
		list[s] = newShard()
	}
	left, whole = math.MaxInt64, true
	for begin := 0; begin < states && whole; begin += roundParts * partStates {
		if ctx.Err() != nil {
			whole = false
			left = min(left, leastBound(f.list[begin:]))
			break
		}
		parts := min(roundParts, (states-begin+partStates-1)/partStates)
		parallel.Each(len(sp.successors), parts, func(thread, part int) {
			first := begin + part*partStates
			sp.successors[thread].run(ctx, now, f, first, min(states, first+partStates), sp.found[part])
		})
		for _, o := range sp.found[:parts] {
			sp.nodes += o.nodes
			left = min(left, o.left)
			if o.cost < sp.cutoff {
				sp.best, sp.cutoff = o.cost, o.cost
				sp.improved(sp.replay(now, o.place, o.arcs))
			}
		}
		parallel.Each(len(sp.successors), shards, func(_, s int) {
			for _, o := range sp.found[:parts] {
				list[s].take(&o.shard[s], n, room/shards)
			}
		})
		whole = !sp.relaxation.Full
	}
	for _, s := range list {
		left = min(left, s.left)
		if !whole {
			left = min(left, leastBound(s.list))
		}
	}
	// Sets that fit may not have been found, or not by all threads alike.
	if states > 0 && sp.relaxation.Err() != nil {
		left = min(left, leastBound(f.list))
	}
	return joined(list, n), left, whole
}

// slots rounds units up to slots, at most those that a pass looks for.
func (sp *layeredSearch) slots(units int64) int {
	if units >= int64(sp.cutoff)*values.Unit {
		return sp.cutoff
	}
	return int((units + values.Unit - 1) / values.Unit)
}

// comparisons is the number of states that each state of a moment is compared with.
const comparisons = 100

// sorted returns the states that may still be better than the incumbent, by bound, without those that another one is better than.
func (sp *layeredSearch) sorted(f *frontier) []int32 {
	n, open := len(sp.relaxation.Graphs), int64(sp.cutoff-1)*values.Unit
	keys := make([]uint64, 0, len(f.list))
	least := leastBound(f.list)
	for i := range f.list {
		if b := f.list[i].bound; b <= open {
			keys = append(keys, uint64(min(b-least, math.MaxUint32))<<32|uint64(i))
		}
	}
	slices.Sort(keys)
	list := make([]int32, len(keys))
	for at, key := range keys {
		list[at] = int32(uint32(key))
	}
	if sp.fixed {
		return list
	}
	// All other states are compared with the first ones that are kept.
	var first []int32
	beaten := func(i int32) bool {
		for _, k := range first {
			if f.list[k].cost <= f.list[i].cost && sp.ahead(f.ids[int(k)*n:int(k+1)*n], f.ids[int(i)*n:int(i+1)*n]) {
				return true
			}
		}
		return false
	}
	at := 0
	for ; at < len(list) && len(first) < comparisons; at++ {
		if !beaten(list[at]) {
			first = append(first, list[at])
		}
	}
	behind := list[at:]
	ranges(len(sp.successors), len(behind), 1024, func(from, to int) {
		for i := from; i < to; i++ {
			if beaten(behind[i]) {
				behind[i] = -1
			}
		}
	})
	return append(first, slices.DeleteFunc(behind, func(i int32) bool { return i < 0 })...)
}

// ahead reports whether every task is as advanced in a as in b.
func (sp *layeredSearch) ahead(a, b []uint16) bool {
	for j := range a {
		if a[j] != b[j] && !sp.relaxation.Graphs[j].Ahead(int32(a[j]), int32(b[j])) {
			return false
		}
	}
	return true
}

// A targetStep says how far the next pass raises the proven bound (a destructive lower bound). A pass leaves nothing out but
// what costs more than its target, and starts again, so that passes slot by slot would mostly repeat each other where a slot
// more means few states more.
type targetStep struct {
	effort float64 // of the last pass, 0: none
	growth float64 // of the effort by slot
}

// Passes are to take targetGrowth times the effort of the one before, over at most targetMost slots.
const (
	targetGrowth = 3
	targetMost   = 8
)

// took tells the effort of a pass that has raised the bound by some slots.
func (s *targetStep) took(slots int, effort float64) {
	if s.effort > 0 {
		s.growth = math.Pow(effort/s.effort, 1/float64(slots))
	}
	s.effort = effort
}

// next is the cost that the next pass looks for less of. It goes up to the best where little would be left after it.
func (s *targetStep) next(lower, best int) int {
	slots := 1
	if s.growth > 0 {
		slots = targetMost
		if s.growth > 1 {
			slots = int(min(max(1, math.Round(math.Log(targetGrowth)/math.Log(s.growth))), targetMost))
		}
	}
	if gap := best - lower - slots; 2*gap <= slots {
		slots += gap
	}
	return lower + slots
}

// replay returns the schedule that ends with some arcs in the slot after moment last, from the state at a place, with tasks that
// keep their names.
func (sp *layeredSearch) replay(last int, at int32, arcs []uint16) cloning.Solution {
	n := len(sp.relaxation.Graphs)
	steps := make([]schedule.Step, last+1)
	steps[last] = schedule.Step{Nodes: sp.frontiers[last].ids[int(at)*n : int(at+1)*n], Arcs: arcs}
	for now, place := last, int(at); now > 0; now-- {
		before := int(sp.frontiers[now].list[place].parent)
		steps[now-1] = schedule.Step{Nodes: sp.frontiers[now-1].ids[before*n : (before+1)*n], Arcs: sp.frontiers[now].arcs[place*n : (place+1)*n]}
		place = before
	}
	return schedule.OfSteps(sp.relaxation, steps)
}
