package cloning

import (
	"cmp"
	"context"
	"math"
	"slices"

	"schedgap/exact/cloning/values"
	"schedgap/models/cloning"
)

// A sweep searches partial schedules slot by slot. A partial schedule is a node of each job's graph, and what it costs at least
// is looked up: the slots spent so far and, by the prices of a market, the nodes' values less the worth of the servers in all later
// slots (docs/bounds-cloning.md#states).
type sweep struct {
	st        *states
	market    *values.Market
	fixed     bool
	packings  *packings
	views     []*outlook
	live      int // views that some state is bounded by
	polisher  *values.Polisher
	allowance int64      // of effort for prices of later moments
	open      [][]uint64 // by job and node, its open phases
	best      int        // cost of the incumbent
	below     int        // only what costs less is looked for
	lower     int        // proven
	improved  func(cloning.Solution)
	bounded   func(b int)
	nodes     int64
	fronts    []*front // by moment
	slot      spread
}

// A front is the partial schedules of a moment.
type front struct {
	ids    []uint16 // by state and job
	arcs   []uint16 // by state and job, the last slot's
	cost   []int32
	starts []int32 // sum of all copies' starts, to settle ties of nonpreemptive schedules
	parent []int32
	bound  []int64 // in units
	view   []int32 // the prices that the bound is by
	table  []int32 // hash table of places, −1: free
}

// stay is the arc of a job that is done or has not arrived.
const stay = math.MaxUint16

func newFront() *front { return &front{table: slices.Repeat([]int32{-1}, 1024)} }

func hash(ids []uint16) uint64 {
	h := uint64(14695981039346656037)
	for _, x := range ids {
		h = (h ^ uint64(x)) * 1099511628211
	}
	return h ^ h>>29
}

func (f *front) grow(n int) {
	old := len(f.table)
	f.table = slices.Repeat([]int32{-1}, 2*old)
	for i := range f.cost {
		at := hash(f.ids[i*n:(i+1)*n]) & uint64(len(f.table)-1)
		for f.table[at] >= 0 {
			at = (at + 1) & uint64(len(f.table)-1)
		}
		f.table[at] = int32(i)
	}
}

// put adds a state unless the same one is there at no more cost, or the front has no room.
func (f *front) put(ids, arcs []uint16, cost, starts, parent int32, bound int64, view int32, room int) bool {
	n := len(ids)
	at := hash(ids) & uint64(len(f.table)-1)
	for ; f.table[at] >= 0; at = (at + 1) & uint64(len(f.table)-1) {
		i := int(f.table[at])
		if !slices.Equal(f.ids[i*n:(i+1)*n], ids) {
			continue
		}
		// What is still to come costs the same; the better bound on it is kept with the better beginning.
		rest, known := bound-int64(cost)*values.Unit, f.bound[i]-int64(f.cost[i])*values.Unit
		if rest <= known {
			rest, view = known, f.view[i]
		}
		if cost < f.cost[i] || cost == f.cost[i] && starts < f.starts[i] {
			copy(f.arcs[i*n:], arcs)
			f.cost[i], f.starts[i], f.parent[i] = cost, starts, parent
		}
		f.bound[i], f.view[i] = int64(f.cost[i])*values.Unit+rest, view
		return true
	}
	if len(f.cost) >= room {
		return false
	}
	f.table[at] = int32(len(f.cost))
	f.ids, f.arcs = append(f.ids, ids...), append(f.arcs, arcs...)
	f.cost, f.starts = append(f.cost, cost), append(f.starts, starts)
	f.parent, f.bound, f.view = append(f.parent, parent), append(f.bound, bound), append(f.view, view)
	if 2*len(f.cost) > len(f.table) {
		f.grow(n)
	}
	return true
}

// only is the front of some of the states.
func (f *front) only(order []int32, n int) *front {
	c := &front{}
	for _, i := range order {
		c.ids, c.arcs = append(c.ids, f.ids[int(i)*n:int(i+1)*n]...), append(c.arcs, f.arcs[int(i)*n:int(i+1)*n]...)
		c.cost, c.starts = append(c.cost, f.cost[i]), append(c.starts, f.starts[i])
		c.parent, c.bound, c.view = append(c.parent, f.parent[i]), append(c.bound, f.bound[i]), append(c.view, f.view[i])
	}
	return c
}

