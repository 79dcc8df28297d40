package redundancy

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"schedgap/models/redundancy"
)

// The linear program of a node ends after mostPivots pivots; costTolerance is the size below which a reduced cost counts as zero.
const (
	mostPivots    = 5000
	costTolerance = 1e-9
)

// A domain says what schedules a linear program is about: which sets of jobs may be unfinished in an interval between two
// arrivals, and how many copies jobs may have then. Nodes of a tree are domains.
type domain interface {
	Sets(k int) ([]uint64, error)
	Limited(k int, set uint64) bool
	Copies(k int, set uint64, job int) (least, most int)
}

// A masterProblem is the linear program of a domain: how long, between two arrivals, which jobs are unfinished and what each of
// them has meanwhile, in any order and mixture. Its columns are generated when the weights of its dual solution ask for them.
// It steers the search only; exact/verify finds the bound that the weights prove.
type masterProblem struct {
	in     *redundancy.Instance
	begin  []float64 // of the intervals
	length []float64 // of the intervals but the last
	here   []uint64  // jobs that have arrived in an interval
	h      []float64 // h[r], h[0] = 0
	gain   []float64 // as of the envelope
}

// A column is a unit of time in an interval during which the jobs of set are unfinished and hold copies.
type column struct {
	interval int
	set      uint64
	terms    []rateTerm
}

// A rateTerm is what one job holds in a column, and rate the work that it does with that in a unit of time.
type rateTerm struct {
	job, machines, copies int
	rate                  float64
}

func (c *column) cost() float64 { return float64(bits.OnesCount64(c.set)) }

// An lpSolution is a primal and a dual solution of the master problem.
type lpSolution struct {
	weights []float64 // of a unit of work, by job: the best that were found
	bound   float64   // that they prove, except for rounding
	columns []*column // none, if that is as much as was asked for
	time    []float64 // of each of them
	missing float64   // shares of jobs' works, and times, that no columns have
	known   []*column // to begin with where a domain is a part of this one
}

func newMasterProblem(in *redundancy.Instance) *masterProblem {
	p := &masterProblem{in: in, h: append([]float64{0}, in.Speedup...), gain: redundancy.Gains(in.Speedup)}
	for _, j := range redundancy.ByArrival(in) {
		a, last := in.Jobs[j].Arrival, len(p.begin)-1
		if last < 0 || a > p.begin[last] {
			p.begin, p.here = append(p.begin, a), append(p.here, 0)
			last++
			if last > 0 {
				p.length, p.here[last] = append(p.length, a-p.begin[last-1]), p.here[last-1]
			}
		}
		p.here[last] |= 1 << j
	}
	return p
}

// solve finds the least sum of flowtimes of a domain, given columns that may be of use. It ends as soon as the weights
// prove target.
func (p *masterProblem) solve(d domain, known []*column, target float64) (*lpSolution, error) {
	sets := make([][]uint64, len(p.length)+1)
	for k := range sets {
		var err error
		sets[k], err = d.Sets(k)
		if err != nil {
			return nil, err
		}
		if len(sets[k]) == 0 { // no schedule is left, so any weights do
			return &lpSolution{weights: make([]float64, len(p.in.Jobs)), bound: math.Inf(1)}, nil
		}
	}
	b, pool := p.initialBasis(d, sets, target), p.fitting(d, known, sets)
	x := &lpSolution{bound: math.Inf(-1)}
	for range mostPivots {
		y := b.dual()
		var enter *column
		least := -costTolerance
		for _, c := range pool {
			if v := b.reducedCost(y, c); v < least {
				enter, least = c, v
			}
		}
		if enter == nil {
			found, weights, bound := p.generateColumns(d, sets, y)
			if x.weights == nil || bound > x.bound {
				x.weights, x.bound = weights, bound
			}
			if bound >= target {
				return x, nil
			}
			for _, c := range found {
				if v := b.reducedCost(y, c); v < least {
					enter, least = c, v
				}
			}
			pool = append(pool, found...)
		}
		if enter == nil || !b.pivot(enter) {
			break
		}
	}
	for i, c := range b.columns {
		switch {
		case c == nil:
			x.missing += b.x[i] * b.cost[i] / (1000 * target)
		case len(c.terms) > 0 && c.set != 0:
			x.known = append(x.known, c)
			fallthrough
		case c.set != 0:
			x.columns, x.time = append(x.columns, c), append(x.time, b.x[i])
		}
	}
	return x, nil
}

