package redundancy

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"schedgap/models/redundancy"
)

// tieTolerance is the work that may be left of a job that counts as done, timeShare the share of an interval's length
// above which a time counts, heldShare the share of a machine that a job has which completes while it holds nothing.
const (
	tieTolerance = 1e-12
	timeShare    = 1e-9
	heldShare    = 1e-9
)

// A state is the situation after an event.
type state struct {
	t       float64
	jobs    []int     // active ones, in order of their remaining work
	left    []float64 // that work
	arrived int       // how many have arrived, in the order of arrivals
}

// put adds an active job.
func (at *state) put(j int, left float64) {
	i, _ := slices.BinarySearch(at.left, left)
	at.jobs, at.left = slices.Insert(at.jobs, i, j), slices.Insert(at.left, i, left)
}

// admit lets jobs arrive that arrive by now.
func (at *state) admit(in *redundancy.Instance, order []int) {
	for ; at.arrived < len(order) && in.Jobs[order[at.arrived]].Arrival <= at.t; at.arrived++ {
		at.put(order[at.arrived], in.Jobs[order[at.arrived]].Work)
	}
}

// follow goes on to the next completion, or to end if that is earlier, while the first of the jobs have copies; false: there is
// none.
func (at *state) follow(in *redundancy.Instance, copies []int, end float64) bool {
	for k, r := range copies {
		if r > 0 {
			end = min(end, at.t+at.left[k]/in.Speedup[r-1])
		}
	}
	if math.IsInf(end, 1) {
		return false
	}
	var jobs []int
	var left []float64
	kept := 0
	for k, r := range copies {
		j, w := at.jobs[k], at.left[k]
		if r == 0 {
			at.jobs[kept], at.left[kept] = j, w
			kept++
			continue
		}
		h := in.Speedup[r-1]
		if rest := w - h*(end-at.t); rest > tieTolerance*in.Jobs[j].Work && at.t+w/h > end {
			jobs, left = append(jobs, j), append(left, rest)
		}
	}
	at.jobs, at.left, at.t = slices.Delete(at.jobs, kept, len(copies)), slices.Delete(at.left, kept, len(copies)), end
	for i, j := range jobs {
		at.put(j, left[i])
	}
	return true
}

// simulate runs whole copies from event to event, given the active jobs and their work left; nil: copies returned nil, or
// nothing runs any more.
func simulate(in *redundancy.Instance, at *state, copies func(at *state) []int) (path []redundancy.Interval) {
	order := redundancy.ByArrival(in)
	for at.admit(in, order); at.arrived < len(order) || len(at.jobs) > 0; at.admit(in, order) {
		end := math.Inf(1)
		if at.arrived < len(order) {
			end = in.Jobs[order[at.arrived]].Arrival
		}
		c := copies(at)
		if c == nil {
			return nil
		}
		iv := interval(at, c)
		if !at.follow(in, c, end) {
			return nil
		}
		iv.End = at.t
		path = append(path, iv)
	}
	return path
}

// greedily are the copies of the first jobs that are best once all have arrived.
func (e *envelope) greedily(at *state) []int { return e.Split(len(at.jobs), 0) }

// interval has the copies of the active jobs from now on.
func interval(at *state, copies []int) redundancy.Interval {
	iv := redundancy.Interval{Start: at.t}
	for k, r := range copies {
		if r > 0 {
			iv.Alloc = append(iv.Alloc, redundancy.Allocation{Job: at.jobs[k], Copies: r, Share: 1})
		}
	}
	slices.SortFunc(iv.Alloc, func(a, b redundancy.Allocation) int { return cmp.Compare(a.Job, b.Job) })
	return iv
}

// fromZero copies intervals, with an idle one ahead of them if they begin later than 0.
func fromZero(list []redundancy.Interval) []redundancy.Interval {
	if len(list) == 0 || list[0].Start <= 0 {
		return slices.Clone(list)
	}
	return append([]redundancy.Interval{{End: list[0].Start}}, list...)
}

// A gap lies between two events before the last arrival: how long jobs of a set have what.
type gap struct {
	interval int
	set      uint64
	time     float64
	held     [][]float64 // by job and copies: the time that it has them, by its share
}

