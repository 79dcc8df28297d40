package runner

import (
	"context"
	"os"
	"path/filepath"
	"slices"

	"schedgap/bench"
	"schedgap/bench/plan/suite"
	"schedgap/bench/run/external"
	"schedgap/bench/run/store"
	"schedgap/bench/run/sysinfo"
	"schedgap/models"
	"schedgap/models/input"
)

// commandDigest returns the digest of the present files of a unit's command, and of its problem's folder; empty: it has neither.
func (r *run) commandDigest(ctx context.Context, u *bench.Unit) (digest string, err error) {
	if len(u.Request.Command) > 0 && !u.Own() {
		digest, err = r.files.Digest(ctx, u.Dir, u.Request.Command, u.Watch)
	}
	if f := u.Instance.Problem.Folder; f != nil && err == nil {
		var of string
		of, err = f.Digest(ctx)
		digest = withFolder(of, digest)
	}
	return digest, err
}

// withFolder is the digest of a folder and of the command of a user, if there is one: those of the problem are in the folder.
func withFolder(folder, command string) string {
	return models.Digest([]byte(folder + command))
}

// CurrentCommands are the versions of now, against which rows of a results folder are compared: the files of its commands, and this
// build of the program.
type CurrentCommands struct{ commands map[[2]string][]string } // by problem and name: suites may have several of one

// ReadCurrentCommands reads a results folder's suite, if it has one, and the files of its commands. Commands whose folder is missing, as on
// another machine, are not judged. It fails only when ctx ends, with ctx's error.
func ReadCurrentCommands(ctx context.Context, path string) (*CurrentCommands, error) {
	t := &CurrentCommands{map[[2]string][]string{}}
	file := filepath.Join(path, store.SuiteFile)
	data, err := input.Read(file, input.MaxData)
	if err != nil {
		return t, nil
	}
	suites, _ := suite.ParseAll(file, data)
	var files external.Files
	for _, s := range suites {
		folder := ""
		if s.Folder != "" {
			folder, err = files.Tree(ctx, s.Folder)
			if ctx.Err() != nil {
				return nil, err
			} else if err != nil {
				continue
			}
		}
		for _, e := range s.Algorithms {
			key := [2]string{s.Problem, e.Name}
			digest := ""
			if _, err := os.Stat(s.Dir()); err != nil && len(e.Command) > 0 || len(e.Command) == 0 && folder == "" {
				continue
			}
			if len(e.Command) > 0 {
				digest, err = files.Digest(ctx, s.Dir(), e.Command, s.Watch)
				if err != nil {
					return nil, err
				}
			}
			if folder != "" {
				digest = withFolder(folder, digest)
			}
			t.commands[key] = append(t.commands[key], digest)
		}
	}
	return t, nil
}

// Stale reports whether the rows of a problem's algorithm with this digest of its command, nil if there is none, do not count as done.
func (t *CurrentCommands) Stale(problem, algorithm string, command *string) bool {
	digests, known := t.commands[[2]string{problem, algorithm}]
	return known && stale(command, digests...)
}

// OtherBuild reports whether rows with this digest of the executable, nil if it is not known, are of another build than this
// program.
func (t *CurrentCommands) OtherBuild(build *string) bool {
	return sysinfo.BuildSHA256() != "" && (build == nil || *build != sysinfo.BuildSHA256())
}

func stale(command *string, digests ...string) bool {
	return command == nil || !slices.Contains(digests, *command)
}
