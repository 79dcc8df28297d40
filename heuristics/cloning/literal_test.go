package cloning_test

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp/cmpopts"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	heuristics "schedgap/heuristics/cloning"
	"schedgap/models/cloning"
	"schedgap/models/trials/property"
)

// literal schedules slot by slot, trying every task on every server at every slot: what the engine's indexes, clocks and queues
// must come to. rank orders the phases that can start; level 0 is for originals, c for the c-th clone; NaN is never. Of phases of
// equal rank, every server takes the one with the best fit if bestFit, else the first.
type literal struct {
	in      *cloning.Instance
	bestFit bool
	levels  int
	arrived func(l *literal)                            // before the decisions of a slot in which jobs arrived
	rank    func(l *literal, job, phase, c int) float64 // of a copy that is to start

	now     int
	starts  int                // copies started so far
	running [][][]*literalTask // by job and phase
	done    [][]int
	free    [][]float64
	copies  []cloning.Copy
}

type literalTask struct {
	index    int
	servers  []int
	starts   []int
	last     int // literal.starts when it got its last copy
	progress float64
}

func (l *literal) ready(j, k int) bool {
	job := &l.in.Jobs[j]
	return job.Arrival <= l.now && !slices.ContainsFunc(job.Phases[k].Parents, func(p int) bool {
		return l.done[j][p] < job.Phases[p].Tasks
	})
}

func (l *literal) run() []cloning.Copy {
	left := 0
	for j := range l.in.Jobs {
		l.running = append(l.running, make([][]*literalTask, len(l.in.Jobs[j].Phases)))
		l.done = append(l.done, make([]int, len(l.in.Jobs[j].Phases)))
		for k := range l.in.Jobs[j].Phases {
			left += l.in.Jobs[j].Phases[k].Tasks
		}
	}
	for i := range l.in.Servers {
		l.free = append(l.free, slices.Clone(l.in.Servers[i].Capacity))
	}
	for ; left > 0; l.now++ {
		if l.arrived != nil && slices.ContainsFunc(l.in.Jobs, func(j cloning.Job) bool { return j.Arrival == l.now }) {
			l.arrived(l)
		}
		for l.startOne() {
		}
		left -= l.slot()
	}
	return l.copies
}

// slot lets a slot pass and returns how many tasks complete in it.
func (l *literal) slot() int {
	completed := 0
	for j := range l.running {
		for k := range l.running[j] {
			p := &l.in.Jobs[j].Phases[k]
			l.running[j][k] = slices.DeleteFunc(l.running[j][k], func(t *literalTask) bool {
				t.progress += p.Rate(len(t.servers))
				if t.progress < p.Mean-1e-9 {
					return false
				}
				for i, s := range t.servers {
					for r, d := range p.Demand {
						l.free[s][r] += d
					}
					l.copies = append(l.copies, cloning.Copy{
						Task: cloning.Task{Job: j, Phase: k, Index: t.index}, Server: s, Start: t.starts[i],
						End: l.now + 1,
					})
				}
				l.done[j][k]++
				completed++
				return true
			})
		}
	}
	return completed
}

// fits is the definition in floating point.
func fits(demand, free, capacity []float64) bool {
	for r, d := range demand {
		if d > free[r]+cloning.FitTolerance*capacity[r] {
			return false
		}
	}
	return true
}

