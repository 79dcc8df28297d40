package catalog

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"schedgap/exact/milp"
	"schedgap/exact/milp/command"
	"schedgap/models/input"
	"schedgap/models/strict"
)

// SolversVariable names the environment variable that holds the path of a list of further solver commands; workers inherit
// it. The list is a JSON object, see docs/using.md:
//
//	{"solvers": [{"name": "scip", "args": ["-c", "read {model} opt write solution {solution} quit"], "format": "sol"}]}
const SolversVariable = "SCHEDGAP_SOLVERS"

// withCommands adds to solvers the commands that are known, then those of the user's list if the variable is set.
func withCommands(solvers []milp.Solver) ([]milp.Solver, error) {
	for _, c := range command.Known() {
		s, err := commanded(c)
		if err != nil {
			return nil, fmt.Errorf("solver %s: %w", c.Name, err)
		}
		solvers = append(solvers, s)
	}
	file := os.Getenv(SolversVariable)
	if file == "" {
		return solvers, nil
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
	for i, c := range config.Solvers {
		at := strict.At("solvers", i)
		if slices.ContainsFunc(solvers, func(s milp.Solver) bool { return s.Name() == c.Name }) {
			f.Fail(at, "the name %q is taken", c.Name)
			break
		}
		if strings.Contains(c.Path, "/") && !filepath.IsAbs(c.Path) {
			c.Path, err = filepath.Abs(filepath.Join(filepath.Dir(file), c.Path)) // solves run in folders of their own
		}
		if err != nil {
			return nil, err
		}
		s, err := commanded(c)
		if err != nil {
			f.Fail(at, "%v", err)
			break
		}
		solvers = append(solvers, s)
	}
	return solvers, f.Err()
}

// commanded is a solver that is run as a command, or stands for one that is not installed.
func commanded(c command.Config) (milp.Solver, error) {
	s, err := command.New(c)
	if errors.Is(err, milp.ErrUnavailable) {
		return missing{c.Name, err}, nil
	}
	return s, err
}
