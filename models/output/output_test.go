package output_test

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"schedgap/models/fail"
	"schedgap/models/output"
)

// TestLinks: what the system would open is what is written, however the path leads there, and nothing else changes.
func TestLinks(t *testing.T) {
	for name, c := range map[string]struct{ path, target string }{
		"a relative link in a linked folder":      {"d/link", "real/x"},
		"a link to a link in a linked folder":     {"d/twice", "real/x"},
		"a linked folder in a linked folder":      {"d/e/link", "x"},
		"a link through a linked folder":          {"through", "real/x"},
		"an absolute link in a linked folder":     {"d/absolute", "real/x"},
		"a link to a missing file":                {"d/missing", "real/new"},
		"a missing file in a linked folder":       {"d/new", "real/sub/new"},
		"up from a linked folder":                 {"d/../x", "real/x"},
		"up from a linked folder, a missing file": {"d/../new", "real/new"},
		"a link that goes up from a linked one":   {"up", "real/x"},
		"a missing folder in a linked folder":     {"d/more/new", "real/sub/more/new"},
		"a plain file":                            {"x", "x"},
		"a plain file with a long spelling":       {"./real/../x", "x"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			dir, err := os.Getwd()
			fail.On(t, err)
			for _, folder := range []string{"real/sub", "other"} {
				fail.On(t, os.MkdirAll(folder, 0o777))
			}
			for link, to := range map[string]string{
				"d": "real/sub", "real/sub/link": "../x", "real/sub/twice": "../once", "real/once": "x", "real/sub/e": "../../other",
				"other/link": "../x", "through": "d/../x", "real/sub/absolute": filepath.Join(dir, "real/x"),
				"real/sub/missing": "../new", "up": "./d/.././x",
			} {
				fail.On(t, os.Symlink(to, link))
			}
			files := []string{"x", "real/x", "other/x"}
			for _, file := range files {
				fail.On(t, os.WriteFile(file, []byte("old"), 0o666))
			}
			fail.On(t, output.Write(c.path, []byte("result"), false))
			if got, err := os.ReadFile(c.target); err != nil || string(got) != "result" {
				t.Errorf("%s has %q, %v", c.target, got, err)
			}
			for _, file := range files {
				if got, err := os.ReadFile(file); file != c.target && (err != nil || string(got) != "old") {
					t.Errorf("%s has %q, %v", file, got, err)
				}
			}
			if info, err := os.Lstat("d"); err != nil || info.Mode()&os.ModeSymlink == 0 {
				t.Errorf("the link d is gone: %v", err)
			}
		})
	}
}

// TestNoFile: paths that name no file are errors, and nothing is made.
func TestNoFile(t *testing.T) {
	t.Chdir(t.TempDir())
	for link, to := range map[string]string{"a": "b", "b": "a"} {
		fail.On(t, os.Symlink(to, link))
	}
	for _, path := range []string{"", "new/", ".", "..", "new/..", "a"} {
		if err := output.Write(path, []byte("result"), false); err == nil || !strings.Contains(err.Error(), "writing "+path) {
			t.Errorf("%q: %v", path, err)
		}
	}
	if entries, err := os.ReadDir("."); err != nil || len(entries) != 2 {
		t.Errorf("%v, %v", entries, err)
	}
}

// TestFromFails: where the function fails, the old file stays as it is, and nothing else is there. What is written is readable by all.
func TestFromFails(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, durable := range []bool{false, true} {
		fail.On(t, output.Write("file", []byte("old"), durable))
		info, err := os.Stat("file")
		if err != nil || info.Mode().Perm() != 0o644 {
			t.Errorf("%v, %v", info.Mode(), err)
		}
		broken := errors.New("broken")
		err = output.From("file", durable, func(w io.Writer) error { return errors.Join(broken, output.Write("beside", nil, false)) })
		if !errors.Is(err, broken) {
			t.Errorf("the error is %v", err)
		}
		text, err := os.ReadFile("file")
		if err != nil || string(text) != "old" {
			t.Errorf("%q, %v", text, err)
		}
		if entries, err := os.ReadDir("."); err != nil || len(entries) != 2 {
			t.Errorf("%v, %v", entries, err)
		}
	}
}

// TestMove: a finished file takes the place of a path, of a link's target too, and what is no file is an error.
func TestMove(t *testing.T) {
	t.Chdir(t.TempDir())
	fail.On(t, os.Symlink("target", "link"))
	for _, path := range []string{"new", "new", "link"} {
		fail.On(t, os.WriteFile("finished", []byte(path), 0o600))
		fail.On(t, output.Move("finished", path))
		text, err := os.ReadFile(path)
		if err != nil || string(text) != path {
			t.Errorf("%q, %v", text, err)
		}
		if _, err := os.Stat("finished"); path == "new" && !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("it was copied, not moved: %v", err)
		}
	}
	if to, err := os.Readlink("link"); err != nil || to != "target" {
		t.Errorf("the link leads to %q: %v", to, err)
	}
	if _, err := os.Stat("finished"); err != nil {
		t.Errorf("what was copied is gone: %v", err)
	}
	if err := output.Move("absent", "link"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the error is %v", err)
	}
	if err := output.Write("new/file", nil, false); err == nil {
		t.Error("a file was written below a file")
	}
}

// TestPipe: a pipe is written into and stays one.
func TestPipe(t *testing.T) {
	t.Chdir(t.TempDir())
	fail.On(t, unix.Mkfifo("pipe", 0o600))
	read := make(chan string)
	go func() {
		text, err := os.ReadFile("pipe")
		read <- fmt.Sprintf("%s, %v", text, err)
	}()
	fail.On(t, output.Write("pipe", []byte("result"), true))
	select {
	case got := <-read:
		if got != "result, <nil>" {
			t.Error(got)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("nothing was written")
	}
	if info, err := os.Stat("pipe"); err != nil || info.Mode().Type() != fs.ModeNamedPipe {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}
