package redundancy

import (
	"cmp"
	"context"
	"math"
	"slices"

	"schedgap/heuristics/anneal"
	"schedgap/models/redundancy"
)

// A lister makes schedules at speed 1 of priority orders. Until the last job has arrived the active jobs stand in line by
// priority; the split of the machines after an event is that of as many jobs behind the line as the event's option says. From then
// on they stand by remaining work and none is behind, which is optimal. Option[j] is that of the arrival of job j, Option[n+j] that
// of its completion.
type lister struct {
	ctx      context.Context // its end ends a run that writes no schedule down
	in       *redundancy.Instance
	worths   *worths
	arrivals []int     // jobs as they arrive
	rest     []float64 // rest[i]: least sum of the flowtimes of the jobs from arrivals[i] on
	place    []float64 // in line, by job: the priority, or the work left
	left     []float64 // work, by job
	done     []float64 // completion times
	line     []int
}

func newLister(ctx context.Context, in *redundancy.Instance) *lister {
	n := len(in.Jobs)
	l := &lister{
		ctx: ctx, in: in, worths: newWorths(in.Speedup, n+behind[len(behind)-1]), arrivals: byArrival(in),
		rest: make([]float64, n+1), place: make([]float64, n), left: make([]float64, n), done: make([]float64, n),
	}
	for i := n - 1; i >= 0; i-- {
		l.rest[i] = l.rest[i+1] + in.Jobs[l.arrivals[i]].Work/in.Speedup[in.Machines-1]
	}
	return l
}

// byCompletion lists the jobs as they completed in the last run.
func (l *lister) byCompletion() []int {
	order := slices.Clone(l.arrivals)
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(l.done[a], l.done[b]) })
	return order
}

// schedule is what run makes of p.
func (l *lister) schedule(p anneal.Point) redundancy.Solution {
	s := redundancy.Solution{Speed: 1}
	l.run(p, math.Inf(1), &s)
	return s
}

// run returns the sum of the flowtimes under p, or a number larger than limit if it is larger or the context ended. Without an order the jobs stand by
// remaining work. The schedule is appended to s; nil: it is not written down.
func (l *lister) run(p anneal.Point, limit float64, s *redundancy.Solution) float64 {
	n := len(l.in.Jobs)
	for j := range l.in.Jobs {
		l.left[j] = l.in.Jobs[j].Work
	}
	place := l.place
	if p.Order == nil {
		place = l.left
	}
	for i, j := range p.Order {
		place[j] = float64(i)
	}
	l.line = l.line[:0]
	now, flow, option := 0.0, 0.0, 0
	last := false // no job is to come
	for i := 0; i < n || len(l.line) > 0; {
		if s == nil && l.ctx.Err() != nil {
			return math.Inf(1)
		}
		next := math.Inf(1)
		if i < n {
			next = l.in.Jobs[l.arrivals[i]].Arrival
		}
		end, due := next, -1
		var copies []int
		if len(l.line) > 0 {
			copies = l.worths.split(len(l.line), option)
			for k, c := range copies {
				if t := now + l.left[l.line[k]]/l.in.Speedup[c-1]; t <= end {
					end, due = t, l.line[k]
				}
			}
		}
		if s != nil && end > now {
			s.Intervals = append(s.Intervals, l.interval(now, end, copies))
		}
		flow += float64(len(l.line)) * (end - now)
		if flow+l.rest[i] > limit {
			return flow + l.rest[i]
		}
		for k, c := range copies {
			l.left[l.line[k]] -= l.in.Speedup[c-1] * (end - now)
		}
		now = end
		if due >= 0 {
			l.left[due] = 0
			option = p.Option[n+due]
		}
		unfinished := 0
		for _, j := range l.line[:len(copies)] {
			if l.left[j] > left*l.in.Jobs[j].Work {
				l.line[unfinished] = j
				unfinished++
			} else {
				l.done[j] = now
			}
		}
		l.line = slices.Delete(l.line, unfinished, len(copies))
		for ; i < n && l.in.Jobs[l.arrivals[i]].Arrival <= now; i++ {
			j := l.arrivals[i]
			at, _ := slices.BinarySearchFunc(l.line, place[j], func(a int, x float64) int { return cmp.Compare(place[a], x) })
			l.line = slices.Insert(l.line, at, j)
			option = p.Option[j]
		}
		if i == n {
			if !last {
				slices.SortStableFunc(l.line, func(a, b int) int { return cmp.Compare(l.left[a], l.left[b]) })
			}
			last, option = true, 0
		}
	}
	return flow
}

// interval writes down who runs.
func (l *lister) interval(start, end float64, copies []int) redundancy.Interval {
	iv := redundancy.Interval{Start: start, End: end}
	for k, c := range copies {
		iv.Alloc = append(iv.Alloc, redundancy.Allocation{Job: l.line[k], Copies: c, Share: 1})
	}
	slices.SortFunc(iv.Alloc, func(x, y redundancy.Allocation) int { return x.Job - y.Job })
	return iv
}
