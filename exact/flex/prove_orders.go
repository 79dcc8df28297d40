package flex

import (
	"cmp"
	"context"
	"math"
	"slices"

	"schedgap/models/flex"
	"schedgap/models/proof"
)

// An orderProver proves that no schedule of a sum of convex penalties is better than a known value. A node says of some pairs of jobs
// which completes first; a linear program over completion times with cuts (docs/proofs.md) bounds what is in it.
type orderProver struct {
	in    *flex.Instance
	relax *relaxation
	n     int
	goal  float64 // the program's value from which on a node is closed
	found int     // cuts
	named int     // cuts that are written
	lines []any
	base  *orderNode // without any pair
}

// A namedCut is a valid inequality coef·C ≥ rhs, times in units.
type namedCut struct {
	line   proof.OrderLine
	coef   []float64
	rhs    float64
	unit   float64 // one of its multiplier is so much of the written one's
	found  int     // when
	number int     // in the file; −1: not written
}

// An orderNode is a node with its program.
type orderNode struct {
	d    *dictionary
	rows []namedRow // of each slack
	leq  []bool     // leq[i·n+j]: job i completes no later than j
}

// A namedRow says what a row of the program is: a cut, a pair of jobs, or what the times' bounds and penalties imply.
type namedRow struct {
	cut  *namedCut
	i, j int
	unit float64 // 0: implied
}

func (o *orderNode) clone() *orderNode {
	c := &orderNode{d: o.d.clone(), rows: slices.Clip(o.rows), leq: slices.Clone(o.leq)}
	c.d.prune()
	return c
}

// before adds that job i completes no later than j, and what follows.
func (o *orderNode) before(n, i, j int) {
	for a := range n {
		if a != i && !o.leq[a*n+i] {
			continue
		}
		for b := range n {
			if b == j || o.leq[j*n+b] {
				o.leq[a*n+b] = a != b || o.leq[a*n+b]
			}
		}
	}
}

func (p *orderProver) pair(o *orderNode, i, j int) {
	o.before(p.n, i, j)
	r := p.relax
	clear(r.coef)
	r.coef[j], r.coef[i] = 1, -1
	r.add(o.d, 0, true)
	o.rows = append(o.rows, namedRow{i: i, j: j, unit: r.worth / r.unit})
}

func (p *orderProver) add(o *orderNode, c *namedCut) {
	r := p.relax
	copy(r.coef, c.coef)
	p.found++
	c.found = p.found
	scale := 0.0
	for _, v := range c.coef {
		scale = max(scale, math.Abs(v))
	}
	r.add(o.d, c.rhs, false)
	o.rows = append(o.rows, namedRow{cut: c, unit: c.unit / scale})
}

// solve tightens a node until its program reaches the goal (closed), is empty, or no cut is violated.
func (p *orderProver) solve(ctx context.Context, o *orderNode, rounds int) (closed, empty bool) {
	return o.d.tighten(ctx, p.goal, rounds, func() bool { return p.separate(o) })
}

// separate adds violated cuts.
func (p *orderProver) separate(o *orderNode) bool {
	for j := range p.relax.times {
		p.relax.times[j] = p.relax.early[j] + o.d.x(j)
	}
	found := false
	for i := range p.n {
		if c := p.moment(o, i); c != nil {
			p.add(o, c)
			found = true
		}
	}
	if c := p.parallel(); c != nil {
		p.add(o, c)
		found = true
	}
	return found
}

// from is the last job known to complete no later than i and than j; −1: none.
func (p *orderProver) from(o *orderNode, i, j int) int {
	n := p.n
	switch {
	case i == j || o.leq[i*n+j]:
		return i
	case o.leq[j*n+i]:
		return j
	}
	best := -1
	for k := range n {
		if o.leq[k*n+i] && o.leq[k*n+j] && (best < 0 || p.relax.times[k] > p.relax.times[best]) {
			best = k
		}
	}
	return best
}

// counts is what job j has done at least by the time of job from, at the relaxation's times, and whether it is because it runs at its
// maximum from then on.
func (p *orderProver) counts(j, from int) (work float64, late bool) {
	if from < 0 {
		return 0, false
	}
	job := &p.relax.pourer.in.Jobs[j]
	if from == j {
		return job.Work, true
	}
	t := p.relax.times[from]
	early := float64(job.Min) * t
	if w := job.Work - float64(job.Max)*(p.relax.times[j]-t); w > early {
		return w, true
	}
	return early, false
}

// moment is the cut at the end of job i, if it is violated.
func (p *orderProver) moment(o *orderNode, i int) *namedCut {
	r, n := p.relax, p.n
	sum := -float64(p.in.Slots) * r.times[i]
	for j := range n {
		w, _ := p.counts(j, p.from(o, i, j))
		sum += w
	}
	if sum <= cutTolerance*float64(p.in.Slots) {
		return nil
	}
	c := &namedCut{coef: make([]float64, n), unit: r.worth / r.unit, number: -1}
	m := &proof.MomentCut{End: i, From: make([]int, n), Late: []int{}}
	c.line.Moment = m
	c.coef[i] = float64(p.in.Slots)
	for j := range n {
		from := p.from(o, i, j)
		_, late := p.counts(j, from)
		job := &r.pourer.in.Jobs[j]
		if !late && job.Min == 0 {
			from = -1
		}
		m.From[j] = from
		if from < 0 {
			continue
		}
		switch {
		case late:
			m.Late = append(m.Late, j)
			c.rhs += job.Work
			c.coef[j] += float64(job.Max)
			c.coef[from] -= float64(job.Max)
		default:
			c.coef[from] -= float64(job.Min)
		}
	}
	return p.violated(c)
}

func (p *orderProver) violated(c *namedCut) *namedCut {
	got, scale := 0.0, 0.0
	for j, v := range c.coef {
		got += v * p.relax.times[j]
		scale = max(scale, math.Abs(v))
	}
	if scale < 1e-9 || (c.rhs-got)/scale <= cutTolerance {
		return nil
	}
	return c
}

// parallel is the most violated parallel inequality among those of leading jobs by mean busy time.
func (p *orderProver) parallel() *namedCut {
	r, n := p.relax, p.n
	jobs := r.pourer.in.Jobs
	y, slope := make([]float64, n), make([]float64, n)
	order := make([]int, n)
	for j := range jobs {
		y[j], slope[j] = busy(&jobs[j], r.times[j])
		order[j] = j
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(y[a]/jobs[a].Work, y[b]/jobs[b].Work) })
	in := make([]bool, n)
	worst, size, sum := 0.0, 0, 0.0
	for i, j := range order {
		in[j] = true
		sum += y[j]
		if gap := r.leftover(in) - sum; gap > worst {
			worst, size = gap, i+1
		}
	}
	if size == 0 {
		return nil
	}
	set := slices.Sorted(slices.Values(order[:size]))
	clear(in)
	c := &namedCut{coef: make([]float64, n), unit: r.worth / (r.unit * r.unit), number: -1}
	l := &proof.ParallelCut{Jobs: set, At: make([]float64, size)}
	for i, j := range set {
		in[j] = true
		c.coef[j] = slope[j]
		c.rhs += slope[j]*r.times[j] - y[j]
		l.At[i] = r.times[j] * r.unit
	}
	c.rhs += r.leftover(in)
	c.line.Parallel = l
	return p.violated(c)
}
