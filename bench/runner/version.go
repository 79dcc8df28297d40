package runner

import (
	"context"
	"os"
	"path/filepath"
	"slices"

	"schedgap/bench"
	"schedgap/bench/external"
	"schedgap/bench/store"
	"schedgap/bench/suite"
	"schedgap/bench/sysinfo"
	"schedgap/models/input"
)

// madeOf returns the digest of the present files of a unit's command; empty: it has none.
func (r *run) madeOf(ctx context.Context, u *bench.Unit) (string, error) {
	if len(u.Request.Command) == 0 {
		return "", nil
	}
	return r.files.Digest(ctx, u.Dir, u.Request.Command, u.Watch)
}

// Today describes the current versions, against which rows of a results folder are compared: the files of its commands, and this
// build of the program.
type Today struct{ commands map[string][]string } // by name: suites may have several of one

// ReadToday reads a results folder's suite, if it has one, and the files of its commands. Commands whose folder is missing, as on
// another machine, are not judged. It fails only when ctx ends, with ctx's error.
func ReadToday(ctx context.Context, path string) (*Today, error) {
	t := &Today{map[string][]string{}}
	file := filepath.Join(path, store.SuiteFile)
	data, err := input.Read(file, input.MaxData)
	if err != nil {
		return t, nil
	}
	suites, _ := suite.ParseAll(file, data)
	var files external.Files
	for _, s := range suites {
		for _, e := range s.Algorithms {
			if _, err := os.Stat(s.Dir()); err != nil || len(e.Command) == 0 {
				continue
			}
			digest, err := files.Digest(ctx, s.Dir(), e.Command, s.Watch)
			if err != nil {
				return nil, err
			}
			t.commands[e.Name] = append(t.commands[e.Name], digest)
		}
	}
	return t, nil
}

// Stale reports whether the rows of an algorithm with this digest of its command, nil if there is none, do not count as done.
func (t *Today) Stale(algorithm string, command *string) bool {
	digests, known := t.commands[algorithm]
	return known && stale(command, digests...)
}

// OtherBuild reports whether rows with this digest of the executable, nil if it is not known, are of another build than this
// program.
func (t *Today) OtherBuild(build *string) bool {
	return sysinfo.BuildSHA256() != "" && (build == nil || *build != sysinfo.BuildSHA256())
}

func stale(command *string, digests ...string) bool {
	return command == nil || !slices.Contains(digests, *command)
}
