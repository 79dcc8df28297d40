package speculation

import (
	"context"

	"schedgap/models"
	"schedgap/models/speculation"
)

// front is an algorithm whose solution is the one point that a's matching makes, so that its hypervolume can be held against
// the exact front's.
func front(a *speculation.Algorithm) *speculation.Algorithm {
	return &speculation.Algorithm{
		Name: "front-" + a.Name,
		Doc: "the one-point front of " + a.Name +
			"\n\ndocs/problems/speculation.md#references: the hypervolume ratio to the exact front. See " + a.Name + ".",
		Kind: models.Heuristic, Reference: speculation.Pareto, Params: a.Params,
		Run: func(ctx context.Context, p *speculation.Pass) (speculation.Outcome, error) {
			out, err := a.Run(ctx, p)
			out.Solution = speculation.Solution{Front: []speculation.Point{p.Instance.Point(out.Solution.Assign)}}
			return out, err
		},
	}
}
