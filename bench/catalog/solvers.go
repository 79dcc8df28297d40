package catalog

import (
	"context"
	"fmt"
	"slices"

	"schedgap/bench"
	"schedgap/exact/milp"
	"schedgap/exact/milp/backend"
	"schedgap/exact/milp/command"
	"schedgap/exact/milp/linked"
)

// solvers are the MILP solvers: those that this build and machine have, the default one first and the user's commands
// last, then those that are missing.
func solvers() ([]milp.Solver, error) {
	known := linked.Solvers()
	for _, s := range linked.Missing() {
		known = append(known, missing{s.Name(), backend.ErrNotLinked})
	}
	known, err := withCommands(known)
	slices.SortStableFunc(known, func(a, b milp.Solver) int { return absent(a) - absent(b) })
	return known, err
}

// absent is 1 for a solver that is missing, else 0.
func absent(s milp.Solver) int {
	if _, ok := s.(missing); ok {
		return 1
	}
	return 0
}

// missing stands for a solver that is not installed, so that its name is known and the reason shown.
type missing struct {
	name string
	err  error
}

func (m missing) Name() string    { return m.name }
func (m missing) Version() string { return "" }
func (m missing) Solve(context.Context, *milp.Model, milp.Options) (*milp.Result, error) {
	return nil, fmt.Errorf("solver %s: %w", m.name, m.err)
}

// listed is how the registry shows solvers. Commands are not asked for their versions.
func listed(solvers []milp.Solver) []bench.Solver {
	list := make([]bench.Solver, len(solvers))
	for i, s := range solvers {
		list[i] = bench.Solver{Name: s.Name(), Available: true}
		switch s := s.(type) {
		case missing:
			list[i].Available, list[i].Reason = false, s.err.Error()
		case *command.Solver:
		default:
			list[i].Version = s.Version()
		}
	}
	return list
}

// Solvers lists the MILP solvers with the versions of all; it runs the commands among them.
func Solvers() ([]bench.Solver, error) {
	all, err := solvers()
	if err != nil {
		return nil, err
	}
	list := listed(all)
	for i, s := range all {
		list[i].Version = s.Version()
	}
	return list, nil
}
