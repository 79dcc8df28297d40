package worker

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/sys/unix"

	"schedgap/models/fail"
)

// A sweep removes the folders of dead owners only.
func TestSweep(t *testing.T) {
	dir := t.TempDir()
	mine := newFolder(dir)
	defer mine.remove()
	cmd := exec.Command("true")
	fail.On(t, cmd.Run())
	dead := cmd.Process.Pid // reaped, so nobody has the number
	keep, drop := []string{filepath.Base(mine.path)}, []string{}
	for name, kept := range map[string]bool{
		fmt.Sprintf("schedgap-worker-%d-1", os.Getpid()): true,  // alive
		fmt.Sprintf("schedgap-worker-%d-2", dead):        false, // killed
		fmt.Sprintf("schedgap-worker-%d-3", dead):        true,  // alive where numbers differ: locked below
		fmt.Sprintf("schedgap-other-%d-4", dead):         true,
		"schedgap-worker-nobody":                         true,
		"schedgap-worker-0-5":                            true,
	} {
		fail.On(t, os.MkdirAll(filepath.Join(dir, name, "schedgap-cbc-1"), 0o700))
		if kept {
			keep = append(keep, name)
		} else {
			drop = append(drop, name)
		}
	}
	held, err := lock(filepath.Join(dir, fmt.Sprintf("schedgap-worker-%d-3", dead)))
	fail.On(t, err)
	defer held.Close()
	sweep(dir)
	for _, name := range keep {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Errorf("removed: %v", err)
		}
	}
	for _, name := range drop {
		if _, err := os.Stat(filepath.Join(dir, name)); !os.IsNotExist(err) {
			t.Errorf("%s is still there: %v", name, err)
		}
	}
	sweep(filepath.Join(dir, "missing"))
	if env := newFolder(filepath.Join(dir, "missing")).env(); !slices.Equal(env, []string{folderVariable + "="}) {
		t.Errorf("a folder in a missing one: %q", env)
	}
}

// A tree that is deeper than a process may open files, and folders that may not be listed, do not stay; a link leads nowhere.
func TestRaze(t *testing.T) {
	var old unix.Rlimit
	fail.On(t, unix.Getrlimit(unix.RLIMIT_NOFILE, &old))
	outside := filepath.Join(t.TempDir(), "outside")
	dir := filepath.Join(t.TempDir(), "dir")
	for _, path := range []string{outside, dir, filepath.Join(dir, "0"), filepath.Join(dir, "shut", "in", "in")} {
		fail.On(t, os.MkdirAll(path, 0o777))
	}
	fail.On(t, os.WriteFile(filepath.Join(outside, "kept"), nil, 0o666))
	root, err := os.OpenRoot(dir)
	fail.On(t, err)
	at := root
	for range 600 {
		err := errors.Join(at.Mkdir("d", 0o777), at.WriteFile("f", nil, 0o666), at.Symlink(outside, "link"))
		fail.On(t, err)
		next, err := at.OpenRoot("d")
		fail.On(t, err)
		at.Close()
		at = next
	}
	at.Close()
	fail.On(t, errors.Join(os.Chmod(filepath.Join(dir, "shut", "in"), 0o300), os.Chmod(filepath.Join(dir, "shut"), 0o300)))
	fail.On(t, unix.Setrlimit(unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: 200, Max: old.Max}))
	defer unix.Setrlimit(unix.RLIMIT_NOFILE, &old)
	raze(dir)
	if _, err := os.Stat(dir); err == nil {
		t.Error("the folder is there")
	}
	if _, err := os.Stat(filepath.Join(outside, "kept")); err != nil {
		t.Error(err)
	}
}
