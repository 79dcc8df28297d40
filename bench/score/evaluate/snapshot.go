package evaluate

import (
	"debug/buildinfo"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"schedgap/models/input"
)

// A candidate is a copy of the command's files, made at the start. The command runs from this copy. Its files are those of one
// folder, and the files and folders outside of it that the command's words name, also after an equals sign. A program that PATH
// finds, or that is part of the system or of an installation, is an interpreter and is not copied.
type candidate struct {
	own, copied string // the folder that is copied, without links, and its copy; empty: there is none
	here        string // the current folder, without links
	dir         string // the copy's folder for the current one
	root        string // of this copy
	base        string // of all copies
	command     []string
	program     string   // the interpreter; empty: the program is a copy
	hide        []string // is not copied, without links
	missing     string   // why it cannot start; empty: it may
	bytes       int64    // of the copies
}

// mostBytes is the size that a command's own files can have together.
const mostBytes = 256 << 20

// snapshot copies the folder, or if that is empty the program's own one.
func snapshot(command []string, folder string, hide []string, log *slog.Logger) (_ *candidate, err error) {
	c := &candidate{command: slices.Clone(command), hide: real(hide)}
	path, err := exec.LookPath(command[0])
	if err != nil && !errors.Is(err, exec.ErrDot) {
		c.missing = fmt.Sprintf("the command does not start: %v.", err)
		return c, nil
	}
	if err := c.locate(); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			c.remove()
		}
	}()
	first := 0 // of the words that may be copied
	if !strings.Contains(command[0], "/") || c.installed(path) {
		if !strings.Contains(command[0], "/") {
			path = managed(path)
		}
		if err := refuseSelf(path); err != nil {
			return nil, err
		}
		path, err = filepath.Abs(path)
		if err != nil {
			return nil, err
		}
		c.command[0], c.program, first = path, path, 1
	}
	if err := c.folder(command[first:], folder, log); err != nil {
		return nil, err
	}
	for i, word := range command[first:] {
		i += first
		at := 0
		if i > 0 {
			at = strings.Index(word, "=") + 1
		}
		copied, err := c.take(i, word[at:])
		if err != nil {
			return nil, err
		}
		c.command[i] = word[:at] + copied
	}
	return c, nil
}

// locate finds the current folder and makes the one for copies.
func (c *candidate) locate() (err error) {
	c.here, err = os.Getwd()
	if err == nil {
		c.here, err = filepath.EvalSymlinks(c.here)
	}
	if err != nil {
		return fmt.Errorf("finding the current folder: %w", err)
	}
	c.base, err = os.MkdirTemp("", "schedgap-candidate-")
	if err == nil {
		c.base, err = filepath.Abs(c.base) // the folder for temporary files may be a relative path
	}
	if err == nil {
		err = os.Chmod(c.base, 0o711) // a sandbox of root has another user
	}
	c.root = filepath.Join(c.base, "0")
	c.dir = filepath.Join(c.root, "here")
	return err
}

// folder copies the given folder, or if that is empty the program's own one: that of the first word that names a file, the first
// word that names a folder, or the current folder. What is not the command's alone is no such folder.
func (c *candidate) folder(words []string, given string, log *slog.Logger) (err error) {
	c.own = given
	for _, word := range words {
		if info, err := os.Stat(word); c.own == "" && err == nil && word != "" && !c.ofSystem(word) {
			c.own = word
			if !info.IsDir() {
				c.own = parent(word)
			}
		}
	}
	if c.own == "" {
		c.own = c.here
	}
	c.own, err = filepath.EvalSymlinks(c.own)
	if err == nil {
		c.own, err = filepath.Abs(c.own)
	}
	if err != nil {
		return input.PathError(given, err)
	}
	home, _ := os.UserHomeDir()
	shallow := false // of the folder only files
	switch {
	case given != "":
	case slices.Contains(real([]string{home}), c.own):
		shallow = true
	case slices.Contains(real([]string{"/", os.TempDir(), "/tmp", "/var/tmp"}), c.own):
		if len(words) > 0 {
			log.Info("only the files that the command names are copied: their folder is not the command's alone; --files DIR copies one",
				"folder", c.own)
		}
		c.own = ""
		return os.MkdirAll(c.dir, 0o755)
	}
	c.copied = filepath.Join(c.root, "files")
	if below, err := filepath.Rel(c.here, c.own); err == nil && filepath.IsLocal(below) {
		c.copied = filepath.Join(c.dir, below)
	} else if below, err := filepath.Rel(c.own, c.here); err == nil && filepath.IsLocal(below) {
		c.dir = filepath.Join(c.copied, below)
	}
	if err := os.MkdirAll(c.dir, 0o755); err != nil {
		return err
	}
	return c.tree(c.own, c.copied, shallow)
}

