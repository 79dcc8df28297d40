// Package problemtest has the tests of what the files of every problem promise.
package problemtest

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"schedgap/models"
)

// BadInstances replaces a part of a good instance by another in each case, [3]string{part, other, error}: reading it gives that
// one sentence with file, path and value.
func BadInstances[I models.Instance, S any](t *testing.T, p *models.Problem[I, S], good string, cases [][3]string) {
	t.Helper()
	for _, c := range cases {
		text := strings.Replace(good, c[0], c[1], 1)
		if text == good {
			t.Fatalf("%s is not in the instance", c[0])
		}
		if _, err := p.ParseInstance("f.json", []byte(text)); err == nil || err.Error() != c[2] {
			t.Errorf("%s:\n got %v\nwant %s", c[1], err, c[2])
		}
	}
}

// fataler is a test or a check of rapid.
type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

// RoundTrip writes and reads an instance, which comes back as it was, and a solution, whose bytes come back. It returns the solution
// that it read.
func RoundTrip[I models.Instance, S any](t fataler, p *models.Problem[I, S], in I, s S, opts ...cmp.Option) S {
	t.Helper()
	file, err := p.MarshalInstance(in)
	if err != nil {
		t.Fatalf("%v", err)
	}
	back, err := p.ParseInstance("f.json", file)
	if diff := cmp.Diff(in, back, opts...); err != nil || diff != "" {
		t.Fatalf("%v (-written +read)\n%s\n%s", err, diff, file)
	}
	text, err := p.MarshalSolution(in, "mine", nil, s)
	if err != nil {
		t.Fatalf("%v", err)
	}
	read, err := p.ParseSolution("s.json", text, in)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if again, err := p.MarshalSolution(in, "mine", nil, read.Solution); err != nil || !bytes.Equal(text, again) {
		t.Fatalf("%v\n%s\n%s", err, text, again)
	}
	return read.Solution
}

// Fuzz reads whatever bytes, from the package's examples and some texts on: an error is one sentence about the file, and what is
// accepted is canonical after one round and passes a further check.
func Fuzz[I models.Instance, S any](f *testing.F, p *models.Problem[I, S], further func(t *testing.T, in I), texts ...string) {
	f.Helper()
	files, err := filepath.Glob("examples/*.json")
	if err != nil || len(files) == 0 {
		f.Fatal("no shared instances")
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	for _, text := range texts {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		in, err := p.ParseInstance("f.json", data)
		if err != nil {
			if strings.ContainsAny(err.Error(), "\n\r") || !strings.HasPrefix(err.Error(), "f.json: ") {
				t.Errorf("not one sentence about the file: %q", err)
			}
			return
		}
		once, err := p.MarshalInstance(in)
		if err != nil {
			t.Fatal(err)
		}
		back, err := p.ParseInstance("f.json", once)
		if err != nil {
			t.Fatalf("%v\n%s", err, once)
		}
		if twice, err := p.MarshalInstance(back); err != nil || !bytes.Equal(once, twice) {
			t.Errorf("not canonical: %v\n%s%s", err, once, twice)
		}
		further(t, in)
	})
}
