// Package catalog is the one list of everything: problems with their algorithms, generators, simulators and suites, and
// MILP solvers. Whoever adds an algorithm adds one line here or in the problem's list that is named here.
package catalog

import (
	"context"
	"embed"
	"io/fs"
	"slices"

	"schedgap/bench"
	"schedgap/bench/catalog/folder"
	"schedgap/exact"
	"schedgap/exact/milp"
	"schedgap/models"
)

// New returns the list. The error is a mistake in the user's list of solvers, see SolversVariable.
func New() (*bench.Registry, error) { return NewUntil(context.Background()) }

// NewUntil is New; the end of ctx kills the commands of problems in folders.
func NewUntil(ctx context.Context) (*bench.Registry, error) {
	milps, err := solvers()
	if err != nil {
		return nil, err
	}
	r := bench.NewRegistry(
		[]*bench.Problem{
			bench.Adapt(flexDefinition(milps)),
			bench.Adapt(pocdDefinition(milps)),
			bench.Adapt(cloningDefinition(milps)),
			bench.Adapt(redundancyDefinition(milps)),
			bench.Adapt(speculationDefinition(milps)),
		},
		listed(milps),
	)
	r.Open = folder.Opener(ctx, milps)
	return r, nil
}

// partsOf returns the parts that a problem's exact methods take from other packages. The methods start from the best solution of
// start and of the heuristics, except the heuristics that are searches.
func partsOf[I models.Instance, S any](
	p *models.Problem[I, S], solvers []milp.Solver, start func(ctx context.Context, in I) (S, error),
	heuristics []*models.Algorithm[I, S],
) exact.Deps[I, S] {
	quick := slices.DeleteFunc(slices.Clone(heuristics), func(a *models.Algorithm[I, S]) bool {
		return a.Random || a.Search
	})
	parts := exact.Deps[I, S]{Solvers: solvers, Start: start, Heuristics: quick}
	for _, a := range heuristics {
		if a.Best {
			parts.Portfolio.Others = append(parts.Portfolio.Others, a)
		}
	}
	return parts
}

//go:embed suites
var files embed.FS

// suitesOf returns the built-in suites of a problem, *.yaml in the root, and in worst the worst instances known of its
// algorithms.
func suitesOf(problem string) fs.FS {
	f, err := fs.Sub(files, "suites/"+problem)
	if err != nil {
		panic("catalog: " + err.Error()) // the path is not valid: a programmer's mistake
	}
	return f
}
