package flex

import (
	"context"
	"errors"
	"math"
	"math/big"

	"schedgap/exact"
	"schedgap/exact/tree"
	verifyflex "schedgap/exact/verify/flex"
	"schedgap/models"
	"schedgap/models/flex"
)

// A treeNode is the part that all nodes of a branch and bound share: a linear program that bounds the schedules in it.
type treeNode struct {
	d       *program
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

// A decision parts a node in two. Its numbers are two jobs, either of which may complete first, or a job and a level of its
// penalty.
type decision struct {
	a, b  int
	score float64
}

type node interface{ common() *treeNode }

// A branching is a search's work in its nodes. Each thread has one of its own.
type branching[N node] interface {
	Known() *tree.Incumbent[flex.Schedule]
	Threshold() float64
	Begin(ctx context.Context, o N, many bool)
	// relax solves the program of o, in full or as the child of a decision that is tried, and sets verdict and bound.
	relax(ctx context.Context, o N, trial bool)
	// offer makes schedules from the solution of o's program.
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
	tree.Incumbent[flex.Schedule]
	in      *flex.Instance
	scale   terms
	grid    *big.Rat // of values
	proves  *float64 // the aim of a search for a proof, else nil
	filling *flex.Filling
}

// newIncumbent begins with what a ledger knows; nil: nothing is known, and nothing is reported.
func newIncumbent(in *flex.Instance, l *models.Ledger[flex.Schedule]) incumbent {
	i := incumbent{Incumbent: tree.NewIncumbent[flex.Schedule](nil), in: in, scale: newTerms(in), grid: verifyflex.Grid(in)}
	if l != nil {
		i.Incumbent = tree.NewIncumbent(l.Announce)
		i.learn(l)
	}
	return i.forThread()
}

// learn takes what others have found.
func (i *incumbent) learn(l *models.Ledger[flex.Schedule]) {
	if s, value, ok := l.Best(); ok && value < i.Best {
		i.Best, i.Plan, i.Found = value, s, true
	}
}

// forThread is the incumbent with memory of its own.
func (i *incumbent) forThread() incumbent {
	c := *i
	c.filling = flex.NewFilling(i.in).KeepRates()
	return c
}

// Known implements tree.Search.
func (i *incumbent) Known() *tree.Incumbent[flex.Schedule] { return &i.Incumbent }

// take keeps the schedule that meets times, if there is one and it is the best so far.
func (i *incumbent) take(times []float64) {
	if plan, v, ok := flex.Realize(i.in, i.filling, times); ok {
		i.Keep(plan, v)
	}
}

// Threshold implements tree.Search: the objective value from which on a bound cuts a node off.
func (i *incumbent) Threshold() float64 {
	switch {
	case i.proves != nil:
		return *i.proves
	case math.IsInf(i.Best, 1):
		return i.Best
	}
	return exact.Above(i.Best, i.Best-i.scale.proofTolerance(i.Best), i.grid)
}

// A strongSearch is a branching that tries decisions before it takes one.
type strongSearch[N node] struct{ branching[N] }

// newTree is the search of a branching; worker makes those of other threads.
func newTree[N node](
	main branching[N], threads int, budget, few int64, bounded func(float64), worker func() branching[N],
) *tree.Tree[N, flex.Schedule] {
	return &tree.Tree[N, flex.Schedule]{
		Search: strongSearch[N]{main}, Threads: threads, Budget: budget, EffortAfter: few, Bounded: bounded,
		Worker: func() tree.Search[N, flex.Schedule] { return strongSearch[N]{worker()} },
	}
}

// Bound implements tree.Search.
func (s strongSearch[N]) Bound(o N) float64 { return o.common().bound }

// log notes in the proof why o is closed, or what bounds it by itself.
func (s strongSearch[N]) log(o N) {
	if c := o.common(); c.entry != nil {
		c.entry.leaf = s.leaf(o)
	}
}

// Visit implements tree.Search.
func (s strongSearch[N]) Visit(ctx context.Context, o N) (v tree.Visited[N]) {
	c := o.common()
	if c.verdict == tried {
		s.relax(ctx, o, false)
	}
	if !s.finished(o) {
		s.offer(o)
	}
	if s.finished(o) {
		s.log(o)
		return v
	}
	list := s.candidates(o)
	if len(list) == 0 {
		c.bound = s.settle(ctx, o)
		v.Undecided = c.bound < s.Threshold()
		s.log(o)
		return v
	}
	children, trials := s.choose(ctx, o, list)
	v.Trials = trials
	if children[1].common().d.Value < children[0].common().d.Value {
		children[0], children[1] = children[1], children[0]
	}
	for _, child := range children {
		if x := child.common(); x.verdict == closed {
			s.log(child)
		} else {
			x.bound = max(c.bound, x.bound)
			v.Children = append(v.Children, child)
		}
	}
	return v
}

// finished reports whether nothing better is in o.
func (s strongSearch[N]) finished(o N) bool {
	c := o.common()
	return c.verdict == closed || c.bound >= s.Threshold()
}

// choose tries some decisions and returns the children of the one whose bounds rise most, by their product.
func (s strongSearch[N]) choose(ctx context.Context, o N, list []decision) (best [2]N, trials int64) {
	c := o.common()
	whole, most, chosen := s.goal()-c.d.Value, math.Inf(-1), -1
	for k, d := range list {
		gain := 1.0
		var children [2]N
		some := false
		for side := range children {
			child := s.child(o, d, side == 1)
			s.relax(ctx, child, true)
			trials++
			if x := child.common(); x.verdict == closed {
				gain *= whole
				some = true
			} else {
				gain *= max(min(x.d.Value-c.d.Value, whole), whole*1e-4)
			}
			children[side] = child
		}
		if gain > most || chosen < 0 || some {
			best, most, chosen = children, gain, k
		}
		if some || ctx.Err() != nil { // a child of a large program takes half a second
			break
		}
	}
	if c.entry != nil {
		s.log(o)
		c.entry.line = s.line(list[chosen])
		for side := range best {
			c.entry.children[side] = &proofNode{}
			best[side].common().entry = c.entry.children[side]
		}
	}
	return best, trials
}

// tell enters the best schedule of a search with a tree and what it has proven, and returns its end. No schedule is worth less than
// floor.
func tell[N node](
	ctx context.Context, l *models.Ledger[flex.Schedule], t *tree.Tree[N, flex.Schedule], i *incumbent, floor float64,
) models.End {
	if i.Found {
		l.Offer(i.Plan)
	}
	// Nothing better than the threshold was looked for.
	l.Bound(exact.OnGrid(max(floor, min(i.Threshold(), t.Open())), i.grid))
	return models.Ended(ctx, "", models.Stats{Work: models.Work{Nodes: new(t.Nodes)}})
}

// grow is the log of a search from a root: the nodes that it closed, and the bounds of the others.
func grow[N node](ctx context.Context, t *tree.Tree[N, flex.Schedule], root N) *proofNode {
	entry := &proofNode{}
	root.common().entry = entry
	t.Plant(root)
	t.Run(ctx)
	s := t.Search.(strongSearch[N])
	for _, o := range t.Left {
		s.log(o)
	}
	return entry
}
