package evaluate

import (
	"bytes"
	"debug/buildinfo"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A candidate is a copy of the command's own files, made at the start. The command runs from this copy. Its own files are the
// files and folders that its words name, also after an equals sign, and, beside such a file, the files that its text names, such
// as modules that it imports. A program that PATH finds, or that lies in /usr or /bin or in a virtual environment, is an
// interpreter and is not copied.
type candidate struct {
	dir     string // the copy's folder for the current one
	root    string // of this copy
	base    string // of all copies
	command []string
	program string   // the interpreter; empty: the program is a copy
	hide    []string // is not copied, whatever names it
	missing string   // why it cannot start; empty: it may
	bytes   int64    // of the copies
}

// mostBytes is the size that a command's own files can have together.
const mostBytes = 256 << 20

func snapshot(command, hide []string) (_ *candidate, err error) {
	c := &candidate{command: append([]string{}, command...), hide: hide}
	path, err := exec.LookPath(command[0])
	if err != nil && !errors.Is(err, exec.ErrDot) {
		c.missing = fmt.Sprintf("the command does not start: %v.", err)
		return c, nil
	}
	if c.base, err = os.MkdirTemp("", "schedgap-candidate-"); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			c.remove()
		}
	}()
	if err := os.Chmod(c.base, 0o711); err != nil { // a sandbox of root has another user
		return nil, err
	}
	c.root = filepath.Join(c.base, "0")
	c.dir = filepath.Join(c.root, "here")
	if err := os.MkdirAll(c.dir, 0o755); err != nil {
		return nil, err
	}
	if !strings.Contains(command[0], "/") || installed(path) || environment(path) {
		if !strings.Contains(command[0], "/") {
			path = managed(path)
		}
		if err := refuseSelf(path); err != nil {
			return nil, err
		}
		if path, err = filepath.Abs(path); err != nil {
			return nil, err
		}
		c.command[0], c.program = path, path
	} else if c.command[0], err = c.take(0, command[0]); err != nil {
		return nil, err
	}
	for i, word := range command[1:] {
		at := strings.Index(word, "=") + 1
		copied, err := c.take(i+1, word[at:])
		if err != nil {
			return nil, err
		}
		c.command[i+1] = word[:at] + copied
	}
	return c, nil
}

// manager finds the program that a version manager's script calls: pyenv's, rbenv's, nodenv's, asdf's.
var manager = regexp.MustCompile(`(?m)^exec "?([^"\s]+)"? exec `)

// managed is the program for which a version manager's script stands, which would look for it at every start and in folders of
// the user.
func managed(path string) string {
	if filepath.Base(filepath.Dir(path)) != "shims" {
		return path
	}
	text, err := os.ReadFile(path)
	if found := manager.FindSubmatch(text); err == nil && found != nil {
		if out, err := exec.Command(string(found[1]), "which", filepath.Base(path)).Output(); err == nil {
			return strings.TrimSpace(string(out))
		}
	}
	return path
}

// installed reports whether a program is the system's, which every command may read.
func installed(program string) bool {
	return strings.HasPrefix(program, "/usr/") || strings.HasPrefix(program, "/bin/")
}

// environment reports whether a program belongs to a virtual environment of Python.
func environment(program string) bool {
	_, err := os.Stat(filepath.Join(filepath.Dir(program), "..", "pyvenv.cfg"))
	return err == nil
}

// installation are the parts of one: what else lies beside bin, as in a home folder, is nobody's business.
var installation = []string{
	"bin", "conf", "etc", "include", "jmods", "lib", "lib32", "lib64", "libexec", "pyvenv.cfg", "share",
}

// reads are the folders that the command needs beside the system's: its copies, and the installations of its interpreter, which
// is linked to from its environment.
func (c *candidate) reads() []string {
	list := []string{c.root}
	if real, err := filepath.EvalSymlinks(c.program); c.program != "" && err == nil {
		for _, path := range []string{c.program, real} {
			dir, folder := filepath.Split(filepath.Dir(path))
			list = append(list, path)
			if folder == "bin" {
				for _, part := range installation {
					list = append(list, dir+part)
				}
			}
		}
	}
	return list
}

func (c *candidate) remove() {
	if c.base != "" {
		_ = os.RemoveAll(c.base) // it lies among temporary files
	}
}

