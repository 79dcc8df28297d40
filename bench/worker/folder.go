package worker

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// folderPrefix begins the names of the folders; the owner's process id and a random number follow.
const folderPrefix = "schedgap-worker-"

// A folder holds the temporary files of one worker process. It belongs to the parent, since a process that is killed
// removes nothing.
type folder struct {
	path string
	lock *os.File // says that the owner lives, even to those who cannot see it from their container
}

// newFolder makes a folder in dir, or returns nil if it cannot: most algorithms need none, and the others will say so.
func newFolder(dir string) *folder {
	path, err := os.MkdirTemp(dir, fmt.Sprintf("%s%d-", folderPrefix, os.Getpid()))
	if err != nil {
		return nil
	}
	f := &folder{path: path}
	f.lock, _ = lock(path) // without, the process id must do
	return f
}

func lock(path string) (*os.File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// env tells a process about its folder.
func (f *folder) env() []string {
	if f == nil {
		return nil
	}
	return []string{"TMPDIR=" + f.path}
}

func (f *folder) remove() {
	if f == nil {
		return
	}
	_ = os.RemoveAll(f.path) // what cannot be removed now is left to a later sweep
	if f.lock != nil {
		f.lock.Close()
	}
}

// sweep removes the folders in dir whose owners were killed.
func sweep(dir string) {
	entries, _ := os.ReadDir(dir) // no folder, nothing to remove
	for _, e := range entries {
		rest, ours := strings.CutPrefix(e.Name(), folderPrefix)
		owner, _, _ := strings.Cut(rest, "-")
		pid, err := strconv.Atoi(owner)
		if !ours || !e.IsDir() || err != nil || pid <= 0 || unix.Kill(pid, 0) != unix.ESRCH {
			continue
		}
		path := filepath.Join(dir, e.Name())
		if f, err := lock(path); err == nil {
			(&folder{path, f}).remove()
		}
	}
}
