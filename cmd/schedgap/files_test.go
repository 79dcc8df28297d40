package main

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// TestOutputStaysWhatItIs: every file that a command writes may be a pipe, a device, or a symbolic link, whose target may be missing
// as yet. They get what a regular file would, and stay what they are.
func TestOutputStaysWhatItIs(t *testing.T) {
	if !alone(t) {
		return
	}
	example := read(t, shared+"full-minima.json")
	t.Chdir(t.TempDir())
	instance := write(t, ".", "f.json", example)
	succeed(t, "solve", instance, "-a", "spt", "-o", "f.sol.json")
	suite := write(t, ".", "s.yaml", small("{n: 1, seed: 1, params: {jobs: 3}}", "opt, fair"))
	succeed(t, "run", suite, "-o", "res", "--quiet")
	for _, c := range []struct {
		name string
		args []string // @ is the file
	}{
		{"export", []string{"export", instance, "--model", "position", "--format", "lp", "-o", "@"}},
		{"solve", []string{"solve", instance, "-a", "spt", "-o", "@"}},
		{"proof", []string{"solve", instance, "-a", "lb-price", "--proof", "@"}},
		{"draw", []string{"check", instance, "f.sol.json", "--draw", "@"}},
		{"csv", []string{"report", "res", "-o", "rep", "--csv", "@"}},
		{"algorithm new", []string{"algorithm", "new", "flex", "--lang", "python", "-o", "@"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			run := func(file string) {
				t.Helper()
				args := slices.Clone(c.args)
				args[slices.Index(args, "@")] = file
				if e := schedgap(t, args...); e.code > 1 {
					t.Fatalf("%s: %s", file, e.stderr)
				}
			}
			staysWhatItIs(t, run, map[string]string{"draw": ".svg"}[c.name], c.name == "algorithm new")
		})
	}
	t.Run("a report's page", func(t *testing.T) {
		t.Parallel()
		staysWhatItIs(t, func(file string) {
			t.Helper()
			dir := t.TempDir()
			path, err := filepath.Abs(file)
			if err := errors.Join(err, os.Symlink(path, filepath.Join(dir, "index.html"))); err != nil {
				t.Fatal(err)
			}
			succeed(t, "report", "res", "-o", dir)
		}, "", false)
	})
}

// staysWhatItIs has a command write to a regular file, links, a pipe and a device, whose names end in suffix. fresh: it replaces no
// file.
func staysWhatItIs(t *testing.T, run func(file string), suffix string, fresh bool) {
	t.Helper()
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name+suffix) }
	run(at("plain"))
	want := read(t, at("plain"))
	if want == "" {
		t.Fatal("nothing is written")
	}
	if fresh {
		return
	}
	write(t, dir, "target"+suffix, "old")
	if err := errors.Join(os.Symlink("target"+suffix, at("link")), os.Symlink("later"+suffix, at("dangling")), unix.Mkfifo(at("pipe"), 0o600)); err != nil {
		t.Fatal(err)
	}
	kinds := map[string]os.FileMode{"link": os.ModeSymlink, "dangling": os.ModeSymlink, "pipe": os.ModeNamedPipe}
	if unix.Mknod(at("null"), unix.S_IFCHR|0o666, int(unix.Mkdev(1, 3))) == nil { // root may
		kinds["null"] = os.ModeCharDevice
	}
	piped := make(chan string, 1)
	go func() {
		data, _ := os.ReadFile(at("pipe")) // the contents say it all
		piped <- string(data)
	}()
	got := map[string]string{}
	for file, kind := range kinds {
		run(at(file))
		if info, err := os.Lstat(at(file)); err != nil || info.Mode()&kind == 0 {
			t.Errorf("%s is %v, %v", file, info, err)
		}
	}
	got["pipe"], got["link"], got["dangling"] = <-piped, read(t, at("target")), read(t, at("later"))
	for file, text := range got {
		if len(text) < len(want)/2 || text[:20] != want[:20] {
			t.Errorf("%s got %d bytes, not %d", file, len(text), len(want))
		}
	}
}

