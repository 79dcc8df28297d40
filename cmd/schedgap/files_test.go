package main

import (
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// TestOutputStaysWhatItIs: what is written to a symbolic link goes to its target, and what is written to a pipe comes out of
// it; neither gives way to a regular file.
func TestOutputStaysWhatItIs(t *testing.T) {
	dir := t.TempDir()
	export := func(file string) {
		t.Helper()
		succeed(t, "export", shared+"full-minima.json", "--model", "position", "--format", "lp", "-o", file)
	}
	plain, link, pipe := filepath.Join(dir, "plain"), filepath.Join(dir, "link"), filepath.Join(dir, "pipe")
	export(plain)
	want, err := os.ReadFile(plain)
	if err != nil || len(want) == 0 {
		t.Fatalf("%q, %v", want, err)
	}
	target := write(t, dir, "target", "old")
	if err := os.Symlink("target", link); err != nil {
		t.Fatal(err)
	}
	export(link)
	if got, err := os.ReadFile(target); err != nil || string(got) != string(want) {
		t.Errorf("the link's target holds %q, %v", got, err)
	}
	if err := unix.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	out := make(chan string)
	go func() {
		defer close(out)
		f, err := os.Open(pipe)
		if err != nil {
			t.Error(err)
			return
		}
		defer f.Close()
		got, err := io.ReadAll(f)
		if err != nil {
			t.Error(err)
		}
		out <- string(got)
	}()
	export(pipe)
	if got := <-out; got != string(want) {
		t.Errorf("out of the pipe comes %q", got)
	}
	for file, kind := range map[string]os.FileMode{link: os.ModeSymlink, pipe: os.ModeNamedPipe} {
		if info, err := os.Lstat(file); err != nil || info.Mode()&kind == 0 {
			t.Errorf("%s is %v, %v", file, info, err)
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
