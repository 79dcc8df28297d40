package main

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"schedgap/bench"
	"schedgap/bench/plan/suite"
	"schedgap/models"
	"schedgap/models/environ"
)

// A parsed is a flag's value with its own way of reading.
type parsed[T any] struct {
	value *T
	kind  string
	parse func(string) (T, error)
	show  func(T) string // nil: as fmt does
}

func (p parsed[T]) String() string {
	switch {
	case p.value == nil || reflect.ValueOf(*p.value).IsZero(): // nothing is given
		return ""
	case p.show == nil:
		return fmt.Sprint(*p.value)
	}
	return p.show(*p.value)
}

func (p parsed[T]) Type() string { return p.kind }

func (p parsed[T]) Set(s string) (err error) {
	*p.value, err = p.parse(s)
	return err
}

// choiceFlag defines a flag that takes one of a few words; the value that it has before is the default.
func choiceFlag(fs *pflag.FlagSet, value *string, name, usage string, words ...string) {
	list := strings.Join(words, ", ")
	fs.Var(parsed[string]{
		value: value, kind: "string",
		parse: func(s string) (string, error) {
			if !slices.Contains(words, s) {
				return s, fmt.Errorf("it must be one of %s", list)
			}
			return s, nil
		},
	}, name, usage+": "+list)
}

// listFlag defines a flag for a list of things of one kind, separated by commas. Its value is the default. The first use replaces it, and
// later ones add to the list.
func listFlag(fs *pflag.FlagSet, value *string, name, short, kind, usage string) {
	given := false
	fs.VarP(parsed[string]{
		value: value, kind: kind + ",...",
		parse: func(s string) (string, error) {
			if given {
				s = *value + "," + s
			}
			given = true
			return s, nil
		},
	}, name, short, usage+"; may be repeated")
}

// most is the largest count that is plausible and fits into memory. It bounds all counts but those of threads.
const most = suite.MaxInstances

// countFlag defines a flag for an integer from 1 to most.
func countFlag(fs *pflag.FlagSet, value *int, most int, name, short, usage string) {
	fs.VarP(parsed[int]{
		value: value, kind: "int",
		parse: func(s string) (int, error) {
			n, err := strconv.Atoi(s)
			if err != nil || n < 1 || n > most {
				return 0, fmt.Errorf("it must be an integer from 1 to %d", most)
			}
			return n, nil
		},
	}, name, short, usage)
}

// seedFlag defines --seed. Seeds are stored as signed 64-bit integers.
func seedFlag(fs *pflag.FlagSet, seed *uint64) {
	fs.Var(parsed[uint64]{
		value: seed, kind: "int",
		parse: func(s string) (uint64, error) {
			n, err := strconv.ParseInt(s, 10, 64)
			if err != nil || n < 0 {
				return 0, fmt.Errorf("it must be an integer from 0 to 2^63-1")
			}
			return uint64(n), nil
		},
	}, "seed", "seed of all randomness")
}

// limitFlags defines the flags of the limits of one unit; the values that they have before are the defaults.
func limitFlags(fs *pflag.FlagSet, limits *bench.Limits, threads *int) {
	durationFlag(fs, &limits.Time, "time-limit", "for the algorithm, such as 90s or 10m")
	sizeFlag(fs, &limits.Memory, "memory-limit", "for resident memory, such as 512MiB or 4GiB (default: none)")
	countFlag(fs, threads, suite.MaxThreads, "threads", "", "number of threads for the algorithm")
	outputFlag(fs, &limits.Output)
}

// durationFlag defines a flag for a duration greater than 0; the value that it has before is the default, 0: none.
func durationFlag(fs *pflag.FlagSet, value *time.Duration, name, usage string) {
	fs.Var(parsed[time.Duration]{
		value: value, kind: "DURATION",
		parse: func(s string) (time.Duration, error) {
			d, err := time.ParseDuration(s)
			if err != nil {
				return 0, fmt.Errorf("it must be a duration such as 90s or 10m")
			}
			if d <= 0 {
				return 0, fmt.Errorf("it must be greater than 0")
			}
			return d, nil
		},
	}, name, usage)
}

// sizeFlag defines a flag for a number of bytes; 0: none is given.
func sizeFlag(fs *pflag.FlagSet, value *int64, name, usage string) {
	fs.Var(parsed[int64]{value: value, kind: "SIZE", parse: suite.ParseSize, show: suite.FormatSize}, name, usage)
}

// outputFlag defines --output-limit.
func outputFlag(fs *pflag.FlagSet, limit *int64) {
	sizeFlag(fs, limit, "output-limit", "for a command's output, such as 128MiB (default: 64MiB)")
}

// writesTo defines -o of a command that writes to nothing else.
func writesTo(cmd *cobra.Command, path *string, usage string) {
	cmd.Flags().StringVarP(path, "output", "o", "", usage)
	must(cmd, "output")
}

// envFlag defines --env.
func envFlag(fs *pflag.FlagSet, names *[]string) {
	fs.Var(parsed[[]string]{
		value: names, kind: "NAME",
		parse: func(s string) ([]string, error) {
			if !environ.Valid(s) {
				return *names, fmt.Errorf("it must be the name of an environment variable")
			}
			return append(*names, s), nil
		},
		show: func(names []string) string { return strings.Join(names, ",") },
	}, "env", "a further environment variable that commands see; may be repeated")
}

// paramFlag defines -p.
func paramFlag(fs *pflag.FlagSet, given *[]string, of string) {
	fs.StringArrayVarP(given, "param", "p", nil, "`KEY=VALUE`, a parameter of the "+of+"; may be repeated")
}

// resolve reads parameters from their texts.
func resolve(params []models.Param, given []string) (models.Values, error) {
	values, err := models.ParseAssignments(given)
	if err != nil {
		return nil, err
	}
	return models.Resolve(params, values)
}

// must marks flags as required.
func must(cmd *cobra.Command, names ...string) {
	for _, name := range names {
		if err := cmd.MarkFlagRequired(name); err != nil {
			panic("schedgap: " + err.Error()) // a flag that cmd does not define: a programmer's mistake
		}
	}
}
