package flex

import (
	"context"
	"errors"
	"slices"

	"schedgap/exact"
	verifyflex "schedgap/exact/verify/flex"
	"schedgap/models"
	"schedgap/models/flex"
)

type (
	target = exact.Target[*flex.Instance, flex.Schedule]
	method = exact.Method[*flex.Instance, flex.Schedule]
)

// positionJobs is the largest number of jobs up to which HiGHS solves Position faster than Intervals, without weights
// (docs/design/flex.md#intervals).
const positionJobs = 12

// Opt is the true optimum over all malleable schedules.
var Opt = &target{
	Name: flex.Opt,
	Doc: "optimum over all malleable schedules\n\n" +
		"Convex sums: branch-and-bound over which of two jobs completes first (exact/flex/search_pairs.go). Max objectives: " +
		"bisection with water filling. Tardy and sla: branch-and-bound over penalty levels, with linear programs and water filling. " +
		"Jobs that are best served one at a time: dynamic programs over time or work (exact/flex/search_machine.go, search_table.go).",
	Problem:      flex.Problem,
	Reference:    flex.Opt,
	Formulations: []*exact.Formulation[*flex.Instance, flex.Schedule]{Position, Precedence, Intervals, Grid},
	Methods: []*method{{
		Name:  "bnb",
		Prove: prove,
		Doc:   "the combinatorial method of the objective",
		Solve: func(ctx context.Context, p *flex.Pass) (models.End, error) {
			switch o := p.Instance.Objective; {
			case o.Aggregate == flex.Max:
				return solveMax(ctx, p)
			case o.Metric == flex.Tardy || o.Metric == flex.SLA:
				return solveSteps(ctx, p)
			}
			if s := newMachineSearch(p.Instance); s != nil {
				return solveMachine(ctx, p, s, func(ctx context.Context) (models.End, error) { return solvePairs(ctx, p) })
			}
			return solvePairs(ctx, p)
		},
	}},
	Choose: func(in *flex.Instance) (string, string) {
		switch {
		case Grid.Applies(in) == nil:
			return "bnb", Grid.Name
		case (len(in.Jobs) > positionJobs || in.Objective.Weighted) && Intervals.Applies(in) == nil:
			return "bnb", Intervals.Name
		}
		return "bnb", Position.Name
	},
}

// OptMPS is the best schedule of the malleable packing scheme, which the paper calls optimal.
var OptMPS = &target{
	Name: flex.OptMPS,
	Doc: "best schedule of the malleable packing scheme over all priority orders\n\n" +
		"Wolf et al. 2010, section 4.1, by exhaustive search; here branch-and-bound over orders with bounds on prefixes " +
		"(exact/flex/search_packing.go).",
	Problem:   flex.Problem,
	Reference: flex.OptMPS,
	Methods:   []*method{{Name: "bnb", Doc: "branch-and-bound over priority orders", Solve: solvePackings}},
	Choose:    func(*flex.Instance) (string, string) { return "bnb", "" },
}

// OptMoldable is the best moldable schedule.
var OptMoldable = &target{
	Name: flex.OptMoldable,
	Doc: "best moldable schedule: one constant number of slots per job, all starting at 0\n\n" +
		"Wolf et al. 2010, section 3.2: marginal gains (Fox 1966) for convex sums and, by tail sums, for max objectives; a dynamic " +
		"program for steps.",
	Problem:      flex.Problem,
	Reference:    flex.OptMoldable,
	Applies:      func(in *flex.Instance, _ string) error { return flex.MoldableFits(in) },
	Formulations: []*exact.Formulation[*flex.Instance, flex.Schedule]{Allocation},
	Methods: []*method{{Name: "gains", Doc: "separable resource allocation", Solve: func(
		ctx context.Context, p *flex.Pass,
	) (models.End, error) {
		s, ok := flex.Moldable(p.Instance)
		if !ok {
			p.Impossible()
			return models.End{}, nil
		}
		p.Offer(constantSchedule(p.Instance, s))
		p.Bound(flex.MoldableBound(p.Instance, s))
		return models.End{}, nil
	}}},
	Choose: func(*flex.Instance) (string, string) { return "gains", Allocation.Name },
}

// moldableOptimum is the schedule of the method gains.
func moldableOptimum(_ context.Context, in *flex.Instance) (s flex.Schedule, err error) {
	slots, ok := flex.Moldable(in)
	if !ok {
		return s, errors.New("there is no moldable schedule")
	}
	return constantSchedule(in, slots), nil
}

// constantSchedule gives every job its slots until it completes.
func constantSchedule(in *flex.Instance, s []int) flex.Schedule {
	var rec flex.Recorder
	for j, slots := range s {
		rec.Set(j, float64(slots))
	}
	end := func(j int) float64 { return in.Jobs[j].Work / float64(s[j]) }
	for _, j := range flex.OrderBy(in, end) {
		rec.Advance(end(j))
		rec.Set(j, 0)
	}
	return rec.Schedule()
}

// Algorithms are the exact algorithms and bounds of flex. parts brings the solvers and the heuristic start of opt.
func Algorithms(parts exact.Deps[*flex.Instance, flex.Schedule]) []*flex.Algorithm {
	parts.Bound, parts.Prices = safeBound, exact.PricesOf(LBPrice)
	parts.Portfolio.Others = append([]*flex.Algorithm{LBPrice}, parts.Portfolio.Others...)
	parts.Grid, parts.Portfolio.Model = verifyflex.Grid, func(in *flex.Instance) string {
		if in.Objective.Aggregate == flex.Sum && in.StepTimes(0) != nil {
			return Grid.Name
		}
		return ""
	}
	return []*flex.Algorithm{
		uniform(Opt.Algorithm(parts)), uniform(OptMPS.Algorithm(parts)),
		OptMoldable.Algorithm(exact.Deps[*flex.Instance, flex.Schedule]{Solvers: parts.Solvers, Witness: moldableOptimum}),
		uniform(LB), uniform(LBPrice),
	}
}

// Models writes the formulations.
var Models = exact.Exporter(slices.Concat(Opt.Formulations, OptMoldable.Formulations)...)
