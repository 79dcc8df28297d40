// Package linkedtest helps tests of MILP models. Need skips a test if the build lacks a linked solver, and Rows tests the cuts of
// formulations on random instances.
package linkedtest

import (
	"slices"
	"strings"
	"testing"

	"schedgap/exact/milp"
	"schedgap/exact/milp/linked"
)

// Without reports whether name, or what stands in it before a slash, is one of the missing solvers.
func Without(name string) bool {
	name, _, _ = strings.Cut(name, "/")
	return slices.ContainsFunc(linked.Missing(), func(s milp.Solver) bool { return s.Name() == name })
}

// Names leaves the missing solvers out of names, for tests that compare several ways to one optimum.
func Names(names ...string) []string { return slices.DeleteFunc(names, Without) }

// Ways does the same for pairs of solver and model.
func Ways(ways ...[2]string) [][2]string {
	return slices.DeleteFunc(ways, func(w [2]string) bool { return Without(w[0]) })
}

// Need skips a test for want of the solver name, aloud.
func Need(t testing.TB, name string) {
	t.Helper()
	if Without(name) {
		t.Skipf("SKIPPED: this build is without %s", name)
	}
}

// Solver is the linked solver of that name; the test is skipped for want of it, aloud.
func Solver(t testing.TB, name string) milp.Solver {
	t.Helper()
	Need(t, name)
	solvers := linked.Solvers()
	return solvers[slices.IndexFunc(solvers, func(s milp.Solver) bool { return s.Name() == name })]
}
