package redundancy

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	verifyredundancy "schedgap/exact/verify/redundancy"
	"schedgap/models"
	"schedgap/models/fail"
	"schedgap/models/proof"
	"schedgap/models/redundancy"
	"schedgap/models/trials"
)

// The tree and its solution are the same with any number of threads.
func TestThreads(t *testing.T) {
	nodes := int64(0)
	for i, in := range append(loaded(8, 3, 4, true), loaded(8, 3, 4, false)...) {
		var first redundancy.Outcome
		counts := []int{1, 3}
		if trials.Whole() {
			counts = []int{1, 2, 3}
		}
		for _, threads := range counts {
			p := pass(in)
			p.Threads = threads
			out, err := Opt.Alone(t.Context(), Opt.Methods[0], p, nil)
			if err != nil || out.Status != models.Optimal {
				t.Fatal(err, out.Status)
			}
			if threads == 1 {
				first = out
				nodes += *out.Stats.Nodes
				continue
			}
			if *out.Stats.Nodes != *first.Stats.Nodes {
				t.Errorf("%d: %d threads visit %d nodes, one %d", i, threads, *out.Stats.Nodes, *first.Stats.Nodes)
			}
			same := func(a, b redundancy.Interval) bool {
				return a.Start == b.Start && a.End == b.End && slices.Equal(a.Alloc, b.Alloc)
			}
			if !slices.EqualFunc(out.Solution.Intervals, first.Solution.Intervals, same) {
				t.Errorf("%d: %d threads find %v, one %v", i, threads, out.Solution.Intervals, first.Solution.Intervals)
			}
		}
	}
	if nodes < 100 {
		t.Errorf("%d nodes are too few for threads to matter", nodes)
	}
}

// Proofs of instances with too many sets for linear programs split windows and pairs first, and prove the same.
func TestSplits(t *testing.T) {
	rng := rand.New(rand.NewPCG(25, 1))
	for i := range 20 {
		in := drawn(rng, 5, 3, 3, 0.6)
		in.Multitasking = i%2 == 0
		want, _ := optimum(t, in, "bnb")
		tree, err := verifyredundancy.NewTree(in, []any{proof.Multipliers{Grid: []float64{0, 1}, Price: []float64{0}}})
		fail.On(t, err)
		for _, share := range []float64{1 - 2e-9, 1 + 2e-9} {
			s := &search{masterProblem: newMasterProblem(in), incumbent: newIncumbent(in, nil), cutoff: share * want}
			stack, steps := []*verifyredundancy.Node{tree.Root()}, 0
			better := false
			for len(stack) > 0 && !better {
				n := stack[len(stack)-1]
				stack = stack[:len(stack)-1]
				if n.Closed(s.cutoff) {
					continue
				}
				if q := s.split(n); q != nil && steps < 6 {
					steps++
					less, more, err := n.Children(q.node)
					fail.On(t, err)
					stack = append(stack, less, more)
					continue
				}
				_, err := s.proof(t.Context(), n, 0, nil)
				better = err != nil
			}
			if better != (share > 1) || steps == 0 {
				t.Fatalf("%v of the optimum %v after %d splits: refuted is %v\n%s", share, want, steps, better, show(in))
			}
		}
	}
}

// At a limit the bound is no more than the optimum, nor less than at the root.
func TestOpenBounds(t *testing.T) {
	each := trials.Count(12)
	for _, in := range append(loaded(9, 3, each, true), loaded(9, 3, each, false)...) {
		want, _ := optimum(t, in, "bnb")
		s := &search{
			masterProblem: newMasterProblem(in), incumbent: newIncumbent(in, nil), env: newEnvelope(t.Context(), in, 9),
		}
		s.offer(in, s.rounded(s.env, nil))
		c, lines := priceLines(t.Context(), in, func(float64) {})
		tree, err := verifyredundancy.NewTree(in, lines)
		fail.On(t, err)
		for budget := int64(7); budget <= 35; budget += 7 {
			search := s.tree(1, budget)
			search.Plant(&vertex{Node: tree.Root(), bound: c.Best.Safe()})
			search.Run(t.Context())
			if open := min(search.Open(), s.Best); open > want*(1+1e-9) || open < c.Best.Safe() || math.IsNaN(open) {
				t.Fatalf("the bound is %v, the optimum %v, the root's bound %v\n%s", open, want, c.Best.Safe(), show(in))
			}
		}
	}
}

// loaded are instances of works of mean 2.2 that arrive at a rate of about 70 % of what machines with one job each can
// do.
func loaded(jobs, machines, count int, multitasking bool) []*redundancy.Instance {
	list := make([]*redundancy.Instance, count)
	for i := range list {
		rng := rand.New(rand.NewPCG(uint64(i), uint64(jobs)))
		list[i] = drawn(rng, jobs, machines, 3.1*float64(jobs)/float64(machines), []float64{0.3, 0.6, 0.9}[i%3])
		list[i].Multitasking = multitasking
	}
	return list
}
