package onemachine_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"schedgap/exact/verify/onemachine"
	"schedgap/models/fail"
	"schedgap/models/trials"
)

// draw has few works and costs, so that ties are many. Costs grow with time, or do not.
func draw(r *rand.Rand, n int) *onemachine.Problem {
	p := &onemachine.Problem{Rank: r.Perm(n)}
	for range n {
		w := 1 + r.IntN(4)
		p.Work = append(p.Work, w)
		p.Total += w
	}
	grows := r.IntN(3) > 0
	for range n {
		cost := make([]int64, p.Total+1)
		due, late := r.IntN(p.Total+2)-1, int64(r.IntN(4))
		for t := range cost {
			switch {
			case !grows:
				cost[t] = int64(r.IntN(7)) - 3
			case t > due && late == 0:
				cost[t] = 2
			case t > due:
				cost[t] = late * int64(t-due)
			}
		}
		p.Cost = append(p.Cost, cost)
	}
	return p
}

// optimum tries all orders.
func optimum(p *onemachine.Problem, done []bool, t int) int64 {
	best := int64(math.MaxInt64)
	for j, w := range p.Work {
		if done[j] {
			continue
		}
		done[j] = true
		v := p.Cost[j][t+w]
		if t+w < p.Total {
			v += optimum(p, done, t+w)
		}
		best = min(best, v)
		done[j] = false
	}
	return best
}

// Whatever the multipliers and the steps, no graph bounds more than the optimum or closes at a target above it; with all jobs counted
// it is the optimum itself, and closes there.
func TestGraphsKeepAnOptimum(t *testing.T) {
	r := trials.Rand(t, 158, 1)
	for trial := range trials.Count(4000) {
		n := 1 + r.IntN(6)
		p := draw(r, n)
		best := optimum(p, make([]bool, n), 0)
		target := best + 1
		if r.IntN(3) == 0 {
			target = best
		}
		g, err := onemachine.New(t.Context(), p)
		fail.On(t, err)
		check := func() bool {
			m := make([]int64, n)
			for j := range m {
				m[j] = int64(r.IntN(13)) - 6
			}
			b := g.Bound(m)
			if b > best && target > best {
				t.Fatalf("trial %d: the bound is %d, the optimum %d", trial, b, best)
			}
			cost, at := int64(0), 0
			for _, j := range g.Path() {
				at += p.Work[j]
				cost += p.Cost[j][at] - m[j]
			}
			for _, x := range m {
				cost += x
			}
			if cost != b || at != p.Total {
				t.Fatalf("trial %d: the path %v costs %d, the bound is %d", trial, g.Path(), cost, b)
			}
			fail.On(t, g.Prune(m, target))
			if g.Closed && target > best {
				t.Fatalf("trial %d: the graph is closed at %d, the optimum is %d", trial, target, best)
			}
			return g.Closed
		}
		closed := check()
		for _, q := range slices.Concat(r.Perm(n), []int{-1}) {
			if closed {
				break
			}
			if q < 0 || r.IntN(2*n) == 0 && !g.Remembers() {
				if g.Remembers() {
					break
				}
				err = g.Remember(t.Context(), target)
			} else {
				err = g.Count(t.Context(), q, target)
			}
			fail.On(t, err)
			closed = g.Closed
			if !closed {
				closed = check()
			}
		}
		if closed && target > best {
			t.Fatalf("trial %d: closed at %d, the optimum is %d", trial, target, best)
		}
		for j := range n {
			if !closed && !g.Counted(j) {
				fail.On(t, g.Count(t.Context(), j, target))
				closed = g.Closed || check()
			}
		}
		if closed != (target == best) {
			t.Fatalf("trial %d: with all jobs counted the graph is closed: %v, at %d; the optimum is %d", trial, closed, target, best)
		}
	}
}

