// Package onemachine bounds what sequences of jobs on one machine cost, by dynamic programming over time. The search of exact/flex and
// the verifier of its proofs share it. docs/design/flex.md#one-machine says why its rules are safe.
//
// Jobs of whole durations follow one another from 0 on without idle time, and a job that ends at t costs a whole number. A Graph is a
// relaxation: its paths from the start to the end are sequences in which jobs may be missing or come more than once, and the multiplier
// of a job is paid to each visit and asked of the whole sequence once. Three rules make a graph smaller and lose no path that is worth
// less than a target and the first in alphabetical order among the best sequences: Prune, Remember and Count.
package onemachine

import (
	"context"
	"errors"
	"math"
	"slices"
)

// A Problem is what jobs last and cost.
type Problem struct {
	Work  []int     // ≥ 1
	Cost  [][]int64 // by job and end, up to the sum of all works
	Total int       // that sum
	Rank  []int     // where jobs are in the alphabet; all different
}

// The largest problems and graphs, so that numbers do not overflow and memory is bounded: 4 bytes an arc, 30 a node.
const (
	MostCost  = 1 << 60 // of a path, multipliers included
	MostArcs  = 1 << 25
	MostNodes = 1 << 22
	MostJobs  = 1 << 12
)

// ErrLarge reports that a graph would have more than MostArcs or MostNodes.
var ErrLarge = errors.New("the dynamic program has too many states")

var errSteps = errors.New("the graph remembers once, counts a job once, and both follow Prune")

// Fits is an error if the numbers of p and of multipliers might overflow.
func (p *Problem) Fits(multipliers []int64) error {
	if len(p.Work) == 0 || len(p.Work) > MostJobs || len(multipliers) != len(p.Work) {
		return errors.New("there are no jobs, too many, or not as many multipliers")
	}
	largest := int64(1)
	for j, cost := range p.Cost {
		for _, v := range []int64{cost[p.Work[j]], cost[p.Total], multipliers[j]} {
			if v > MostCost || v < -MostCost {
				return errors.New("numbers of the dynamic program are too large")
			}
			largest = max(largest, v, -v)
		}
	}
	if most := int64(p.Total/slices.Min(p.Work) + len(p.Work)); largest > MostCost/(4*most) {
		return errors.New("numbers of the dynamic program are too large")
	}
	return nil
}

// far is more than any path costs.
const far = math.MaxInt64 / 4

// A Graph is a relaxation. Its nodes are in the order of time; node 0 is the start, the last one the end of all.
type Graph struct {
	p        *Problem
	job      []int16 // that ends at the node; −1: none
	at       []int32
	first    []int32 // of the arcs into the node; one more than there are nodes
	from     []int32 // by arc
	memory   bool
	counted  []bool
	mu       []int64
	sum      int64   // of mu
	forward  []int64 // least cost from the start to the end of the node's job
	backward []int64 // least cost from there to the end
	ready    bool    // for Remember and Count: both are at mu
	Closed   bool    // no path is left
}

// New is the graph of all sequences in which no job follows itself and no two jobs that follow one another are better, or as good and
// first in alphabetical order, the other way round.
func New(ctx context.Context, p *Problem) (*Graph, error) {
	n := len(p.Work)
	ends := make([]int, p.Total+2) // nodes before those of a time
	reached := make([]bool, p.Total+1)
	reached[0] = true
	nodes := 1
	for t := 1; t <= p.Total; t++ {
		ends[t] = nodes
		for j := range n {
			if w := p.Work[j]; w <= t && reached[t-w] {
				reached[t] = true
				nodes++
			}
		}
		if nodes > MostNodes {
			return nil, ErrLarge
		}
	}
	ends[p.Total+1] = nodes
	g := &Graph{p: p, counted: make([]bool, n)}
	g.node(-1, 0)
	for t := 1; t <= p.Total; t++ {
		for j := range n {
			switch w := p.Work[j]; {
			case w > t || !reached[t-w]:
				continue
			case w == t:
				g.from = append(g.from, 0)
			default:
				for u := ends[t-w]; u < ends[t-w+1]; u++ {
					if i := int(g.job[u]); i != j && p.ordered(t-w-p.Work[i], i, j) {
						g.from = append(g.from, int32(u))
					}
				}
			}
			g.node(j, t)
		}
		if err := g.small(ctx, t); err != nil {
			return nil, err
		}
	}
	for u := ends[p.Total]; u < nodes; u++ {
		g.from = append(g.from, int32(u))
	}
	g.node(-1, p.Total)
	return g, nil
}

// node adds a node; the arcs into it have been added.
func (g *Graph) node(job, at int) {
	if len(g.first) == 0 {
		g.first = append(g.first, 0)
	}
	g.job, g.at = append(g.job, int16(job)), append(g.at, int32(at))
	g.first = append(g.first, int32(len(g.from)))
}