// parent is the folder of a path, as the system finds it.
func parent(path string) string {
	if i := strings.LastIndexByte(strings.TrimRight(path, "/"), '/'); i >= 0 {
		return path[:i+1]
	}
	return "."
}

// real are the paths without links; what is not there or empty is left out.
func real(paths []string) (list []string) {
	for _, path := range paths {
		to, err := filepath.EvalSymlinks(path)
		if err == nil && path != "" {
			to, err = filepath.Abs(to)
		}
		if err == nil && path != "" {
			list = append(list, to)
		}
	}
	return list
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

// within reports whether a path is a folder or lies in it; both are without links and absolute.
func within(path, folder string) bool {
	return path == folder || strings.HasPrefix(path, strings.TrimSuffix(folder, "/")+"/")
}

// installed reports whether a program is part of the system or of an installation, which includes what it needs.
func (c *candidate) installed(program string) bool {
	dir := filepath.Dir(program)
	if c.ofSystem(program) || environment(program) {
		return true
	}
	if !filepath.IsAbs(program) || within(program, c.here) {
		return false
	}
	lib, err := os.Stat(filepath.Join(dir, "..", "lib"))
	return err == nil && lib.IsDir() && filepath.Base(dir) == "bin" || slices.Contains(filepath.SplitList(os.Getenv("PATH")), dir)
}

// ofSystem reports whether a path is the system's, which every command may read. A project may lie below /usr, too: there the
// current folder is the user's, unless programs are found in it.
func (c *candidate) ofSystem(path string) bool {
	if !strings.HasPrefix(path, "/usr/") && !strings.HasPrefix(path, "/bin/") {
		return false
	}
	return !within(path, c.here) || slices.ContainsFunc(filepath.SplitList(os.Getenv("PATH")), func(dir string) bool {
		return within(dir, c.here)
	})
}

// environment reports whether a program belongs to a virtual environment of Python.
func environment(program string) bool {
	_, err := os.Stat(filepath.Join(filepath.Dir(program), "..", venv))
	return err == nil
}

// venv is the file that makes a folder a virtual environment of Python.
const venv = "pyvenv.cfg"

// installation are the parts of one: what else lies beside bin, as in a home folder, is nobody's business.
var installation = []string{"bin", "conf", "etc", "include", "jmods", "lib", "lib32", "lib64", "libexec", venv, "share"}

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
	other.dir = other.root + strings.TrimPrefix(c.dir, c.root)
	other.command = slices.Clone(c.command)
	for i, word := range c.command {
		other.command[i] = strings.Replace(word, c.root+"/", other.root+"/", 1)
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
		if err != nil || d.Type()&fs.ModeSymlink != 0 {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		return os.Chtimes(path, ahead, info.ModTime())
	})
}

// take copies the file or folder that a word names, unless it is copied already, and returns the word that names the copy. A word that
// names nothing, or something of the system, is returned unchanged.
func (c *candidate) take(i int, word string) (string, error) {
	info, err := os.Stat(word)
	if err != nil || word == "" || !info.Mode().IsRegular() && !info.IsDir() || c.ofSystem(word) && (c.own == "" || !within(word, c.own)) {
		return word, nil
	}
	from := real([]string{word})
	if !info.IsDir() {
		from = real([]string{parent(word)})
		if len(from) > 0 { // a link to a file keeps its name
			from[0] = filepath.Join(from[0], filepath.Base(word))
		}
	}
	if len(from) == 0 {
		return "", fmt.Errorf("%s: cannot be found without links", word)
	}
	path := from[0]
	if c.hidden(path) {
		return "", fmt.Errorf("%s: lies in the cache of optima, which the command may not see", word)
	}
	to := filepath.Join(c.root, fmt.Sprint("word-", i), filepath.Base(path))
	below, err := filepath.Rel(c.here, path)
	local := err == nil && filepath.IsLocal(below)
	if c.own != "" && within(path, c.own) {
		to = filepath.Join(c.copied, strings.TrimPrefix(path, c.own))
	} else if local {
		to = filepath.Join(c.dir, below)
	}
	if filepath.IsAbs(word) || !local || below != filepath.Clean(word) { // else it means the same from the copy's folder
		word = to
	}
	if info.IsDir() {
		if c.own != "" && within(path, c.own) {
			return word, os.MkdirAll(to, 0o755)
		}
		return word, c.tree(path, to, false)
	}
	if err := refuseSelf(path); err != nil {
		return "", err
	}
	if _, err := os.Lstat(to); err == nil {
		return word, nil
	}
	return word, c.copy(path, to)
}

