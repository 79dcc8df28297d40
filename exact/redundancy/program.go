package redundancy

import (
	"cmp"
	"math"
	"slices"
)

// A program is the linear program of a timeline: for how long machines are allotted how in each gap. Its columns are allotments of a gap,
// found where they pay, and jobs' work left at the timeline's end, at what it costs from there on. Its rows are the jobs' work and
// the lengths of periods. What proves a bound is a price u for a unit of each job's work: any u does.
type program struct {
	s      *shareSearch
	line   *timeline
	gaps   []gap
	work   []int // by job: its row, −1: none
	convex []int // by job: the row that says that some of its work, all or nothing is left, −1: none
	period []int // by period: its row
	right  []float64
	fixed  float64   // what the bound is beside the rows
	size   float64   // of its terms
	y      []float64 // by job: what a unit of work left costs, 0 if curve tells
	curve  []*curve  // by job
	last   bool      // the timeline ends at the last arrival
	open   []int     // if so, the jobs that it does not say the turn of, the largest work first
	mix    int       // and the row that says that some of them are left
	job    []int     // by row: the job whose work it is, −1: none

	basis   []column
	inverse [][]float64
	x       []float64 // by row of the basis
	dual    []float64
	u       []float64 // by job
	scratch []portion
	factor  [][]float64
	column  []float64
}

// A column is a way to spend a unit of time of a gap (gap ≥ 0), or work left of a job.
type column struct {
	gap  int
	hold []portion
	job  int
	left float64 // work; job is a row in an artificial column
	cost float64
}

// Columns that are not of a gap.
const (
	suffix     = -1 // work left of a job
	artificial = -2
	mixed      = -3 // all work of some of the jobs whose turn is open
)

// A basis is inverted again after so many pivots; a program is given up, with the bound that it has, after so many rounds.
const (
	freshPivots = 100
	mostRounds  = 500
)

func (s *shareSearch) program(line *timeline) *program {
	p := &program{s: s, line: line, gaps: s.gaps(line)}
	n, k := len(s.order), line.level
	p.work, p.convex, p.period = make([]int, n), make([]int, n), make([]int, k)
	p.y, p.curve = make([]float64, n), make([]*curve, n)
	row := func(job int, right float64) int {
		p.right, p.job = append(p.right, right), append(p.job, job)
		return len(p.right) - 1
	}
	add := func(v float64) {
		p.fixed += v
		p.size += math.Abs(v)
	}
	done := make([]bool, n)
	for _, ends := range line.ends {
		for _, j := range ends {
			done[j] = true
		}
	}
	for i := range k {
		p.period[i] = row(-1, s.length(i))
	}
	for j := range n {
		p.work[j], p.convex[j] = -1, -1
		if s.of[j] < k {
			p.work[j] = row(j, s.in.Jobs[j].Work)
		}
	}
	p.last = k == len(s.begin)-1
	if p.last {
		for j := range n {
			add(s.in.Jobs[j].Arrival)
			if !done[j] && !slices.Contains(line.after, j) {
				p.open = append(p.open, j)
			}
		}
		slices.SortStableFunc(p.open, func(a, b int) int { return cmp.Compare(s.in.Jobs[b].Work, s.in.Jobs[a].Work) })
		for x, j := range line.after {
			y := s.env.y[len(line.after)+len(p.open)-1-x]
			if p.work[j] < 0 {
				add(y * s.in.Jobs[j].Work)
			}
			p.y[j] = y
		}
		p.mix = row(-1, 1)
		return p
	}
	add(-s.worth[k])
	for j := range n {
		first, end := k, len(s.begin)-1
		switch {
		case slices.Contains(line.now, j):
			end = k
		case slices.Contains(line.later, j):
			first = k + 1
		}
		switch {
		case done[j]:
			add(s.in.Jobs[j].Arrival)
			add(s.done[j][k])
		case p.work[j] >= 0:
			p.curve[j] = s.periods.curve(j, k, first, end, s.limit)
			p.convex[j] = row(-1, 1)
		case s.of[j] > k:
			add(s.least[j])
		default:
			add(slices.Min(s.cost[j][first : end+1]))
		}
	}
	return p
}