// gaps are a point's gaps, in their order. They are a chain, one order, if each job is done once and for all.
func (p *masterProblem) gaps(x *lpSolution) (list []*gap, chain bool) {
	for i, c := range x.columns {
		if c.interval == len(p.length) || x.time[i] <= timeShare*p.length[c.interval] {
			continue
		}
		at := slices.IndexFunc(list, func(g *gap) bool { return g.interval == c.interval && g.set == c.set })
		if at < 0 {
			at, list = len(list), append(list, &gap{interval: c.interval, set: c.set, held: make([][]float64, len(p.in.Jobs))})
		}
		g := list[at]
		g.time += x.time[i]
		for _, a := range c.terms {
			if g.held[a.job] == nil {
				g.held[a.job] = make([]float64, p.in.Machines+1)
			}
			g.held[a.job][a.copies] += x.time[i] * float64(a.machines) / float64(a.copies)
		}
	}
	slices.SortFunc(list, func(a, b *gap) int {
		larger := bits.OnesCount64(b.set) - bits.OnesCount64(a.set)
		return cmp.Or(cmp.Compare(a.interval, b.interval), larger, cmp.Compare(a.set, b.set))
	})
	done, chain := uint64(0), true
	for _, g := range list {
		chain = chain && g.set&done == 0
		done |= p.here[g.interval] &^ g.set
	}
	return list, chain
}

// most is the number of copies that a job has for most of a gap's time, none: 0.
func (g *gap) most(j int) (copies int) {
	most := timeShare * g.time
	for c, t := range g.held[j] {
		if t > most || t == most && c > copies {
			copies, most = c, t
		}
	}
	return copies
}

// find is the gap of a state.
func (p *masterProblem) find(gaps []*gap, at *state) *gap {
	if len(gaps) == 0 { // there is no point, perhaps of many jobs
		return nil
	}
	set, k := uint64(0), len(p.begin)-1
	for _, j := range at.jobs {
		set |= 1 << j
	}
	for p.begin[k] > at.t {
		k--
	}
	i := slices.IndexFunc(gaps, func(g *gap) bool { return g.interval == k && g.set == set })
	if i < 0 {
		return nil
	}
	return gaps[i]
}

// rounded is the schedule on whole machines that follows a point where it gives the jobs' copies.
func (p *masterProblem) rounded(env *envelope, gaps []*gap) redundancy.Solution {
	path := simulate(p.in, &state{t: p.begin[0]}, func(at *state) []int {
		c, left := make([]int, len(at.jobs)), p.in.Machines
		if g := p.find(gaps, at); g != nil {
			for i, j := range at.jobs {
				c[i] = min(g.most(j), left)
				left -= c[i]
			}
		}
		if left == p.in.Machines {
			return env.greedily(at)
		}
		return c
	})
	return redundancy.Solution{Speed: 1, Intervals: fromZero(path)}
}

// shared is the schedule of the gaps of a point on shared machines; false if it mixes copies. A job that completes while
// it holds nothing, as the infimum has it, gets a little.
func (p *masterProblem) shared(env *envelope, gaps []*gap) (s redundancy.Solution, ok bool) {
	left := make([]float64, len(p.in.Jobs))
	for j := range left {
		left[j] = p.in.Jobs[j].Work
	}
	var path []redundancy.Interval
	t := p.begin[0]
	for i, g := range gaps {
		iv := redundancy.Interval{Start: max(t, p.begin[g.interval])}
		if iv.Start > t { // nobody was there
			path = append(path, redundancy.Interval{Start: t, End: iv.Start})
		}
		iv.End = iv.Start + g.time
		next := i + 1
		if next == len(gaps) || gaps[next].interval > g.interval {
			next = -1
			if iv.End > p.begin[g.interval+1]-timeShare*p.length[g.interval] {
				iv.End = p.begin[g.interval+1]
			}
		}
		holds := uint64(0)
		for j := range left {
			c := g.most(j)
			if c == 0 {
				continue
			}
			for other, time := range g.held[j] {
				if other != c && time > timeShare*g.time {
					return s, false
				}
			}
			share := min(1, g.held[j][c]/g.time)
			holds |= 1 << j
			left[j] -= p.h[c] * share * (iv.End - iv.Start)
			iv.Alloc = append(iv.Alloc, redundancy.Allocation{Job: j, Copies: c, Share: share})
		}
		if next >= 0 && holds&g.set&^gaps[next].set == 0 {
			j := bits.TrailingZeros64(g.set &^ gaps[next].set)
			share := heldShare * min(1, p.in.Jobs[j].Work/(iv.End-iv.Start))
			iv.Alloc = append(iv.Alloc, redundancy.Allocation{Job: j, Copies: 1, Share: share})
			slices.SortFunc(iv.Alloc, func(a, b redundancy.Allocation) int { return cmp.Compare(a.Job, b.Job) })
		}
		path = append(path, iv)
		t = iv.End
	}
	last := len(p.begin) - 1
	if t < p.begin[last] {
		path = append(path, redundancy.Interval{Start: t, End: p.begin[last]})
	}
	end := &state{t: p.begin[last], arrived: len(left)}
	for j, w := range left {
		if w > tieTolerance*p.in.Jobs[j].Work {
			end.put(j, w)
		}
	}
	return redundancy.Solution{Speed: 1, Intervals: fromZero(append(path, simulate(p.in, end, env.greedily)...))}, true
}
