package catalog

import (
	"errors"
	"fmt"
	"os"
	"slices"

	"schedgap/exact/command"
	"schedgap/exact/milp"
	"schedgap/models/input"
	"schedgap/models/strict"
)

// SolversVariable names the environment variable that holds the path of a list of further solver commands; workers inherit
// it. The list is a JSON object, see docs/cli.md:
//
//	{"solvers": [{"name": "scip", "args": ["-c", "read {model} opt write solution {solution} quit"], "format": "sol"}]}
const SolversVariable = "SCHEDGAP_SOLVERS"

// configured are the commands of the user's list; none when the variable is not set.
func configured(taken []milp.Solver) ([]milp.Solver, error) {
	file := os.Getenv(SolversVariable)
	if file == "" {
		return nil, nil
	}
	data, err := input.Read(file, input.MaxConfig)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", SolversVariable, err)
	}
	var config struct {
		Solvers []command.Config `json:"solvers"`
	}
	f, err := strict.Read(file, data, &config)
	if err != nil {
		return nil, err
	}
	var list []milp.Solver
	for i, c := range config.Solvers {
		at := strict.At("solvers", i)
		if slices.ContainsFunc(slices.Concat(taken, list), func(s milp.Solver) bool { return s.Name() == c.Name }) {
			f.Fail(at, "the name %q is taken", c.Name)
			break
		}
		s, err := command.New(c)
		switch {
		case err == nil:
			list = append(list, s)
		case errors.Is(err, milp.ErrUnavailable):
			list = append(list, missing{c.Name, err})
		default:
			f.Fail(at, "%v", err)
		}
	}
	return list, f.Err()
}
