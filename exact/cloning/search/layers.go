package search

import (
	"context"
	"maps"
	"math"
	"slices"

	"schedgap/models/cloning"
	"schedgap/models/heap"
)

// A node is a partial schedule up to a moment.
type node struct {
	parent *node
	move   []uint8 // the decision that led from parent to here, in the parent's terms
	now    int
	cost   int // slots that jobs have spent in the system by now
	starts int // sum of all copies' starts, to settle ties
	bound  int // on the cost of all schedules that begin like this
	done   bool
	key    string // equal keys at one moment: the same continuations
	state
}

// A state has the data on which continuations depend. Tasks of a phase are alike and kept sorted, so are servers of equal
// capacity.
type state struct {
	progress []int64       // by task, in units of states.scale
	placed   []uint8       // running copies by task and server
	fresh    []bool        // phases that may run from this very moment on
	used     cloning.Loads // of the slot before
}

// widths are the numbers of nodes kept at a moment, pass by pass.
var widths = []int{100, 2_000, 40_000, 200_000}

// Limits relative to a pass's width, so that neither one node nor one moment takes all time and memory.
const (
	movesPerWidth = 50
	nodesPerWidth = 8
)

// layers searches a space moment by moment for a schedule better than best, keeping at each moment the most promising nodes.
// A pass that leaves nothing out, or only what cannot be better, is a proof; otherwise the next pass keeps more.
type layers struct {
	space    *nonpreemptive
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
	left := math.MaxInt // least bound of the states left out
	open := map[int]*layer{}
	var moments heap.Keyed[int]
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
			moments.Push(float64(n.now), n.now)
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
		_, now := moments.Pop()
		list := l.sorted(open[now].list)
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

// sorted returns nodes by bound, those of equal bound as they were found.
func (l *layers) sorted(list []*node) []*node {
	byBound := map[int][]*node{}
	for _, n := range list {
		if n.bound < l.best {
			byBound[n.bound] = append(byBound[n.bound], n)
		}
	}
	kept := make([]*node, 0, len(list))
	for _, bound := range slices.Sorted(maps.Keys(byBound)) {
		kept = append(kept, byBound[bound]...)
	}
	return kept
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
