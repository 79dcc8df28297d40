package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"schedgap/bench/plan/suite"
	"schedgap/models"
)

// dirty ends the commit of a repository that has more in it than its commit.
const dirty = "-dirty"

// commitOf is the commit of the git repository in which a suite lies or, for a built-in one, the command that was added to it, whose
// folder is the current one. It ends in -dirty if a file of the repository has been edited since, or if the suite or a file of a
// command is not part of the commit. Empty: there is none, or git does not say what was edited.
func commitOf(ctx context.Context, name string, plan *suite.Plan, added bool) string {
	dir, own := ".", commandFiles(plan)
	if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() {
		dir, own = filepath.Dir(name), append(own, name)
	} else if !added {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	sha, err := git(ctx, dir, "rev-parse", "--verify", "HEAD")
	if err != nil || !models.IsHex(sha, 40) && !models.IsHex(sha, 64) {
		return "" // no git, no repository, or one without a commit
	}
	top, err := git(ctx, dir, "rev-parse", "--show-toplevel")
	if err != nil {
		return ""
	}
	// Files that were never added do not count here: results, caches and notes lie in most repositories.
	edited, err := git(ctx, top, "status", "--porcelain", "--untracked-files=no")
	if err != nil {
		return ""
	}
	unknown := false
	if edited == "" {
		unknown, err = untracked(ctx, top, own)
	}
	switch {
	case err != nil:
		return ""
	case unknown || edited != "":
		return sha + dirty
	}
	return sha
}

// untracked reports whether one of the files lies in the repository and git does not know it.
func untracked(ctx context.Context, top string, files []string) (bool, error) {
	for _, file := range files {
		real, err := filepath.EvalSymlinks(file)
		if err == nil {
			real, err = filepath.Abs(real)
		}
		if err != nil || !strings.HasPrefix(real, top+"/") {
			continue
		}
		known, err := git(ctx, top, "ls-files", "--", ":(literal)"+strings.TrimPrefix(real, top+"/"))
		if err != nil || known == "" {
			return err == nil, err
		}
	}
	return false, nil
}

// commandFiles are the files that the words of a plan's commands name.
func commandFiles(plan *suite.Plan) (files []string) {
	seen := map[string]bool{}
	for i := range plan.Units {
		u := &plan.Units[i]
		for _, word := range u.Request.Command {
			path := word
			if !filepath.IsAbs(path) {
				path = filepath.Join(u.Dir, path)
			}
			if seen[path] {
				continue
			}
			seen[path] = true
			if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
				files = append(files, path)
			}
		}
	}
	return files
}

// git asks git about the repository around a folder. Variables such as GIT_DIR, which git sets for its hooks, would name another
// repository. Git refreshes no index and starts no file monitor.
func git(ctx context.Context, dir string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", append([]string{"--no-optional-locks", "-c", "core.fsmonitor=false", "-C", dir}, args...)...)
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "GIT_") })
	out, err := cmd.Output()
	return strings.TrimSpace(string(out)), err
}
