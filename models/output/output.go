// Package output writes files for users and programs.
package output

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// Write writes a file, and the folder that it is in, so that readers find the old contents or the new at any moment. A
// pipe or a device is written into and stays one. The target of a symbolic link is written. If it is to be
// durable, the new contents are there after the machine's end.
func Write(path string, data []byte, durable bool) error {
	return From(path, durable, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// From is Write for the output of a function. It runs before a regular file is touched.
func From(path string, durable bool, content func(w io.Writer) error) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("writing %s: %w", path, err)
		}
	}()
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return into(path, content)
	}
	to, err := Target(path)
	if err != nil {
		return err
	}
	dir, name := filepath.Split(to)
	if dir == "" {
		dir = "."
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, "."+name+".*.tmp")
	if err != nil {
		return err
	}
	err = content(f)
	if err == nil { // CreateTemp makes files that only their owner may read; results are as readable as the folder is
		err = f.Chmod(0o644)
	}
	if err == nil && durable {
		err = f.Sync()
	}
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Rename(f.Name(), to)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	if durable {
		return syncFolder(dir)
	}
	return nil
}

// Move moves a finished file to a path on the same disk, as Write would write it.
func Move(from, path string) error {
	if info, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) || err == nil && info.Mode().IsRegular() {
		return os.Rename(from, path)
	}
	return From(path, false, func(w io.Writer) error {
		f, err := os.Open(from)
		if err != nil {
			return err
		}
		defer f.Close()
		_, err = io.Copy(w, f)
		return err
	})
}

// into writes into an existing file, such as a pipe or a device.
func into(path string, content func(w io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return errors.Join(content(f), f.Close())
}

// Target returns the path of the file that a write to path reaches: no folder on the way and not the file itself is a symbolic link.
// A link is relative to the folder in which it really lies, not to the path by which that was reached. The file need not exist.
func Target(path string) (string, error) {
	const most = 40 // as the kernel follows
	for range most {
		i := strings.LastIndexByte(path, '/') + 1
		dir, name := path[:i], path[i:] // uncleaned: a ".." behind a link leads elsewhere than its spelling
		if name == "" || name == "." || name == ".." {
			return "", errors.New("the name is a folder's, not a file's")
		}
		if dir == "" {
			dir = "."
		}
		real, err := filepath.EvalSymlinks(dir)
		if errors.Is(err, fs.ErrNotExist) {
			return path, nil // the folder is made, so no link is in it
		} else if err != nil {
			return "", err
		}
		path = filepath.Join(real, name)
		to, err := os.Readlink(path)
		switch {
		case err != nil:
			return path, nil
		case !filepath.IsAbs(to):
			to = real + "/" + to
		}
		path = to
	}
	return "", unix.ELOOP
}

func syncFolder(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