// TestReadOnlyFolder: what the user may not write to is found out before anything is done, and nothing is changed by looking.
func TestReadOnlyFolder(t *testing.T) {
	dir := t.TempDir()
	inside := filepath.Join(dir, "in", "side")
	if err := writableFolder(inside, "sub"); err != nil {
		t.Errorf("a folder that can be made: %v", err)
	}
	if left := tree(t, dir); len(left) != 1 {
		t.Errorf("looking leaves %q", left)
	}
	if err := os.Chmod(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	if os.Geteuid() == 0 { // root may write anywhere, this thread now not
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		if err := unix.Setfsuid(65534); err != nil {
			t.Fatal(err)
		}
		defer func() {
			if err := unix.Setfsuid(0); err != nil {
				t.Error(err)
			}
		}()
		if err := os.Mkdir(filepath.Join(dir, "try"), 0o777); err == nil {
			t.Fatal("the folder is not read-only")
		}
	}
	for _, err := range []error{writableFolder(inside, "sub"), writableFolder(dir), writableFile(filepath.Join(dir, "file"), "")} {
		if err == nil || !strings.HasSuffix(err.Error(), "permission denied") || !strings.HasPrefix(err.Error(), dir) {
			t.Errorf("%v", err)
		}
	}
}

// TestLinkedOutput: every command writes to what the system would open, through linked folders and links in them; a file that only
// the path's spelling names stays.
func TestLinkedOutput(t *testing.T) {
	if !alone(t) {
		return
	}
	instance, err := filepath.Abs(shared + "full-minima.json")
	if err != nil {
		t.Fatal(err)
	}
	here := t.TempDir()
	suite := write(t, here, "s.yaml", small("{n: 1, seed: 1, params: {jobs: 3}}", "opt, fair"))
	results := filepath.Join(here, "results")
	succeed(t, "run", suite, "-o", results, "-q")
	for _, args := range [][]string{
		{"solve", instance, "-a", "flex", "-o"},
		{"solve", instance, "-a", "opt", "--proof"},
		{"export", instance, "--model", "position", "--format", "lp", "-o"},
		{"report", results, "-o", "page", "--csv"},
		{"algorithm", "new", "flex", "--lang", "c++", "-o"},
		{"generate", "flex", "-n", "1", "-o"},
		{"run", suite, "-q", "-o"},
		{"merge", results, "-o"},
		{"report", results, "-o"},
		{"evaluate", "flex", "--scaffold", "python", "-o"},
		{"trace", "synthesize", "--hours", "1", "-o"},
	} {
		t.Run(strings.Join(args[:2], " ")+args[len(args)-1], func(t *testing.T) {
			for path, want := range map[string]string{"d/../new": "real/new", "d/link": "real/x"} {
				t.Chdir(t.TempDir())
				if err := os.MkdirAll("real/sub", 0o777); err != nil {
					t.Fatal(err)
				}
				if err := errors.Join(os.Symlink("real/sub", "d"), os.Symlink("../x", "real/sub/link")); err != nil {
					t.Fatal(err)
				}
				write(t, ".", "x", "precious")
				if e := schedgap(t, append(slices.Clone(args), path)...); e.code != 0 && path != "d/link" { // a link to nothing is no folder
					t.Fatalf("exit %d: %s", e.code, e.stderr)
				} else if _, err := os.Stat(want); (err == nil) != (e.code == 0) {
					t.Errorf("exit %d, and %s: %v", e.code, want, err)
				}
				if _, err := os.Lstat("new"); err == nil || read(t, "x") != "precious" {
					t.Errorf("%s: a file in the current folder was written", path)
				}
				if e := schedgap(t, append(slices.Clone(args), "")...); e.code != exitUsage || !strings.Contains(e.stderr, "is empty") {
					t.Errorf("an empty path: exit %d: %s", e.code, e.stderr)
				}
			}
		})
	}
}
