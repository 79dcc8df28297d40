package catalog

import (
	"context"
	"math/rand/v2"
	"slices"

	"schedgap/bench"
	datasets "schedgap/datasets/redundancy"
	"schedgap/exact/milp"
	exactredundancy "schedgap/exact/redundancy"
	verifyredundancy "schedgap/exact/verify/redundancy"
	heuristics "schedgap/heuristics/redundancy"
	"schedgap/models/redundancy"
	"schedgap/models/redundancy/sim"
)

func redundancyDefinition(solvers []milp.Solver) bench.Definition[*redundancy.Instance, redundancy.Solution] {
	parts := partsOf(redundancy.Problem, solvers, redundancyStart, atOptimumsSpeed(heuristics.All))
	return bench.Definition[*redundancy.Instance, redundancy.Solution]{
		Problem:      redundancy.Problem,
		Algorithms:   slices.Concat(exactredundancy.Algorithms(parts), heuristics.All),
		Exporter:     exactredundancy.Models,
		Verify:       verifyredundancy.Verify,
		Generator:    datasets.Generator,
		Moves:        datasets.Moves,
		Deriver:      datasets.Deriver,
		Simulator:    sim.New(heuristics.Policies, datasets.Workloads),
		Suites:       suitesOf(redundancy.Problem.Name),
		Successors:   map[string]string{"lb-lp": "lb-price"},
		Blind:        []string{"fair+r", "laps+r", "fair", "laps"},
		Augmentation: redundancy.Augmentation,
		Restrictions: redundancy.Restrictions,
	}
}

// The incumbent that exact methods of redundancy start from is sought in startPerJobs schedules for each pair of jobs, and in no
// more than startWork jobs are scheduled, since large instances are not proven anyway.
const (
	startPerJobs = 200
	startWork    = 2_000_000
	datesFrom    = 1000 // in units of all jobs' work
)

// redundancyStart is the best schedule of a short search on machines of the optimum's speed, whatever the instance's. Where
// arrivals are dates it is srpt+r's: rounding may show an optimal schedule as better than it is, and models of solvers refuse an
// optimum that is above their start.
func redundancyStart(ctx context.Context, in *redundancy.Instance) (redundancy.Solution, error) {
	n := len(in.Jobs)
	late, work := 0.0, 0.0
	for _, j := range in.Jobs {
		late, work = max(late, j.Arrival), work+j.Work
	}
	if late > datesFrom*work {
		return heuristics.Schedule(ctx, in, heuristics.Discipline{Rule: heuristics.SRPTRule}, 1)
	}
	budget := min(startPerJobs*n*n, startWork/n)
	best, _, err := heuristics.Search(ctx, in, rand.New(rand.NewPCG(1, 1)), budget, nil)
	return best, err
}

// atOptimumsSpeed are heuristics on machines as fast as the optimum's, whatever the instance gives them.
func atOptimumsSpeed(list []*redundancy.Algorithm) []*redundancy.Algorithm {
	slow := make([]*redundancy.Algorithm, len(list))
	for i, a := range list {
		b := *a
		b.Run = func(ctx context.Context, p *redundancy.Pass) (redundancy.Outcome, error) {
			in, pass := *p.Instance, *p
			in.Speed, pass.Instance = 1, &in
			return a.Run(ctx, &pass)
		}
		slow[i] = &b
	}
	return slow
}
