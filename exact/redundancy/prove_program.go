package redundancy

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"schedgap/exact/verify"
	"schedgap/models/redundancy"
)

// The linear program of a node ends after sharePivots pivots; shareCost is the size below which a reduced cost counts as zero.
const (
	sharePivots = 5000
	shareCost   = 1e-9
)

// A shareProgram is the linear program of a node of a proof on shared machines: how long, between two arrivals, which jobs are unfinished and
// what each of them has meanwhile, in any order and mixture. Its columns are made when the weights of its dual solution ask for them. It
// steers the proof only; what the weights prove is found by exact/verify.
type shareProgram struct {
	in     *redundancy.Instance
	length []float64   // of the intervals but the last
	h      []float64   // h[r], h[0] = 0
	gain   []float64   // as of the envelope
	pool   []*shareRun // of all nodes so far
}

// A shareRun is what jobs have while those of set are unfinished.
type shareRun struct {
	interval int
	set      uint64
	parts    []sharePart
}

// A sharePart is what one job has: machines of that many copies, which is a share.
type sharePart struct {
	job, machines, copies int
	rate                  float64
}

func (r *shareRun) cost() float64 { return float64(bits.OnesCount64(r.set)) }

// A sharePoint is a solution of the program.
type sharePoint struct {
	weights []float64 // of a unit of work, by job
	proves  bool      // whether they prove the target, except for rounding; if so, the solution is not there
	runs    []*shareRun
	time    []float64 // of each of them
}

func newShareProgram(in *redundancy.Instance) *shareProgram {
	p := &shareProgram{in: in, h: append([]float64{0}, in.Speedup...), gain: gains(in.Speedup)}
	order := byArrival(in)
	for i, j := range order[1:] {
		if d := in.Jobs[j].Arrival - in.Jobs[order[i]].Arrival; d > 0 {
			p.length = append(p.length, d)
		}
	}
	return p
}

// solve finds the least sum of flowtimes of a node, given the sets of unfinished jobs of each interval. It ends as soon as the weights prove
// target.
func (p *shareProgram) solve(n *verify.RedundancyShared, sets [][]uint64, target float64) *sharePoint {
	b := p.begin(sets, target)
	pool := p.fitting(n, sets)
	for range sharePivots {
		y := b.dual()
		var enter *shareRun
		least := -shareCost
		for _, r := range pool {
			if v := b.reduced(y, r); v < least {
				enter, least = r, v
			}
		}
		if enter == nil {
			found, scale, bound := p.price(n, sets, y)
			if bound >= target {
				weights := slices.Clone(y[len(p.length):])
				for j := range weights {
					weights[j] *= scale
				}
				return &sharePoint{weights: weights, proves: true}
			}
			for _, r := range found {
				if v := b.reduced(y, r); v < least {
					enter, least = r, v
				}
			}
			pool, p.pool = append(pool, found...), append(p.pool, found...)
		}
		if enter == nil || !b.pivot(enter) {
			break
		}
	}
	x := &sharePoint{}
	for i, r := range b.runs {
		if r != nil && r.set != 0 {
			x.runs, x.time = append(x.runs, r), append(x.time, b.x[i])
		}
	}
	return x
}

// fitting are the columns that the node allows, first those by which a job does less than all that it could.
func (p *shareProgram) fitting(n *verify.RedundancyShared, sets [][]uint64) []*shareRun {
	var list []*shareRun
	for j := range p.in.Jobs {
		list = append(list, &shareRun{len(p.length), 0, []sharePart{{job: j, rate: -1}}})
	}
	for _, r := range p.pool {
		fits := slices.Contains(sets[r.interval], r.set)
		if fits && n.Limited(r.interval, r.set) {
			for _, a := range r.parts {
				low, high := n.Copies(r.interval, r.set, a.job)
				fits = fits && low <= a.copies && a.copies <= high
			}
		}
		if fits {
			list = append(list, r)
		}
	}
	return list
}

// A piece is what some machines of a job in a row are worth, one each.
type piece struct {
	job, many   int
	gain, worth float64
}

// pieces of the jobs, the most worth first, where copies says how many copies each may have.
func (p *shareProgram) pieces(u []float64, copies func(j int) (least, most int)) []piece {
	var list []piece
	for j := range u {
		low, high := copies(j)
		for r := low; r <= high; r++ {
			a := piece{j, 1, p.gain[r-1], 0}
			if r == low {
				a.many, a.gain = r, p.h[r]/float64(r)
			}
			if a.worth = u[j] * a.gain; a.worth > 0 {
				list = append(list, a)
			}
		}
	}
	slices.SortStableFunc(list, func(a, b piece) int { return cmp.Compare(b.worth, a.worth) })
	return list
}

