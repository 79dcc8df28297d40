package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"schedgap/bench"
	"schedgap/bench/plan/suite"
	"schedgap/bench/run/worker"
	"schedgap/bench/score/worst"
	"schedgap/models"
	"schedgap/models/input"
)

// A worstCommand is the command with its flags.
type worstCommand struct {
	app    *app
	o      worst.Options
	given  []string // -p
	within []string
	from   []string
	like   string
	name   string
	pass   []string
	out    string
	curve  string
}

func (a *app) worstCommand() *cobra.Command {
	w := &worstCommand{app: a, o: worst.Options{
		Jobs: 6, Seed: 1, Workers: runtime.GOMAXPROCS(0), Request: bench.Request{Threads: 1},
	}}
	cmd := a.command("worst PROBLEM (-a ALGORITHM | -- COMMAND …) -o DIR", func(cmd *cobra.Command, args []string) error {
		w.o.Request.Command = args[1:]
		if err := w.settle(cmd, args[0]); err != nil {
			return err
		}
		if w.curve != "" {
			return w.trace(cmd.Context())
		}
		return w.run(cmd.Context())
	})
	recheck := ""
	search, problem := cmd.RunE, oneOf(&w.o.Request.Algorithm, "PROBLEM")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if recheck != "" {
			return a.recheckCurve(cmd.Context(), recheck)
		}
		return search(cmd, args)
	}
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		switch {
		case recheck == "":
			err := problem(cmd, args)
			if err == nil && !cmd.Flags().Changed("output") {
				err = errors.New(`required flag(s) "output" not set`)
			}
			return err
		case len(args) > 0 || cmd.Flags().NFlag() > 1:
			return errors.New("--recheck takes a folder and nothing else")
		}
		return nil
	}
	fl := cmd.Flags()
	fl.StringVar(&w.curve, "curve", "", "`AXIS=LIST`, speed=1,1.5,2 of the algorithm's machines, jobs=2..8, or jobs=2..8@1.5 at a speed: a search at each value")
	fl.StringVar(&recheck, "recheck", "", "`DIR` of a curve, whose optima and ratios are proven again")
	fl.StringVarP(&w.o.Request.Algorithm, "algorithm", "a", "", "`NAME` of the algorithm; see: schedgap list algorithms")
	fl.StringVar(&w.name, "name", "", "`NAME` of the command in the files (default: its file's name)")
	fl.StringVar(&w.o.Reference, "reference", "", "`NAME` of the class whose optimum counts (default: the algorithm's reference)")
	countFlag(fl, &w.o.Jobs, most, "jobs", "", "most jobs of an instance")
	durationFlag(fl, &w.o.Budget, "budget", "time for the search, such as 60s (default: 60s)")
	countFlag(fl, &w.o.Evaluations, math.MaxInt32, "evaluations", "",
		"number of evaluations, in place of a budget; the result then depends only on the seed (default of --curve: 300 a value)")
	fl.StringArrayVar(&w.from, "from", nil, "`FILE` of an instance to begin with; may be repeated")
	paramFlag(fl, &w.given, "generator of the first instances, or of the algorithm")
	fl.StringArrayVar(&w.within, "within", nil,
		"`K=A..B`, a range of a feature, of a size or of all numbers of a kind; may be repeated")
	fl.StringVar(&w.like, "like", "", "`DIR` of instances or a trace whose ranges to keep")
	seedFlag(fl, &w.o.Seed)
	countFlag(fl, &w.o.Workers, 1024, "workers", "", "evaluations at a time")
	envFlag(fl, &w.pass)
	writesTo(cmd, &w.out, "`DIR` for the result")
	delete(fl.Lookup("output").Annotations, cobra.BashCompOneRequiredFlag) // --recheck writes nothing
	a.completeFlag(cmd, "algorithm", algorithmNames)
	a.completeParams(cmd, func(p *bench.Problem) []models.Param { return p.Generator.Params })
	return cmd
}

