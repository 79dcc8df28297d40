package command

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"schedgap/exact/milp"
	"schedgap/exact/milp/milptest"
)

func TestMain(m *testing.M) {
	if pids := os.Getenv(parentEnv); pids != "" {
		fmt.Fprintln(os.Stderr, parent(pids))
		os.Exit(1)
	}
	goleak.VerifyTestMain(m)
}

// installed skips a test whose executable is missing.
func installed(t testing.TB, cfg Config) *Solver {
	t.Helper()
	s, err := New(cfg)
	if err != nil {
		t.Skip(err)
	}
	return s
}

func TestKnown(t *testing.T) {
	for _, cfg := range Known() {
		t.Run(cfg.Name, func(t *testing.T) {
			t.Parallel() // most of it waits for limits
			s := installed(t, cfg)
			milptest.Run(t, func(*testing.T) milp.Solver { return s }, milptest.Config{})
		})
	}
}

// HiGHS's own executable stands for all that write name and value: it is not in PATH where only the library was built.
func TestSolExecutable(t *testing.T) {
	cfg := Config{
		Name: "highs-command",
		Path: "highs",
		Args: []string{
			"{model}", "--solution_file", "{solution}", "--time_limit", "{time_limit}", "--random_seed", "{seed}",
			"--presolve", "off", // for its faults, see TestPresolveFaults of package highs
		},
		Format: FormatSol,
		// HiGHS calls every limit a warning.
		ExitCodes: []int{1},
	}
	if prefix, err := exec.Command("pkg-config", "--variable=prefix", "highs").Output(); err == nil {
		if path, err := exec.LookPath(filepath.Join(strings.TrimSpace(string(prefix)), "bin", "highs")); err == nil {
			cfg.Path = path
		}
	}
	s := installed(t, cfg)
	milptest.Run(t, func(*testing.T) milp.Solver { return s }, milptest.Config{Skip: map[string]string{
		"limit-with-bound": "the format has no bound",
	}})
}

func BenchmarkKnown(b *testing.B) {
	for _, cfg := range Known() {
		b.Run(cfg.Name, func(b *testing.B) { milptest.Benchmark(b, installed(b, cfg)) })
	}
}

// Each mistake in a Config has its own sentence.
func TestNewRefuses(t *testing.T) {
	good := func() Config { return Config{Name: "sh", Args: []string{"{model}", "{solution}"}, Format: FormatSol} }
	for want, spoil := range map[string]func(*Config){
		"needs a name":                        func(c *Config) { c.Name = "" },
		"need {model} and {solution}":         func(c *Config) { c.Args = c.Args[:1] },
		"unknown placeholder {modle}":         func(c *Config) { c.Args = append(c.Args, "-m={modle}") },
		"unknown placeholder {cores}":         func(c *Config) { c.ThreadArgs = []string{"{cores}"} },
		`unknown format "mps"`:                func(c *Config) { c.Format = "mps" },
		"solver is not available":             func(c *Config) { c.Path = "no-such-solver" },
		"solver is not available: stat /none": func(c *Config) { c.Path = "/none/solver" },
	} {
		cfg := good()
		spoil(&cfg)
		if _, err := New(cfg); err == nil || !strings.Contains(err.Error(), strings.TrimSuffix(want, ": stat /none")) {
			t.Errorf("got %v, want an error with %q", err, want)
		} else if missing := strings.HasPrefix(want, "solver is not"); errors.Is(err, milp.ErrUnavailable) != missing {
			t.Errorf("%v: is ErrUnavailable: %v", err, !missing)
		}
	}
	if _, err := New(good()); err != nil {
		t.Error(err)
	}
}

func TestArgs(t *testing.T) {
	s := &Solver{cfg: Config{
		Args:       []string{"{model}", "-o={solution}", "{time_limit}", "{threads}", "{seed}"},
		ThreadArgs: []string{"-j{threads}"},
		SeedArgs:   []string{"-r{seed}"},
	}}
	for _, c := range []struct {
		limit time.Duration
		opt   milp.Options
		want  string
	}{
		{0, milp.Options{Threads: 1}, "m -o=s 1000000 1 0"},
		{1500 * time.Millisecond, milp.Options{Threads: 2, Seed: 7}, "-j2 -r7 m -o=s 1.5 2 7"},
		{time.Minute, milp.Options{Threads: 1, Seed: -1}, "-r2147483647 m -o=s 60 1 2147483647"},
		{time.Minute, milp.Options{Threads: 1, Seed: 1 << 31}, "-r2147483647 m -o=s 60 1 2147483647"},
	} {
		if got := strings.Join(s.fill(s.cfg.Args, "m", "s", c.limit, c.opt), " "); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

// The time given to an executable: the limit, a little less than the time to the deadline, whole seconds if need be.
func TestAllowance(t *testing.T) {
	const s, ms = time.Second, time.Millisecond
	for _, c := range []struct {
		limit, remaining time.Duration
		whole            bool
		want             time.Duration
	}{
		{0, 0, false, 0},
		{0, 0, true, 0},
		{1500 * ms, 0, false, 1500 * ms},
		{1500 * ms, 0, true, 2 * s},
		{2 * s, 0, true, 2 * s},
		{60 * s, 10 * s, false, 9700 * ms},
		{5 * s, 10 * s, false, 5 * s},
		{0, 10 * s, true, 9 * s},
		{0, 10300 * ms, true, 10 * s},
		{0, 400 * ms, false, 200 * ms},
		{0, 400 * ms, true, s}, // killed at the deadline
	} {
		if got := allowance(c.limit, c.remaining, c.whole); got != c.want {
			t.Errorf("limit %s, remaining %s, whole %v: %s, want %s", c.limit, c.remaining, c.whole, got, c.want)
		}
	}
}

// TestToleranceOfCommand: what the configuration says, else what is customary.
func TestToleranceOfCommand(t *testing.T) {
	own := milp.Tolerance{Rows: 1e-4, Integers: 1e-3}
	for _, c := range []struct {
		cfg  *milp.Tolerance
		want milp.Tolerance
	}{{nil, milp.ToleranceOf(nil)}, {&own, own}} {
		if got := (&Solver{cfg: Config{Tolerance: c.cfg}}).Tolerance(); got != c.want {
			t.Errorf("%+v, want %+v", got, c.want)
		}
	}
}

// TestWriteModel: a model that cannot be written is an error, as a folder that is not there is.
func TestWriteModel(t *testing.T) {
	crossed := &milp.Model{Cols: []milp.Col{{Name: "x", Lo: 2, Hi: 1}}}
	if err := writeModel(filepath.Join(t.TempDir(), "m"), crossed); err == nil || !strings.Contains(err.Error(), "[2, 1]") {
		t.Errorf("%v", err)
	}
	if err := writeModel(filepath.Join(t.TempDir(), "none", "m"), one()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v", err)
	}
}
