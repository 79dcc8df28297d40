package cloning

import (
	"container/heap"
	"context"
	"maps"
	"math"
	"slices"

	"schedgap/exact/cloning/pricing"
	"schedgap/exact/cloning/values"
	"schedgap/models"
	"schedgap/models/cloning"
)

// A node is a partial schedule up to a moment.
type node struct {
	parent *node
	move   []uint8 // the decision that led from parent to here, in the parent's terms
	now    int
	cost   int // slots that jobs have spent in the system by now
	starts int // sum of all copies' starts, to settle ties of nonpreemptive schedules
	bound  int // on the cost of all schedules that begin like this
	done   bool
	key    string // equal keys at one moment: the same continuations
	state
}

// A state is what continuations depend on. Tasks of a phase are alike and kept sorted, so are servers of equal capacity.
type state struct {
	progress []int64       // by task, in units of states.scale
	placed   []uint8       // nonpreemptive: running copies by task and server
	fresh    []bool        // nonpreemptive: phases that may run from this very moment on
	used     cloning.Loads // nonpreemptive: of the slot before
}

// A space is a regime's partial schedules.
type space interface {
	root() *node
	// expand emits the nodes that follow n, at most limit of them, and reports whether it has emitted all that matter.
	expand(ctx context.Context, n *node, limit int, emit func(*node)) bool
	// better reports whether no continuation of b is better than the best one of a, both at the same moment.
	better(a, b *node) bool
	solution(n *node) cloning.Solution
}

// widths are the numbers of nodes kept at a moment, pass by pass.
var widths = []int{100, 2_000, 40_000, 200_000}

// Limits relative to a pass's width, so that neither one node nor one moment takes all time and memory, and the number of
// nodes that each node of a moment is compared with.
const (
	movesPerWidth = 50
	nodesPerWidth = 8
	comparisons   = 100
)

// layers searches a space moment by moment for a schedule better than best, keeping at each moment the most promising nodes.
// A pass that leaves nothing out, or only what cannot be better, is a proof; otherwise the next pass keeps more.
type layers struct {
	space    space
	best     int // cost of the incumbent
	node     *node
	lower    int // proven
	improved func(n *node)
	bounded  func(b int)
	prices   func(ctx context.Context) int // a further bound, which takes longer than a narrow pass; nil: none
	nodes    int64
}

// run reports whether the best is proven optimal.
func (l *layers) run(ctx context.Context) bool {
	for i, width := range widths {
		if i == 1 && l.prices != nil {
			if lower := l.prices(ctx); lower > l.lower {
				l.lower = lower
				l.bounded(lower)
			}
			if l.lower >= l.best {
				return true
			}
		}
		lower := l.pass(ctx, width)
		if lower > l.lower {
			l.lower = lower
			l.bounded(lower)
		}
		if l.lower >= l.best {
			return true
		}
		if ctx.Err() != nil {
			break
		}
	}
	return false
}

// A layer is the open nodes of a moment in the order in which they were found.
type layer struct {
	list []*node
	at   map[string]int // place in list by key
}

// pass is one search of a width. It returns a bound on the optimum: the least of all that was left out and of the best.
func (l *layers) pass(ctx context.Context, width int) int {
	left := math.MaxInt // least bound of what was left out
	open := map[int]*layer{}
	var moments ints
	add := func(n *node) {
		l.nodes++
		if n.bound >= l.best {
			return
		}
		if n.done {
			l.best, l.node = n.cost, n
			l.improved(n)
			return
		}
		there := open[n.now]
		if there == nil {
			there = &layer{at: map[string]int{}}
			open[n.now] = there
			heap.Push(&moments, n.now)
		}
		i, known := there.at[n.key]
		switch {
		case known:
			if old := there.list[i]; n.cost < old.cost || n.cost == old.cost && n.starts < old.starts {
				there.list[i] = n
			}
		case len(there.list) >= nodesPerWidth*width:
			left = min(left, n.bound)
		default:
			there.at[n.key] = len(there.list)
			there.list = append(there.list, n)
		}
	}
	add(l.space.root())
	for len(moments) > 0 && l.best > l.lower {
		now := heap.Pop(&moments).(int)
		list := l.sorted(ctx, open[now].list)
		delete(open, now)
		if len(list) > width {
			left = min(left, list[width].bound)
			list = list[:width]
		}
		for i, n := range list {
			if n.bound >= l.best || l.best <= l.lower {
				break
			}
			if whole := l.space.expand(ctx, n, movesPerWidth*width, add); !whole {
				left = min(left, n.bound)
			}
			n.state, n.key = state{}, ""
			if ctx.Err() == nil {
				continue
			}
			for _, rest := range list[i:] {
				left = min(left, rest.bound)
			}
			for _, later := range open {
				for _, rest := range later.list {
					left = min(left, rest.bound)
				}
			}
			return min(left, l.best)
		}
	}
	return min(left, l.best)
}

