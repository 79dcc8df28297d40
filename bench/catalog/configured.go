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
	o, err := strict.Parse(file, data)
	if err != nil {
		return nil, err
	}
	entries, err := o.Array("solvers")
	if err != nil {
		return nil, err
	}
	var list []milp.Solver
	for _, e := range entries.All() {
		cfg, err := readConfig(e)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(slices.Concat(taken, list), func(s milp.Solver) bool { return s.Name() == cfg.Name }) {
			return nil, e.Errorf("the name %q is taken", cfg.Name)
		}
		s, err := command.New(cfg)
		switch {
		case err == nil:
			list = append(list, s)
		case errors.Is(err, milp.ErrUnavailable):
			list = append(list, missing{cfg.Name, err})
		default:
			return nil, e.Errorf("%v", err)
		}
	}
	return list, o.Done()
}

// formats are the names of the formats in which a command may tell what it found.
var formats = map[string]command.Format{"cbc": command.FormatCBC, "glpk": command.FormatGLPK, "sol": command.FormatSol}

func readConfig(v *strict.Value) (cfg command.Config, err error) {
	o, err := v.Object()
	if err != nil {
		return cfg, err
	}
	if cfg.Name, err = o.ID("name"); err != nil {
		return cfg, err
	}
	if p := o.Get("path"); p != nil {
		if cfg.Path, err = p.Text(); err != nil {
			return cfg, err
		}
	}
	args, err := o.Need("args")
	if err != nil {
		return cfg, err
	}
	if cfg.Args, err = texts(args); err != nil {
		return cfg, err
	}
	for key, into := range map[string]*[]string{"thread_args": &cfg.ThreadArgs, "version_args": &cfg.VersionArgs, "env": &cfg.Env} {
		if f := o.Get(key); f != nil {
			if *into, err = texts(f); err != nil {
				return cfg, err
			}
		}
	}
	format, err := o.Text("format")
	if err != nil {
		return cfg, err
	}
	if cfg.Format = formats[format]; cfg.Format == 0 {
		return cfg, o.Get("format").Errorf("%q must be cbc, glpk or sol", format)
	}
	if cfg.WholeSeconds, err = o.BoolOr("whole_seconds", false); err != nil {
		return cfg, err
	}
	if f := o.Get("exit_codes"); f != nil {
		codes, err := f.Array()
		if err != nil {
			return cfg, err
		}
		for _, c := range codes.All() {
			code, err := c.Int()
			if err != nil {
				return cfg, err
			}
			cfg.ExitCodes = append(cfg.ExitCodes, code)
		}
	}
	return cfg, o.Done()
}

func texts(v *strict.Value) ([]string, error) {
	elems, err := v.Array()
	if err != nil {
		return nil, err
	}
	list := make([]string, elems.Len())
	for i, e := range elems.All() {
		if list[i], err = e.Text(); err != nil {
			return nil, err
		}
	}
	return list, nil
}
