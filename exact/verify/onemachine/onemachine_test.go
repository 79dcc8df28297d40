package onemachine_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"schedgap/exact/verify/onemachine"
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
		if err != nil {
			t.Fatal(err)
		}
		check := func() bool {
			m := make([]int64, n)
			for j := range m {
				m[j] = int64(r.IntN(13)) - 6
			}
			if b := g.Bound(m); b > best && target > best {
				t.Fatalf("trial %d: the bound is %d, the optimum %d", trial, b, best)
			}
			if err := g.Prune(m, target); err != nil {
				t.Fatal(err)
			}
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
			if err != nil {
				t.Fatal(err)
			}
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
				if err := g.Count(t.Context(), j, target); err != nil {
					t.Fatal(err)
				}
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
	if err != nil {
		t.Fatal(err)
	}
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
	if err := g.Prune(zero, 9); err != nil {
		t.Fatal(err)
	}
	if g.Count(ctx, 2, 9) == nil || g.Count(ctx, -1, 9) == nil {
		t.Error("no job is counted, and it is no error")
	}
	if err := g.Count(ctx, 1, 9); err != nil {
		t.Fatal(err)
	}
	if g.Remember(ctx, 9) == nil || g.Count(ctx, 0, 9) == nil {
		t.Error("a step without Prune before it is no error")
	}
	if err := g.Prune(zero, 9); err != nil {
		t.Fatal(err)
	}
	if g.Count(ctx, 1, 9) == nil {
		t.Error("a job is counted twice")
	}
	if err := g.Remember(ctx, 9); err != nil {
		t.Fatal(err)
	}
	if err := g.Prune(zero, 9); err != nil {
		t.Fatal(err)
	}
	if g.Remember(ctx, 9) == nil {
		t.Error("the graph remembers twice")
	}
}
