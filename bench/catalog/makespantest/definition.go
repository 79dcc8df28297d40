package makespantest

import (
	"math/rand/v2"

	"schedgap/bench"
	"schedgap/exact"
	"schedgap/exact/milp"
	"schedgap/models"
)

var generator = &models.Generator[*Instance]{
	Doc: "processing times uniform in 1..100",
	Params: []models.Param{
		{Name: "jobs", Doc: "number of jobs", Default: 8, Min: 1, Max: 1000},
		{Name: "machines", Doc: "number of machines", Default: 3, Min: 1, Max: 1000},
	},
	Generate: func(name string, v models.Values, rng *rand.Rand) (*Instance, error) {
		in := &Instance{Header: models.Header{Name: name}, Machines: v.Int("machines")}
		for range v.Int("jobs") {
			in.Times = append(in.Times, 1+rng.IntN(100))
		}
		return in, nil
	},
}

// Definition joins everything; there is no simulator.
func Definition(solvers []milp.Solver) bench.Definition[*Instance, Solution] {
	heuristics := []*models.Algorithm[*Instance, Solution]{LPT}
	opt := &exact.Target[*Instance, Solution]{
		Name: "opt", Doc: "the least makespan\n\nBy a MILP, from the best heuristic's schedule.", Reference: "opt",
		Formulations: []*exact.Formulation[*Instance, Solution]{assignment},
		Choose:       func(*Instance) (method, formulation string) { return "", assignment.Name },
	}
	parts := exact.Parts[*Instance, Solution]{Problem: Problem, Solvers: solvers, Heuristics: heuristics}
	return bench.Definition[*Instance, Solution]{
		Problem: Problem, Generator: generator, Suites: files, Exporter: exact.Exporter(assignment),
		Algorithms: append(heuristics, opt.Algorithm(parts)),
	}
}
