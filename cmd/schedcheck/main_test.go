package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"schedgap/models/fail"
)

// packages are all that the program is made of, beside the standard library.
var packages = []string{
	"github.com/go-json-experiment/json/internal",
	"github.com/go-json-experiment/json/internal/jsonflags",
	"github.com/go-json-experiment/json/internal/jsonopts",
	"github.com/go-json-experiment/json/internal/jsonwire",
	"github.com/go-json-experiment/json/jsontext",
	"github.com/klauspost/compress/flate",
	"github.com/klauspost/compress/gzip",
	"github.com/klauspost/compress/internal/le",
	"github.com/klauspost/compress/internal/regmask",
	"golang.org/x/sys/unix",
	"schedgap/cmd/schedcheck",
	"schedgap/exact/verify/cloning",
	"schedgap/exact/verify/cloning/kernel",
	"schedgap/exact/verify/core",
	"schedgap/exact/verify/flex",
	"schedgap/exact/verify/onemachine",
	"schedgap/exact/verify/pocd",
	"schedgap/exact/verify/redundancy",
	"schedgap/exact/verify/referee",
	"schedgap/exact/verify/speculation",
	"schedgap/models",
	"schedgap/models/cloning",
	"schedgap/models/flex",
	"schedgap/models/heap",
	"schedgap/models/input",
	"schedgap/models/nearest",
	"schedgap/models/pocd",
	"schedgap/models/proof",
	"schedgap/models/redundancy",
	"schedgap/models/speculation",
	"schedgap/models/strict",
}

// most is the largest size of the program in bytes, without symbols.
const most = 10e6

// The program has the definitions and the verifier, nothing of the methods, and no C.
func TestPackages(t *testing.T) {
	list := command(t, "go", "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{if .CgoFiles}} with C{{end}}{{end}}", ".")
	if got := strings.Fields(list); !slices.Equal(slices.Sorted(slices.Values(got)), packages) {
		t.Errorf("the packages are\n%s", list)
	}
}

func TestSize(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program")
	}
	file := filepath.Join(t.TempDir(), "schedcheck")
	command(t, "go", "build", "-buildvcs=false", "-ldflags", "-s -w", "-o", file, ".")
	info, err := os.Stat(file)
	if err != nil || info.Size() > most {
		t.Errorf("%v, %d bytes of at most %d", err, info.Size(), int(most))
	}
}

// command runs a command that builds without cgo, and returns its output.
func command(t *testing.T, name string, args ...string) string {
	t.Helper()
	c := exec.CommandContext(t.Context(), name, args...)
	c.Env = append(os.Environ(), "CGO_ENABLED=0")
	out, err := c.Output()
	if err != nil {
		t.Fatalf("%s: %v", c, err)
	}
	return string(out)
}

// Exit codes tell good from bad from unreadable; stdout has the result and nothing else.
func TestRun(t *testing.T) {
	const instance = "../../models/flex/examples/one-job.json"
	dir := t.TempDir()
	write := func(name, text string) string {
		file := filepath.Join(dir, name)
		fail.On(t, os.WriteFile(file, []byte(text), 0o600))
		return file
	}
	text, err := os.ReadFile(instance)
	fail.On(t, err)
	var in struct{ Name string }
	fail.On(t, json.Unmarshal(text, &in))
	idle := write("idle.json", `{"problem":"flex","instance":"`+in.Name+`","algorithm":"none","intervals":[]}`)
	for name, c := range map[string]struct {
		args           []string
		code           int
		stdout, stderr string
	}{
		"nothing":          {nil, 2, "", "two commands"},
		"another command":  {[]string{"solve", instance, idle}, 2, "", "two commands"},
		"a file too few":   {[]string{"check", instance}, 2, "", "two commands"},
		"help":             {[]string{"--help"}, 0, "usage", ""},
		"infeasible":       {[]string{"check", instance, idle}, 1, `{"feasible":false,"objective":null`, ""},
		"no file":          {[]string{"check", instance, dir + "/none"}, 2, "", dir + "/none"},
		"no proof":         {[]string{"verify", instance, idle}, 2, "", "not compressed"},
		"no instance":      {[]string{"verify", idle, idle}, 2, "", "version"},
		"unknown problem":  {[]string{"verify", write("x.json", `{"problem":"flax"}`), idle}, 2, "", `did you mean "flex"?`},
		"another instance": {[]string{"check", "../../models/flex/examples/ties.json", idle}, 2, "", "not the instance's name"},
	} {
		var stdout, stderr bytes.Buffer
		code := run(t.Context(), &stdout, &stderr, c.args)
		if code != c.code || !strings.HasPrefix(stdout.String(), c.stdout) || (c.stdout == "") != (stdout.Len() == 0) ||
			!strings.Contains(stderr.String(), c.stderr) ||
			(c.stderr == "") != (stderr.Len() == 0) {
			t.Errorf("%s: exit %d, %q, %q", name, code, stdout.String(), stderr.String())
		}
	}
}