// earn gives all machines to the jobs of set, where they are worth most, and tells to, unless that is nil, what they have.
func (p *shareProgram) earn(pieces []piece, set uint64, to *shareRun) float64 {
	sum, left := 0.0, p.in.Machines
	for i := range pieces {
		a := &pieces[i]
		if set>>a.job&1 == 0 {
			continue
		}
		m := min(a.many, left)
		sum += float64(m) * a.worth
		if to != nil {
			k := slices.IndexFunc(to.parts, func(b sharePart) bool { return b.job == a.job })
			if k < 0 {
				k, to.parts = len(to.parts), append(to.parts, sharePart{job: a.job})
			}
			b := &to.parts[k]
			b.machines, b.copies, b.rate = b.machines+m, b.copies+a.many, b.rate+float64(m)*a.gain
		}
		if left -= m; left == 0 {
			break
		}
	}
	return sum
}

// price makes the columns, at most one an interval, that a dual solution asks for. It returns what the weights prove of the node when they are
// scaled such that no machines earn more than one for each job after the last arrival.
func (p *shareProgram) price(n *verify.RedundancyShared, sets [][]uint64, y []float64) (list []*shareRun, scale, bound float64) {
	u := y[len(p.length):]
	free := p.pieces(u, func(int) (int, int) { return 1, p.in.Machines })
	scale = 1
	for k := len(sets) - 1; k >= 0; k-- {
		dual := 0.0
		if k < len(p.length) {
			dual = y[k]
		}
		most, best := math.Inf(1), -shareCost
		var enter *shareRun
		for _, set := range sets[k] {
			pieces := free
			if n.Limited(k, set) {
				pieces = p.pieces(u, func(j int) (int, int) { return n.Copies(k, set, j) })
			}
			jobs, worth := float64(bits.OnesCount64(set)), p.earn(pieces, set, nil)
			if k == len(p.length) && scale*worth > jobs {
				scale = jobs / worth
			}
			most = min(most, jobs-scale*worth)
			if v := jobs - worth - dual; v < best {
				best, enter = v, &shareRun{interval: k, set: set}
				p.earn(pieces, set, enter)
			}
		}
		if k < len(p.length) {
			bound += p.length[k] * most
		}
		if enter != nil {
			list = append(list, enter)
		}
	}
	for j := range u {
		bound += scale * u[j] * p.in.Jobs[j].Work
	}
	return list, scale, bound
}

// A shareBasis is one of the revised simplex method, its inverse explicit: a row for the length of each interval but the last, then one for each
// job's work.
type shareBasis struct {
	inverse [][]float64
	x, cost []float64
	runs    []*shareRun // nil: work that is missing
	times   int
}

// begin is the basis of schedules that do nothing.
func (p *shareProgram) begin(sets [][]uint64, target float64) *shareBasis {
	times := len(p.length)
	rows := times + len(p.in.Jobs)
	b := &shareBasis{times: times, runs: make([]*shareRun, rows), x: append(slices.Clone(p.length), make([]float64, len(p.in.Jobs))...)}
	b.inverse, b.cost = make([][]float64, rows), make([]float64, rows)
	for i := range rows {
		b.inverse[i] = make([]float64, rows)
		b.inverse[i][i] = 1
		if i < times {
			b.runs[i] = &shareRun{interval: i, set: sets[i][0]}
			b.cost[i] = b.runs[i].cost()
			continue
		}
		b.x[i] = p.in.Jobs[i-times].Work
		b.cost[i] = 1000 * target / b.x[i]
	}
	return b
}

func (b *shareBasis) dual() []float64 {
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

func (b *shareBasis) reduced(y []float64, r *shareRun) float64 {
	v := r.cost()
	if r.interval < b.times {
		v -= y[r.interval]
	}
	for _, a := range r.parts {
		v -= y[b.times+a.job] * a.rate
	}
	return v
}

// pivot brings a column into the basis, false if none has to go.
func (b *shareBasis) pivot(r *shareRun) bool {
	w := make([]float64, len(b.x))
	for i, row := range b.inverse {
		if r.interval < b.times {
			w[i] = row[r.interval]
		}
		for _, a := range r.parts {
			w[i] += row[b.times+a.job] * a.rate
		}
	}
	out, ratio := -1, math.Inf(1)
	for i, v := range w {
		if v > shareCost {
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
	b.x[out], b.cost[out], b.runs[out] = ratio, r.cost(), r
	return true
}