// fitting are the columns that the domain allows. On shared machines a job may do less than all that it could.
func (p *masterProblem) fitting(d domain, known []*column, sets [][]uint64) []*column {
	var list []*column
	allowed := make([]map[uint64]bool, len(sets))
	for k, list := range sets {
		allowed[k] = make(map[uint64]bool, len(list))
		for _, set := range list {
			allowed[k][set] = true
		}
	}
	for j := range p.in.Jobs {
		if p.in.Multitasking {
			list = append(list, &column{len(p.length), 0, []rateTerm{{job: j, rate: -1}}})
		}
	}
	for _, c := range known {
		fits := allowed[c.interval][c.set]
		if fits && d.Limited(c.interval, c.set) {
			copies := make([]int, len(p.in.Jobs))
			for _, a := range c.terms {
				copies[a.job] = a.copies
			}
			for rest := c.set; rest != 0; rest &= rest - 1 {
				j := bits.TrailingZeros64(rest)
				low, high := d.Copies(c.interval, c.set, j)
				fits = fits && (low <= copies[j] && copies[j] <= high || p.in.Multitasking && copies[j] == 0)
			}
		}
		if fits {
			list = append(list, c)
		}
	}
	return list
}

// A bundle is some machines that one job takes together. gain is the work that each of them does in a unit of time, price what
// that work earns at the weights.
type bundle struct {
	job, many   int
	gain, price float64
}

// bundles are those of all jobs, the dearest first, where copies says how many copies each may have. On shared machines a job has
// a share of some copies, or none, so its earnings are concave in its machines: the same on each of the least, then the
// gains.
func (p *masterProblem) bundles(u []float64, copies func(j int) (least, most int)) []bundle {
	var list []bundle
	for j := range u {
		low, high := copies(j)
		if p.in.Multitasking && low > 0 {
			list = append(list, bundle{j, low, p.h[low] / float64(low), 0})
		}
		for r := low + 1; r <= high; r++ {
			list = append(list, bundle{j, 1, p.gain[r-1], 0})
		}
	}
	for i := range list {
		list[i].price = u[list[i].job] * list[i].gain
	}
	list = slices.DeleteFunc(list, func(a bundle) bool { return !(a.price > 0) })
	slices.SortStableFunc(list, func(a, b bundle) int { return cmp.Compare(b.price, a.price) })
	return list
}

// A pricing problem finds what machines earn most with, at weights u of a unit of each job's work.
type pricingProblem struct {
	p    *masterProblem
	d    domain
	u    []float64
	free []bundle // of jobs whose copies are not limited
}

// bestEarnings gives all machines to the jobs of set, where they are worth most. It returns their earnings and, if wanted, what each
// job holds. The earnings are −∞ if the least copies of whole machines are too many.
func (q *pricingProblem) bestEarnings(k int, set uint64, wanted bool) (sum float64, terms []rateTerm) {
	p, bundles, left := q.p, q.free, q.p.in.Machines
	give := func(j, machines, copies int, gain float64) {
		sum += q.u[j] * gain * float64(machines)
		left -= machines
		if !wanted {
			return
		}
		i := slices.IndexFunc(terms, func(a rateTerm) bool { return a.job == j })
		if i < 0 {
			i, terms = len(terms), append(terms, rateTerm{job: j})
		}
		a := &terms[i]
		a.machines, a.copies, a.rate = a.machines+machines, a.copies+copies, a.rate+float64(machines)*gain
	}
	if q.d.Limited(k, set) {
		bundles = p.bundles(q.u, func(j int) (int, int) { return q.d.Copies(k, set, j) })
		for rest := set; rest != 0 && !p.in.Multitasking; rest &= rest - 1 {
			j := bits.TrailingZeros64(rest)
			if low, _ := q.d.Copies(k, set, j); low > 0 {
				give(j, low, low, p.h[low]/float64(low))
			}
		}
		if left < 0 {
			return math.Inf(-1), nil
		}
	}
	for i := range bundles {
		if a := &bundles[i]; left > 0 && set>>a.job&1 == 1 {
			give(a.job, min(a.many, left), a.many, a.gain)
		}
	}
	return sum, terms
}