// bound is the one that u proves. entering, unless nil, hears of the best columns with what they cost at u, and at the duals of other rows
// that dual tells.
func (p *program) bound(u []float64, entering func(c column, reduced float64)) float64 {
	sum, size := p.fixed, p.size
	s := p.s
	for j, row := range p.work {
		if row < 0 {
			continue
		}
		v := u[j] * s.in.Jobs[j].Work
		sum += v
		size += math.Abs(v)
		switch {
		case p.curve[j] != nil:
			v, left, cost := p.curve[j].at(s.unit, u[j])
			sum += v
			size += math.Abs(v)
			if entering != nil {
				entering(column{gap: suffix, job: j, left: left, cost: cost}, v-p.dual[p.convex[j]])
			}
		case p.y[j] > 0 && u[j] > p.y[j]:
			return math.Inf(-1)
		}
	}
	if p.last {
		v, c := p.leave(u, entering != nil)
		sum += v
		size += math.Abs(v)
		if entering != nil {
			entering(c, v-p.dual[p.mix])
		}
	}
	best, where := math.Inf(1), -1
	for q := range p.gaps {
		g := &p.gaps[q]
		var v float64
		v, p.scratch = s.earn(g, u, p.scratch[:0])
		if g.count-v < best {
			best, where = g.count-v, q
		}
		if q+1 < len(p.gaps) && p.gaps[q+1].period == g.period {
			continue
		}
		length := s.length(g.period)
		sum += length * best
		size += length * math.Abs(best)
		if entering != nil {
			if reduced := best - p.dual[p.period[g.period]]; reduced < 0 {
				g := &p.gaps[where]
				var hold []portion
				_, hold = s.earn(g, u, p.scratch[:0])
				p.scratch = hold
				entering(column{gap: where, hold: slices.Clone(hold), cost: g.count}, reduced)
			}
		}
		best, where = math.Inf(1), -1
	}
	return lowered(sum, size)
}

// leave is the least, over sets of the jobs whose turn is open, of what it costs to leave all their work, less what that is worth: a bound
// on what they cost with any work left, since that is a concave function of it. Jobs that have just arrived are left.
func (p *program) leave(u []float64, which bool) (float64, column) {
	n := len(p.open)
	y := p.s.env.y
	table := make([]float64, (n+1)*(n+1)) // by job and how many are left before
	cost := func(x, k int) float64 {
		j := p.open[x]
		c := y[k]
		if p.work[j] >= 0 {
			c -= u[j]
		}
		return c * p.s.in.Jobs[j].Work
	}
	for x := n - 1; x >= 0; x-- {
		for k := 0; k <= x; k++ {
			v := cost(x, k) + table[(x+1)*(n+1)+k+1]
			if p.work[p.open[x]] >= 0 {
				v = min(v, table[(x+1)*(n+1)+k])
			}
			table[x*(n+1)+k] = v
		}
	}
	c := column{gap: mixed}
	for x, k := 0, 0; which && x < n; x++ {
		j := p.open[x]
		if v := cost(x, k) + table[(x+1)*(n+1)+k+1]; p.work[j] < 0 || v < table[(x+1)*(n+1)+k] {
			c.cost += y[k] * p.s.in.Jobs[j].Work
			if p.work[j] >= 0 {
				c.hold = append(c.hold, portion{job: j})
			}
			k++
		}
	}
	return table[0], c
}

// leaving is the column of some jobs that are left with all their work.
func (p *program) leaving(left []int) column {
	c := column{gap: mixed}
	k := 0
	for _, j := range p.open {
		if p.work[j] < 0 || slices.Contains(left, j) {
			c.cost += p.s.env.y[k] * p.s.in.Jobs[j].Work
			if p.work[j] >= 0 {
				c.hold = append(c.hold, portion{job: j})
			}
			k++
		}
	}
	return c
}

