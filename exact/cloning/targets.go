package cloning

import (
	"context"
	"math/big"
	"slices"

	"schedgap/exact"
	"schedgap/exact/cloning/bounds"
	"schedgap/exact/cloning/formulations"
	"schedgap/exact/cloning/search"
	"schedgap/exact/verify/cloning/kernel"
	"schedgap/models"
	"schedgap/models/cloning"
	"schedgap/models/proof"
)

type target = exact.Target[*cloning.Instance, cloning.Solution]

// OptPreemptive is the name of Opt that says its regime.
const OptPreemptive = "opt-preemptive"

// Opt is the optimum over preemptive schedules, the paper's OPT.
var Opt = newTarget(cloning.Opt, cloning.Opt, "optimum over preemptive schedules, the paper's OPT", false)

// Preemptive is Opt under the name that says its regime.
var Preemptive = newTarget(OptPreemptive, cloning.Opt, "the same as opt, named by its regime", false)

// OptNonpreemptive is the optimum over schedules whose copies run until their task completes.
var OptNonpreemptive = newTarget(cloning.OptNonpreemptive, cloning.OptNonpreemptive,
	"optimum over nonpreemptive schedules", true)

func newTarget(name, reference, title string, fixed bool) *target {
	alone := ""
	if fixed {
		alone = " One job on one server without useful clones: learned nogoods (Schutt, Feydy, Stuckey and Wallace 2011; exact/cumulative)."
	}
	return &target{
		Name: name,
		Doc: title + "\n\n" +
			"Search slot by slot with bounds by prices and dominance (exact/cloning/search). Models: literal " +
			"(Xu, Liu and Lau 2022, eqs. 4 to 8) and strong." + alone,
		Problem:      cloning.Problem,
		Reference:    reference,
		Formulations: formulations.Of(fixed),
		Methods: []*exact.Method[*cloning.Instance, cloning.Solution]{{
			Name: "search",
			Doc:  "passes of growing width over partial schedules, slot by slot",
			Solve: exact.FromFirst(cloning.Problem, reference, kernel.FromFirst, kernel.Later,
				func(ctx context.Context, p *cloning.Pass) (models.End, error) { return search.Solve(ctx, p, fixed) }),
			Prove: func(ctx context.Context, in *cloning.Instance, s cloning.Solution, value, _ float64) (*proof.Claim, error) {
				return search.Prove(ctx, in, s, value, fixed)
			},
		}},
		Choose: func(*cloning.Instance) (string, string) { return "search", "strong" },
	}
}

// Algorithms are the exact algorithms and the bounds of cloning. parts brings the solvers and the heuristic start.
func Algorithms(parts exact.Deps[*cloning.Instance, cloning.Solution]) []*cloning.Algorithm {
	parts.Prices = exact.PricesOf(LBPrice)
	parts.Bound = func(_ context.Context, in *cloning.Instance) (float64, error) { return bounds.Lower(in), nil }
	parts.Grid = func(*cloning.Instance) *big.Rat { return big.NewRat(1, 1) } // flowtimes are whole slots
	alone := parts
	alone.Portfolio.Others = nil
	// A nonpreemptive schedule is also a preemptive one; a bound on preemptive schedules is also one on nonpreemptive ones.
	beside := func(t, other *target) *cloning.Algorithm {
		both := parts
		both.Portfolio.Others = slices.Concat([]*cloning.Algorithm{LBPrice}, parts.Portfolio.Others, []*cloning.Algorithm{other.Algorithm(alone)})
		return t.Algorithm(both)
	}
	return []*cloning.Algorithm{
		beside(Opt, OptNonpreemptive), beside(Preemptive, OptNonpreemptive), beside(OptNonpreemptive, Preemptive),
		bounds.LBPath, bounds.LBHeads, bounds.LBSRPT, LBPrice,
	}
}

// Models writes the formulations of opt. Those of the nonpreemptive regime have the same names.
var Models = exact.Exporter(Opt.Formulations...)
