package catalog

import (
	"schedgap/bench"
	"schedgap/exact/highs"
	"schedgap/exact/lpsolve"
	"schedgap/exact/milp"
)

// solvers are the MILP solvers, the default one first.
func solvers() []milp.Solver {
	return []milp.Solver{highs.Solver{}, lpsolve.Solver{}}
}

// listed is how the registry shows solvers.
func listed(solvers []milp.Solver) []bench.Solver {
	list := make([]bench.Solver, len(solvers))
	for i, s := range solvers {
		list[i] = bench.Solver{Name: s.Name(), Version: s.Version(), Available: true}
	}
	return list
}