// coefficients writes a column's into a.
func (p *program) coefficients(c *column, a []float64) {
	clear(a)
	switch {
	case c.gap >= 0:
		a[p.period[p.gaps[c.gap].period]] = 1
		for _, h := range c.hold {
			a[p.work[h.job]] += h.share * p.s.env.h[h.copies]
		}
	case c.gap == mixed:
		a[p.mix] = 1
		for _, h := range c.hold {
			a[p.work[h.job]] = p.s.in.Jobs[h.job].Work
		}
	case c.gap == artificial:
		a[c.job] = c.left
	default:
		a[p.work[c.job]] = c.left
		if row := p.convex[c.job]; row >= 0 {
			a[row] = 1
		}
	}
}

// start makes a first basis: machines are idle, work is left, and what is amiss costs dear; false if there is none.
func (p *program) start(dear float64) bool {
	m := len(p.right)
	for q := range p.gaps {
		if g := &p.gaps[q]; q == 0 || p.gaps[q-1].period != g.period {
			p.basis = append(p.basis, column{gap: q, cost: g.count})
		}
	}
	for j, row := range p.work {
		if row < 0 || slices.Contains(p.open, j) {
			continue
		}
		switch c := p.curve[j]; {
		case c != nil:
			last := len(p.s.unit) - 1
			p.basis = append(p.basis, column{gap: suffix, job: j, left: c.work, cost: c.value[last] + p.s.unit[last]*c.work})
			if c.work < p.s.in.Jobs[j].Work {
				p.basis = append(p.basis, column{gap: artificial, job: row, left: 1, cost: dear})
			} else {
				p.basis = append(p.basis, column{gap: suffix, job: j, left: 0, cost: c.value[0]})
			}
		case p.y[j] > 0:
			p.basis = append(p.basis, column{gap: suffix, job: j, left: 1, cost: p.y[j]})
		default:
			p.basis = append(p.basis, column{gap: artificial, job: row, left: 1, cost: dear})
		}
	}
	if p.last { // nested sets
		p.basis = append(p.basis, p.leaving(nil))
		for k, j := range p.open {
			if p.work[j] >= 0 {
				p.basis = append(p.basis, p.leaving(p.open[:k+1]))
			}
		}
	}
	p.inverse, p.factor = make([][]float64, m), make([][]float64, m)
	for i := range m {
		p.inverse[i], p.factor[i] = make([]float64, m), make([]float64, m)
	}
	p.x, p.dual, p.column = make([]float64, m), make([]float64, m), make([]float64, m)
	p.u = make([]float64, len(p.s.order))
	return p.refactor()
}

// refactor inverts the basis again; false if it is singular.
func (p *program) refactor() bool {
	m := len(p.right)
	a := p.factor
	for c := range p.basis {
		p.coefficients(&p.basis[c], p.column)
		for i, v := range p.column {
			a[i][c] = v
		}
	}
	for i := range m {
		clear(p.inverse[i])
		p.inverse[i][i] = 1
	}
	for c := range m {
		if p.s.ctx.Err() != nil {
			return false
		}
		best := c
		for i := c + 1; i < m; i++ {
			if math.Abs(a[i][c]) > math.Abs(a[best][c]) {
				best = i
			}
		}
		if math.Abs(a[best][c]) < 1e-11 {
			return false
		}
		a[c], a[best] = a[best], a[c]
		p.inverse[c], p.inverse[best] = p.inverse[best], p.inverse[c]
		f := 1 / a[c][c]
		for i := c; i < m; i++ {
			a[c][i] *= f
		}
		for i := range m {
			p.inverse[c][i] *= f
		}
		for i := range m {
			f := a[i][c]
			if i == c || f == 0 {
				continue
			}
			for k := c; k < m; k++ {
				a[i][k] -= f * a[c][k]
			}
			for k, v := range p.inverse[c] {
				p.inverse[i][k] -= f * v
			}
		}
	}
	for i := range m {
		p.x[i] = 0
		for k, v := range p.inverse[i] {
			p.x[i] += v * p.right[k]
		}
	}
	p.duals()
	return true
}

