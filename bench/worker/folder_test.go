package worker

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// A sweep removes the folders of dead owners only.
func TestSweep(t *testing.T) {
	dir := t.TempDir()
	mine := newFolder(dir)
	defer mine.remove()
	cmd := exec.Command("true")
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
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
		if err := os.MkdirAll(filepath.Join(dir, name, "schedgap-cbc-1"), 0o700); err != nil {
			t.Fatal(err)
		}
		if kept {
			keep = append(keep, name)
		} else {
			drop = append(drop, name)
		}
	}
	held, err := lock(filepath.Join(dir, fmt.Sprintf("schedgap-worker-%d-3", dead)))
	if err != nil {
		t.Fatal(err)
	}
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
	if newFolder(filepath.Join(dir, "missing")).env() != nil {
		t.Error("a folder in a missing one")
	}
}
