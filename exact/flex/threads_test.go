package flex

import (
	"context"
	"math/rand/v2"
	"slices"
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
			jobs = 140
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
					rounds = rounds || *out.Stats.Work.Nodes > partNodes+roundParts
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

// A toy is a search whose nodes have bounds by chance and nothing to find.
type toy struct{ incumbent }

type toyNode struct {
	treeNode
	depth int
}

func (*toy) begin(context.Context, *toyNode, bool) {}

func (*toy) relax(_ context.Context, o *toyNode, _ bool)  { o.verdict = undecided }
func (*toy) offer(*toyNode)                               {}
func (*toy) goal() float64                                { return 1e9 }
func (*toy) line(decision) any                            { return nil }
func (*toy) leaf(*toyNode) proofLeaf                      { return nil }
func (*toy) settle(_ context.Context, o *toyNode) float64 { return o.bound }
func (*toy) candidates(o *toyNode) []decision {
	if o.depth == 40 {
		return nil
	}
	return []decision{{a: o.depth}}
}

func (*toy) child(o *toyNode, _ decision, second bool) *toyNode {
	rng := rand.New(rand.NewPCG(uint64(o.depth), uint64(o.bound)))
	if second {
		rng.Uint64()
	}
	c := &toyNode{treeNode: treeNode{d: newDictionary(nil), bound: o.bound + float64(rng.IntN(5))}, depth: o.depth + 1}
	c.d.value = c.bound
	return c
}

// A search that is stopped by its nodes finds on any number of threads the same; what it reports is the least bound of what
// is open, which does not fall.
func TestTree(t *testing.T) {
	type result struct {
		Nodes  int64
		Open   float64
		Bounds []float64
	}
	searched := func(threads int) (r result) {
		main := &toy{incumbent{best: inf}}
		tr := &tree[*toyNode]{
			main: main, threads: threads, budget: 300_000, worker: func() branching[*toyNode] { return &toy{main.incumbent} },
			bounded: func(b float64) { r.Bounds = append(r.Bounds, b) },
		}
		tr.search(t.Context(), &toyNode{treeNode: treeNode{d: newDictionary(nil)}})
		r.Nodes, r.Open = tr.nodes, tr.open
		return r
	}
	one := searched(1)
	if len(one.Bounds) < 20 || one.Nodes < 300_000 || !slices.IsSorted(one.Bounds) || one.Bounds[len(one.Bounds)-1] != one.Open ||
		one.Open == 0 {
		t.Errorf("%d nodes, %v open, bounds %v", one.Nodes, one.Open, one.Bounds)
	}
	for threads := 2; threads < 5; threads++ {
		if diff := cmp.Diff(one, searched(threads)); diff != "" {
			t.Errorf("%d threads: %s", threads, diff)
		}
	}
}
