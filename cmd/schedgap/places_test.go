package main

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"schedgap/models/trials"
)

// A place is where commands run: the current folder has what they read, out is named for what they write.
type place struct{ top, here, out, tmp, git string }

// newPlace is a place whose names are full of what shells, patterns and encodings mistake, without a home folder, with the variables of
// a git hook of another repository.
func newPlace(t *testing.T) *place {
	t.Helper()
	top := t.TempDir()
	p := &place{
		top, filepath.Join(top, "my [data] ä"), filepath.Join(top, "out [1] ö"), filepath.Join(top, "tmp $x"),
		filepath.Join(top, "other"),
	}
	for _, dir := range []string{filepath.Dir(top), top} {
		if err := os.Chmod(dir, 0o755); err != nil { // other users reach it
			t.Fatal(err)
		}
	}
	for _, dir := range []string{p.here, p.out, p.tmp, p.git, filepath.Join(top, "my d ä")} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

// enter makes the place this process's. It must be called after what it needs is there.
func (p *place) enter(t *testing.T) {
	t.Helper()
	t.Chdir(p.here)
	for name, value := range map[string]string{
		"HOME": "", "TMPDIR": p.tmp, "GIT_DIR": p.git, "GIT_WORK_TREE": p.git, "XDG_CACHE_HOME": "", "SCHEDGAP_CACHE": "",
	} {
		t.Setenv(name, value)
	}
	os.Unsetenv("HOME") // Setenv restores it
}

// fill writes what the commands read.
func (p *place) fill(t *testing.T) {
	t.Helper()
	in := func(name string) string { return filepath.Join(p.here, name) }
	write(t, p.here, "i.json", read(t, shared+"rotate.json"))
	write(t, p.here, "s.yaml", small("{n: 2, seed: 1, params: {jobs: 3}}", "opt, fair"))
	write(t, p.here, "mine.py", answerThree("open(os.path.join(os.path.dirname(os.path.abspath(__file__)), 'helper.py'))\n"+sayIt))
	write(t, p.here, "helper.py", "")
	write(t, p.here, "none.sh", "exit 77\n")
	succeed(t, "run", in("s.yaml"), "-o", in("results"), "-q")
	succeed(t, "solve", in("i.json"), "-a", "opt", "-o", in("solution.json"), "--proof", in("proof.gz"))
	succeed(t, "trace", "synthesize", "--hours", "0.1", "-o", in("trace"))
}

// contents are the hashes of all files below the place, by path, without those below the folders named.
func (p *place) contents(t *testing.T, but ...string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(p.top, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case slices.Contains(but, path):
			return fs.SkipDir
		case d.IsDir():
			found[path] = ""
			return nil
		}
		data, err := os.ReadFile(path)
		found[path] = fmt.Sprintf("%x", sha256.Sum256(data))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// placed are the commands; OUT stands for the folder that is named for what they write.
var placed = [][]string{
	{"generate", "flex", "-n", "1", "-o", "OUT/instances"},
	{"solve", "i.json", "-a", "flex", "-o", "OUT/solution.json"},
	{"solve", "i.json", "-a", "opt", "--proof", "OUT/proof.gz"},
	{"solve", "i.json", "--", "python3", "mine.py"},
	{"check", "i.json", "solution.json"},
	{"verify", "i.json", "proof.gz"},
	{"export", "i.json", "--model", "position", "--format", "lp", "-o", "OUT/model.lp"},
	{"export", "i.json", "--model", "position", "--format", "mps"},
	{"list", "problems"},
	{"doctor"},
	{"run", "s.yaml", "-o", "OUT/results"},
	{"status", "results"},
	{"report", "results", "-o", "OUT/report", "--csv", "OUT/rows.csv"},
	{"merge", "results", "-o", "OUT/merged"},
	{"compare", "results", "results"},
	{"bench", "flex", "--suite", "s.yaml", "-o", "OUT/bench", "--", "sh", "none.sh"},
	{"evaluate", "flex", "--files", "i.json", "--sandbox", "off", "--", "python3", "mine.py"},
	{"evaluate", "flex", "--files", "i.json", "--", "python3", "mine.py"},
	{"evaluate", "flex", "--scaffold", "python", "-o", "OUT/scaffold"},
	{"worst", "flex", "-a", "fifo", "--jobs", "3", "--evaluations", "30", "-o", "OUT/worst"},
	{"algorithm", "new", "flex", "--lang", "python", "-o", "OUT/new.py"},
	{"algorithm", "check", "flex", "--instance", "rotate", "--", "python3", "mine.py"},
	{"trace", "info", "trace"},
	{"trace", "synthesize", "--hours", "0.1", "-o", "OUT/trace"},
	{"simulate", "flex", "-a", "fair", "--generate", "jobs=2", "-o", "OUT/simulated"},
	{"library", "list"},
	{"library", "submit", "flex-open-003", "--solution", "solution.json", "--author", "A", "--ref", "R", "--dir", "results"},
	{"paper"},
}

// codes are the exit codes other than 0, by the first words.
var codes = map[string]int{
	"bench":          exitFailed, // none.sh answers nothing
	"library submit": exitUsage,  // results are no library
}

// closed is a standard output that takes nothing.
type closed struct{}

func (closed) Write([]byte) (int, error) { return 0, unix.EBADF }

// TestPlaces: every command does in an awkward place what it does elsewhere, writes only what it is asked to, leaves nothing among
// temporary files, and does not end with 0 if its answer cannot be printed. The current folder may be read-only.
func TestPlaces(t *testing.T) {
	if !alone(t) {
		return
	}
	for name, readOnly := range map[string]bool{"a folder": false, "a read-only folder": true} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t)
			p.fill(t)
			if readOnly {
				err := unix.Mount(p.here, p.here, "", unix.MS_BIND, "")
				if errors.Is(err, unix.EPERM) {
					t.Skip("only root can make a folder read-only for root")
				} else if err == nil {
					t.Cleanup(func() { _ = unix.Unmount(p.here, unix.MNT_DETACH) })
					err = unix.Mount("", p.here, "", unix.MS_REMOUNT|unix.MS_BIND|unix.MS_RDONLY, "")
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			p.enter(t)
			for _, words := range placed {
				prints := false
				t.Run(first(words), func(t *testing.T) { prints = p.try(t, words, false) })
				if prints && (!readOnly || trials.Whole()) { // what is printed has nothing to do with the folder
					t.Run(first(words)+" without output", func(t *testing.T) { p.try(t, words, true) })
				}
			}
			if readOnly {
				for _, args := range [][]string{{"run", "s.yaml"}, {"bench", "flex", "--suite", "s.yaml", "--", "sh", "none.sh"}} {
					if e := schedgap(t, args...); e.code == 0 || !strings.Contains(e.stderr, "read-only file system") {
						t.Errorf("%q: exit %d: %s", args, e.code, e.stderr)
					}
				}
			}
		})
	}
}

