package flex

import (
	"fmt"
	"math"
	"testing"

	"schedgap/exact/lp"

	"schedgap/models/flex"
	"schedgap/models/trials"
)

// What is fixed leaves every schedule that is better than the goal: the optimum where the goal is a little above it.
func TestFixLeavesTheOptimum(t *testing.T) {
	rng := trials.Rand(t, 174, 1)
	shrunk, lagging := 0, 0
	for range trials.Count(300) {
		in := unevenInstance(rng, 3+rng.IntN(3))
		n := len(in.Jobs)
		s, root := newPairSearch(newIncumbent(in, nil), nil)
		clear(root.precedes)
		best := math.Inf(1)
		var optimal [][]float64
		permutations(n, func(order []int) {
			plan, err := bestInOrder(in, order)
			if err != nil {
				return
			}
			times := flex.Completions(in, plan)
			v := in.Value(times)
			if v < best-1e-8*sizeOf(in) {
				best, optimal = v, nil
			}
			if v < best+1e-8*sizeOf(in) {
				optimal = append(optimal, times)
			}
		})
		goal := s.program.cutoff(best + 1e-7*sizeOf(in))
		for s.terms = make([]term, n); ; {
			if root.d.Optimize(t.Context(), math.Inf(1)) != lp.Solved {
				t.Fatal(show(in))
			}
			for j := range root.times {
				root.times[j] = s.program.early[j] + root.d.X(j)
			}
			copy(s.program.times, root.times)
			if !s.limits(root) && !s.moments(t.Context(), root) && !s.program.separateMachine(root.d) && !s.fix(root, goal) {
				break
			}
		}
		for _, times := range optimal {
			for i, c := range times {
				c /= s.program.unit
				if c < root.earliest[i]-1e-7 || c > root.latest[i]+1e-7 {
					t.Fatalf("job %d ends at %v in an optimum, which is not in [%v, %v]\n%s", i, c, root.earliest[i], root.latest[i], show(in))
				}
			}
		}
		// Each optimum keeps the lags: where one is broken, the two jobs may change places at a gain.
		for _, times := range optimal {
			for i, c := range times {
				for j, d := range times {
					lag := root.lag(i, j)
					if lag == inf {
						continue
					}
					lagging++
					if gain := (in.Factor(i) - in.Factor(j)) * (c - d - lag*s.program.unit); gain > 4e-8*sizeOf(in) {
						t.Fatalf("job %d ends at %v and %d at %v in an optimum, %v later at most\n%s", i, c, j, d, lag*s.program.unit, show(in))
					}
				}
			}
		}
		for i := range n {
			if root.earliest[i] > s.program.early[i]+0.01 || root.latest[i] < s.program.late[i]-0.01 {
				shrunk++
			}
		}
	}
	if shrunk < trials.Count(200) || lagging < trials.Count(200) {
		t.Errorf("%d windows shrunk and %d lags only", shrunk, lagging)
	}
}

// TestPricesBoundNodes: of a sum of weighted tardiness on one machine the program's cuts leave much open; prices bound a node far
// better, and not beyond the best schedule.
func TestPricesBoundNodes(t *testing.T) {
	rng := trials.Rand(t, 46, 4)
	in := &flex.Instance{Slots: 1, Objective: flex.Objective{Metric: flex.Tardiness, Aggregate: flex.Sum, Weighted: true}}
	for j := range 20 {
		due := float64(rng.IntN(1100))
		in.Jobs = append(in.Jobs, flex.Job{
			ID: fmt.Sprint("j", j), Work: float64(1 + rng.IntN(100)), Max: 1, Weight: float64(1 + rng.IntN(10)), Deadline: &due,
		})
	}
	bound := func(steps int) (bound, best float64) {
		s, root := newPairSearch(newIncumbent(in, nil), nil)
		s.polish(t.Context(), flex.OrderBy(in, func(j int) float64 { return *in.Jobs[j].Deadline }))
		if steps > 0 {
			s.curves = newPricer(in, s.program).ascend(t.Context(), root.earliest, root.latest, s.Best, steps)
		}
		s.solve(t.Context(), root, rootRounds)
		return root.bound, s.Best
	}
	cuts, _ := bound(0)
	prices, best := bound(1200)
	if prices > best*(1+1e-9) || prices < 1.5*cuts {
		t.Errorf("bounds %v by cuts, %v by prices; the best schedule is worth %v", cuts, prices, best)
	}
}
