package proc

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"schedgap/models/input"

	"golang.org/x/sys/unix"
)

// Cgroups is a folder of control groups, version 2, in which this process may make groups: its own, where that was delegated to
// the user.
type Cgroups struct {
	path string
	// Memory says that the kernel limits the memory of groups made here; without, they only serve to kill.
	Memory bool
}

// FindCgroups finds the folder of this process's group below root, / in earnest. The error says why there is none to use.
func FindCgroups(root string) (*Cgroups, error) {
	mount, err := cgroupMount(root)
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(filepath.Join(root, "proc/self/cgroup"))
	if err != nil {
		return nil, fmt.Errorf("finding the control group: %w", err)
	}
	for line := range strings.Lines(string(text)) {
		own, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "0::")
		if !ok {
			continue
		}
		c := &Cgroups{path: filepath.Join(root, mount, own)}
		for _, file := range []string{"cgroup.procs", ""} {
			if err := unix.Faccessat(unix.AT_FDCWD, filepath.Join(c.path, file), unix.W_OK, unix.AT_EACCESS); err != nil {
				return nil, fmt.Errorf("the control group %s is not delegated to this user: %w", own, err)
			}
		}
		// Enabling a controller fails in a group that has processes, unless it is the root; then it is up to who made the group.
		if !c.has("cgroup.subtree_control") && c.has("cgroup.controllers") {
			_ = os.WriteFile(filepath.Join(c.path, "cgroup.subtree_control"), []byte("+memory"), 0)
		}
		c.Memory = c.has("cgroup.subtree_control")
		c.sweep()
		return c, nil
	}
	return nil, errors.New("this process is in no control group of version 2")
}

// sweep removes the empty groups that killed supervisors left behind; a new one may not have its command yet.
func (c *Cgroups) sweep() {
	left, _ := input.Glob(c.path, groupPrefix+"*")
	for _, path := range left {
		if info, err := os.Stat(path); err == nil && time.Since(info.ModTime()) > time.Minute {
			_ = unix.Rmdir(path) // fails while there are processes
		}
	}
}

const groupPrefix = "schedgap-"

// has reports whether a list of controllers has memory.
func (c *Cgroups) has(file string) bool {
	text, _ := os.ReadFile(filepath.Join(c.path, file))
	return bytes.Contains(append(append([]byte(" "), bytes.TrimSpace(text)...), ' '), []byte(" memory "))
}

// cgroupMount returns where control groups of version 2 are mounted.
func cgroupMount(root string) (string, error) {
	text, err := os.ReadFile(filepath.Join(root, "proc/self/mountinfo"))
	if err != nil {
		return "", fmt.Errorf("finding the control groups: %w", err)
	}
	for line := range strings.Lines(string(text)) {
		before, after, _ := strings.Cut(line, " - ")
		f, kind := strings.Fields(before), strings.Fields(after)
		if len(f) > 4 && len(kind) > 0 && kind[0] == "cgroup2" {
			return f[4], nil
		}
	}
	return "", errors.New("control groups of version 2 are not mounted")
}

// A Cgroup holds one command and all that it starts, which cannot leave it without the right to write to other groups.
type Cgroup struct {
	path   string
	memory bool
	dir    *os.File
}

// New makes a group whose processes may take so many bytes of memory together; 0: any number.
func (c *Cgroups) New(memory int64) (*Cgroup, error) {
	g := &Cgroup{path: filepath.Join(c.path, groupPrefix+rand.Text()), memory: c.Memory}
	if err := os.Mkdir(g.path, 0o755); err != nil {
		return nil, fmt.Errorf("making a control group: %w", err)
	}
	var err error
	g.dir, err = os.Open(g.path)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("opening a control group: %w", err), os.Remove(g.path))
	}
	if memory > 0 && g.memory {
		// All processes die together, since half a command is useless. Swap would hide memory use; some kernels have no swap.
		for file, value := range map[string]string{"memory.oom.group": "1", "memory.swap.max": "0"} {
			_ = g.write(file, value)
		}
		if err := g.write("memory.max", strconv.FormatInt(memory, 10)); err != nil {
			return nil, errors.Join(fmt.Errorf("limiting a control group: %w", err), g.Close())
		}
	}
	return g, nil
}

func (g *Cgroup) write(file, value string) error {
	return os.WriteFile(filepath.Join(g.path, file), []byte(value), 0)
}

// kill kills all processes of the group at once; kernels before 5.14 cannot.
func (g *Cgroup) kill() { _ = g.write("cgroup.kill", "1") }

// OOMKilled reports whether the kernel killed processes of the group for its memory limit.
func (g *Cgroup) OOMKilled() bool {
	text, _ := os.ReadFile(filepath.Join(g.path, "memory.events")) // without a limit there may be none
	return oomKills(append([]byte("\n"), text...)) > 0
}

// Close kills the processes left in the group and removes the group.
func (g *Cgroup) Close() error {
	g.kill()
	err := unix.Rmdir(g.path)
	for end := time.Now().Add(gone); err != nil && !errors.Is(err, fs.ErrNotExist) && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
		err = unix.Rmdir(g.path)
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return errors.Join(err, g.dir.Close())
}
