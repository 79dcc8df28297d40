package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"schedgap/bench/run/sandbox"
	"schedgap/scripts/pythontest"
)

var update = flag.Bool("update", false, "write the golden files instead of comparing with them")

// asProgram in the environment makes the test binary the program.
const asProgram = "SCHEDGAP_TEST_PROGRAM"

// TestMain makes the test binary a worker when solve or run starts it as one, and the program when a test asks for that.
func TestMain(m *testing.M) { os.Exit(testMain(m)) }

func testMain(m *testing.M) int {
	if os.Getenv(asProgram) != "" || renamed() || (len(os.Args) > 1 && slices.Contains([]string{"worker", "supervise", sandbox.Mode},
		os.Args[1])) {
		return run(context.Background(), os.Getenv, os.Stdin, os.Stdout, os.Stderr, os.Args[1:])
	}
	var err error
	shelf, err = os.MkdirTemp("", "schedgap-test-")
	if err == nil {
		err = os.Chmod(shelf, 0o755) // other users reach it
	}
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(shelf)
	for _, v := range os.Environ() { // which a git hook sets: tests would work on its repository
		if name, _, _ := strings.Cut(v, "="); strings.HasPrefix(name, "GIT_") {
			os.Unsetenv(name)
		}
	}
	// Memory is there, and this process and those that it starts collect less garbage: a fifth of all processor time was for that. A
	// command leaves GOGC as it is where it is set.
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(heap)
	os.Setenv("GOGC", strconv.Itoa(garbage))
	if os.Getenv(byItself) != "" { // which has what the process that waits for it has set up
		return m.Run()
	}
	// Most of these tests wait for processes. A flag on the command line, which is read later, has its way.
	if err := flag.Set("test.parallel", strconv.Itoa(2*runtime.GOMAXPROCS(0))); err != nil {
		panic(err)
	}
	return pythontest.With(m).Run()
}

// byItself in the environment is the name of the one test that a process of the test binary is for.
const byItself = "SCHEDGAP_TEST_BY_ITSELF"

