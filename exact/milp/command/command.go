// Package command solves models with any executable that reads MPS files, such as cbc, glpsol, scip, highs or
// gurobi_cl. A Config describes one such solver; bench/catalog makes a Solver of
// each in the settings. Each solve has a folder and a
// process group of its own; the executable dies with this process.
package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"schedgap/exact/milp"
	"schedgap/exact/milp/backend"
	"schedgap/models/environ"
)

// A Format is the way in which an executable reports its result.
type Format string

// The formats.
const (
	// FormatCBC is cbc's -solution file for the status, with -saveSolution's file, {solution}.bin, for the point.
	FormatCBC Format = "cbc"
	// FormatGLPK is glpsol's --write file, with the log for the reason of an end without solution.
	FormatGLPK Format = "glpk"
	// FormatSol is a file of lines with a column's name and value, as SCIP, Gurobi and HiGHS write. Columns that are not
	// listed are 0. The status is a line of the file or else of the log.
	FormatSol Format = "sol"
)

// A Config describes an executable, in the form of a user's list of solvers, too.
type Config struct {
	Name string `json:"name" is:"id"`   // as --solver names it
	Path string `json:"path,omitempty"` // of the executable, looked up in PATH unless it has a slash, then absolute; empty: Name
	// Args are the arguments, in which {model}, {solution}, {time_limit} (seconds; 1e6 stands for none), {threads} and
	// {seed} (0 to 2^31-1) are replaced. {model} and {solution} are needed.
	Args []string `json:"args"`
	// ThreadArgs come before Args when more than one thread is asked for.
	ThreadArgs []string `json:"thread_args,omitempty"`
	// SeedArgs come before Args when a seed is asked for: 0 may mean the time of the day to the executable, not its own seed.
	SeedArgs []string `json:"-"`
	Format   Format   `json:"format" words:"cbc|glpk|sol"`
	// Retry are the arguments of further runs, each in the time that is left where the executable breaks in the one before.
	Retry [][]string `json:"-"`
	// WholeSeconds rounds time limits up to seconds.
	WholeSeconds bool `json:"whole_seconds,omitempty"`
	// Tolerance is what the executable forgives with these arguments; nil: what is customary.
	Tolerance *milp.Tolerance `json:"tolerance,omitempty"`
	// Interrupt asks the executable to stop; 0: SIGTERM. Its answer still counts if it then exits as it should.
	Interrupt syscall.Signal `json:"-"`
	// ExitCodes are the codes of a normal end besides 0.
	ExitCodes []int `json:"exit_codes,omitempty"`
	// Env are the names of the variables that it sees besides those of environ.Short.
	Env []string `json:"env,omitempty"`
	// VersionArgs make it print its version, the first number with a dot.
	VersionArgs []string `json:"version_args,omitempty"`
}

// cbcArgs are cbc's arguments with a way to preprocess integers.
func cbcArgs(preprocess ...string) []string {
	return slices.Concat([]string{
		"-import", "{model}", "-ratioGap", "0", "-allowableGap", "1e-9", "-increment", "1e-9", "-integerTolerance", "1e-9",
		"-primalTolerance", "1e-9", "-dualTolerance", "1e-9", "-seconds", "{time_limit}", "-timeMode", "elapsed",
	}, preprocess, []string{"-solve", "-solution", "{solution}", "-saveSolution", "{solution}.bin"})
}

// Known are the executables that need no entry in a user's list.
//
// cbc is COIN-OR's branch and cut solver. It gives bounds with three decimals, and nodes, and ignores Options.Start. Its integer
// preprocessing is one plain presolve: the repeated passes of 2.10.8 fix columns that the optimum needs otherwise, in models of
// redundancy with works from thousandths to ones, at all values of -preprocess that leave them on. On models that it finds
// infeasible, the plain presolve calls a pure virtual function. Such a model is solved without preprocessing. This breaks too where
// there is no point to write, and only then the passes have a say. Source: J. Forrest et al., coin-or/Cbc, github.com/coin-or/Cbc.
//
// glpsol is GLPK's solver. It gives bounds, ignores Options.Threads and Start, and takes values within 1e-5 of an
// integer for integral and objectives within 1e-7 of the incumbent's for no better, which its command line cannot
// change. Source: A. Makhorin, GNU Linear Programming Kit, gnu.org/software/glpk.
func Known() []Config {
	return []Config{{
		Name:        "cbc",
		Args:        cbcArgs("-tunePreProcess", "99000000"),
		Retry:       [][]string{cbcArgs("-preprocess", "off"), cbcArgs()},
		ThreadArgs:  []string{"-threads", "{threads}"}, // with one it starts a second thread and waits for it
		SeedArgs:    []string{"-randomSeed", "{seed}", "-randomCbcSeed", "{seed}"},
		Format:      FormatCBC,
		Tolerance:   &milp.Tolerance{Rows: 1e-9, Integers: 1e-6}, // the latter while it reduces models
		Interrupt:   syscall.SIGINT,                              // at which it writes its incumbent
		VersionArgs: []string{"-quit"},
	}, {
		Name: "glpsol",
		Args: []string{
			"--freemps", "{model}", "--mipgap", "0", "--tmlim", "{time_limit}", "--write", "{solution}",
			"--nointopt", // GLPK 5.0's MIP preprocessor ends one in some thousand small models with an infeasible point
		},
		Format:       FormatGLPK,
		WholeSeconds: true,
		VersionArgs:  []string{"--version"},
	}}
}