// small is an error when a graph that grows is too large, or ctx has ended; that it asks every 1,024 times.
func (g *Graph) small(ctx context.Context, times int) error {
	if len(g.from) > MostArcs || len(g.job) > MostNodes {
		return ErrLarge
	}
	if times%1024 == 0 {
		return ctx.Err()
	}
	return nil
}

// ordered reports whether jobs i and j from t on cost less than j and i, or as much and i is first.
func (p *Problem) ordered(t, i, j int) bool {
	end := t + p.Work[i] + p.Work[j]
	a, b := p.Cost[i][t+p.Work[i]]+p.Cost[j][end], p.Cost[j][t+p.Work[j]]+p.Cost[i][end]
	return a < b || a == b && p.Rank[i] < p.Rank[j]
}

func (p *Problem) ranks(o [3]int16) []int { return []int{p.Rank[o[0]], p.Rank[o[1]], p.Rank[o[2]]} }

// best reports whether three jobs from t on are the first of their best orders.
func (p *Problem) best(t int, i, j, k int16) bool {
	cost := func(a, b, c int16) int64 {
		x := t + p.Work[a]
		y := x + p.Work[b]
		return p.Cost[a][x] + p.Cost[b][y] + p.Cost[c][y+p.Work[c]]
	}
	own := cost(i, j, k)
	for _, o := range [5][3]int16{{i, k, j}, {j, i, k}, {j, k, i}, {k, i, j}, {k, j, i}} {
		v := cost(o[0], o[1], o[2])
		if v < own || v == own && slices.Compare(p.ranks(o), p.ranks([3]int16{i, j, k})) < 0 {
			return false
		}
	}
	return true
}

// Nodes and Arcs are the size of the graph.
func (g *Graph) Nodes() int { return len(g.job) }

// Arcs is the number of arcs.
func (g *Graph) Arcs() int { return len(g.from) }

// Remembers reports whether nodes know the job before theirs.
func (g *Graph) Remembers() bool { return g.memory }

// Counted reports whether all paths visit job j once.
func (g *Graph) Counted(j int) bool { return g.counted[j] }

// price is the cost of a node's job less its multiplier.
func (g *Graph) price(v int) int64 {
	if j := g.job[v]; j >= 0 {
		return g.p.Cost[j][g.at[v]] - g.mu[j]
	}
	return 0
}

// Bound is the least that a path costs at multipliers, far more than any number of the problem if there is none: a lower bound on the
// sequences in the graph. Multipliers must fit.
func (g *Graph) Bound(mu []int64) int64 {
	g.mu, g.sum, g.ready = mu, 0, false
	for _, m := range mu {
		g.sum += m
	}
	g.forward = slices.Grow(g.forward[:0], len(g.job))[:len(g.job)]
	g.forward[0] = 0
	for v := 1; v < len(g.job); v++ {
		least := int64(far)
		for _, u := range g.from[g.first[v]:g.first[v+1]] {
			least = min(least, g.forward[u])
		}
		if least < far {
			least += g.price(v)
		}
		g.forward[v] = least
	}
	last := g.forward[len(g.job)-1]
	if last >= far {
		return far
	}
	return last + g.sum
}

// Path is a cheapest path at the multipliers of Bound, by its jobs.
func (g *Graph) Path() (jobs []int) {
	for v := len(g.job) - 1; v > 0; {
		if j := g.job[v]; j >= 0 {
			jobs = append(jobs, int(j))
		}
		next := int32(-1)
		for _, u := range g.from[g.first[v]:g.first[v+1]] {
			if next < 0 || g.forward[u] < g.forward[next] {
				next = u
			}
		}
		v = int(next)
	}
	slices.Reverse(jobs)
	return jobs
}

// complete follows the costs of Bound's multipliers backwards.
func (g *Graph) complete() {
	g.backward = slices.Grow(g.backward[:0], len(g.job))[:len(g.job)]
	for v := range g.backward {
		g.backward[v] = far
	}
	g.backward[len(g.job)-1] = 0
	for v := len(g.job) - 1; v > 0; v-- {
		if g.backward[v] >= far {
			continue
		}
		c := g.backward[v] + g.price(v)
		for _, u := range g.from[g.first[v]:g.first[v+1]] {
			g.backward[u] = min(g.backward[u], c)
		}
	}
}