func (p *program) duals() {
	clear(p.dual)
	for i := range p.basis {
		if c := p.basis[i].cost; c != 0 {
			for k, v := range p.inverse[i] {
				p.dual[k] += c * v
			}
		}
	}
}

// enter pivots a column into the basis, if it still pays; reduced is its cost at the duals.
func (p *program) enter(c column, tolerance float64) bool {
	p.coefficients(&c, p.column)
	reduced := c.cost
	for k, v := range p.column {
		if v != 0 {
			reduced -= p.dual[k] * v
		}
	}
	if reduced >= -tolerance {
		return false
	}
	m := len(p.right)
	d := p.factor[0][:m]
	out, ratio := -1, math.Inf(1)
	for i := range m {
		v := 0.0
		for k, a := range p.column {
			if a != 0 {
				v += p.inverse[i][k] * a
			}
		}
		d[i] = v
		if v > 1e-9 {
			r := max(0, p.x[i]) / v
			if out < 0 || r < ratio*(1-1e-12) || r <= ratio && (p.basis[i].gap == artificial || v > d[out]) {
				out, ratio = i, r
			}
		}
	}
	if out < 0 {
		return false
	}
	row := p.inverse[out]
	f := 1 / d[out]
	for k := range row {
		row[k] *= f
	}
	p.x[out] = ratio
	for i := range m {
		if v := d[i]; i != out && v != 0 {
			p.x[i] -= v * ratio
			for k, r := range row {
				p.inverse[i][k] -= v * r
			}
		}
	}
	for k, r := range row {
		p.dual[k] += reduced * r
	}
	p.basis[out] = c
	return true
}

// value is what the basis costs, and how much of it is artificial.
func (p *program) value() (sum, off float64) {
	sum = p.fixed
	for i := range p.basis {
		sum += p.x[i] * p.basis[i].cost
		if p.basis[i].gap == artificial {
			off += p.x[i]
		}
	}
	return sum, off
}

// solve looks for prices of work that prove as much as possible, or the threshold, and writes them into best. At the end the basis is optimal,
// unless the bound has reached the threshold or ctx has ended.
func (p *program) solve(threshold float64, best []float64) float64 {
	dear := 100 * p.s.env.y[len(p.s.env.y)-1]
	bound := math.Inf(-1)
	if !p.start(dear) {
		return bound
	}
	var list []column
	pivots := 0
	tolerance := 1e-10 * p.s.env.y[len(p.s.env.y)-1]
	for range mostRounds {
		if p.s.ctx.Err() != nil {
			return bound
		}
		for j, row := range p.work {
			if row >= 0 {
				p.u[j] = p.dual[row]
				if p.y[j] > 0 {
					p.u[j] = min(p.u[j], p.y[j])
				}
			}
		}
		list = list[:0]
		b := p.bound(p.u, func(c column, reduced float64) {
			if reduced < -tolerance {
				list = append(list, c)
			}
		})
		if b > bound {
			bound = b
			copy(best, p.u)
		}
		if bound >= threshold {
			return bound
		}
		for j, row := range p.work { // slack of the work left
			if row >= 0 && p.y[j] > 0 && p.dual[row] > p.y[j]+tolerance {
				list = append(list, column{gap: suffix, job: j, left: 1, cost: p.y[j]})
			}
		}
		entered := false
		for _, c := range list {
			if p.enter(c, tolerance) {
				entered = true
				if pivots++; pivots%freshPivots == 0 && !p.refactor() {
					return bound
				}
			}
		}
		if !entered {
			if _, off := p.value(); off > 1e-7 && dear < 1e12*p.s.env.y[len(p.s.env.y)-1] {
				dear *= 1000
				for i := range p.basis {
					if p.basis[i].gap == artificial {
						p.basis[i].cost = dear
					}
				}
				p.duals()
				continue
			}
			break
		}
	}
	return bound
}

// lengths are those of the gaps.
func (p *program) lengths() []float64 {
	list := make([]float64, len(p.gaps))
	for i, c := range p.basis {
		if c.gap >= 0 {
			list[c.gap] += max(0, p.x[i])
		}
	}
	return list
}
