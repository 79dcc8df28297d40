package flex

import (
	"context"
	"math"
	"testing"

	"schedgap/exact/tree"
	verifyflex "schedgap/exact/verify/flex"
	"schedgap/models/flex"
	"schedgap/models/proof"
)

// logged is how many nodes a log has.
func logged(n *proofNode) int {
	if n.children[0] == nil {
		return 1
	}
	return 1 + logged(n.children[0]) + logged(n.children[1])
}

// branches are the decisions in a proof.
func branches(lines []any) (count int) {
	for _, l := range lines {
		switch l := l.(type) {
		case proof.OrderLine:
			if l.Pair != nil {
				count++
			}
		case proof.DeadlineLine:
			if l.Level != nil {
				count++
			}
		}
	}
	return count
}

// limited is the proof of a search for some nodes, with how many nodes its log has and the least bound of what it left open.
func limited[N node](ctx context.Context, s *tree.Tree[N, flex.Schedule], root N, goal float64) (lines []any, nodes int, open float64) {
	entry := grow(ctx, s, root)
	return written(entry, goal), logged(entry), s.Open()
}

// The proof of a search that ended at a limit proves the least bound of what was open, with a small part of the search's nodes.
func TestProofsAtALimit(t *testing.T) {
	const budget, part = 3000, 4
	for _, c := range []struct {
		objective flex.Objective
		jobs      int
		kind      string
	}{
		{flex.Objective{Metric: flex.Response, Aggregate: flex.Sum, Weighted: true}, 20, proof.FlexOrders},
		{flex.Objective{Metric: flex.SLA, Aggregate: flex.Sum}, 60, proof.FlexDeadlines},
	} {
		for _, in := range generated(t, c.objective, c.jobs, 3) {
			goal := 0.0 // no schedule is worth so much, so the search ends at its limit
			for j := range in.Jobs {
				goal += in.Penalty(j, flex.Horizon(in))
			}
			var lines []any
			var nodes int
			var open float64
			if known := (incumbent{in: in}); c.kind == proof.FlexOrders {
				s, root := newPairSearch(known, &goal)
				lines, nodes, open = limited(t.Context(), s.tree(1, budget, func(float64) {}), root, s.goal())
			} else {
				s, root := newLevelSearch(known, &goal)
				lines, nodes, open = limited(t.Context(), s.tree(1, budget, func(float64) {}), root, s.goal())
			}
			bound, err := verifyflex.Bound(c.kind, in, lines)
			switch {
			case err != nil:
				t.Errorf("%s: %v", in.Name, err)
			case open >= goal || branches(lines) == 0:
				t.Errorf("%s: the search did not end at a limit, at %v of %v", in.Name, open, goal)
			case bound < open-1e-9*math.Abs(open):
				t.Errorf("%s: %v is proven, and what is open is worth %v", in.Name, bound, open)
			case part*(2*branches(lines)+1) > nodes:
				t.Errorf("%s: the proof has %d branches, the log %d nodes", in.Name, branches(lines), nodes)
			}
		}
	}
}
