package cloning

import (
	"cmp"
	"context"
	"math"
	"slices"

	"schedgap/models"
	"schedgap/models/cloning"
)

// A rule makes list schedules: at every arrival and completion, jobs in order start the tasks that fit, each at once in the
// number of copies that its job wants, as far as they fit. Copies run until their task completes.
type rule struct {
	order  []int // jobs, the most urgent first
	copies []int // by job
	// fill gives what is left to further copies of running tasks, in the same order.
	fill bool
}

// A listing is a list schedule under construction.
type listing struct {
	v       *preprocessed
	rule    rule
	now     int
	loads   cloning.Loads
	started []int // tasks by phase
	done    []int
	running []run
	copies  []cloning.Copy
	cost    int
}

// A run is a running task.
type run struct {
	phase, task int
	progress    cloning.Progress
	servers     []int
	starts      []int
}

// list returns the schedule of a rule and its objective; ok is false when ctx ends or the cost reaches limit before.
func (v *preprocessed) list(ctx context.Context, r rule, limit int) (s cloning.Solution, cost int, ok bool) {
	l := &listing{v: v, rule: r, started: make([]int, len(v.phases)), done: make([]int, len(v.phases))}
	l.loads = cloning.NewLoads(v.in.Servers...)
	for {
		l.dispatch()
		next := l.next()
		if next < 0 {
			break
		}
		l.advance(next)
		if l.cost >= limit || ctx.Err() != nil {
			return s, l.cost, false
		}
	}
	slices.SortFunc(l.copies, compareCopies)
	return cloning.Solution{Copies: l.copies, Regime: cloning.Nonpreemptive}, l.cost, true
}

func compareCopies(a, b cloning.Copy) int {
	return cmp.Or(cmp.Compare(a.Task.Job, b.Task.Job), cmp.Compare(a.Task.Phase, b.Task.Phase),
		cmp.Compare(a.Task.Index, b.Task.Index), cmp.Compare(a.Start, b.Start), cmp.Compare(a.Server, b.Server))
}

func (l *listing) ready(k int) bool {
	ph := &l.v.phases[k]
	if l.v.in.Jobs[ph.job].Arrival > l.now {
		return false
	}
	for _, p := range ph.parents {
		if l.done[p] < l.v.phases[p].Tasks {
			return false
		}
	}
	return true
}

func (l *listing) dispatch() {
	for _, j := range l.rule.order {
		for k := l.v.first[j]; k < l.v.until(j); k++ {
			if !l.ready(k) {
				continue
			}
			for l.started[k] < l.v.phases[k].Tasks {
				r := run{phase: k, task: l.started[k]}
				if !l.place(&r, l.rule.copies[j]) {
					break
				}
				l.started[k]++
				l.running = append(l.running, r)
			}
		}
	}
	if !l.rule.fill {
		return
	}
	for _, j := range l.rule.order {
		for i := range l.running {
			if r := &l.running[i]; l.v.phases[r.phase].job == j {
				l.place(r, math.MaxInt)
			}
		}
	}
}

// place starts copies of a task until it runs in as many as wanted, and reports whether it runs at all.
func (l *listing) place(r *run, copies int) bool {
	ph := &l.v.phases[r.phase]
	for s := 0; s < len(l.v.in.Servers) && len(r.servers) < min(copies, ph.most); s++ {
		here := 0
		for _, other := range r.servers {
			if other == s {
				here++
			}
		}
		for ; here < l.v.in.MaxCopiesPerServer && len(r.servers) < min(copies, ph.most); here++ {
			if !l.loads.Fit(s, ph.Demand, 1) {
				break
			}
			l.loads.Add(s, ph.Demand, 1)
			r.servers, r.starts = append(r.servers, s), append(r.starts, l.now)
		}
	}
	return len(r.servers) > 0
}

// next is the moment of the next completion or arrival, or −1.
func (l *listing) next() int {
	next := -1
	see := func(t int) {
		if next < 0 || t < next {
			next = t
		}
	}
	for i := range l.running {
		r := &l.running[i]
		see(l.now + l.v.phases[r.phase].Slots(r.progress, len(r.servers)))
	}
	for j := range l.v.in.Jobs {
		if a := l.v.in.Jobs[j].Arrival; a > l.now {
			see(a)
		}
	}
	return next
}