// first are the first words, which name the command.
func first(words []string) string { return strings.Join(words[:min(2, len(words))], " ") }

// try runs a command, with a closed standard output or not, and reports whether it prints anything.
func (p *place) try(t *testing.T, words []string, shut bool) (prints bool) {
	before := p.contents(t, p.out)
	args := slices.Clone(words)
	for i, word := range args {
		args[i] = strings.Replace(word, "OUT", p.out, 1)
	}
	var stdout, stderr bytes.Buffer
	code, want := 0, max(codes[words[0]], codes[first(words)])
	if shut {
		want = exitFailed
		code = run(t.Context(), os.Getenv, strings.NewReader(""), closed{}, &stderr, args)
	} else {
		code = run(t.Context(), os.Getenv, strings.NewReader(""), &stdout, &stderr, args)
	}
	if code != want {
		t.Errorf("exit %d, want %d: %s", code, want, &stderr)
	}
	if words[0] == "evaluate" && !shut && !slices.Contains(words, "--scaffold") && !strings.Contains(stdout.String(), `"combined_score":0.75`) {
		t.Errorf("not the score that it is worth: %s", &stdout)
	}
	if after := p.contents(t, p.out); !maps.Equal(before, after) {
		for path, hash := range after {
			if old, had := before[path]; !had || old != hash {
				t.Errorf("%s was written", path)
			}
		}
		for path := range before {
			if _, has := after[path]; !has {
				t.Errorf("%s is gone", path)
			}
		}
	}
	for _, word := range words {
		if named, found := strings.CutPrefix(word, "OUT/"); found {
			if _, err := os.Stat(filepath.Join(p.out, named)); err != nil && code == 0 {
				t.Errorf("%s is not written: %v", named, err)
			}
		}
	}
	if err := os.RemoveAll(p.out); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(p.out, 0o755); err != nil {
		t.Fatal(err)
	}
	return stdout.Len() > 0
}