// settle reads the files and names that the flags give.
func (w *worstCommand) settle(cmd *cobra.Command, problem string) (err error) {
	o := &w.o
	o.Problem, err = w.app.registry.Problem(problem)
	if err != nil {
		return err
	}
	switch {
	case o.Budget > 0 && o.Evaluations > 0:
		return errors.New("--budget and --evaluations exclude each other")
	case o.Budget == 0 && o.Evaluations == 0 && w.curve != "":
		o.Evaluations = curveEvaluations
	case o.Budget == 0 && o.Evaluations == 0:
		o.Budget = time.Minute
	}
	o.Request.Seed = 1
	name := o.Request.Algorithm
	if len(o.Request.Command) > 0 {
		if err := runnable(o.Request.Command); err != nil {
			return err
		}
		name = cmp.Or(w.name, "command") // in the instance's name, which a command may have been made for
		o.Request.Algorithm = cmp.Or(w.name, commandName(o.Request.Command))
	}
	o.Name = "worst-" + problem + "-" + strings.Map(func(r rune) rune {
		if strings.ContainsRune(":/\\, ", r) {
			return '-'
		}
		return r
	}, name)
	if err := w.params(); err != nil {
		return err
	}
	jobs, _ := o.Params[o.Problem.Moves.Jobs].(string)
	if n, err := strconv.Atoi(jobs); err == nil && n > 0 && !cmd.Flags().Changed("jobs") {
		o.Jobs = n
	}
	for _, text := range w.within {
		r, err := worst.ParseRange(text)
		if err != nil {
			return fmt.Errorf("--within: %w", err)
		}
		o.Within = append(o.Within, r)
	}
	for _, file := range w.from {
		in, err := w.app.readInstanceOf(o.Problem, file)
		if err != nil {
			return err
		}
		o.From = append(o.From, in)
	}
	if len(o.From) > 0 && !cmd.Flags().Changed("jobs") {
		o.Jobs = 1
		for _, in := range o.From {
			o.Jobs = max(o.Jobs, in.Size.Jobs)
		}
	}
	if w.like != "" {
		o.Like, err = w.likes(cmd.Context())
		if err != nil {
			return err
		}
	}
	return writableFolder(w.out)
}

// params gives the parameters to those who know them: the generator, the algorithm, or both.
func (w *worstCommand) params() error {
	o := &w.o
	given, err := models.ParseAssignments(w.given)
	if err != nil {
		return err
	}
	var of []models.Param
	if len(o.Request.Command) == 0 {
		a, _, err := o.Problem.Find(o.Request.Algorithm)
		if err != nil {
			return err
		}
		of = a.Params
	}
	o.Params, o.Request.Params = map[string]any{}, map[string]any{}
	has := func(list []models.Param, name string) bool {
		return slices.ContainsFunc(list, func(p models.Param) bool { return p.Name == name })
	}
	for name, v := range given {
		if has(of, name) {
			o.Request.Params[name] = v
		}
		if has(o.Problem.Generator.Params, name) || !has(of, name) {
			o.Params[name] = v
		}
	}
	if _, err := models.Resolve(o.Problem.Generator.Params, o.Params); err != nil {
		return err
	}
	return o.Problem.Resolve(&o.Request)
}

// likes reads the instances of a folder, or derives some from the trace in it.
func (w *worstCommand) likes(ctx context.Context) ([]*bench.Instance, error) {
	if err := folder(w.like); err != nil {
		return nil, err
	}
	files, err := input.Glob(w.like, "*.json")
	if err != nil {
		return nil, err
	}
	p := w.o.Problem
	var list []*bench.Instance
	for _, file := range files {
		in, err := w.app.readInstance(file)
		if err != nil {
			return nil, err
		}
		if in.Problem == p {
			list = append(list, in)
		}
	}
	switch {
	case len(list) > 0:
		return list, nil
	case len(files) > 0:
		return nil, fmt.Errorf("%s: none of the instances there is of %s", w.like, p.Name)
	case p.Deriver == nil:
		return nil, fmt.Errorf("%s: has no instances", w.like)
	}
	const windows = 20
	r := models.DeriveRequest{Dir: w.like, N: windows, Seed: w.o.Seed, Params: models.Defaults(p.Deriver.Params)}
	return derive(ctx, p, r)
}

// probe finds out whether the command reads many instances, each a line; it gets them so then.
func (w *worstCommand) probe(ctx context.Context) error {
	o := &w.o
	values, err := models.Resolve(o.Problem.Generator.Params, o.Params)
	if err != nil {
		return err
	}
	in, err := suite.GenerateOne(o.Problem, values, o.Seed, 0)
	if err != nil {
		return err
	}
	u := bench.Unit{Instance: in, Request: o.Request, Limits: bench.Limits{Time: commandTime}}
	o.Request.Batch, _, err = worker.SpeaksBatch(ctx, worker.Options{Pass: w.pass}, u)
	return err
}

