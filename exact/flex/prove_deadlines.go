package flex

import (
	"cmp"
	"context"
	"math"
	"slices"

	"schedgap/models/flex"
	"schedgap/models/proof"
)

// A deadlineProver proves that no schedule of a sum of step penalties is better than a known value. A node restricts jobs to some of
// their penalty levels. Its program gives each job shares of its levels, and at no moment may more be done, by what each level forces, than the slots can
// do; its multipliers are prices of the slots until those moments.
type deadlineProver struct {
	in      *flex.Instance
	levels  [][]level
	column  []int // of each job's first level
	vars    int
	moments []float64
	worth   float64 // of the objective
	goal    float64 // in parts of worth
	lines   []any
}

// A level is a level of a job's penalty with the time by which the job must complete to have no higher one, +Inf of the highest.
type level struct {
	due     float64
	penalty float64
	can     bool // at the job's maximum
}

// A moment is the row of what the slots can do until a time, divided by scale and that; at 0: no such row.
type moment struct{ at, scale float64 }

// A deadlineNode is a node with its program.
type deadlineNode struct {
	d        *dictionary
	rows     []moment // of each slack
	from, to []int    // the levels of each job
	over     float64  // a moment until which more is forced than the slots can do; 0: none is known
}

func (o *deadlineNode) clone() *deadlineNode {
	c := &deadlineNode{d: o.d.clone(), rows: slices.Clip(o.rows), from: slices.Clone(o.from), to: slices.Clone(o.to)}
	c.d.prune()
	return c
}

// deadlineTree is the tree that proves that no schedule is worth less than goal, or as much of it as there is when ctx ends.
func deadlineTree(ctx context.Context, in *flex.Instance, goal float64) []any {
	p := &deadlineProver{in: in}
	for j := range in.Jobs {
		p.column = append(p.column, p.vars)
		var list []level
		for _, t := range in.StepTimes(j) {
			due := t + flex.Tolerance*math.Abs(t)
			list = append(list, level{due, in.Penalty(j, t), due >= earliest(in, j)})
			if due > 0 {
				p.moments = append(p.moments, math.Nextafter(math.Nextafter(due, inf), inf))
			}
		}
		list = append(list, level{inf, in.Penalty(j, inf), true})
		p.levels = append(p.levels, list)
		p.vars += len(list)
		p.worth = max(p.worth, list[len(list)-1].penalty)
	}
	if p.worth == 0 {
		p.worth = 1
	}
	slices.Sort(p.moments)
	p.moments = slices.Compact(p.moments)
	p.goal = goal / p.worth
	costs, one := make([]float64, p.vars), make([]float64, p.vars)
	for j, list := range p.levels {
		for k, l := range list {
			costs[p.column[j]+k] = l.penalty / p.worth
		}
	}
	root := &deadlineNode{d: newDictionary(costs), from: make([]int, len(in.Jobs)), to: make([]int, len(in.Jobs))}
	for j, list := range p.levels {
		root.to[j] = len(list) - 1
		clear(one)
		for k := range list {
			one[p.column[j]+k] = 1
		}
		p.row(root, one, 1, moment{})
		first := slices.IndexFunc(list, func(l level) bool { return l.can })
		p.restrict(root, j, first, root.to[j])
		root.from[j] = 0 // the verifier leaves out by itself what cannot be
	}
	p.visit(ctx, root)
	return p.lines
}

func (p *deadlineProver) row(o *deadlineNode, coef []float64, rhs float64, m moment) {
	o.d.add(coef, rhs, m.at == 0)
	o.rows = append(o.rows, m)
}

// restrict leaves job j the levels from..to.
func (p *deadlineProver) restrict(o *deadlineNode, j, from, to int) {
	out := make([]float64, p.vars)
	some := false
	for k := o.from[j]; k <= o.to[j]; k++ {
		if k < from || k > to {
			out[p.column[j]+k], some = -1, true
		}
	}
	o.from[j], o.to[j] = from, to
	if some {
		p.row(o, out, 0, moment{})
	}
}

// done is what job j has done at least by a moment when it completes by due.
func (p *deadlineProver) done(j int, due, at float64) float64 {
	job := &p.in.Jobs[j]
	if at >= due {
		return job.Work
	}
	return max(min(float64(job.Min)*at, job.Work), job.Work-float64(job.Max)*(due-at))
}

