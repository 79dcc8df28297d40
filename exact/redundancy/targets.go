package redundancy

import (
	"errors"
	"slices"

	"schedgap/exact"
	"schedgap/exact/milp"
	"schedgap/models/redundancy"
)

type target = exact.Target[*redundancy.Instance, redundancy.Solution]

// Opt is the optimum at speed 1 of the instance as it is, shared or not.
var Opt = newTarget(redundancy.Opt, "optimum at speed 1, with multitasking where the instance has it", nil)

// OptMultitasking is the same for instances with multitasking only.
var OptMultitasking = newTarget("opt-multitasking", "optimum at speed 1 with multitasking", func(
	in *redundancy.Instance, _ string,
) error {
	if !in.Multitasking {
		return errors.New("the instance has no multitasking")
	}
	return nil
})

func newTarget(name, title string, applies func(in *redundancy.Instance, arg string) error) *target {
	return &target{
		Name: name,
		Doc: title + "\n\n" +
			"Branch-and-bound over completion orders, the periods between arrivals that jobs complete in, and copies " +
			"(exact/redundancy/search.go, docs/design/redundancy.md#the-search). Models: events and periods.",
		Problem:      redundancy.Problem,
		Reference:    redundancy.Opt,
		Applies:      applies,
		Formulations: []*formulation{Events, Periods},
		Methods: []*exact.Method[*redundancy.Instance, redundancy.Solution]{{
			Name:  "bnb",
			Doc:   "branch-and-bound over orders, periods and copies",
			Solve: exact.FromFirst(redundancy.Problem, redundancy.Opt, fromFirst, later, solve),
			Prove: prove,
		}},
		Choose: func(in *redundancy.Instance) (string, string) {
			if Periods.Applies(in) == nil {
				return "bnb", Periods.Name
			}
			return "bnb", Events.Name
		},
	}
}

// Algorithms are the exact algorithms and bounds of redundancy. parts brings the solvers and the heuristic start. The default
// solver of the model is lp_solve where it is there: on its models it is faster than HiGHS, and right
// (docs/design/redundancy.md#the-model-of-events).
func Algorithms(parts exact.Deps[*redundancy.Instance, redundancy.Solution]) []*redundancy.Algorithm {
	parts.Solvers = slices.Clone(parts.Solvers)
	slices.SortStableFunc(parts.Solvers, func(a, b milp.Solver) int { return rank(a) - rank(b) })
	parts.Bound, parts.Prices = LowerBound, exact.PricesOf(LBPrice)
	parts.Portfolio.Others = append([]*redundancy.Algorithm{LBPrice}, parts.Portfolio.Others...)
	return []*redundancy.Algorithm{Opt.Algorithm(parts), OptMultitasking.Algorithm(parts), LBSRPT, LBPrice}
}

func rank(s milp.Solver) int {
	if s.Name() == "lpsolve" {
		return 0
	}
	return 1
}

// Models writes the formulations.
var Models = exact.Exporter(Opt.Formulations...)