// Solver runs an executable.
type Solver struct {
	cfg     Config
	path    string
	seeds   bool // of its own
	version func() string
}

var _ milp.Solver = (*Solver)(nil)

var placeholder = regexp.MustCompile(`\{[^{}]*\}`)

// New checks cfg and finds the executable; the error wraps milp.ErrUnavailable if there is none.
func New(cfg Config) (*Solver, error) {
	known := map[string]bool{"{model}": false, "{solution}": false, "{time_limit}": false, "{threads}": false, "{seed}": false}
	for _, arg := range slices.Concat(cfg.ThreadArgs, cfg.SeedArgs, cfg.Args, slices.Concat(cfg.Retry...)) {
		for _, p := range placeholder.FindAllString(arg, -1) {
			if _, ok := known[p]; !ok {
				return nil, fmt.Errorf("argument %q has the unknown placeholder %s", arg, p)
			}
			known[p] = true
		}
	}
	switch {
	case cfg.Name == "":
		return nil, fmt.Errorf("a solver command needs a name")
	case !known["{model}"] || !known["{solution}"]:
		return nil, errors.New("its arguments need {model} and {solution}")
	case readers[cfg.Format].status == nil:
		return nil, fmt.Errorf("unknown format %q", cfg.Format)
	}
	path, err := exec.LookPath(cmp.Or(cfg.Path, cfg.Name))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", milp.ErrUnavailable, err)
	}
	return &Solver{cfg, path, known["{seed}"], sync.OnceValue(func() string { return version(path, cfg) })}, nil
}

// Name is the configured one.
func (s *Solver) Name() string { return s.cfg.Name }

// Tolerance is the configured one.
func (s *Solver) Tolerance() milp.Tolerance {
	if s.cfg.Tolerance != nil {
		return *s.cfg.Tolerance
	}
	return milp.ToleranceOf(nil)
}

// Version is the executable's own version text, asked once; unknown if it prints none within five seconds.
func (s *Solver) Version() string { return s.version() }

func version(path string, cfg Config) string {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, cfg.VersionArgs...)
	cmd.Env = environ.Short(cfg.Env...)
	cmd.WaitDelay = patience // for a grandchild that keeps the pipe open
	out, _ := cmd.CombinedOutput()
	return cmp.Or(regexp.MustCompile(`[0-9]+(\.[0-9]+)+`).FindString(string(out)), "unknown")
}

// Solve implements milp.Solver. At the limit, or soon after if the executable does not stop by itself, and when ctx is
// done, the whole process group is interrupted, and killed half a second later.
func (s *Solver) Solve(ctx context.Context, m *milp.Model, opt milp.Options) (*milp.Result, error) {
	native := backend.Native(s.native)
	if !s.seeds {
		native = backend.Shuffled(native)
	}
	r, err := backend.Solve(ctx, m, opt, native)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.cfg.Name, err)
	}
	return r, nil
}

// fill returns arguments of the configuration with their placeholders replaced.
func (s *Solver) fill(arguments []string, model, solution string, limit time.Duration, opt milp.Options) []string {
	seconds := "1000000"
	if limit > 0 {
		seconds = fmt.Sprintf("%g", limit.Seconds())
	}
	seed := opt.Seed & math.MaxInt32
	if seed == 0 && opt.Seed != 0 {
		seed = math.MaxInt32 // 0 is none
	}
	r := strings.NewReplacer("{model}", model, "{solution}", solution, "{time_limit}", seconds,
		"{threads}", fmt.Sprint(opt.Threads), "{seed}", fmt.Sprint(seed))
	var args []string
	if opt.Threads > 1 {
		args = slices.Clone(s.cfg.ThreadArgs)
	}
	if opt.Seed != 0 {
		args = append(args, s.cfg.SeedArgs...)
	}
	args = append(args, arguments...)
	for i := range args {
		args[i] = r.Replace(args[i])
	}
	return args
}

func writeModel(path string, m *milp.Model) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := milp.WriteMPS(f, m); err != nil {
		return err
	}
	return f.Close()
}
