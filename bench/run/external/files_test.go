package external_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"schedgap/bench/run/external"
	"schedgap/models/fail"
)

// A command's digest covers its own files, and neither the system's programs nor folders nor names that are no files.
func TestDigest(t *testing.T) {
	dir := t.TempDir()
	file := func(name, contents string) {
		t.Helper()
		fail.On(t, os.WriteFile(filepath.Join(dir, name), []byte(contents), 0o755))
	}
	var files external.Files
	digest := func(command ...string) string {
		t.Helper()
		d, err := files.Digest(t.Context(), dir, command, nil)
		if err != nil || len(d) != 64 {
			t.Fatalf("%q: %q, %v", command, d, err)
		}
		return d
	}
	file("mine", "1")
	nothing := digest("sh", "-c", "true")
	for _, command := range [][]string{{"cat"}, {"/bin/sh", dir, "none", ""}, {"no-such-command-anywhere"}} {
		if digest(command...) != nothing {
			t.Errorf("%q has files", command)
		}
	}
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	mine := digest("./mine")
	if mine == nothing || digest("mine") != mine || digest(filepath.Join(dir, "mine")) != mine ||
		digest("sh", "-u", "mine") == mine {
		t.Error("a program is the same by each of its names, and an argument is no program")
	}
	// Contents are looked at again when size or time change, and by others.
	then := time.Now().Add(-time.Hour)
	for _, contents := range []string{"2", "3"} {
		file("mine", contents)
		fail.On(t, os.Chtimes(filepath.Join(dir, "mine"), then, then))
		if contents == "2" {
			if edited := digest("mine"); edited == mine {
				t.Error("an edit is not noticed")
			} else {
				mine = edited
			}
		}
	}
	if digest("mine") != mine {
		t.Error("a file is read again although its size and time stay")
	}
	files = external.Files{}
	if digest("mine") == mine {
		t.Error("contents are not looked at")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := new(external.Files).Digest(ctx, dir, []string{"mine"}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("reading does not end with its context: %v", err)
	}
}

// TestTreeOfNothing: a folder that is not there, as on another machine, is an error.
func TestTreeOfNothing(t *testing.T) {
	var files external.Files
	if digest, err := files.Tree(t.Context(), filepath.Join(t.TempDir(), "moved")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%q, %v", digest, err)
	}
}
