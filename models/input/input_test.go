package input_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"schedgap/models/fail"
	"schedgap/models/input"
)

// Only regular files within the limit are read; whatever else there is makes one sentence at once, and nothing waits.
func TestRead(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	for name, size := range map[string]int{"empty": 0, "full": 1 << 20, "large": 1<<20 + 1} {
		fail.On(t, os.WriteFile(path(name), make([]byte, size), 0o666))
		data, err := input.Read(path(name), 1<<20)
		if name == "large" {
			if err == nil || !strings.HasPrefix(err.Error(), path(name)+": has more than 1 MiB") {
				t.Errorf("%s: %v", name, err)
			}
		} else if err != nil || len(data) != size {
			t.Errorf("%s: %d bytes, %v", name, len(data), err)
		}
	}
	fail.On(t, unix.Mkfifo(path("pipe"), 0o666))
	for file, want := range map[string]string{
		path("pipe"): "is a pipe; only regular files are read",
		"/dev/zero":  "is a device; only regular files are read",
		dir:          "is a directory",
		path("none"): "no such file or directory",
	} {
		if _, err := input.Read(file, 1<<20); err == nil || err.Error() != file+": "+want {
			t.Errorf("%v, want %s: %s", err, file, want)
		}
	}
	if _, err := input.Read(path("none"), 1); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
	}
	// The kernel's files are regular and have no size.
	if data, err := input.Read("/proc/self/status", 1<<20); err != nil || len(data) == 0 {
		t.Errorf("%d bytes, %v", len(data), err)
	}
	// Names out of data stay below their folder.
	sub := path("sub")
	fail.On(t, os.Mkdir(sub, 0o777))
	fail.On(t, os.Symlink(path("full"), filepath.Join(sub, "link")))
	for _, name := range []string{"../full", "link", path("full"), "none"} {
		if _, err := input.ReadIn(sub, name, 1<<20); err == nil {
			t.Errorf("%s is read", name)
		}
	}
	if _, err := input.ReadIn(path("pipe"), "full", 1<<20); err == nil {
		t.Error("a file of a pipe is read")
	}
	if _, err := input.ReadIn(dir, "full", 1<<20); err != nil {
		t.Error(err)
	}
	if err := input.Regular(os.DirFS(dir), "pipe"); err == nil {
		t.Error("a pipe is a regular file")
	}
	if err := input.Regular(os.DirFS(dir), "full"); err != nil {
		t.Error(err)
	}
}

// A folder is meant as it is called, not as the pattern that its name would be.
func TestGlob(t *testing.T) {
	root := t.TempDir()
	for _, folder := range []string{"a[1]*?", "a1xy"} {
		fail.On(t, os.Mkdir(filepath.Join(root, folder), 0o777))
		for _, name := range []string{"b.json", "a.json", "a.txt"} {
			fail.On(t, os.WriteFile(filepath.Join(root, folder, name), nil, 0o666))
		}
	}
	odd := filepath.Join(root, "a[1]*?")
	want := []string{filepath.Join(odd, "a.json"), filepath.Join(odd, "b.json")}
	if got, err := input.Glob(odd, "*.json"); err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v", got, err)
	}
	if got, err := filepath.Glob(filepath.Join(input.Literal(odd), "*.json")); err != nil || !slices.Equal(got, want) {
		t.Errorf("literally: %q, %v", got, err)
	}
	if got, err := input.Glob(filepath.Join(root, "none"), "*.json"); err != nil || len(got) > 0 {
		t.Errorf("of no folder: %q, %v", got, err)
	}
}

// TestPacked: a file whose name says that it is compressed is read unpacked; one that is not, or is not whole, is refused.
func TestPacked(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := z.Write([]byte(`{"a":1}`)); err != nil {
		t.Fatal(err)
	}
	fail.On(t, z.Close())
	for _, test := range []struct {
		name string
		data []byte
		most int64
		want string
	}{
		{"whole.json.gz", packed.Bytes(), 100, ""},
		{"half.json.gz", packed.Bytes()[:packed.Len()-6], 100, "half.json.gz: is damaged or not whole"},
		{"plain.json.gz", []byte(`{"a":1}`), 100, "plain.json.gz: is not compressed by gzip"},
		{"large.json.gz", packed.Bytes(), 3, "large.json.gz: has more than"},
	} {
		got, err := input.Unpack(test.name, test.data, test.most)
		if test.want == "" && (err != nil || string(got) != `{"a":1}`) {
			t.Errorf("%s: %q, %v", test.name, got, err)
		}
		if test.want != "" && (err == nil || !strings.HasPrefix(err.Error(), test.want)) {
			t.Errorf("%s: %v, want %s", test.name, err, test.want)
		}
	}
}

// TestBomb: a packed file that holds far more than its size is refused, and takes no memory for that.
func TestBomb(t *testing.T) {
	var packed bytes.Buffer
	z, err := gzip.NewWriterLevel(&packed, gzip.BestSpeed)
	fail.On(t, err)
	zeros := make([]byte, 1<<20)
	for range 400 {
		if _, err := z.Write(zeros); err != nil {
			t.Fatal(err)
		}
	}
	fail.On(t, z.Close())
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err = input.Unpack("bomb.json.gz", packed.Bytes(), input.MaxData)
	runtime.ReadMemStats(&after)
	if err == nil || !strings.HasPrefix(err.Error(), "bomb.json.gz: unpacks to more than ") {
		t.Errorf("%v", err)
	}
	if took := (after.TotalAlloc - before.TotalAlloc) >> 20; took > 20 {
		t.Errorf("%d MiB for a file of %d KiB", took, packed.Len()>>10)
	}
}