// newSweep returns a sweep without prices.
func newSweep(st *states, m *values.Market, fixed bool) *sweep {
	sp := &sweep{st: st, market: m, fixed: fixed, packings: newPackings(st, m)}
	for j, g := range m.Graphs {
		open := make([]uint64, len(g.Nodes))
		for s := range g.Nodes {
			for i, k := range g.Phase {
				if g.Nodes[s].Progress[i] < st.need[st.v.first[j]+k] {
					open[s] |= 1 << ((st.v.first[j] + k) % 64)
				}
			}
		}
		sp.open = append(sp.open, open)
	}
	return sp
}

// Efforts of a sweep's first passes: rounds of the ascent of prices before, states of a moment that a pass keeps, and those found
// in a moment at most.
var efforts = []struct{ rounds, width, room int }{{40, 30, 3_000}, {160, 300, 30_000}}

// Efforts of the passes that follow, which look for schedules of the least cost that is not yet excluded.
const (
	lateRounds = 400
	lateWidth  = 4_000_000
)

// maxArcSlots bounds arcs times slots, which a round of the ascent takes time for.
const maxArcSlots = 20_000_000

// stiffness is that of the ascent of prices.
const stiffness = 2.4

// run looks for a better schedule than that of the incumbent, first. It reports whether the best is proven optimal.
func (sp *sweep) run(ctx context.Context, first cloning.Solution) bool {
	ascent := values.NewAscent(sp.market, firstPrices(sp.st.v, first), stiffness)
	climb := func(rounds int) bool {
		ascent.Run(ctx, rounds, int64(sp.best-1)*values.Unit+1)
		sp.views = []*outlook{sp.outlook(ascent.Prices, 0)}
		return sp.raise(int((ascent.Best + values.Unit - 1) / values.Unit))
	}
	for _, e := range efforts {
		if climb(e.rounds) || sp.raise(sp.pass(ctx, sp.best, e.width, e.room, false)) {
			return true
		}
	}
	if climb(lateRounds) {
		return true
	}
	return sp.exclude(ctx)
}

// raise takes a proven bound, and reports whether it meets the best.
func (sp *sweep) raise(lower int) bool {
	if lower > sp.lower {
		sp.lower = lower
		sp.bounded(lower)
	}
	return sp.lower >= sp.best
}

// exclude raises the proven bound slot by slot until it meets the best.
func (sp *sweep) exclude(ctx context.Context) bool {
	sp.polisher = values.NewPolisher(sp.market, len(sp.views[0].prices[0]))
	// Nothing is left out but what costs more than one slot above the bound: the better the bound and the less that is, the fewer
	// states there are. A schedule that turns up is optimal.
	for ctx.Err() == nil {
		before := sp.lower
		sp.allowance = sharpLeast + sharpShare*sp.nodes
		if sp.raise(sp.pass(ctx, min(sp.best, sp.lower+1), lateWidth, lateWidth, !sp.fixed)) {
			return true
		}
		if sp.lower == before {
			return false
		}
	}
	return false
}

// An outlook is prices with what follows from them.
type outlook struct {
	prices values.Prices
	tables []*values.Table
	from   int                // moment from which it holds
	worth  map[uint64][]int64 // by open phases and moment
}

func (sp *sweep) outlook(prices values.Prices, from int) *outlook {
	return &outlook{prices: prices, tables: sp.market.Tables(prices, from), from: from, worth: map[uint64][]int64{}}
}

// worthAfter is what the servers are worth after a moment to the open phases.
func (sp *sweep) worthAfter(o *outlook, open uint64, now int) int64 {
	list, ok := o.worth[open]
	if !ok {
		var allow func(k int) bool
		if len(sp.st.v.phases) <= 64 {
			allow = func(k int) bool { return open>>k&1 == 1 }
		}
		list = sp.market.Worth(o.prices, o.from, allow)
		o.worth[open] = list
	}
	return list[min(now, len(list)-1)]
}

// forget drops the outlooks that no state of a front is bounded by.
func (sp *sweep) forget(f *front) {
	used := make([]bool, len(sp.views))
	for _, v := range f.view {
		used[v] = true
	}
	sp.live = 0
	for v := 1; v < len(used); v++ {
		if used[v] {
			sp.live++
		} else {
			sp.views[v] = nil
		}
	}
}

// rest is a bound on what jobs still cost, in units.
func (sp *sweep) rest(o *outlook, ids []uint16, now int) int64 {
	sum, open := int64(0), uint64(0)
	for j, s := range ids {
		sum += int64(o.tables[j].At(max(now, sp.market.Arrival[j]), int32(s)))
		open |= sp.open[j][s]
	}
	return sum - sp.worthAfter(o, open, now)
}

