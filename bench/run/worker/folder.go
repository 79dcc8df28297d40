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

// folderVariable tells a supervisor which folder is its own to empty; empty: none. TMPDIR alone does not: if no folder could be made, it
// names the user's.
const folderVariable = "SCHEDGAP_FOLDER"

// A folder holds the temporary files of one worker process. It belongs to the parent, since a process that is killed
// removes nothing.
type folder struct {
	path string   // empty: there is none; most algorithms need none, and the others will say so
	lock *os.File // says that the owner lives, even to those who cannot see it from their container; nil: the process id must do
}

func newFolder(dir string) (f folder) {
	dir, err := filepath.Abs(dir) // commands have other working folders
	if err != nil {
		return f
	}
	f.path, err = os.MkdirTemp(dir, fmt.Sprintf("%s%d-", folderPrefix, os.Getpid()))
	if err != nil {
		f.path = ""
	} else {
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
		return []string{folderVariable + "="}
	}
	return []string{"TMPDIR=" + f.path, folderVariable + "=" + f.path}
}

func (f folder) remove() {
	if f.path != "" {
		raze(f.path) // what cannot be removed now is left to a later sweep
	}
	f.lock.Close() // of nil, too
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

// raze removes a folder with all that is in it, also folders that may not be listed, and trees that are deeper than this process
// may open files: what is in a folder moves up. No symbolic link leads it out of dir.
func raze(dir string) {
	_ = os.Chmod(dir, 0o700)
	root, err := os.OpenRoot(dir)
	if err != nil {
		return
	}
	defer root.Close()
	list := func(name string) (names []string) {
		if f, err := root.Open(name); err == nil {
			names, _ = f.Readdirnames(-1)
			f.Close()
		}
		return names
	}
	for moved, progress := 0, true; progress; {
		progress = false
		for _, name := range list(".") {
			for _, inner := range list(unlocked(root, name)) {
				inner = filepath.Join(name, inner)
				if root.Remove(inner) == nil {
					continue
				}
				for up := ""; ; moved++ {
					up = strconv.Itoa(moved)
					if !exists(root, up) {
						_ = root.Rename(unlocked(root, inner), up)
						break
					}
				}
			}
			progress = root.Remove(name) == nil || progress
		}
	}
	_ = os.Remove(dir)
}

func exists(root *os.Root, name string) bool {
	_, err := root.Lstat(name)
	return err == nil
}

// unlocked is the name of a folder that its owner may list and move now; of a file, it is the name.
func unlocked(root *os.Root, name string) string {
	_ = root.Chmod(name, 0o700)
	return name
}
