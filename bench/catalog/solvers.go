package catalog

import (
	"context"
	"fmt"

	"schedgap/bench"
	"schedgap/exact/command"
	"schedgap/exact/highs"
	"schedgap/exact/lpsolve"
	"schedgap/exact/milp"
)

// solvers are the MILP solvers, the default one first and the user's commands last.
func solvers() ([]milp.Solver, error) {
	known := []milp.Solver{highs.Solver{}, lpsolve.Solver{}, external(command.CBC()), external(command.Glpsol())}
	more, err := configured(known)
	return append(known, more...), err
}

// external is a solver that is run as a command.
func external(cfg command.Config) milp.Solver {
	s, err := command.New(cfg)
	if err != nil {
		return missing{cfg.Name, err}
	}
	return s
}

// missing stands for a solver that is not installed, so that its name is known and the reason is told.
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