// A spread is the work space of an expansion.
type spread struct {
	now    int
	place  int32
	view   int32
	by     *outlook
	budget int64 // by which a move may cost more than the cheapest one, in units
	value  int64 // of the slots spent and the nodes of jobs that stay or have been chosen for, after the slot
	worth  int64 // of the servers after the slot to the phases that are open before it
	open   uint64
	cost   int32
	starts int32
	jobs   []int // with a choice of arcs
	ids    []uint16
	next   []uint16
	arcs   []uint16
	option [][]option // by place in jobs
	room   int
	emit   *front
	full   bool

	free  []float64 // by server and resource
	saved []float64 // free, before each job that has been chosen for
	used  []float64
	fresh []bool // by phase
}

// An option is an arc of a job.
type option struct {
	arc   uint16
	next  uint16
	slack int64 // units by which it costs more than the cheapest one
	value int64 // of the node after it
	move  *move
}

// A pass keeps states of maxSweepBytes, each of stateBytes and 4 a job, and finds at most those of maxFrontBytes in a moment.
const (
	maxSweepBytes = 700 << 20
	maxFrontBytes = 250 << 20
	stateBytes    = 24
)

// pass looks for schedules of less cost than below, with at most width states of a moment, of at most room. It returns a bound on the optimum: the least of all that was
// left out, and below.
func (sp *sweep) pass(ctx context.Context, below, width, room int, sharp bool) int {
	n := len(sp.market.Graphs)
	sp.below, sp.views, sp.live = below, sp.views[:1], 0
	left, memory := int64(math.MaxInt64), maxSweepBytes
	room = min(room, maxFrontBytes/(4*n+stateBytes))
	sp.fronts = []*front{newFront()}
	root := make([]uint16, n)
	sp.fronts[0].put(root, slices.Repeat([]uint16{stay}, n), 0, 0, -1, sp.rest(sp.views[0], root, 0), 0, 1)
	for now := 0; ; now++ {
		f := sp.fronts[now]
		order := sp.sorted(f)
		if len(order) == 0 {
			break
		}
		if sharp {
			order = sp.sharpen(ctx, f, order, now)
		}
		if most := min(width, memory/(4*n+stateBytes)); len(order) > most {
			left = min(left, f.bound[order[most]])
			order = order[:most]
		}
		memory -= len(order) * (4*n + stateBytes)
		f = f.only(order, n)
		sp.fronts[now] = f
		sp.forget(f)
		next := newFront()
		sp.fronts = append(sp.fronts, next)
		for i := range f.cost {
			if i%256 == 0 && ctx.Err() != nil {
				left = min(left, f.bound[i])
				for _, b := range next.bound {
					left = min(left, b)
				}
				return sp.slots(left)
			}
			if sp.slots(f.bound[i]) >= sp.below {
				break
			}
			if !sp.expand(now, int32(i), next, room) {
				left = min(left, f.bound[i])
			}
		}
	}
	return sp.slots(left)
}

// slots rounds units up to slots, at most those that a pass looks for.
func (sp *sweep) slots(units int64) int {
	if units >= int64(sp.below)*values.Unit {
		return sp.below
	}
	return int((units + values.Unit - 1) / values.Unit)
}

// sorted returns the states that may still be better than the incumbent, by bound, without those that another one is better than.
func (sp *sweep) sorted(f *front) []int32 {
	n := len(sp.market.Graphs)
	list := make([]int32, 0, len(f.cost))
	for i := range f.cost {
		if sp.slots(f.bound[i]) < sp.below {
			list = append(list, int32(i))
		}
	}
	slices.SortFunc(list, func(a, b int32) int { return cmp.Or(cmp.Compare(f.bound[a], f.bound[b]), cmp.Compare(a, b)) })
	if sp.fixed {
		return list
	}
	kept := list[:0]
	for _, i := range list {
		beaten := false
		for _, k := range kept[:min(len(kept), comparisons)] {
			if beaten = f.cost[k] <= f.cost[i] && sp.ahead(f.ids[int(k)*n:int(k+1)*n], f.ids[int(i)*n:int(i+1)*n]); beaten {
				break
			}
		}
		if !beaten {
			kept = append(kept, i)
		}
	}
	return kept
}

