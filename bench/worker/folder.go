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
	path string   // empty: there is none; most algorithms need none, and the others will say so
	lock *os.File // says that the owner lives, even to those who cannot see it from their container; nil: the process id must do
}

func newFolder(dir string) (f folder) {
	f.path, _ = os.MkdirTemp(dir, fmt.Sprintf("%s%d-", folderPrefix, os.Getpid()))
	if f.path != "" {
		f.lock, _ = lock(f.path)
	}
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
func (f folder) env() []string {
	if f.path == "" {
		return nil
	}
	return []string{"TMPDIR=" + f.path}
}

func (f folder) remove() {
	_ = os.RemoveAll(f.path) // what cannot be removed now is left to a later sweep
	f.lock.Close()           // of nil, too
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
			folder{path, f}.remove()
		}
	}
}