// alone reports whether this process is the test's own. If not, it has one run the test, beside other tests, and says how it ended: a
// test that changes the current folder, the environment or the number of processors would otherwise have all others wait.
func alone(t *testing.T) bool {
	t.Helper()
	if os.Getenv(byItself) == t.Name() {
		return true
	}
	t.Parallel()
	only := "^" + t.Name() + "$"
	if _, parts, deeper := strings.Cut(flag.Lookup("test.run").Value.String(), "/"); deeper && !strings.Contains(parts, "|") {
		only += "/" + parts
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	log := filepath.Join(t.TempDir(), "log")
	cmd := exec.CommandContext(t.Context(), program, "-test.v", "-test.run", only, "-update="+strconv.FormatBool(*update), "-test.testlogfile="+log)
	cmd.Env = append(os.Environ(), byItself+"="+t.Name())
	out, err := cmd.CombinedOutput()
	depend(t, log)
	switch {
	case err == nil && bytes.Contains(out, []byte("\n--- SKIP: "+t.Name()+" ")):
		t.Skipf("%s", out)
	case err != nil || !bytes.Contains(out, []byte("\n--- PASS: "+t.Name()+" ")):
		t.Errorf("%v: %s", err, out)
	default:
		t.Logf("%s", out)
	}
	return false
}

// depend makes go test run this package again when a variable or a file changes that another test process has read. It knows those
// that this process asks for.
func depend(t *testing.T, log string) {
	text, err := os.ReadFile(log)
	if err != nil {
		t.Error(err)
	}
	folder := "."
	for line := range strings.Lines(string(text)) {
		act, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		switch act {
		case "getenv":
			os.Getenv(name)
		case "chdir":
			folder = name
		case "open", "stat":
			if !filepath.IsAbs(name) {
				name = filepath.Join(folder, name)
			}
			_, _ = os.Stat(name) // most of them are gone by now, and those are none of the repository
		}
	}
}

// heap is how many bytes this process may hold before it collects its garbage.
const heap = 1 << 30

// garbage is how many percent the heap may grow by before garbage is collected.
const garbage = 400

// renamed reports whether the test binary has another name than go test gives it and no flag of a test: it is the program then, as
// built has it.
func renamed() bool {
	tests := len(os.Args) > 1 && strings.HasPrefix(os.Args[1], "-test.")
	return !tests && !strings.HasSuffix(os.Args[0], ".test")
}

// shelf is a folder for what all tests have in common.
var shelf string

// built is this program in a folder of its own, for what starts it as a process: the test binary under another name, see renamed.
// Linking the program takes as long as a dozen tests.
var built = sync.OnceValues(func() (file string, err error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	file = filepath.Join(shelf, "program", "schedgap")
	if err := os.Mkdir(filepath.Dir(file), 0o755); err != nil {
		return "", err
	}
	if os.Link(self, file) != nil { // it is on another disk
		err = copyFile(self, file)
	}
	return file, errors.Join(err, os.Chmod(file, 0o755))
})

// command is built, which must be there.
func command(t *testing.T) string {
	t.Helper()
	program, err := built()
	if err != nil {
		t.Fatal(err)
	}
	return program
}

// shared are the instances that all tests of flex use.
const shared = "../../models/flex/examples/"

type ending struct {
	code           int
	stdout, stderr string
}

// schedgap runs the program in this process.
func schedgap(t *testing.T, args ...string) ending {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code := run(t.Context(), environment(t), strings.NewReader(""), &stdout, &stderr, args)
	return ending{code, stdout.String(), stderr.String()}
}

// variables have what a test has set for itself: a map from variables to their values for the name of a test.
var variables sync.Map

// environment is that of a test: its own variables, and the process's.
func environment(t *testing.T) func(string) string {
	test, _, _ := strings.Cut(t.Name(), "/")
	set, _ := variables.Load(test)
	return func(name string) string {
		if own, is := set.(map[string]string); is {
			if value, has := own[name]; has {
				return value
			}
		}
		return os.Getenv(name)
	}
}

// setenv sets variables for the commands that a test runs in this process, and unlike t.Setenv for no other test.
func setenv(t *testing.T, values map[string]string) {
	t.Helper()
	variables.Store(t.Name(), values)
	t.Cleanup(func() { variables.Delete(t.Name()) })
}

// succeed runs the program, which must succeed, and returns its standard output.
func succeed(t *testing.T, args ...string) string {
	t.Helper()
	e := schedgap(t, args...)
	if e.code != 0 {
		t.Fatalf("schedgap %s: exit %d: %s", strings.Join(args, " "), e.code, e.stderr)
	}
	return e.stdout
}

// write puts a file into a folder and returns its path.
func write(t *testing.T, dir, name, contents string) string {
	t.Helper()
	file := filepath.Join(dir, name)
	if err := os.WriteFile(file, []byte(contents), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

var (
	seconds = regexp.MustCompile(`"wall_seconds":[0-9.e-]+`)
	spaces  = regexp.MustCompile(`[ \t]+\n`)
)

// golden compares stdout and stderr with testdata/golden/NAME.stdout and .stderr; an absent file stands for an empty one. What
// differs from run to run is masked: seconds, and the test's own folder.
func golden(t *testing.T, name, dir string, e ending) {
	t.Helper()
	for ext, got := range map[string]string{"stdout": e.stdout, "stderr": e.stderr} {
		got = seconds.ReplaceAllString(got, `"wall_seconds":0`)
		got = spaces.ReplaceAllString(got, "\n")
		if dir != "" {
			got = strings.ReplaceAll(got, dir, "DIR")
		}
		file := filepath.Join("testdata", "golden", name+"."+ext)
		if *update {
			if got == "" {
				os.Remove(file)
			} else {
				write(t, filepath.Dir(file), filepath.Base(file), got)
			}
			continue
		}
		want, err := os.ReadFile(file)
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), got); diff != "" {
			t.Errorf("%s is not as expected (-want +got; go test ./cmd/schedgap -update rewrites it):\n%s", file, diff)
		}
	}
}
