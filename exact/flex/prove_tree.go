package flex

import (
	"cmp"
	"context"
	"math"
	"slices"

	"schedgap/exact/verify"
	"schedgap/models/flex"
	"schedgap/models/proof"
)

// orderTree is the tree that proves that no schedule of a sum of convex penalties is worth less than goal, or as much of it as there is
// when ctx ends.
func orderTree(ctx context.Context, in *flex.Instance, goal float64) []any {
	p, root := newOrderProver(ctx, in, goal)
	p.visit(ctx, root)
	return p.lines
}

func newOrderProver(ctx context.Context, in *flex.Instance, goal float64) (*orderProver, *orderNode) {
	n := len(in.Jobs)
	r, d := newRelaxation(ctx, in)
	p := &orderProver{in: in, relax: r, n: n, goal: r.cutoff(goal)}
	o := &orderNode{d: d, rows: make([]namedRow, len(d.lasting)), leq: make([]bool, n*n)}
	p.base = o.clone()
	for i, list := range verify.FlexPairs(in) {
		for j, b := range list {
			if b {
				p.pair(o, i, j)
			}
		}
	}
	return p, o
}

func (p *orderProver) visit(ctx context.Context, o *orderNode) {
	closed, empty := p.solve(ctx, o, 200)
	l, proven := p.leaf(o, empty)
	if closed && !proven {
		// Rounding on the long way down made more of the program than there is.
		o = p.afresh(o)
		_, empty = p.solve(ctx, o, 200)
		l, proven = p.leaf(o, empty)
	}
	if !proven {
		if i, j := p.choose(ctx, o); i >= 0 {
			p.lines = append(p.lines, proof.OrderLine{Pair: []int{i, j}})
			first, second := o.clone(), o.clone()
			p.pair(first, i, j)
			p.pair(second, j, i)
			p.visit(ctx, first)
			p.visit(ctx, second)
			return
		}
		if empty {
			l, _ = p.leaf(o, false)
		}
	}
	p.write(l)
}

// afresh is o with the rows of its program put together again.
func (p *orderProver) afresh(o *orderNode) *orderNode {
	c := &orderNode{d: p.base.d.clone(), rows: slices.Clip(p.base.rows), leq: slices.Clone(p.base.leq)}
	for _, v := range slices.Sorted(slices.Values(slices.Concat(o.d.basic, o.d.nonbasic))) {
		if v < o.d.n || v-o.d.n < len(c.rows) {
			continue
		}
		if row := o.rows[v-o.d.n]; row.cut != nil {
			p.add(c, row.cut)
		} else {
			p.pair(c, row.i, row.j)
		}
	}
	return c
}