// Steps out of turn, and numbers that would overflow, are errors.
func TestStepsOutOfTurn(t *testing.T) {
	p := &onemachine.Problem{Work: []int{1, 2}, Total: 3, Rank: []int{0, 1}, Cost: [][]int64{{0, 0, 1, 2}, {0, 0, 0, 3}}}
	g, err := onemachine.New(t.Context(), p)
	fail.On(t, err)
	ctx := t.Context()
	if g.Count(ctx, 0, 9) == nil || g.Remember(ctx, 9) == nil {
		t.Error("a step before Prune is no error")
	}
	for _, m := range [][]int64{nil, {1}, {0, onemachine.MostCost}, {math.MinInt64, 0}} {
		if g.Prune(m, 9) == nil {
			t.Errorf("multipliers %v are no error", m)
		}
	}
	zero := []int64{0, 0}
	fail.On(t, g.Prune(zero, 9))
	if g.Count(ctx, 2, 9) == nil || g.Count(ctx, -1, 9) == nil {
		t.Error("no job is counted, and it is no error")
	}
	fail.On(t, g.Count(ctx, 1, 9))
	if g.Remember(ctx, 9) == nil || g.Count(ctx, 0, 9) == nil {
		t.Error("a step without Prune before it is no error")
	}
	fail.On(t, g.Prune(zero, 9))
	if g.Count(ctx, 1, 9) == nil {
		t.Error("a job is counted twice")
	}
	fail.On(t, g.Remember(ctx, 9))
	fail.On(t, g.Prune(zero, 9))
	if g.Remember(ctx, 9) == nil {
		t.Error("the graph remembers twice")
	}
}

// three are jobs of one length. Of all sequences in which no two neighbours are better the other way round, 0 1 0 costs 0, and 0 1 2, 0 2 0
// and 1 2 0 cost 10; only the second is the best order of its jobs, and all but the first visit job 2 once.
var three = &onemachine.Problem{
	Work: []int{1, 1, 1}, Total: 3, Rank: []int{0, 1, 2}, Cost: [][]int64{{0, 0, 5, 0}, {0, 0, 0, 0}, {0, 10, 10, 10}},
}

// swapped is three with other names for jobs 0 and 1.
var swapped = &onemachine.Problem{
	Work: three.Work, Total: 3, Rank: []int{1, 0, 2}, Cost: [][]int64{three.Cost[1], three.Cost[0], three.Cost[2]},
}

// TestSizes: each rule takes all that it can, by hand, and what costs the target; ends that lead nowhere stay until the next Prune: of those
// that remember 0 1, 0 2 and 1 2, only the first is followed, by 2; of those that count, 0 1 0 ends without job 2.
func TestSizes(t *testing.T) {
	ctx, zero := t.Context(), []int64{0, 0, 0}
	for _, c := range []struct {
		target                      int64
		swapped                     bool
		pruned, remembered, counted [2]int // nodes and arcs; nodes 0: closed
	}{
		{10, false, [2]int{5, 4}, [2]int{}, [2]int{}},
		{10, true, [2]int{5, 4}, [2]int{}, [2]int{}},
		{11, false, [2]int{8, 10}, [2]int{8, 7}, [2]int{9, 10}},
		{11, true, [2]int{8, 10}, [2]int{8, 7}, [2]int{9, 10}},
	} {
		pruned := func() *onemachine.Graph {
			p, path := three, []int{0, 1, 0}
			if c.swapped {
				p, path = swapped, []int{1, 0, 1}
			}
			g, err := onemachine.New(ctx, p)
			fail.On(t, err)
			if b := g.Bound(zero); b != 0 || !slices.Equal(g.Path(), path) {
				t.Fatalf("bound %d by %v", b, g.Path())
			}
			fail.On(t, g.Prune(zero, c.target))
			return g
		}
		see := func(rule string, g *onemachine.Graph, want [2]int) {
			if got := [2]int{g.Nodes(), g.Arcs()}; g.Closed != (want[0] == 0) || !g.Closed && got != want {
				t.Errorf("target %d, %s: %v, closed %v, want %v", c.target, rule, got, g.Closed, want)
			}
		}
		see("prune", pruned(), c.pruned)
		g := pruned()
		fail.On(t, g.Remember(ctx, c.target))
		see("remember", g, c.remembered)
		g = pruned()
		fail.On(t, g.Count(ctx, 2, c.target))
		see("count", g, c.counted)
	}
}