// run searches and writes the result, also after an error or an interrupt.
func (w *worstCommand) run(ctx context.Context) error {
	o := &w.o
	var workers []*worker.Worker // of the search, each with a process of its own for the command
	for i := 0; i < o.Workers && len(o.Request.Command) > 0; i++ {
		workers = append(workers, worker.New(worker.Options{Pass: w.pass, Solutions: 1 << 20}))
		defer workers[i].Close()
	}
	if len(workers) > 0 {
		if err := w.probe(ctx); err != nil {
			return err
		}
	}
	o.Command = func(ctx context.Context, i int, in *bench.Instance, r bench.Request) (*bench.Result, error) {
		return workers[i].Run(ctx, &bench.Unit{Instance: in, Request: r, Limits: bench.Limits{Time: commandTime}})
	}
	o.Second = w.second
	shown := time.Now()
	o.Progress = func(n int, best float64) {
		if time.Since(shown) > 10*time.Second {
			shown = time.Now()
			w.app.log.Info("searching", "evaluations", n, "worst", best)
		}
	}
	found, err := worst.Run(ctx, *o)
	if found != nil && found.Regret != nil {
		w.app.log.Info("values may come close to 0, where a ratio has no ceiling: the search maximised regret", "regret", *found.Regret)
	}
	if found == nil {
		return w.conclude(ctx, err)
	}
	if err := w.write(found); err != nil {
		return err
	}
	path := filepath.Join(w.out, worst.InstanceFile)
	if ctx.Err() != nil {
		w.app.complain(fmt.Sprintf("interrupted; the worst instance until then is kept: go on from it with --from %s", path))
		return &exit{code: exitInterrupted}
	}
	if err != nil {
		return &exit{exitFailed, fmt.Sprintf("%v; the result so far is kept in %s", err, w.out)}
	}
	if found.Confirmed == nil {
		w.app.log.Warn("the optimum is proven by one method only: there is no second one here, or it took too long", "method",
			found.Value.Solver)
	}
	found.Answer.Instance = path
	if err := w.app.printJSON(found.Answer); err != nil {
		return err
	}
	w.app.next("schedgap solve " + w.app.ofOwn() + path + " -a " + found.Reference)
	return nil
}

// conclude picks the exit code where nothing was found.
func (w *worstCommand) conclude(ctx context.Context, err error) error {
	var failed *worst.FailedError
	switch {
	case ctx.Err() != nil:
		return &exit{exitInterrupted, "interrupted before anything worse than optimal was found"}
	case errors.Is(err, worst.ErrNothing), errors.Is(err, worst.ErrUnproven), errors.As(err, &failed):
		return &exit{exitFailed, err.Error()}
	}
	return err
}

// write makes the folder and its files; files of an earlier search are replaced.
func (w *worstCommand) write(f *worst.Found) error {
	files, err := f.Files()
	if err == nil && f.Value.Solution != nil && f.Value.Optimal != nil {
		files[worst.DrawingFile], err = drawFound(f)
	}
	if err != nil {
		return err
	}
	for _, name := range []string{
		worst.InstanceFile, worst.ReportFile, worst.WhyFile, worst.DrawingFile, worst.ActualFile,
		worst.OptimalFile,
	} {
		if err := os.Remove(filepath.Join(w.out, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return input.PathError(filepath.Join(w.out, name), err)
		}
	}
	return writeFiles(w.out, files)
}

// second proves an optimum by a MILP solver.
func (w *worstCommand) second(ctx context.Context, in *bench.Instance, algorithm string) *bench.Result {
	a, _, err := in.Problem.Find(algorithm)
	if err != nil {
		return nil
	}
	for _, s := range w.app.registry.Solvers {
		if !s.Available || !slices.Contains(a.Solvers, s.Name) {
			continue
		}
		r := bench.Request{Algorithm: algorithm, Solver: s.Name, Seed: 1, Threads: 1}
		if in.Problem.Validate(in, r) != nil || in.Problem.Resolve(&r) != nil {
			continue
		}
		limits := bench.Limits{}
		if end, ok := ctx.Deadline(); ok {
			limits.Time = max(time.Millisecond, time.Until(end))
		}
		if res := worker.RunOne(ctx, worker.Options{}, in, r, limits); res.Status == bench.Optimal {
			return res
		}
	}
	return nil
}

// commandTime is how long a command may take over one instance.
const commandTime = 10 * time.Second