// startOne starts the first copy in order on the first server on which any of its rank fits.
func (l *literal) startOne() bool {
	type option struct{ j, k, c int }
	best, bestRank, bestServer, bestFit := option{}, math.Inf(1), -1, 0.0
	for c := range l.levels {
		for j := range l.in.Jobs {
			for k := range l.in.Jobs[j].Phases {
				p := &l.in.Jobs[j].Phases[k]
				if !l.ready(j, k) || c == 0 && l.done[j][k]+len(l.running[j][k]) == p.Tasks {
					continue
				}
				rank := l.rank(l, j, k, c)
				for s := range l.in.Servers {
					if !fits(p.Demand, l.free[s], l.in.Servers[s].Capacity) || c > 0 && l.eligible(j, k, c, s) == nil {
						continue
					}
					fit := 0.0
					for r, d := range p.Demand {
						fit += d * (l.free[s][r] / (l.in.Servers[s].Capacity[r] * l.in.Servers[s].Capacity[r]))
					}
					if rank < bestRank || rank == bestRank && l.bestFit && (s < bestServer || s == bestServer && fit > bestFit) {
						best, bestRank, bestServer, bestFit = option{j, k, c}, rank, s, fit
					}
				}
			}
		}
	}
	if bestServer < 0 {
		return false
	}
	p := &l.in.Jobs[best.j].Phases[best.k]
	var t *literalTask
	if best.c == 0 {
		t = &literalTask{index: l.done[best.j][best.k] + len(l.running[best.j][best.k])}
		l.running[best.j][best.k] = append(l.running[best.j][best.k], t)
	} else {
		t = l.eligible(best.j, best.k, best.c, bestServer)
	}
	l.starts++
	t.servers, t.starts, t.last = append(t.servers, bestServer), append(t.starts, l.now), l.starts
	for r, d := range p.Demand {
		l.free[bestServer][r] -= d
	}
	return true
}

// eligible is the first task with c copies that may have one on server s: of those, the one that has had so many for longest,
// also among those of the present slot.
func (l *literal) eligible(j, k, c, s int) *literalTask {
	var best *literalTask
	for _, t := range l.running[j][k] {
		there := 0
		for _, o := range t.servers {
			if o == s {
				there++
			}
		}
		if len(t.servers) == c && c < l.in.MaxCopies && there < l.in.MaxCopiesPerServer &&
			(best == nil || t.last < best.last) {
			best = t
		}
	}
	return best
}

// volume and time are eqs. (16) and (17) with r = 1.5, by their definitions.
func (l *literal) volume(j int) float64 {
	v, job := 0.0, &l.in.Jobs[j]
	for k := range job.Phases {
		p := &job.Phases[k]
		if left := p.Tasks - l.done[j][k]; left > 0 {
			v += float64(left) * ((p.Mean + 1.5*p.SD) * cloning.DominantShare(p.Demand, l.in.Total()))
		}
	}
	return v
}

func (l *literal) time(j int) float64 {
	job := &l.in.Jobs[j]
	var path func(k int) float64
	path = func(k int) float64 { // to the end of k
		longest := 0.0
		for _, p := range job.Phases[k].Parents {
			longest = max(longest, path(p))
		}
		if l.done[j][k] < job.Phases[k].Tasks {
			longest += job.Phases[k].Mean + 1.5*job.Phases[k].SD
		}
		return longest
	}
	longest := 0.0
	for k := range job.Phases {
		longest = max(longest, path(k))
	}
	return longest
}

// share is a job's dominant share.
func (l *literal) share(j int) float64 {
	held := make([]float64, len(l.in.Resources))
	for k, tasks := range l.running[j] {
		copies := 0
		for _, t := range tasks {
			copies += len(t.servers)
		}
		for r, d := range l.in.Jobs[j].Phases[k].Demand {
			held[r] += float64(copies) * d
		}
	}
	return cloning.DominantShare(held, l.in.Total())
}

// classify is Algorithm 1 with the bounds of docs/problems/cloning.md#dollymp, class by class from its definition.
func (l *literal) classify() map[int]float64 {
	type item struct {
		j    int
		v, e float64
	}
	var items []item
	sum, longest := 0.0, 0.0
	for j := range l.in.Jobs {
		left := 0
		for k := range l.in.Jobs[j].Phases {
			left += l.in.Jobs[j].Phases[k].Tasks - l.done[j][k]
		}
		if l.in.Jobs[j].Arrival <= l.now && left > 0 {
			items = append(items, item{j, l.volume(j), l.time(j)})
			sum, longest = sum+l.volume(j), max(longest, l.time(j))
		}
	}
	slices.SortStableFunc(items, func(a, b item) int { return cmp.Compare(a.v, b.v) })
	class := map[int]float64{}
	for c := 1; c <= 2+int(max(0, math.Log2(sum), math.Log2(longest))); c++ {
		bound, packed := math.Pow(2, float64(c)), 0.0
		for _, it := range items {
			if it.e <= bound && packed+it.v <= bound {
				packed += it.v
				if _, ok := class[it.j]; !ok {
					class[it.j] = float64(c)
				}
			}
		}
	}
	return class
}

