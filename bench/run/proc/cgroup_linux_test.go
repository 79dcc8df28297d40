package proc

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"schedgap/models/fail"
)

// fakeRoot is a machine with control groups of version 2, of which one is delegated to this user.
func fakeRoot(t *testing.T, enabled string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range map[string]string{
		"proc/self/mountinfo": "24 1 0:22 / /proc rw - proc proc rw\n31 1 0:27 / /sys/fs/cgroup rw,nosuid " +
			"- cgroup2 cgroup2 rw\n",
		"proc/self/cgroup":                              "3:cpu:/x\n0::/user/job\n",
		"sys/fs/cgroup/user/job/cgroup.procs":           "",
		"sys/fs/cgroup/user/job/cgroup.controllers":     "cpu memory pids\n",
		"sys/fs/cgroup/user/job/cgroup.subtree_control": enabled,
	} {
		file := filepath.Join(root, name)
		fail.On(t, os.MkdirAll(filepath.Dir(file), 0o755))
		fail.On(t, os.WriteFile(file, []byte(text), 0o644))
	}
	return root
}

// A group of a command has its limit, is killed as a whole, and tells of kills for its memory.
func TestCgroup(t *testing.T) {
	groups, err := FindCgroups(fakeRoot(t, "cpu memory\n"))
	if err != nil || !groups.Memory {
		t.Fatalf("%+v, %v", groups, err)
	}
	g, err := groups.New(256 << 20)
	fail.On(t, err)
	g.kill()
	for file, want := range map[string]string{
		"memory.max": "268435456", "memory.swap.max": "0", "memory.oom.group": "1",
		"cgroup.kill": "1",
	} {
		if text, err := os.ReadFile(filepath.Join(g.path, file)); err != nil || string(text) != want {
			t.Errorf("%s is %q, want %s: %v", file, text, want, err)
		}
	}
	if g.OOMKilled() {
		t.Error("nobody was killed")
	}
	fail.On(t, os.WriteFile(filepath.Join(g.path, "memory.events"), []byte("low 0\nmax 7\noom 1\noom_kill 2\n"), 0o644))
	if !g.OOMKilled() {
		t.Error("two were killed")
	}
	if err := os.RemoveAll(g.path); err != nil { // the kernel's files go with a group, these do not
		t.Fatal(err)
	}
	if err := g.Close(); err != nil {
		t.Error(err)
	}
}

// Without the controller, a mount or a group there is no limit, and why is said.
func TestCgroupMissing(t *testing.T) {
	root := fakeRoot(t, "cpu\n")
	control := filepath.Join(root, "sys/fs/cgroup/user/job/cgroup.subtree_control")
	fail.On(t, os.Chmod(control, 0o444))
	if os.Geteuid() == 0 { // whom no mode keeps from writing
		fail.On(t, os.WriteFile(filepath.Join(filepath.Dir(control), "cgroup.controllers"), []byte("cpu\n"), 0o644))
	}
	if groups, err := FindCgroups(root); err != nil || groups.Memory {
		t.Errorf("%+v, %v", groups, err)
	}
	fail.On(t, os.Remove(filepath.Join(root, "sys/fs/cgroup/user/job/cgroup.procs")))
	if _, err := FindCgroups(root); err == nil || !strings.Contains(err.Error(), "/user/job is not delegated") {
		t.Error(err)
	}
	if err := os.WriteFile(filepath.Join(root, "proc/self/mountinfo"), []byte("24 1 0:22 / /proc rw - proc proc rw\n"),
		0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := FindCgroups(root); err == nil || !strings.Contains(err.Error(), "not mounted") {
		t.Error(err)
	}
}