// sorted returns nodes by bound, those of equal bound as they were found, without those that another one is better than.
func (l *layers) sorted(ctx context.Context, list []*node) []*node {
	byBound := map[int][]*node{}
	for _, n := range list {
		if n.bound < l.best {
			byBound[n.bound] = append(byBound[n.bound], n)
		}
	}
	kept := make([]*node, 0, len(list))
	for _, bound := range slices.Sorted(maps.Keys(byBound)) {
		for i, n := range byBound[bound] {
			if i%1024 == 1023 && ctx.Err() != nil {
				kept = append(kept, byBound[bound][i:]...)
				break
			}
			beaten := false
			for i := 0; i < min(len(kept), comparisons) && !beaten; i++ {
				beaten = l.space.better(kept[i], n)
			}
			if !beaten {
				kept = append(kept, n)
			}
		}
	}
	return kept
}

type ints []int

func (h ints) Len() int           { return len(h) }
func (h ints) Less(a, b int) bool { return h[a] < h[b] }
func (h ints) Swap(a, b int)      { h[a], h[b] = h[b], h[a] }
func (h *ints) Push(x any)        { *h = append(*h, x.(int)) }
func (h *ints) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}

// moves returns the nodes from the root to n, the root excluded.
func (n *node) moves() []*node {
	var list []*node
	for ; n.parent != nil; n = n.parent {
		list = append(list, n)
	}
	slices.Reverse(list)
	return list
}

// Limits of the search, beside that of states.go on the means of tasks with clones. Larger instances keep their start and their
// bound.
const (
	maxSearchTasks = 2_000
	maxSearchCells = 100_000 // tasks times servers
	maxSearchMean  = 1e6     // slots
)

// rootSteps are the steps of the price bound that the search takes once a narrow pass has not been a proof.
const rootSteps = 100

func searchable(v *view) bool {
	for k := range v.phases {
		if v.phases[k].Mean > maxSearchMean || v.phases[k].most > math.MaxUint8 {
			return false
		}
	}
	return v.tasks <= maxSearchTasks && v.tasks*len(v.in.Servers) <= maxSearchCells && v.countable()
}

func newSpace(st *states, fixed bool) space {
	if fixed {
		return newNonpreemptive(st)
	}
	return &preemptive{states: st, packer: newPacker(st.v, st.gauges), moves: map[string]moveList{}}
}

// solveLayers is the combinatorial method of a regime.
func solveLayers(ctx context.Context, p *cloning.Pass, start *cloning.Solution, fixed bool) (cloning.Outcome, error) {
	in := p.Instance
	v := newView(in)
	var out cloning.Outcome
	out.Status = models.Timeout
	cost := math.MaxInt
	if start != nil {
		if s, worth, err := feasible(in, *start, fixed); err == nil {
			out.Solution, out.Found, cost = s, true, int(worth)
		}
	}
	if own := v.incumbent(ctx); own != nil && own.cost < cost {
		out.Solution, out.Found, cost = own.solution, true, own.cost
		p.Improved(own.solution)
	}
	st := newStates(v)
	lower := int(ceil(together(v.works(), len(v.gauges)) - v.arrivals()))
	bounded := func(b int) { p.Bounded(float64(b)) }
	// A search whose units are larger than what decides may find a schedule in which some task lacks less than that. It proves no
	// optimum then, but its bound holds.
	worth := cost
	improved := func(s cloning.Solution) {
		if s, v, err := feasible(in, s, fixed); err == nil && int(v) < worth {
			out.Solution, out.Found, worth = s, true, int(v)
			p.Improved(s)
		}
	}
	var m *values.Market
	if lower < cost && out.Found {
		m = newMarket(ctx, st, fixed)
		if m != nil && m.Arcs()*len(firstPrices(v, out.Solution)[0]) > maxArcSlots {
			m = nil
		}
	}
	switch {
	case lower >= cost:
	case m != nil:
		sp := newSweep(st, m, fixed, p.Threads)
		sp.best, sp.lower, sp.bounded, sp.improved = cost, lower, bounded, improved
		sp.run(ctx, out.Solution)
		lower = sp.lower
		out.Stats.Nodes = &sp.nodes
	case searchable(v):
		space := newSpace(st, fixed)
		l := &layers{space: space, best: cost, lower: lower, bounded: bounded}
		if len(in.Jobs) > 1 {
			l.prices = func(ctx context.Context) int {
				return int(pricing.Bound(ctx, in, pricing.Options{Steps: rootSteps}).Bound)
			}
		}
		l.improved = func(n *node) { improved(space.solution(n)) }
		l.run(ctx)
		lower = l.lower
		out.Stats.Nodes = &l.nodes
	}
	bound := float64(lower)
	out.Bound = &bound
	if out.Found && lower >= worth {
		out.Status = models.Optimal
	}
	if out.Status == models.Timeout && ctx.Err() == nil {
		// No limit ended it: it has searched as widely as memory allows, or not at all.
		out.Status, out.Stats.Raw = models.Feasible, "the search cannot prove more, whatever the time"
	}
	if out.Found {
		claimed := float64(worth)
		out.Claimed = &claimed
	}
	return out, nil
}