// ahead reports whether every task is as advanced in a as in b.
func (sp *sweep) ahead(a, b []uint16) bool {
	for j := range a {
		if a[j] != b[j] && !ahead(sp.market.Graphs[j], int32(a[j]), int32(b[j])) {
			return false
		}
	}
	return true
}

// expand adds what follows a state to the next front. It reports whether nothing was left out for lack of room.
func (sp *sweep) expand(now int, place int32, next *front, room int) bool {
	f, n := sp.fronts[now], len(sp.market.Graphs)
	x := &sp.slot
	x.now, x.place, x.room, x.emit, x.full = now, place, room, next, false
	x.ids = f.ids[int(place)*n : int(place+1)*n]
	x.next, x.arcs = append(x.next[:0], x.ids...), x.arcs[:0]
	x.jobs = x.jobs[:0]
	x.cost, x.starts, x.open = f.cost[place], f.starts[place], 0
	x.view, x.by = f.view[place], sp.views[f.view[place]]
	x.value = 0
	for j, s := range x.ids {
		x.open |= sp.open[j][s]
		x.arcs = append(x.arcs, stay)
		switch {
		case int32(s) == sp.market.Graphs[j].End:
		case sp.market.Arrival[j] > now:
			x.value += int64(x.by.tables[j].At(sp.market.Arrival[j], int32(s)))
		default:
			x.jobs = append(x.jobs, j)
			x.cost++
		}
	}
	x.value += int64(x.cost) * values.Unit
	x.worth = sp.worthAfter(x.by, x.open, now+1)
	x.budget = int64(sp.below-1)*values.Unit - f.bound[place]
	for q, j := range x.jobs {
		sp.options(q, j)
	}
	if sp.fixed {
		sp.occupy()
	}
	sp.choose(0, 0, 0)
	return !x.full && !sp.packings.gaveUp
}

// options lists the arcs of the q-th job that are cheap enough, the cheapest first.
func (sp *sweep) options(q, j int) {
	x, g := &sp.slot, sp.market.Graphs[j]
	if q == len(x.option) {
		x.option = append(x.option, nil)
	}
	list := x.option[q][:0]
	s := x.ids[j]
	here, row := x.by.tables[j].At(x.now, int32(s)), x.by.tables[j].Row(x.now+1)
	first, priced := sp.market.First[j], x.now < len(x.by.prices[0])
	arcs, moves := g.Nodes[s].Arcs, sp.packings.moves(j, s)
	for a := range arcs {
		arc := &arcs[a]
		slack := int64(row[arc.Next]) + values.Unit - int64(here)
		if priced {
			for _, b := range arc.Buys {
				slack += int64(b.Copies) * int64(x.by.prices[first+int(b.Phase)][x.now])
			}
		}
		if slack > x.budget {
			continue
		}
		at := len(list)
		list = append(list, option{})
		for ; at > 0 && list[at-1].slack > slack; at-- {
			list[at] = list[at-1]
		}
		list[at] = option{uint16(a), uint16(arc.Next), slack, int64(row[arc.Next]), &moves[a]}
	}
	x.option[q] = list
}

// choose tries the options of the jobs from the q-th on; slack is that of those before, and set what they run.
func (sp *sweep) choose(q int, slack int64, set int32) {
	x := &sp.slot
	if q == len(x.jobs) {
		sp.leaf(set)
		return
	}
	j := x.jobs[q]
	for i := range x.option[q] {
		o := &x.option[q][i]
		if slack+o.slack > x.budget {
			break
		}
		x.arcs[j], x.next[j] = o.arc, o.next
		x.value += o.value
		if sp.fixed {
			before := len(x.saved)
			x.saved = append(x.saved, x.free...)
			if starts, ok := sp.start(j, &sp.market.Graphs[j].Nodes[x.ids[j]].Arcs[o.arc]); ok {
				x.starts += starts
				sp.choose(q+1, slack+o.slack, 0)
				x.starts -= starts
			}
			copy(x.free, x.saved[before:])
			x.saved = x.saved[:before]
		} else if more := sp.packings.addAll(set, o.move.items); more >= 0 {
			sp.choose(q+1, slack+o.slack, more)
		}
		x.value -= o.value
	}
	x.arcs[j], x.next[j] = stay, x.ids[j]
}

