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
		Solvers []configFields `json:"solvers"`
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
		s, err := command.New(command.Config{
			Name: c.Name, Path: c.Path, Args: c.Args, ThreadArgs: c.ThreadArgs, VersionArgs: c.VersionArgs, Env: c.Env,
			Format: formats[c.Format], WholeSeconds: c.WholeSeconds, ExitCodes: c.ExitCodes,
		})
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

// formats are the names of the formats in which a command may tell what it found.
var formats = map[string]command.Format{"cbc": command.FormatCBC, "glpk": command.FormatGLPK, "sol": command.FormatSol}

type configFields struct {
	Name         string   `json:"name" is:"id"`
	Path         string   `json:"path,omitempty"`
	Args         []string `json:"args"`
	ThreadArgs   []string `json:"thread_args,omitempty"`
	VersionArgs  []string `json:"version_args,omitempty"`
	Env          []string `json:"env,omitempty"`
	Format       string   `json:"format" words:"cbc|glpk|sol"`
	WholeSeconds bool     `json:"whole_seconds,omitempty"`
	ExitCodes    []int    `json:"exit_codes,omitempty"`
}