// generateColumns makes the columns of negative reduced cost, at most one an interval, that a dual solution y asks for. It scales the
// weights so that after the last arrival earnings never exceed the number of unfinished jobs, and returns the bound they prove.
func (p *masterProblem) generateColumns(d domain, sets [][]uint64, y []float64) (list []*column, weights []float64, bound float64) {
	least := 1
	if !p.in.Multitasking {
		least = 0
	}
	q := &pricingProblem{p: p, d: d, u: slices.Clone(y[len(p.length):])}
	for j, u := range q.u {
		if p.in.Multitasking { // rounding makes it negative
			q.u[j] = max(0, u)
		}
	}
	q.free = p.bundles(q.u, func(int) (int, int) { return least, p.in.Machines })
	scale, size := 1.0, 0.0
	add := func(v float64) { bound, size = bound+v, size+math.Abs(v) }
	for k := len(sets) - 1; k >= 0; k-- {
		dual := 0.0
		if k < len(p.length) {
			dual = y[k]
		}
		most, best := math.Inf(1), -costTolerance
		enter := -1
		for i, set := range sets[k] {
			jobs := float64(bits.OnesCount64(set))
			earned, _ := q.bestEarnings(k, set, false)
			if k == len(p.length) && scale*earned > jobs {
				scale = jobs / earned
			}
			most = min(most, jobs-scale*earned)
			if v := jobs - earned - dual; v < best {
				best, enter = v, i
			}
		}
		if k < len(p.length) {
			add(p.length[k] * most)
		}
		if enter >= 0 {
			_, terms := q.bestEarnings(k, sets[k][enter], true)
			list = append(list, &column{k, sets[k][enter], terms})
		}
	}
	for j, u := range q.u {
		weights = append(weights, scale*u)
		add(scale * u * p.in.Jobs[j].Work)
	}
	if math.IsInf(size, 1) {
		return list, weights, bound
	}
	return list, weights, lowered(bound, size)
}

// A basis is one of the revised simplex method, its inverse explicit: a row for the length of each interval but the last,
// then one for each job's work.
type basis struct {
	inverse [][]float64
	x, cost []float64
	columns []*column // nil means an artificial one
	times   int
}

// initialBasis is the basis of idle time in each interval and of artificial columns: work that is missing, and idle time where no
// schedule may be idle, cost 1000 times the target.
func (p *masterProblem) initialBasis(d domain, sets [][]uint64, target float64) *basis {
	times := len(p.length)
	rows := times + len(p.in.Jobs)
	b := &basis{times: times, columns: make([]*column, rows), x: append(slices.Clone(p.length), make([]float64, len(p.in.Jobs))...)}
	b.inverse, b.cost = make([][]float64, rows), make([]float64, rows)
	for i := range rows {
		b.inverse[i] = make([]float64, rows)
		b.inverse[i][i] = 1
		if i < times && (p.in.Multitasking || !d.Limited(i, sets[i][0])) {
			b.columns[i] = &column{interval: i, set: sets[i][0]}
			b.cost[i] = b.columns[i].cost()
			continue
		}
		if i >= times {
			b.x[i] = p.in.Jobs[i-times].Work
		}
		b.cost[i] = 1000 * target / b.x[i]
	}
	return b
}

func (b *basis) dual() []float64 {
	y := make([]float64, len(b.x))
	for i, c := range b.cost {
		if c != 0 {
			for k, v := range b.inverse[i] {
				y[k] += c * v
			}
		}
	}
	return y
}

func (b *basis) reducedCost(y []float64, c *column) float64 {
	v := c.cost()
	if c.interval < b.times {
		v -= y[c.interval]
	}
	for _, a := range c.terms {
		v -= y[b.times+a.job] * a.rate
	}
	return v
}

// pivot brings a column into the basis. It returns false if no column of the basis limits it.
func (b *basis) pivot(c *column) bool {
	w := make([]float64, len(b.x))
	for i, row := range b.inverse {
		if c.interval < b.times {
			w[i] = row[c.interval]
		}
		for _, a := range c.terms {
			w[i] += row[b.times+a.job] * a.rate
		}
	}
	out, ratio := -1, math.Inf(1)
	for i, v := range w {
		if v > costTolerance {
			if q := b.x[i] / v; q < ratio || q == ratio && v > w[out] {
				out, ratio = i, q
			}
		}
	}
	if out < 0 {
		return false
	}
	row := b.inverse[out]
	for k := range row {
		row[k] /= w[out]
	}
	for i, v := range w {
		if i != out && v != 0 {
			for k := range row {
				b.inverse[i][k] -= v * row[k]
			}
			b.x[i] = max(0, b.x[i]-v*ratio)
		}
	}
	b.x[out], b.cost[out], b.columns[out] = ratio, c.cost(), c
	return true
}
