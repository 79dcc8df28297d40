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
	f, err := strict.Parse(file, data)
	if err != nil {
		return nil, err
	}
	var list []milp.Solver
	for _, e := range f.Array("solvers").All() {
		cfg := strict.Nested(e, readConfig)
		if f.Err() != nil {
			break
		}
		if slices.ContainsFunc(slices.Concat(taken, list), func(s milp.Solver) bool { return s.Name() == cfg.Name }) {
			e.Fail("the name %q is taken", cfg.Name)
			break
		}
		s, err := command.New(cfg)
		switch {
		case err == nil:
			list = append(list, s)
		case errors.Is(err, milp.ErrUnavailable):
			list = append(list, missing{cfg.Name, err})
		default:
			e.Fail("%v", err)
		}
	}
	if err := f.Done(); err != nil {
		return nil, err
	}
	return list, nil
}

// formats are the names of the formats in which a command may tell what it found.
var formats = map[string]command.Format{"cbc": command.FormatCBC, "glpk": command.FormatGLPK, "sol": command.FormatSol}

func readConfig(f strict.Fields) command.Config {
	cfg := command.Config{
		Name: f.ID("name"), Path: f.TextOr("path", ""), Args: strict.Values(f, "args", strict.Item.Text),
		ThreadArgs: texts(f, "thread_args"), VersionArgs: texts(f, "version_args"), Env: texts(f, "env"),
	}
	format := f.Text("format")
	if cfg.Format = formats[format]; cfg.Format == 0 {
		f.Fail("format", "%q must be cbc, glpk or sol", format)
	}
	cfg.WholeSeconds = f.BoolOr("whole_seconds", false)
	if f.Has("exit_codes") {
		cfg.ExitCodes = strict.Values(f, "exit_codes", func(v strict.Item) int { return v.Int() })
	}
	return cfg
}

// texts reads a list that may be absent.
func texts(f strict.Fields, key string) []string {
	if !f.Has(key) {
		return nil
	}
	return strict.Values(f, key, strict.Item.Text)
}