// leaf adds the state that the chosen arcs lead to.
func (sp *sweep) leaf(set int32) {
	x := &sp.slot
	open := uint64(0)
	for j, s := range x.next {
		open |= sp.open[j][s]
	}
	worth := x.worth
	if open != x.open {
		worth = sp.worthAfter(x.by, open, x.now+1)
	}
	bound := x.value - worth
	if bound > int64(sp.below-1)*values.Unit || !sp.fixed && sp.more(set) {
		return
	}
	sp.nodes++
	if !x.emit.put(x.next, x.arcs, x.cost, x.starts, x.place, bound, x.view, x.room) && open != 0 {
		x.full = true
	}
	if open == 0 {
		sp.best, sp.below = int(x.cost), int(x.cost)
		sp.improved(sp.replay())
	}
}

// more reports whether a useful copy fits beside the set that has been chosen.
func (sp *sweep) more(set int32) bool {
	x := &sp.slot
	for _, j := range x.jobs {
		m := &sp.packings.moves(j, x.ids[j])[x.arcs[j]]
		for _, item := range m.adds {
			if sp.packings.add(set, item) >= 0 {
				return true
			}
		}
		for _, r := range m.raises {
			if sp.packings.add(sp.packings.swap(set, r.from), r.to) >= 0 {
				return true
			}
		}
	}
	return false
}

// occupy computes what copies that go on leave free, what was used in the last slot, and which phases may run from now on only.
func (sp *sweep) occupy() {
	x, v := &sp.slot, sp.st.v
	resources := len(v.in.Resources)
	x.free, x.used = x.free[:0], append(x.used[:0], make([]float64, len(v.in.Servers)*resources)...)
	for s := range v.in.Servers {
		x.free = append(x.free, v.in.Servers[s].Capacity...)
	}
	x.fresh = append(x.fresh[:0], make([]bool, len(v.phases))...)
	for _, j := range x.jobs {
		node := &sp.market.Graphs[j].Nodes[x.ids[j]]
		sp.load(j, node.Running, x.free, -1)
		if sp.market.Arrival[j] == x.now {
			for k := v.first[j]; k < v.until(j); k++ {
				x.fresh[k] = true
			}
		}
	}
	if x.now == 0 {
		return
	}
	n := len(sp.market.Graphs)
	f, before := sp.fronts[x.now], sp.fronts[x.now-1]
	from := int(f.parent[x.place]) * n
	for j := range n {
		arc := f.arcs[int(x.place)*n+j]
		if arc == stay {
			continue
		}
		was := before.ids[from+j]
		sp.load(j, sp.market.Graphs[j].Nodes[was].Arcs[arc].Copies, x.used, 1)
		ended := sp.open[j][was] &^ sp.open[j][x.ids[j]]
		for k := v.first[j]; k < v.until(j) && ended != 0; k++ {
			for _, p := range v.phases[k].parents {
				x.fresh[k] = x.fresh[k] || ended>>(p%64)&1 == 1
			}
		}
	}
}

// load adds what copies of a job take, times sign, to amounts by server and resource.
func (sp *sweep) load(j int, copies []uint8, amounts []float64, sign float64) {
	g, v := sp.market.Graphs[j], sp.st.v
	resources := len(v.in.Resources)
	for c, r := range copies {
		if r > 0 {
			for q, d := range v.phases[v.first[j]+g.Phase[c/g.Servers]].Demand {
				amounts[c%g.Servers*resources+q] += sign * float64(r) * d
			}
		}
	}
}

// start starts the copies of an arc that do not run yet. It reports the sum of their starts, and whether they may start and fit: a
// copy starts when its phase may run from now on only, or did not fit beside what ran in the last slot.
func (sp *sweep) start(j int, arc *values.Arc) (starts int32, ok bool) {
	x, v, g := &sp.slot, sp.st.v, sp.market.Graphs[j]
	resources := len(v.in.Resources)
	running := g.Nodes[x.ids[j]].Running
	for c, r := range arc.Copies {
		if r == running[c] {
			continue
		}
		k, s := v.first[j]+g.Phase[c/g.Servers], c%g.Servers
		blocked := false
		for q, d := range v.phases[k].Demand {
			full := v.in.Servers[s].Capacity[q]
			blocked = blocked || x.used[s*resources+q]+d > full*(1+cloning.FitTolerance)
		}
		if !blocked && !x.fresh[k] {
			return 0, false
		}
		for range r - running[c] {
			if !cloning.Fits(v.phases[k].Demand, x.free[s*resources:(s+1)*resources], v.in.Servers[s].Capacity) {
				return 0, false
			}
			for q, d := range v.phases[k].Demand {
				x.free[s*resources+q] -= d
			}
			starts += int32(x.now)
		}
	}
	return starts, true
}
