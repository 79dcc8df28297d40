package await

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// A process has ended when it is killed, before its parent asks; a name that looks like the state of one that has ended does not count.
func TestEnded(t *testing.T) {
	sleep, err := exec.LookPath("sleep")
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "a) Z b")
	if err := os.Symlink(sleep, name); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(name, "100")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	pid := cmd.Process.Pid
	if Ended(pid) {
		t.Error("it has ended")
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if Gone(t, pid) {
		_ = cmd.Wait() // killed, as it says
	}
	if !Ended(pid) {
		t.Error("it lives on")
	}
}