// Prune takes from the graph the arcs of which every path costs target or more at the multipliers.
func (g *Graph) Prune(mu []int64, target int64) error {
	if err := g.p.Fits(mu); err != nil {
		return err
	}
	if g.Bound(mu) >= target {
		g.Closed = true
		return nil
	}
	g.complete()
	h := g.next(g.memory)
	place := make([]int32, len(g.job))
	place[0] = 0
	h.node(-1, 0)
	h.forward, h.backward = append(h.forward, 0), append(h.backward, g.backward[0])
	for v := 1; v < len(g.job); v++ {
		place[v] = -1
		if g.forward[v] >= far || g.backward[v] >= far {
			continue
		}
		limit := target - g.sum - g.price(v) - g.backward[v] // of forward
		start := len(h.from)
		for _, u := range g.from[g.first[v]:g.first[v+1]] {
			if place[u] >= 0 && g.forward[u] < limit {
				h.from = append(h.from, place[u])
			}
		}
		if len(h.from) == start {
			continue
		}
		place[v] = int32(len(h.job))
		h.node(int(g.job[v]), int(g.at[v]))
		h.forward, h.backward = append(h.forward, g.forward[v]), append(h.backward, g.backward[v])
	}
	h.ready = true
	*g = *h
	return nil
}

// next is an empty graph of the same problem and multipliers.
func (g *Graph) next(memory bool) *Graph {
	return &Graph{p: g.p, mu: g.mu, sum: g.sum, counted: slices.Clone(g.counted), memory: memory}
}

// Remember makes nodes of arcs, so that the graph knows the job before each one: no job comes twice among three that follow one
// another, and no other order of these is better, or as good and before it in alphabetical order. It must follow Prune.
func (g *Graph) Remember(ctx context.Context, target int64) error {
	if !g.ready || g.memory {
		return errSteps
	}
	h := g.next(true)
	ranges := make([][2]int32, len(g.job)) // of the new nodes by the old one
	before := []int16{-1}                  // by new node
	h.node(-1, 0)
	h.forward = append(h.forward, 0)
	ranges[0] = [2]int32{0, 1}
	last := len(g.job) - 1
	for v := 1; v <= last; v++ {
		ranges[v][0] = int32(len(h.job))
		limit := target - g.sum - g.price(v) - g.backward[v]
		j := g.job[v]
		start, least := len(h.from), int64(far)
		for _, u := range g.from[g.first[v]:g.first[v+1]] {
			i := g.job[u]
			if v != last {
				start, least = len(h.from), far
			}
			for x := ranges[u][0]; x < ranges[u][1]; x++ {
				f := h.forward[x]
				if f >= limit {
					continue
				}
				if k := before[x]; v != last && i >= 0 && k >= 0 &&
					(k == j || !g.p.best(int(g.at[u])-g.p.Work[i]-g.p.Work[k], k, i, j)) {
					continue
				}
				h.from = append(h.from, x)
				least = min(least, f)
			}
			if v != last && len(h.from) > start {
				h.node(int(j), int(g.at[v]))
				before = append(before, i)
				h.forward = append(h.forward, least+g.price(v))
			}
		}
		if err := h.small(ctx, v); err != nil {
			return err
		}
		ranges[v][1] = int32(len(h.job))
	}
	return g.become(h)
}

// become replaces g by a graph whose end is to be added; the arcs into it have been.
func (g *Graph) become(h *Graph) error {
	h.Closed = int(h.first[len(h.first)-1]) == len(h.from)
	if !h.Closed {
		h.node(-1, g.p.Total)
	}
	*g = *h
	return nil
}

// Count makes two nodes of each, before and after a visit to job q, so that all paths visit it once. It must follow Prune.
func (g *Graph) Count(ctx context.Context, q int, target int64) error {
	if !g.ready || q < 0 || q >= len(g.counted) || g.counted[q] {
		return errSteps
	}
	h := g.next(g.memory)
	h.counted[q] = true
	place := make([][2]int32, len(g.job))
	place[0] = [2]int32{0, -1}
	h.node(-1, 0)
	h.forward = append(h.forward, 0)
	last := len(g.job) - 1
	for v := 1; v <= last; v++ {
		limit := target - g.sum - g.price(v) - g.backward[v]
		place[v] = [2]int32{-1, -1}
		for tag := range 2 {
			old := tag // of the nodes before
			switch {
			case int(g.job[v]) == q && tag == 1:
				old = 0
			case int(g.job[v]) == q || v == last && tag == 0:
				continue
			}
			start, least := len(h.from), int64(far)
			for _, u := range g.from[g.first[v]:g.first[v+1]] {
				if x := place[u][old]; x >= 0 && h.forward[x] < limit {
					h.from = append(h.from, x)
					least = min(least, h.forward[x])
				}
			}
			if len(h.from) == start || v == last {
				continue
			}
			place[v][tag] = int32(len(h.job))
			h.node(int(g.job[v]), int(g.at[v]))
			h.forward = append(h.forward, least+g.price(v))
		}
		if err := h.small(ctx, v); err != nil {
			return err
		}
	}
	return g.become(h)
}
