package anneal

import (
	"context"

	"schedgap/models"
)

// BestKnown makes a search for best-known values of a, whose doc is its title so far. Unless the parameter evaluations says
// otherwise, which documents itself by doc, the search has a budget of per·n² evaluations on an instance of n jobs, as if there
// were 1,000 of them where there are more, and at most most. It returns its best solution, and false where it has found none.
func BestKnown[I models.Instance, S any](
	a models.Algorithm[I, S], doc string, per, most int, jobs func(in I) int,
	search func(ctx context.Context, p *models.Pass[I, S], budget int) (best S, found bool, err error),
) *models.Algorithm[I, S] {
	const evaluations = "evaluations"
	a.Kind, a.Random, a.Search, a.Best = models.Heuristic, true, true, true
	a.Params = []models.Param{{Name: evaluations, Default: 0, Doc: doc}}
	a.Doc += "\n\ndocs/design/runner-and-results.md#best-known-values."
	a.Run = func(ctx context.Context, p *models.Pass[I, S]) (out models.Outcome[S], err error) {
		budget := p.Params.Int(evaluations)
		if budget == 0 {
			n := min(jobs(p.Instance), 1000)
			budget = min(per*n*n, most)
		}
		out.Status = models.Feasible
		out.Solution, out.Found, err = search(ctx, p, budget)
		if ctx.Err() != nil {
			out.Status, err = models.Timeout, nil
		}
		return out, err
	}
	return &a
}