// choose picks a pair of jobs to branch on; −1: there is none, or no time.
func (p *orderProver) choose(ctx context.Context, o *orderNode) (i, j int) {
	r, n := p.relax, p.n
	for k := range r.times {
		r.times[k] = r.early[k] + o.d.x(k)
	}
	type candidate struct {
		i, j int
		gap  float64
	}
	gaps := make([]float64, n*n)
	for i := range n {
		sum := -float64(p.in.Slots) * r.times[i]
		lost := make([]float64, n)
		for j := range n {
			known, _ := p.counts(j, p.from(o, i, j))
			full := 0.0
			if j == i || r.times[j] <= r.times[i] {
				full = r.pourer.in.Jobs[j].Work
			} else {
				full, _ = p.counts(j, i)
			}
			lost[j] = full - known
			sum += full
		}
		if sum <= cutTolerance {
			continue
		}
		for j, v := range lost {
			if v > 0 {
				gaps[min(i, j)*n+max(i, j)] += min(v, sum)
			}
		}
	}
	var list []candidate
	for i := range n {
		for j := i + 1; j < n; j++ {
			if g := gaps[i*n+j]; g > 0 && !o.leq[i*n+j] && !o.leq[j*n+i] {
				list = append(list, candidate{i, j, g})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b candidate) int { return cmp.Compare(b.gap, a.gap) })
	best, i, j := -1.0, -1, -1
	for _, c := range list[:min(len(list), strongCandidates)] {
		if ctx.Err() != nil {
			return -1, -1
		}
		first, second := o.clone(), o.clone()
		p.pair(first, c.i, c.j)
		p.pair(second, c.j, c.i)
		g := p.gain(ctx, o, first) * p.gain(ctx, o, second)
		if g > best {
			best, i, j = g, c.i, c.j
		}
	}
	return i, j
}

// Branchings are compared by solving both children of strongCandidates pairs with at most strongRounds rounds of cuts.
const (
	strongCandidates = 4
	strongRounds     = 3
)

func (p *orderProver) gain(ctx context.Context, o, child *orderNode) float64 {
	closed, _ := p.solve(ctx, child, strongRounds)
	return gain(p.goal-o.d.value, child.d.value-o.d.value, closed)
}

// gain is what a child's bound gains on its parent's, of what is missing; the product of both children's compares branchings.
func gain(missing, got float64, closed bool) float64 {
	if closed {
		return missing
	}
	return max(min(got, missing), 1e-6*missing)
}

// leaf has the multipliers that close o, or bound it, with as few digits as will do, and says whether they close it.
func (p *orderProver) leaf(o *orderNode, empty bool) (l closing, proven bool) {
	weights := make([]float64, len(o.rows))
	if empty {
		o.d.ray(weights)
	} else {
		o.d.duals(weights)
	}
	l.empty = empty
	for i, y := range weights {
		if row := &o.rows[i]; row.unit > 0 && y > 0 {
			l.terms = append(l.terms, multiplier{row, y * row.unit})
		}
	}
	slices.SortStableFunc(l.terms, func(a, b multiplier) int { return cmp.Compare(a.row.number(), b.row.number()) })
	for _, l.digits = range []int{3, 5, 7, 9, 12, 17} {
		a, sum := make([]float64, p.n), 0.0
		for _, t := range l.terms {
			y := significant(t.y, l.digits) / t.row.unit
			if c := t.row.cut; c != nil {
				y *= t.row.unit / c.unit
				for j, v := range c.coef {
					a[j] += y * v
				}
				sum += y * c.rhs
				continue
			}
			a[t.row.j] += y
			a[t.row.i] -= y
		}
		if v := p.evaluate(a, sum, empty); empty && v > 1e-12 || !empty && v >= p.goal {
			return l, true
		}
	}
	return l, false
}

// A closing is what closes a node: multipliers of rows, with so many digits.
type closing struct {
	terms  []multiplier
	digits int
	empty  bool
}

type multiplier struct {
	row *namedRow
	y   float64
}

// write writes a leaf, after the cuts that are new in it.
func (p *orderProver) write(l closing) {
	leaf := &proof.OrderLeaf{Empty: l.empty}
	for _, t := range l.terms {
		y := significant(t.y, l.digits)
		if c := t.row.cut; c != nil {
			if c.number < 0 {
				c.number = p.named
				p.named++
				p.lines = append(p.lines, c.line)
			}
			leaf.Cuts, leaf.By = append(leaf.Cuts, c.number), append(leaf.By, y)
			continue
		}
		leaf.Pairs, leaf.Of = append(leaf.Pairs, [2]int{t.row.i, t.row.j}), append(leaf.Of, y)
	}
	p.lines = append(p.lines, proof.OrderLine{Leaf: leaf})
}

// number sorts rows: cuts in the order in which they were found, then pairs.
func (r *namedRow) number() int {
	if r.cut == nil {
		return math.MaxInt
	}
	return r.cut.found
}

// evaluate is the bound that inequalities a·C ≥ sum give together, in the program's units without its offset: each job alone takes
// the time at which penalty less a_j·C is least.
func (p *orderProver) evaluate(a []float64, sum float64, empty bool) float64 {
	r := p.relax
	for j, v := range a {
		at := []float64{r.early[j], r.late[j]}
		if p.in.Objective.Metric == flex.Tardiness {
			at = append(at, min(max(*p.in.Jobs[j].Deadline/r.unit, r.early[j]), r.late[j]))
		}
		least := math.Inf(1)
		for _, c := range at {
			f := -v * c
			if !empty {
				f += p.in.Penalty(j, c*r.unit) / r.worth
			}
			least = min(least, f)
		}
		sum += least
	}
	if empty {
		return sum
	}
	return sum - r.offset
}

// significant rounds v to some digits.
func significant(v float64, digits int) float64 {
	if digits >= 17 {
		return v
	}
	s := math.Pow(10, float64(digits-1)-math.Floor(math.Log10(v)))
	return math.Round(v*s) / s
}

// duals fills in the multipliers of the rows at the present basis.
func (d *dictionary) duals(y []float64) {
	for k, v := range d.nonbasic {
		if v >= d.n {
			y[v-d.n] = d.c[k]
		}
	}
}

// ray fills in multipliers with which the rows contradict x ≥ 0, after optimize found no point.
func (d *dictionary) ray(y []float64) {
	best, worst := -1, 0.0
	for r, b := range d.b {
		if b < worst && !slices.ContainsFunc(d.a[r*d.n:(r+1)*d.n], func(a float64) bool { return a > leastPivot }) {
			best, worst = r, b
		}
	}
	if best < 0 {
		return
	}
	if v := d.basic[best]; v >= d.n {
		y[v-d.n] = 1
	}
	for k, a := range d.a[best*d.n : (best+1)*d.n] {
		if v := d.nonbasic[k]; v >= d.n {
			y[v-d.n] = max(0, -a)
		}
	}
}