// solve tightens a node until its program reaches the goal (closed), is empty, or no moment is violated.
func (p *deadlineProver) solve(ctx context.Context, o *deadlineNode, rounds int) (closed, empty bool) {
	// Programs forgive what may be rounding; due dates are exceeded by less, within the tolerance of comparisons.
	for _, t := range p.moments {
		sum := 0.0
		for j, list := range p.levels {
			sum += p.done(j, list[o.to[j]].due, t)
		}
		if sum > float64(p.in.Slots)*t*(1+1e-13) {
			o.over = t
			return true, true
		}
	}
	return o.d.tighten(ctx, p.goal, rounds, func() bool { return p.separate(o) })
}

// separate adds the moment at which the shares do most that the slots cannot do.
func (p *deadlineProver) separate(o *deadlineNode) bool {
	worst, at := 3*pivotTolerance, 0.0
	for _, t := range p.moments {
		sum := 0.0
		for j, list := range p.levels {
			for k := o.from[j]; k <= o.to[j]; k++ {
				if z := o.d.x(p.column[j] + k); z > 0 {
					sum += z * p.done(j, list[k].due, t)
				}
			}
		}
		if over := sum/(float64(p.in.Slots)*t) - 1; over > worst {
			worst, at = over, t
		}
	}
	if at == 0 {
		return false
	}
	row := make([]float64, p.vars)
	m := moment{at, 1}
	for j, list := range p.levels {
		for k, l := range list {
			v := p.done(j, l.due, at) / (float64(p.in.Slots) * at)
			row[p.column[j]+k] = -v
			m.scale = max(m.scale, v)
		}
	}
	for i := range row {
		row[i] /= m.scale
	}
	p.row(o, row, -1/m.scale, m)
	return true
}

func (p *deadlineProver) visit(ctx context.Context, o *deadlineNode) {
	closed, empty := p.solve(ctx, o, 1000)
	if !closed {
		if j, k := p.choose(ctx, o); j >= 0 {
			p.lines = append(p.lines, proof.DeadlineLine{Level: &proof.Level{Job: j, Level: k}})
			first, second := p.children(o, j, k)
			p.visit(ctx, first)
			p.visit(ctx, second)
			return
		}
	}
	p.leaf(o, empty)
}

func (p *deadlineProver) children(o *deadlineNode, j, k int) (first, second *deadlineNode) {
	first, second = o.clone(), o.clone()
	p.restrict(first, j, o.from[j], k)
	p.restrict(second, j, k+1, o.to[j])
	return first, second
}

// choose picks a job with shares of several levels, and the level to divide them at; −1: there is none, or no time.
func (p *deadlineProver) choose(ctx context.Context, o *deadlineNode) (job, level int) {
	type candidate struct {
		j, k int
		even float64
	}
	var list []candidate
	for j := range p.levels {
		below := 0.0
		for k := o.from[j]; k < o.to[j]; k++ {
			below += o.d.x(p.column[j] + k)
			if even := min(below, 1-below); even > 1e-12 {
				list = append(list, candidate{j, k, even})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b candidate) int { return cmp.Compare(b.even, a.even) })
	best, job, level := -1.0, -1, -1
	for _, c := range list[:min(len(list), strongCandidates)] {
		if ctx.Err() != nil {
			return -1, -1
		}
		first, second := p.children(o, c.j, c.k)
		if g := p.gain(ctx, o, first) * p.gain(ctx, o, second); g > best {
			best, job, level = g, c.j, c.k
		}
	}
	return job, level
}

func (p *deadlineProver) gain(ctx context.Context, o, child *deadlineNode) float64 {
	closed, _ := p.solve(ctx, child, strongRounds)
	return gain(p.goal-o.d.value, child.d.value-o.d.value, closed)
}

// leaf writes the prices that close o, or bound it.
func (p *deadlineProver) leaf(o *deadlineNode, empty bool) {
	if o.over > 0 {
		p.lines = append(p.lines, proof.DeadlineLine{Leaf: &proof.DeadlineLeaf{At: []float64{o.over}, Price: []float64{1}, Empty: true}})
		return
	}
	weights := make([]float64, len(o.rows))
	worth := p.worth
	if empty {
		o.d.ray(weights)
		worth = 1
	} else {
		o.d.duals(weights)
	}
	l := &proof.DeadlineLeaf{Empty: empty}
	for i, y := range weights {
		if m := o.rows[i]; m.at > 0 && y > 0 {
			l.At = append(l.At, m.at)
			l.Price = append(l.Price, significant(worth*y/(m.scale*float64(p.in.Slots)*m.at), 12))
		}
	}
	p.lines = append(p.lines, proof.DeadlineLine{Leaf: l})
}