// advance runs all tasks until the moment to, at which some may complete but none before.
func (l *listing) advance(to int) {
	for j := range l.v.in.Jobs {
		if l.v.in.Jobs[j].Arrival > l.now {
			continue
		}
		for k := l.v.first[j]; k < l.v.until(j); k++ {
			if l.done[k] < l.v.phases[k].Tasks {
				l.cost += to - l.now
				break
			}
		}
	}
	going := l.running[:0]
	for _, r := range l.running {
		ph := &l.v.phases[r.phase]
		if ph.Slots(r.progress, len(r.servers)) > to-l.now {
			r.progress = ph.After(r.progress, to-l.now, len(r.servers))
			going = append(going, r)
			continue
		}
		l.done[r.phase]++
		for i, s := range r.servers {
			l.copies = append(l.copies, cloning.Copy{
				Task: cloning.Task{Job: ph.job, Phase: ph.index, Index: r.task}, Server: s, Start: r.starts[i], End: to,
			})
			l.loads.Add(s, ph.Demand, -1)
		}
	}
	l.running, l.now = going, to
}

// An incumbent is a feasible nonpreemptive schedule, which both regimes allow.
type incumbent struct {
	solution cloning.Solution
	cost     int
}

// Efforts of the search for an incumbent, in tasks times servers times schedules.
const (
	listEffort = 20_000_000
	maxLists   = 400
)

// incumbent tries orders by critical path, volume and arrival with one to three copies, and improves the best by moving
// jobs and changing their copies. It is nil when the instance is too large for even one schedule, or ctx ends before one.
func (v *preprocessed) incumbent(ctx context.Context) *incumbent {
	size := v.tasks * (len(v.in.Servers) + len(v.phases) + 1)
	lists := min(maxLists, listEffort/max(1, size))
	var best *incumbent
	var bestRule rule
	try := func(r rule) bool {
		if lists == 0 {
			return false
		}
		lists--
		limit := math.MaxInt
		if best != nil {
			limit = best.cost
		}
		s, cost, ok := v.list(ctx, r, limit)
		if ok && cost < limit {
			best, bestRule = &incumbent{s, cost}, r
			return true
		}
		return false
	}
	for _, order := range v.orders() {
		for c := range 3 {
			for _, fill := range []bool{true, false} {
				copies := make([]int, len(v.in.Jobs))
				for j := range copies {
					copies[j] = 1 + c
				}
				try(rule{order, copies, fill})
			}
		}
	}
	for improved := best != nil; improved && lists > 0; {
		improved = false
		for i := range bestRule.order {
			for d := 1; d <= 3 && i+d < len(bestRule.order); d++ {
				r := bestRule
				r.order = slices.Clone(r.order)
				r.order[i], r.order[i+d] = r.order[i+d], r.order[i]
				improved = try(r) || improved
			}
			for c := 1; c <= 3; c++ {
				r := bestRule
				if r.copies[i] != c {
					r.copies = slices.Clone(r.copies)
					r.copies[i] = c
					improved = try(r) || improved
				}
			}
		}
	}
	return best
}

// orders are by earliest end, by remaining path, by volume of the dominant resource, and by arrival.
func (v *preprocessed) orders() [][]int {
	total := v.in.Total()
	volume := make([]float64, len(v.in.Jobs))
	for k := range v.phases {
		ph := &v.phases[k]
		volume[ph.job] += float64(ph.Tasks*ph.alone) * cloning.DominantShare(ph.Demand, total)
	}
	keys := []func(j int) float64{
		func(j int) float64 { return float64(v.earliest(j)) },
		func(j int) float64 { return float64(v.earliest(j) - v.in.Jobs[j].Arrival) },
		func(j int) float64 { return volume[j] },
		func(j int) float64 { return float64(v.in.Jobs[j].Arrival) },
	}
	orders := make([][]int, len(keys))
	for i, key := range keys {
		orders[i] = models.OrderBy(len(v.in.Jobs), key)
	}
	return orders
}