// TestOneJob: a sequence of one job costs what it costs, and there is no other.
func TestOneJob(t *testing.T) {
	p := &onemachine.Problem{Work: []int{2}, Total: 2, Rank: []int{0}, Cost: [][]int64{{0, 0, 5}}}
	for target, closed := range map[int64]bool{4: true, 5: true, 6: false} {
		g, err := onemachine.New(t.Context(), p)
		fail.On(t, err)
		if b := g.Bound([]int64{3}); b != 5 || g.Nodes() != 3 || g.Arcs() != 2 {
			t.Errorf("the bound is %d, with %d nodes and %d arcs", b, g.Nodes(), g.Arcs())
		}
		if err := g.Prune([]int64{3}, target); err != nil || g.Closed != closed {
			t.Errorf("closed at %d: %v, %v", target, g.Closed, err)
		}
	}
}

// TestTies: of two orders that are as good only the first in alphabetical order is a path.
func TestTies(t *testing.T) {
	for _, rank := range [][]int{{0, 1}, {1, 0}} {
		p := &onemachine.Problem{Work: []int{1, 1}, Total: 2, Rank: rank, Cost: [][]int64{{0, 0, 0}, {0, 0, 0}}}
		g, err := onemachine.New(t.Context(), p)
		fail.On(t, err)
		bound := g.Bound([]int64{0, 0})
		if bound != 0 || g.Arcs() != 5 || !slices.Equal(g.Path(), []int{rank[0], rank[1]}) {
			t.Errorf("%d arcs, the path is %v", g.Arcs(), g.Path())
		}
	}
}

// TestFits: the largest numbers and the most jobs that fit do, and one more of either does not.
func TestFits(t *testing.T) {
	for _, c := range []struct {
		jobs, multipliers int
		cost, multiplier  int64
		fits              bool
	}{
		{onemachine.MostJobs, onemachine.MostJobs, 1 << 45, 0, true}, // 2^60 over four times as many visits and multipliers, 2^13
		{onemachine.MostJobs, onemachine.MostJobs, 1<<45 + 1, 0, false},
		{onemachine.MostJobs, onemachine.MostJobs, -1 << 45, 0, true},
		{onemachine.MostJobs, onemachine.MostJobs, -1<<45 - 1, 0, false},
		{onemachine.MostJobs, onemachine.MostJobs, 0, -1<<45 - 1, false},
		{onemachine.MostJobs + 1, onemachine.MostJobs + 1, 0, 0, false},
		{2, 3, 0, 0, false},
		{0, 0, 0, 0, false},
	} {
		cost := make([]int64, 2*c.jobs+3)
		cost[2], cost[2*c.jobs] = c.cost, c.cost
		p := &onemachine.Problem{Total: 2 * c.jobs}
		for range c.jobs {
			p.Work, p.Cost = append(p.Work, 2), append(p.Cost, cost)
		}
		if err := p.Fits(slices.Repeat([]int64{c.multiplier}, c.multipliers)); (err == nil) != c.fits {
			t.Errorf("%d jobs of cost %d, multiplier %d: %v", c.jobs, c.cost, c.multiplier, err)
		}
	}
}

// TestEnded: a large graph ends with its context; a small one does not ask.
func TestEnded(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for work, ended := range map[int]bool{1023: false, 1024: true} {
		p := &onemachine.Problem{Work: []int{work}, Total: work, Rank: []int{0}, Cost: [][]int64{make([]int64, work+1)}}
		if _, err := onemachine.New(ctx, p); errors.Is(err, context.Canceled) != ended {
			t.Errorf("of %d: %v", work, err)
		}
	}
}
