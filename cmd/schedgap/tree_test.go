package main

import (
	"errors"
	"io/fs"
	"path/filepath"
	"regexp"
	"testing"
)

// foreign are folders in the repository that are not of it: git's, built programs, npm's packages.
var foreign = regexp.MustCompile(`^(\..*|bin|node_modules|__pycache__)$`)

// walkTree visits the files and folders of the repository below root. What vanishes meanwhile was none of the repository's: a test of
// another package may be installing packages.
func walkTree(t *testing.T, root string, visit func(path string, d fs.DirEntry)) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist) && path != root:
			return nil
		case err != nil:
			return err
		case d.IsDir() && path != root && foreign.MatchString(d.Name()) && d.Name() != ".ci" && d.Name() != ".github":
			return fs.SkipDir
		}
		visit(path, d)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
