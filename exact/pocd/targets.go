package pocd

import (
	"context"

	"schedgap/exact"
	"schedgap/models"
	"schedgap/models/pocd"
	"schedgap/models/proof"
)

type target = exact.Target[*pocd.Instance, pocd.Copies]

// Opt is the optimum over extra copies of stragglers.
var Opt = newTarget(pocd.Opt, "optimum over extra copies of stragglers", false)

// OptAll is the optimum when every task may have extra copies, the reference of algorithms that know no stragglers.
var OptAll = newTarget(pocd.OptAll, "optimum over extra copies of any task, the straggler constraint waived", true)

func newTarget(name, title string, all bool) *target {
	return &target{
		Name: name,
		Doc: title + "\n\n" +
			"α < 1: dynamic program over the core of a multiple-choice knapsack (exact/pocd/search_core.go). Finite α ≥ 1: marginal " +
			"gains, optimal as utilities are concave (exact/pocd/search_concave.go). α = inf: bisection (exact/pocd/search_maxmin.go). " +
			"Any α: models knapsack and literal.",
		Problem:      pocd.Problem,
		Reference:    name,
		Formulations: []*formulation{knapsackOf(all), literalOf(all)},
		Methods: []*exact.Method[*pocd.Instance, pocd.Copies]{{
			Name: "dp",
			Doc:  "the combinatorial method of the objective",
			Solve: func(ctx context.Context, p *pocd.Pass) (models.End, error) {
				solveCopies(ctx, p, all)
				return models.Ended(ctx, "", models.Stats{}), nil
			},
			Prove: func(ctx context.Context, in *pocd.Instance, s pocd.Copies, _, _ float64) (*proof.Claim, error) {
				return prove(ctx, in, s, all)
			},
		}},
		Choose: func(*pocd.Instance) (string, string) { return "dp", "" },
	}
}

// Algorithms are the exact algorithms and the bound of pocd. parts brings the solvers and the heuristic start.
func Algorithms(parts exact.Deps[*pocd.Instance, pocd.Copies]) []*pocd.Algorithm {
	all := OptAll.Algorithm(parts)
	all.Waives = []string{"straggler"}
	parts.Bound = upperBound
	return []*pocd.Algorithm{Opt.Algorithm(parts), all, UB}
}

// Models writes the formulations of opt.
var Models = exact.Exporter(Opt.Formulations...)
