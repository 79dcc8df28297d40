package flex

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"schedgap/exact/parallel"
	"schedgap/models"
	"schedgap/models/flex"
)

// A treeNode is what all nodes of a branch and bound have: a linear program that bounds the schedules in it.
type treeNode struct {
	d       *dictionary
	verdict verdict
	bound   float64    // on the objective
	entry   *proofNode // its place in the proof; nil: none is written
}

func (o *treeNode) common() *treeNode { return o }

type verdict int8

const (
	tried     verdict = iota // the program was not solved in full
	undecided                // nothing more is gained from the program
	closed                   // nothing better is in the node
	met                      // the program's times can be met
)

// A decision parts a node in two. Its numbers are two jobs, of which either may complete first, or a job and a level of its
// penalty.
type decision struct {
	a, b  int
	score float64
}

type node interface{ common() *treeNode }

// A branching is what a search does in its nodes. Each thread has one of its own.
type branching[N node] interface {
	known() *incumbent
	// begin prepares for the nodes below o: a few, or where they are many more effort pays.
	begin(ctx context.Context, o N, many bool)
	// relax solves the program of o, in full or as the child of a decision that is tried, and sets verdict and bound.
	relax(ctx context.Context, o N, trial bool)
	// offer makes schedules of what the program of o says.
	offer(o N)
	// candidates are the decisions to try, the most promising first; none: nothing is left to decide.
	candidates(o N) []decision
	child(o N, c decision, second bool) N
	// settle bounds a node in which all is decided.
	settle(ctx context.Context, o N) float64
	// goal is the value of the program from which on a node is closed.
	goal() float64
	line(c decision) any
	leaf(o N) proofLeaf
}

// errNoSchedule would contradict Σ m_j ≤ S, which makes every instance feasible.
var errNoSchedule = errors.New("flex: no schedule exists, which a valid instance rules out")

// inf is an absent bound.
var inf = math.Inf(1)

// An incumbent is the best schedule that a search, or a part of it, knows.
type incumbent struct {
	in      *flex.Instance
	best    float64
	plan    flex.Schedule // nil: none that is better than what was known
	scale   terms
	proves  *float64 // what a search for a proof is to reach; nil: it is none
	filling *flex.Filling
	told    *parallel.Incumbents[flex.Schedule]
}

func newIncumbent(p *flex.Pass, start *flex.Schedule) incumbent {
	i := incumbent{in: p.Instance, best: inf, scale: newTerms(p.Instance), filling: flex.NewFilling(p.Instance).KeepRates()}
	i.told = parallel.NewIncumbents(inf, p.Improved)
	if start != nil {
		if r := flex.Problem.Check(i.in, *start); r.Feasible(nil) && r.Objective != nil {
			i.best, i.plan = *r.Objective, *start
		}
	}
	return i
}

// forThread is the incumbent with memory of its own.
func (i *incumbent) forThread() incumbent {
	c := *i
	c.filling = flex.NewFilling(i.in).KeepRates()
	return c
}

func (i *incumbent) known() *incumbent { return i }

func (i *incumbent) keep(plan flex.Schedule, value float64) {
	if value < i.best {
		i.best, i.plan = value, plan
		i.told.Found(value, plan)
	}
}

// take keeps the schedule that meets times, if there is one and it is the best so far.
func (i *incumbent) take(times []float64) {
	if plan, v, ok := flex.Realize(i.in, i.filling, times); ok {
		i.keep(plan, v)
	}
}

// threshold is the objective value from which on a bound cuts a node off.
func (i *incumbent) threshold() float64 {
	switch {
	case i.proves != nil:
		return *i.proves
	case math.IsInf(i.best, 1):
		return i.best
	}
	return i.best - i.scale.proofTolerance(i.best)
}

// A tree is a branch and bound. Open nodes are searched in rounds: some of them at once, each depth-first for a number of
// nodes with what was known when the round began. What they leave open and find is put together in their order. So the tree
// depends on counts alone, not on time or threads (docs/design/flex.md#threads).
type tree[N node] struct {
	main    branching[N]
	worker  func() branching[N] // of another thread
	threads int
	nodes   int64
	budget  int64
	few     int64 // nodes of a part from which on more effort pays in those that follow
	bounded func(float64)
	open    float64 // the least bound among the nodes that were left
}

const (
	roundParts = 32
	partNodes  = 512
	mostOpen   = 2000 // from so many open nodes on, for memory, the latest come first, before the least bounds
)

// A subsearch is a part of a round: it searches one node.
type subsearch[N node] struct {
	branching[N]
	nodes, budget int64
	root          N
	few           int64
	many          bool    // more nodes than few
	left          []N     // what is open, in reverse
	open          float64 // the least bound of what cannot be decided
}

