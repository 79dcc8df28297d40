// Package lpsolve solves models with lp_solve 5.5, linked into the program.
//
// Source: M. Berkelaar, K. Eikland, P. Notebaert, lp_solve 5.5, lpsolve.sourceforge.net.
package lpsolve

import (
	"context"

	"schedgap/exact/milp"
	"schedgap/exact/milp/backend"
)

// Solver is lp_solve with integrality tolerance and absolute gap 1e-9 and relative gap 0. It gives nodes and incumbents, no bounds,
// and ignores Options.Threads and Start; backend.Shuffled gives it seeds. lp_solve has state of its own outside of models, so that
// solves in one process wait for each other; waiting counts against the limit.
//
// A cancelled context is seen between simplex iterations. One iteration of a very large model may take longer than a
// second; a caller that cannot wait runs the solve in a process that it can kill.
type Solver struct{}

var _ milp.Solver = Solver{}

// Name is lpsolve.
func (Solver) Name() string { return "lpsolve" }

// Version of the lp_solve library that is linked in.
func (Solver) Version() string { return version() }

// Tolerance is as it is set.
func (Solver) Tolerance() milp.Tolerance { return milp.Tolerance{Rows: 1e-9, Integers: 1e-9} }

// Solve implements milp.Solver.
func (Solver) Solve(ctx context.Context, m *milp.Model, opt milp.Options) (*milp.Result, error) {
	return backend.Solve(ctx, m, opt, backend.Shuffled(native))
}
