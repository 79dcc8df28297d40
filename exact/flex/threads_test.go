package flex

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"schedgap/models/flex"
)

// Solution, bound and number of nodes do not depend on the number of threads, in searches of several rounds.
func TestThreads(t *testing.T) {
	for _, o := range []flex.Objective{
		{Metric: flex.Response, Aggregate: flex.Sum, Weighted: true},
		{Metric: flex.SLA, Aggregate: flex.Sum},
	} {
		jobs := 18
		if o.Metric == flex.SLA {
			jobs = 28
		}
		var rounds bool
		for _, in := range generated(t, o, jobs, 3) {
			var first flex.Outcome
			for threads := 1; threads <= 3; threads++ {
				p := pass(in)
				p.Threads = threads
				out, err := Opt.Methods[0].Solve(t.Context(), p, nil)
				if err != nil {
					t.Fatal(err)
				}
				if threads == 1 {
					first = out
					rounds = rounds || *out.Stats.Work.Nodes > 2*partNodes
					continue
				}
				if diff := cmp.Diff(first, out); diff != "" {
					t.Errorf("%s, %d threads: %s", in.Name, threads, diff)
				}
			}
		}
		if !rounds {
			t.Errorf("%v: no search had several rounds", o)
		}
	}
}

// A search that is stopped by its nodes finds on any number of threads the same, too.
func TestFrontier(t *testing.T) {
	type node struct{ depth, bound int }
	visited := func(threads int) (order [][]node) {
		f := frontier[node]{open: []node{{}}, bound: func(o node) float64 { return float64(o.bound) }}
		found := make([]node, roundParts)
		f.work = func(_ context.Context, _, part int, o node) []node {
			found[part] = o
			if o.depth == 12 {
				return nil
			}
			rng := rand.New(rand.NewPCG(uint64(o.depth), uint64(o.bound)))
			return []node{{o.depth + 1, o.bound + rng.IntN(5)}, {o.depth + 1, o.bound + rng.IntN(5)}}
		}
		f.merge = func(parts int, least float64) bool {
			for _, o := range f.open {
				if float64(o.bound) < least {
					t.Errorf("least is %v where %v is open", least, o)
				}
			}
			order = append(order, append([]node{}, found[:parts]...))
			return len(order) < 200
		}
		f.search(t.Context(), threads)
		return order
	}
	one := visited(1)
	if len(one) < 100 {
		t.Errorf("%d rounds", len(one))
	}
	for threads := 2; threads < 5; threads++ {
		if diff := cmp.Diff(one, visited(threads), cmp.AllowUnexported(node{})); diff != "" {
			t.Errorf("%d threads: %s", threads, diff)
		}
	}
}
