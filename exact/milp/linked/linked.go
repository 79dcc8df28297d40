// Package linked lists the MILP solvers that are linked into the program. The build tags highs and lpsolve choose them;
// scripts/env sets each where it finds the library. A build without them needs nothing but Go.
package linked

import (
	"schedgap/exact/milp"
	"schedgap/exact/milp/highs"
	"schedgap/exact/milp/lpsolve"
)

// Solvers lists the solvers that this build has, the default one first.
func Solvers() []milp.Solver { return list(true) }

// Missing lists the solvers that a build can have and this one has not.
func Missing() []milp.Solver { return list(false) }

func list(linked bool) []milp.Solver {
	var solvers []milp.Solver
	if highs.Linked == linked {
		solvers = append(solvers, highs.Solver{})
	}
	if lpsolve.Linked == linked {
		solvers = append(solvers, lpsolve.Solver{})
	}
	return solvers
}