// again copies the copy for a process that runs at the same time: two that share a file could tell each other something by it.
func (c *candidate) again(k int) (*candidate, error) {
	other := *c
	other.root = filepath.Join(c.base, strconv.Itoa(k))
	other.dir = filepath.Join(other.root, "here")
	other.command = slices.Clone(c.command)
	for i, word := range c.command {
		other.command[i] = strings.Replace(word, c.root, other.root, 1)
	}
	if err := os.CopyFS(other.root, os.DirFS(c.root)); err != nil {
		return nil, fmt.Errorf("copying the command's files: %w", err)
	}
	return &other, nil
}

// seal sets the times of access of the copy's files and folders so far ahead that reading them does not change them, which the
// next instance could see.
func (c *candidate) seal() error {
	ahead := time.Now().AddDate(10, 0, 0)
	return filepath.WalkDir(c.root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		return os.Chtimes(path, ahead, info.ModTime())
	})
}

// take copies the file or folder that a word names, with the files beside it, and returns the word that names the copy. A word
// that names nothing is returned unchanged.
func (c *candidate) take(i int, word string) (string, error) {
	info, err := os.Stat(word)
	if err != nil || word == "" || !info.Mode().IsRegular() && !info.IsDir() {
		return word, nil
	}
	to, called := filepath.Clean(word), word
	if !filepath.IsLocal(to) { // outside of the current folder
		to = filepath.Join("..", fmt.Sprint("word-", i), filepath.Base(to))
		called = filepath.Join(c.dir, to)
	}
	if !info.IsDir() {
		return called, c.with(filepath.Dir(word), filepath.Dir(to), filepath.Base(word))
	}
	return called, filepath.WalkDir(word, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		below, _ := filepath.Rel(word, path) // it is
		return c.copy(path, filepath.Join(to, below))
	})
}

// mostText is the size in bytes up to which a file is searched for the names of others.
const mostText = 1 << 20

// with copies a file of a folder, and those beside it that its text names, and theirs. Links are not followed: they may lead
// anywhere.
func (c *candidate) with(dir, to, name string) error {
	if c.hidden(filepath.Join(dir, name)) {
		return nil
	}
	if err := c.copy(filepath.Join(dir, name), filepath.Join(to, name)); err != nil {
		return err
	}
	copied := filepath.Join(c.dir, to, name)
	if info, err := os.Stat(copied); err != nil || info.Size() > mostText {
		return err
	}
	text, err := os.ReadFile(copied)
	if err != nil {
		return err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		ext := filepath.Ext(e.Name())
		named := bytes.Contains(text, []byte(e.Name())) ||
			ext == filepath.Ext(name) && bytes.Contains(text, []byte(strings.TrimSuffix(e.Name(), ext)))
		if _, err := os.Lstat(filepath.Join(c.dir, to, e.Name())); !named || !e.Type().IsRegular() || err == nil {
			continue
		}
		if err := c.with(dir, to, e.Name()); err != nil {
			return err
		}
	}
	return nil
}

func (c *candidate) copy(from, to string) error {
	if err := refuseSelf(from); err != nil || c.hidden(from) {
		return err
	}
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	if c.bytes += info.Size(); c.bytes > mostBytes {
		return fmt.Errorf("%s: with this file the command's own files exceed %d MiB, the limit for the private copy", from,
			mostBytes>>20)
	}
	to = filepath.Join(c.dir, to)
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	if _, err = io.Copy(out, in); err == nil {
		err = out.Chmod(info.Mode().Perm() | 0o444 | info.Mode().Perm()&0o100/8 | info.Mode().Perm()&0o100/64)
	}
	return errors.Join(err, out.Close())
}

// hidden reports whether a file is one that the command must not see, or below such a folder.
func (c *candidate) hidden(path string) bool {
	real, err := filepath.EvalSymlinks(path)
	if err == nil {
		real, err = filepath.Abs(real)
	}
	return err == nil && slices.ContainsFunc(c.hide, func(hide string) bool {
		to, err := filepath.EvalSymlinks(hide)
		if err == nil {
			to, err = filepath.Abs(to)
		}
		return err == nil && (real == to || strings.HasPrefix(real, strings.TrimSuffix(to, "/")+"/"))
	})
}

// refuseSelf refuses a build of this program, which knows optima.
func refuseSelf(path string) error {
	if info, err := buildinfo.ReadFile(path); err == nil && strings.HasPrefix(info.Path, "schedgap/cmd/") {
		return fmt.Errorf("%s: is schedgap itself, which is no algorithm to be judged", path)
	}
	return nil
}
