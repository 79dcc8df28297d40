// Package highs solves models with HiGHS, linked into the program.
//
// Source: Q. Huangfu and J. A. J. Hall, Parallelizing the dual revised simplex method, Mathematical Programming
// Computation 10 (2018); highs.dev.
package highs

import (
	"context"

	"schedgap/exact/milp"
	"schedgap/exact/milp/backend"
)

// Solver is HiGHS with feasibility tolerances and absolute gap 1e-9 and relative gap 0. It honours all of milp.Options,
// and gives bounds, nodes and incumbents. Solves in one process do not disturb each other.
//
// A cancelled context is seen between simplex iterations and nodes. Presolve and a single factorisation of a very large
// model may take longer than a second; a caller that cannot wait runs the solve in a process that it can kill.
type Solver struct{}

var _ milp.Solver = Solver{}

// Name is highs.
func (Solver) Name() string { return "highs" }

// Version of the HiGHS library that is linked in.
func (Solver) Version() string { return version() }

// Tolerance is that of the first run, see native.
func (Solver) Tolerance() milp.Tolerance { return milp.Tolerance{Rows: 1e-9, Integers: 1e-6} }

// Solve implements milp.Solver.
func (Solver) Solve(ctx context.Context, m *milp.Model, opt milp.Options) (*milp.Result, error) {
	return backend.Solve(ctx, m, opt, native)
}