// The engine finds, with its indexes, what the definitions give.
func TestLiteral(t *testing.T) {
	dolly := func(k int) func() *literal {
		return func() *literal {
			var class map[int]float64
			return &literal{
				bestFit: true, levels: k + 1,
				arrived: func(l *literal) { class = l.classify() },
				rank:    func(_ *literal, j, _, c int) float64 { return float64(c)*1e6 + class[j] },
			}
		}
	}
	first := func(key func(l *literal, j int) float64) func() *literal {
		return func() *literal {
			return &literal{levels: 1, rank: func(l *literal, j, _, _ int) float64 { return key(l, j) }}
		}
	}
	for _, c := range []struct {
		a    *cloning.Algorithm
		made func() *literal
	}{
		{algorithm(t, "dollymp0"), dolly(0)},
		{algorithm(t, "dollymp1"), dolly(1)},
		{algorithm(t, "dollymp2"), dolly(2)},
		{algorithm(t, "dollymp3"), dolly(3)},
		{algorithm(t, "srpt"), first((*literal).time)},
		{algorithm(t, "svf"), first((*literal).volume)},
		{algorithm(t, "drf"), first((*literal).share)},
		{algorithm(t, "capacity"), first(func(l *literal, j int) float64 { return float64(l.in.Jobs[j].Arrival) })},
	} {
		t.Run(c.a.Name, func(t *testing.T) {
			property.Check(t, func(t *rapid.T) {
				l := c.made()
				l.in = drawInstance(t)
				got, _ := schedule(t, c.a, l.in, nil)
				sorted := cmpopts.SortSlices(func(a, b cloning.Copy) int {
					return cmp.Or(cmp.Compare(a.Task.Job, b.Task.Job), cmp.Compare(a.Task.Phase, b.Task.Phase),
						cmp.Compare(a.Task.Index, b.Task.Index), cmp.Compare(a.Start, b.Start), cmp.Compare(a.Server, b.Server))
				})
				if diff := gocmp.Diff(l.run(), got.Copies, sorted); diff != "" {
					t.Fatalf("(-literal +engine)\n%s", diff)
				}
			})
		})
	}
}

// Algorithm 1 by hand.
func TestClasses(t *testing.T) {
	for _, c := range []struct {
		name           string
		volumes, times []float64
		want           []int
	}{
		{
			"a long thin job has a class: θ = 100, d = 0.01; 2^7 is the first power with 100 within it",
			[]float64{1},
			[]float64{100},
			[]int{7},
		},
		{"the bound is within the class, and no class is less than 1", []float64{2, 0.5}, []float64{8, 0.5}, []int{3, 1}},
		{"Figure 2: volumes 8, 2, 2. Class 3 holds 2 + 2; class 4 all 12", []float64{8, 2, 2}, []float64{10, 8, 8}, []int{4, 3, 3}},
		{
			"short jobs with much volume wait: of 2, 2, 2 class 1 takes one, class 2 two, class 3 all; the earlier first",
			[]float64{2, 2, 2},
			[]float64{1, 1, 1},
			[]int{1, 2, 3},
		},
		{
			"jobs that have a class count on: 1 + 3 do not fit into class 1, and fill class 2",
			[]float64{1, 3},
			[]float64{1, 1},
			[]int{1, 2},
		},
		{"one that is too long leaves room: class 1 takes the second", []float64{1, 2}, []float64{9, 1}, []int{4, 1}},
		{"no volume at all", []float64{0, 0}, []float64{1, 3}, []int{1, 2}},
	} {
		if diff := gocmp.Diff(c.want, heuristics.Classes(c.volumes, c.times)); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", c.name, diff)
		}
	}
}