// search searches root until no node is open, the budget is spent or ctx ends.
func (t *tree[N]) search(ctx context.Context, root N) {
	t.open = inf
	if root.common().verdict == closed {
		logLeaf(t.main, root)
		return
	}
	workers := make([]branching[N], max(1, t.threads))
	for i := range workers {
		workers[i] = t.worker()
	}
	s, open, found, plans := t.main.known(), []N{root}, make([]subsearch[N], roundParts), make([]incumbent, roundParts)
	for len(open) > 0 && t.nodes < t.budget && ctx.Err() == nil {
		if len(open) < mostOpen {
			slices.SortStableFunc(open, func(a, b N) int { return cmp.Compare(b.common().bound, a.common().bound) })
		}
		rest := max(0, len(open)-roundParts)
		chosen := slices.Clone(open[rest:])
		slices.Reverse(chosen)
		clear(open[rest:])
		open = open[:rest]
		budget := min(partNodes, 1+(t.budget-t.nodes)/roundParts)
		parallel.Each(t.threads, len(chosen), func(thread, k int) {
			p := subsearch[N]{branching: workers[thread], root: chosen[k], few: t.few, budget: budget, open: inf}
			w := p.known()
			w.best, w.plan = s.best, nil
			p.begin(ctx, p.root, false)
			p.visit(ctx, p.root)
			found[k], plans[k] = p, *w
		})
		for k := len(chosen) - 1; k >= 0; k-- {
			slices.Reverse(found[k].left)
			open = append(open, found[k].left...)
		}
		for k := range chosen {
			t.nodes += found[k].nodes
			t.open = min(t.open, found[k].open)
			if plans[k].plan != nil {
				s.keep(plans[k].plan, plans[k].best)
			}
		}
		least := t.open
		for _, o := range open {
			least = min(least, o.common().bound)
		}
		t.bounded(min(s.best, least))
	}
	for _, o := range open {
		t.open = min(t.open, o.common().bound)
		logLeaf(t.main, o)
	}
}

// logLeaf notes in the proof why o is closed, or what bounds it by itself.
func logLeaf[N node](b branching[N], o N) {
	if c := o.common(); c.entry != nil {
		c.entry.leaf = b.leaf(o)
	}
}

// visit searches o. What it has no nodes or time for is left.
func (p *subsearch[N]) visit(ctx context.Context, o N) {
	if p.nodes >= p.budget || ctx.Err() != nil {
		p.left = append(p.left, o)
		return
	}
	p.nodes++
	if !p.many && p.nodes > p.few {
		p.many = true
		p.begin(ctx, p.root, true)
	}
	c := o.common()
	if c.verdict == tried {
		p.relax(ctx, o, false)
	}
	if !p.finished(o) {
		p.offer(o)
	}
	if p.finished(o) {
		return
	}
	list := p.candidates(o)
	if len(list) == 0 {
		if b := p.settle(ctx, o); b < p.known().threshold() {
			p.open = min(p.open, b)
		}
		logLeaf(p.branching, o)
		return
	}
	children := p.choose(ctx, o, list)
	if children[1].common().d.value < children[0].common().d.value {
		children[0], children[1] = children[1], children[0]
	}
	for _, child := range children {
		x := child.common()
		if x.verdict == closed {
			logLeaf(p.branching, child)
			continue
		}
		x.bound = max(c.bound, x.bound)
		p.visit(ctx, child)
	}
}

// finished reports whether nothing better is in o.
func (p *subsearch[N]) finished(o N) bool {
	c := o.common()
	if c.verdict != closed && c.bound < p.known().threshold() {
		return false
	}
	logLeaf(p.branching, o)
	return true
}

// choose tries some decisions and returns the children of the one whose bounds rise most, by their product.
func (p *subsearch[N]) choose(ctx context.Context, o N, list []decision) (best [2]N) {
	c := o.common()
	whole, most, chosen := p.goal()-c.d.value, math.Inf(-1), -1
	for k, d := range list {
		gain := 1.0
		var children [2]N
		some := false
		for side := range children {
			child := p.child(o, d, side == 1)
			p.relax(ctx, child, true)
			p.nodes++
			if x := child.common(); x.verdict == closed {
				gain *= whole
				some = true
			} else {
				gain *= max(min(x.d.value-c.d.value, whole), whole*1e-4)
			}
			children[side] = child
		}
		if gain > most || chosen < 0 || some {
			best, most, chosen = children, gain, k
		}
		if some {
			break
		}
	}
	if c.entry != nil {
		logLeaf(p.branching, o)
		c.entry.line = p.line(list[chosen])
		for side := range best {
			c.entry.children[side] = &proofNode{}
			best[side].common().entry = c.entry.children[side]
		}
	}
	return best
}

// outcome is what a search with a tree found. No schedule is worth less than floor.
func (t *tree[N]) outcome(ctx context.Context, floor float64) flex.Outcome {
	s := t.main.known()
	bound := min(s.best, max(floor, min(s.threshold(), t.open))) // nothing better than the threshold was looked for
	out := flex.Outcome{
		Solution: s.plan, Found: s.plan != nil, Status: models.Optimal, Bound: &bound,
		Stats: models.Stats{Work: models.Work{Nodes: &t.nodes}},
	}
	if t.open < s.threshold() {
		out.Status = models.Feasible
		if ctx.Err() != nil {
			out.Status = models.Timeout
		}
	}
	return out
}
