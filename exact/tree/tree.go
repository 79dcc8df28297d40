package tree

import (
	"cmp"
	"context"
	"math"
	"slices"

	"schedgap/exact/parallel"
)

// A Search is the work of one thread in nodes N of a minimisation whose solutions are P.
type Search[N, P any] interface {
	// Known is the thread's incumbent. Threshold is the value from which on nothing in a node is of interest.
	Known() *Incumbent[P]
	Threshold() float64
	// Bound is a known lower bound on the values of the solutions in o.
	Bound(o N) float64
	// Begin prepares to search below o. many says that the subtree is large, so that costly preparation pays.
	Begin(ctx context.Context, o N, many bool)
	// Visit closes a node or parts it.
	Visit(ctx context.Context, o N) Visited[N]
}

// Visited is the outcome of a visit to a node.
type Visited[N any] struct {
	Children  []N   // the more promising first; none means that the node is closed, unless it is undecided
	Trials    int64 // nodes that were looked at besides it
	Long      bool  // it took so long that other nodes may be more urgent now
	Undecided bool  // nothing is left to part, and its bound is below the threshold
	Err       error // ends the search
}

// A Tree is one search for the least value.
type Tree[N, P any] struct {
	Search      Search[N, P]
	Worker      func() Search[N, P] // of another thread
	Threads     int
	Budget      int64         // of nodes
	EffortAfter int64         // nodes of a part after which Begin is called again with many; 0 means never
	Bounded     func(float64) // is called with the bound after each round

	Nodes     int64   // so far
	Undecided float64 // the least bound among the nodes that could not be decided; infinite means none
	Left      []N     // open nodes: Run goes on with them
	Err       error   // how a visit ended
}

// Open is the least bound among the nodes that could not be decided or are open; infinite: there are none.
func (t *Tree[N, P]) Open() float64 {
	least := t.Undecided
	for _, o := range t.Left {
		least = min(least, t.Search.Bound(o))
	}
	return least
}

// Plant begins the search at a root.
func (t *Tree[N, P]) Plant(root N) { t.Undecided, t.Left = math.Inf(1), []N{root} }

const (
	roundParts = 32
	partNodes  = 512
	mostOpen   = 2000 // from so many open nodes on, for memory, the latest come first, before the least bounds
)

// A part of a round searches one node.
type part[N, P any] struct {
	root      N
	nodes     int64
	stack     []N
	undecided float64
	found     Incumbent[P]
	err       error
}

// Run searches the open nodes until there are none, the budget is spent, a visit fails or ctx ends. Called again it goes on.
func (t *Tree[N, P]) Run(ctx context.Context) {
	workers := make([]Search[N, P], max(1, t.Threads))
	for i := range workers {
		workers[i] = t.Worker()
	}
	known, parts := t.Search.Known(), make([]part[N, P], roundParts)
	for len(t.Left) > 0 && t.Nodes < t.Budget && t.Err == nil && ctx.Err() == nil {
		if len(t.Left) < mostOpen {
			slices.SortStableFunc(t.Left, func(a, b N) int { return cmp.Compare(t.Search.Bound(b), t.Search.Bound(a)) })
		}
		kept := max(0, len(t.Left)-roundParts)
		chosen := slices.Clone(t.Left[kept:])
		slices.Reverse(chosen)
		clear(t.Left[kept:])
		t.Left = t.Left[:kept]
		budget := min(partNodes, 1+(t.Budget-t.Nodes)/roundParts)
		parallel.Each(t.Threads, len(chosen), func(thread, k int) {
			parts[k] = part[N, P]{root: chosen[k], undecided: math.Inf(1), stack: []N{chosen[k]}}
			parts[k].run(ctx, workers[thread], *known, budget, t.EffortAfter)
		})
		for k := len(chosen) - 1; k >= 0; k-- {
			t.Left = append(t.Left, parts[k].stack...)
		}
		for k := range chosen {
			p := &parts[k]
			t.Nodes += p.nodes
			t.Undecided = min(t.Undecided, p.undecided)
			known.take(&p.found)
			if t.Err == nil {
				t.Err = p.err
			}
		}
		t.Bounded(min(t.Search.Threshold(), t.Open()))
	}
}

// run searches a part for some nodes.
func (p *part[N, P]) run(ctx context.Context, s Search[N, P], known Incumbent[P], budget, effortAfter int64) {
	w := s.Known()
	w.begin(&known)
	s.Begin(ctx, p.root, false)
	long := false
	for many := false; len(p.stack) > 0 && p.nodes < budget && !long && p.err == nil && ctx.Err() == nil; {
		last := len(p.stack) - 1
		o := p.stack[last]
		p.stack = p.stack[:last]
		p.nodes++
		if !many && effortAfter > 0 && p.nodes > effortAfter {
			many = true
			s.Begin(ctx, p.root, true)
		}
		v := s.Visit(ctx, o)
		p.nodes, long = p.nodes+v.Trials, v.Long
		switch {
		case v.Undecided && ctx.Err() != nil: // the visit was cut short
			v.Children = []N{o}
		case v.Undecided:
			p.undecided = min(p.undecided, s.Bound(o))
		}
		slices.Reverse(v.Children)
		p.stack, p.err = append(p.stack, v.Children...), v.Err
	}
	p.found = *w
}
