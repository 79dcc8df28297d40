// Package linked lists the MILP solvers that are linked into the program. The build tags highs and lpsolve choose them;
// scripts/env sets each where it finds the library. A build without them needs nothing but Go.
package linked

import (
	"slices"

	"schedgap/exact/highs"
	"schedgap/exact/lpsolve"
	"schedgap/exact/milp"
)

// Solvers lists the solvers that this build has, the default one first.
func Solvers() []milp.Solver { return list(true) }

// Missing lists the solvers that a build can have and this one has not.
func Missing() []milp.Solver { return list(false) }

// Without reports whether name is one of the missing solvers.
func Without(name string) bool {
	return slices.ContainsFunc(Missing(), func(s milp.Solver) bool { return s.Name() == name })
}

// Names leaves the missing solvers out of names, for tests that compare several ways to one optimum.
func Names(names ...string) []string { return slices.DeleteFunc(names, Without) }

// Ways does the same for pairs of solver and model.
func Ways(ways ...[2]string) [][2]string {
	return slices.DeleteFunc(ways, func(w [2]string) bool { return Without(w[0]) })
}

// Need skips a test for want of the solver name, aloud.
func Need(t interface {
	Helper()
	Skipf(format string, args ...any)
}, name string,
) {
	t.Helper()
	if Without(name) {
		t.Skipf("SKIPPED: this build is without %s", name)
	}
}

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
