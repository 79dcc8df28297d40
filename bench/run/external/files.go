package external

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"sync"

	"schedgap/models/input"
)

// Files identifies versions of commands by the contents of their files. A file is read again only if its size or time changes.
// The zero value is ready; several goroutines may use it.
type Files struct {
	mu    sync.Mutex
	known map[string]content
}

type content struct {
	info   os.FileInfo
	digest string
}

// Digest returns the SHA-256, as 64 hexadecimal digits, of a command's files: its program, unless it belongs to the system, the
// arguments that are regular files, and the regular files that match the patterns watch. dir is the command's working folder.
// Names of files count only for watch, relative to dir. For a file that cannot be read, such as a program that may only be
// executed, size and time count. Digest fails only when ctx ends, with ctx's error.
func (f *Files) Digest(ctx context.Context, dir string, command, watch []string) (string, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	parts := [][2]string{}
	add := func(name, path string) error {
		digest, err := f.contents(ctx, path)
		if digest != "" {
			parts = append(parts, [2]string{name, digest})
		}
		return err
	}
	for i, path := range command {
		if i == 0 {
			path = exec.Command(path).Path // as it is found
		}
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, path)
		}
		if i == 0 && ofSystem(path) {
			continue
		}
		if err := add(strconv.Itoa(i), path); err != nil {
			return "", err
		}
	}
	here, _ := filepath.Abs(dir) // fails with the current folder gone, in which no command starts
	for _, pattern := range watch {
		paths, _ := filepath.Glob(pattern) // the suite's reader has refused patterns that are none
		for _, path := range paths {
			name, _ := filepath.Rel(here, path) // of two absolute paths
			if err := add(name, path); err != nil {
				return "", err
			}
		}
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%q", parts))
	return hex.EncodeToString(sum[:]), nil
}

// skipped are folders of a problem whose files no command of it depends on: what is made there, and what only examples are.
var skipped = []string{"__pycache__", "examples", "instances", "results", "report"}

// Tree returns the SHA-256 of all regular files below a folder, with their names, except those that are hidden or lie in skipped
// ones. It fails if a folder cannot be read, or when ctx ends.
func (f *Files) Tree(ctx context.Context, dir string) (string, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	parts := [][2]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err // d is nil where dir is missing
		}
		name := d.Name()
		switch {
		case path != dir && (name[0] == '.' || d.IsDir() && slices.Contains(skipped, name)):
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		digest, err := f.contents(ctx, path)
		if digest != "" {
			name, _ = filepath.Rel(dir, path) // it is below
			parts = append(parts, [2]string{name, digest})
		}
		return err
	})
	sum := sha256.Sum256(fmt.Appendf(nil, "%q", parts))
	return hex.EncodeToString(sum[:]), err
}

// system are the folders of programs that come with the machine: shards on several machines may find them in different versions.
var system = regexp.MustCompile(`^/(bin|sbin|lib|nix|snap|System|Library|usr/(bin|sbin|lib|lib64|libexec|share|games))/`)

func ofSystem(program string) bool {
	real, err := filepath.EvalSymlinks(program)
	return err == nil && system.MatchString(real)
}

// contents is the digest of a regular file; empty: it is none.
func (f *Files) contents(ctx context.Context, path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return "", nil
	}
	if old, ok := f.known[path]; ok && os.SameFile(old.info, info) && old.info.Size() == info.Size() &&
		old.info.ModTime().Equal(info.ModTime()) {
		return old.digest, nil
	}
	now := content{info: info, digest: fmt.Sprint(info.Size(), info.ModTime().UnixNano())}
	if file, _, err := input.Open(path, math.MaxInt64); err == nil {
		defer file.Close()
		defer context.AfterFunc(ctx, func() { file.Close() })() // reading a file may take minutes
		hash := sha256.New()
		if _, err := io.Copy(hash, file); err == nil {
			now.digest = hex.EncodeToString(hash.Sum(nil))
		}
	}
	if err := ctx.Err(); err != nil {
		return "", err
	}
	if f.known == nil {
		f.known = map[string]content{}
	}
	f.known[path] = now
	return now.digest, nil
}