// private reports whether a folder is left out of copies: the history of a repository, a virtual environment, which is read in its
// place, results of this program, and temporary files.
func (c *candidate) private(path, name string) bool {
	if name == ".git" || slices.Contains(real([]string{os.TempDir()}), path) || strings.HasPrefix(name, "schedgap-candidate-") {
		return true
	}
	if _, err := os.Stat(filepath.Join(path, venv)); err == nil {
		return true
	}
	rows, _ := input.Glob(filepath.Join(path, "runs"), "*.parquet") // a folder without rows has no results
	return len(rows) > 0
}

// tree copies a folder. Links within it stay links; others are left out, since they may lead anywhere, as are builds of this program,
// and what the user may not read. If it is shallow, it has only its files whose names begin with no dot.
func (c *candidate) tree(from, to string, shallow bool) error {
	var links [][2]string
	err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		copied := filepath.Join(to, strings.TrimPrefix(path, from))
		switch {
		case errors.Is(err, fs.ErrPermission) || errors.Is(err, fs.ErrNotExist):
			return nil // it is another user's, or gone meanwhile
		case err != nil:
			return err
		case path == from:
			return os.MkdirAll(copied, 0o755)
		case d.IsDir() && (shallow || c.hidden(path) || c.private(path, d.Name())):
			return fs.SkipDir
		case d.IsDir():
			return os.MkdirAll(copied, 0o755)
		case c.hidden(path), shallow && strings.HasPrefix(d.Name(), "."):
			return nil
		case d.Type()&fs.ModeSymlink != 0:
			if end := real([]string{path}); len(end) > 0 && within(end[0], from) {
				links = append(links, [2]string{filepath.Join(to, strings.TrimPrefix(end[0], from)), copied})
			}
			return nil
		case !d.Type().IsRegular() || refuseSelf(path) != nil:
			return nil
		}
		return c.copy(path, copied)
	})
	for _, link := range links {
		if _, gone := os.Lstat(link[0]); err != nil || gone != nil {
			continue
		}
		var way string
		way, err = filepath.Rel(filepath.Dir(link[1]), link[0])
		if err == nil {
			err = os.Symlink(way, link[1])
		}
	}
	if err != nil {
		return fmt.Errorf("copying the command's files: %w", err)
	}
	return nil
}

func (c *candidate) copy(from, to string) error {
	in, err := os.Open(from)
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	c.bytes += info.Size()
	if c.bytes > mostBytes {
		return fmt.Errorf("%s: with this file the command's own files exceed %d MiB, the limit for the private copy; "+
			"--files DIR names a smaller folder", from, mostBytes>>20)
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	if err == nil {
		err = out.Chmod(info.Mode().Perm() | 0o444 | info.Mode().Perm()&0o100/8 | info.Mode().Perm()&0o100/64)
	}
	return errors.Join(err, out.Close())
}

// hidden reports whether a file is one that the command must not see, or below such a folder.
func (c *candidate) hidden(path string) bool {
	ends := real([]string{path})
	return slices.ContainsFunc(c.hide, func(hide string) bool {
		return slices.ContainsFunc(ends, func(end string) bool { return within(end, hide) })
	})
}

// refuseSelf refuses a build of this program, which knows optima.
func refuseSelf(path string) error {
	if info, err := buildinfo.ReadFile(path); err == nil && strings.HasPrefix(info.Path, "schedgap/cmd/") {
		return fmt.Errorf("%s: is schedgap itself, which is no algorithm to be judged", path)
	}
	return nil
}
