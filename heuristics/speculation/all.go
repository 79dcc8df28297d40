// Package speculation has the copy allocation rules that the window paper (Zhou et al., ICPP 2018) proposes and compares with,
// and a greedy rule on the scalar objective. Ties go by file order.
package speculation

import (
	"context"

	"schedgap/models"
	"schedgap/models/speculation"
)

// All lists the package's algorithms in the order in which reports show them.
var All = withFronts(Window, HeteAware, GreedyScalar, Default, None)

// withFronts lists the algorithms, then their siblings of the reference pareto.
func withFronts(list ...*speculation.Algorithm) []*speculation.Algorithm {
	all := list
	for _, a := range list {
		all = append(all, front(a))
	}
	return all
}

// None gives no straggler a copy.
var None = &speculation.Algorithm{
	Name: "none",
	Doc:  "no copies\n\nZhou et al. 2018, section 6.1 (noSpec); docs/problems/speculation.md#algorithm-1.",
	Kind: models.Heuristic, Reference: speculation.Opt,
	Run: decided(func(_ context.Context, in *speculation.Instance) speculation.Matching {
		return speculation.NoCopies(in)
	}),
}

// A Rule decides on copies. When its context ends it stops early, with the copies given so far.
type Rule func(ctx context.Context, in *speculation.Instance) speculation.Matching

// decided makes an algorithm's Run of a rule.
func decided(rule Rule) func(context.Context, *speculation.Pass) (speculation.Outcome, error) {
	return func(ctx context.Context, p *speculation.Pass) (speculation.Outcome, error) {
		out := speculation.Outcome{Found: true, Status: models.Feasible}
		out.Solution.Assign = rule(ctx, p.Instance)
		if ctx.Err() != nil {
			out.Status = models.Timeout
		}
		return out, nil
	}
}
