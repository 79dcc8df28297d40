package suite

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"schedgap/bench"
	"schedgap/bench/generate"
	"schedgap/models"
	"schedgap/models/input"
	"schedgap/models/nearest"
)

// Resolve makes the suite's instances and the units to run on them. A source whose path names a variable that is not set,
// or a trace below one that is not there, is skipped with a note. An algorithm that is not defined for an instance still gives a
// unit, with the reason in Skip.
func (s *Suite) Resolve(ctx context.Context, registry *bench.Registry) (*Plan, error) {
	p, err := registry.Problem(s.Problem)
	if err != nil {
		return nil, s.errorf("problem: %w", err)
	}
	r := &resolver{suite: s, problem: p, registry: registry, plan: &Plan{}}
	requests, err := r.requests()
	if err != nil {
		return nil, err
	}
	resolved := *s
	if p.Folder != nil {
		resolved.Folder = p.Folder.Path
	}
	resolved.Instances = slices.Clone(s.Instances)
	for i := range resolved.Instances {
		if err := r.source(ctx, i, &resolved.Instances[i]); err != nil {
			return nil, err
		}
	}
	resolved.Watch, err = r.watch()
	if err != nil {
		return nil, err
	}
	resolved.partial = r.partial || len(r.plan.Skipped) > 0
	resolved.notes = slices.Clone(r.plan.Notes)
	r.plan.Suites = []*Suite{&resolved}
	return r.plan, r.units(requests, resolved.Watch)
}

func (s *Suite) errorf(format string, args ...any) error {
	return fmt.Errorf("%s: %w", s.file, fmt.Errorf(format, args...))
}

type resolver struct {
	suite    *Suite
	problem  *bench.Problem
	registry *bench.Registry
	plan     *Plan
	partial  bool // a solver is left out

	milp      []string // the suite's solvers, but those that are missing and need not be there
	instances []instance
	taken     map[string]string // instance names, and what they are of
}

type instance struct {
	*bench.Instance
	source, factors string
}

// requests expands the algorithms by solvers and seeds; the outer index goes with the suite's algorithms.
func (r *resolver) requests() ([][]bench.Request, error) {
	if err := r.checkSolvers(); err != nil {
		return nil, err
	}
	all := make([][]bench.Request, len(r.suite.Algorithms))
	for i, e := range r.suite.Algorithms {
		request := bench.Request{
			Algorithm: e.Name, Params: e.Params, Solver: e.Solver, Model: e.Model, Threads: r.suite.Limits.Threads, Command: e.Command,
			Batch: e.Batch, Reference: e.Reference,
		}
		var a *bench.Algorithm
		name, err := e.algorithm(r.problem)
		request.Algorithm = name
		if err == nil {
			a, _, err = r.problem.Find(name)
		}
		switch {
		case e.Batch && len(e.Command) == 0:
			err = fmt.Errorf("batch is for commands, and %s is none", e.Name)
		case e.Reference != "" && len(e.Command) == 0:
			err = fmt.Errorf("reference is for commands, and %s is none", e.Name)
		case e.Reference != "" && r.problem.CanDeclare(e.Reference) != nil:
			err = r.problem.CanDeclare(e.Reference)
		case len(e.Command) > 0 && err == nil:
			err = fmt.Errorf("the command's name %q is taken by an algorithm", e.Name)
		case len(e.Command) > 0:
			a, err = &bench.Algorithm{Kind: models.External, Random: true}, nil
		case err == nil:
			request.Prove, request.Relax = r.suite.Proofs, true
			err = r.problem.Resolve(&request)
		}
		if err != nil {
			return nil, r.suite.errorf("algorithms[%d]: %w", i, err)
		}
		for _, solver := range r.solvers(a, e) {
			for _, seed := range r.seeds(a, solver, e.Model) {
				request.Solver, request.Seed = solver, seed
				all[i] = append(all[i], a.Provable(request))
			}
		}
	}
	return all, nil
}

// seeds lists those of an entry: the suite's for an algorithm that is random, and for a MILP solver if the suite names other seeds
// than the default. 0 means that the seed does not matter and, to a MILP solver, its own seed and the model's order.
func (r *resolver) seeds(a *bench.Algorithm, solver, model string) []uint64 {
	milp := solver == "" && model != "" || slices.ContainsFunc(r.registry.Solvers, func(s bench.Solver) bool { return s.Name == solver })
	if a.Random || milp && !slices.Equal(r.suite.Seeds, []uint64{DefaultSeed}) {
		return r.suite.Seeds
	}
	return []uint64{0}
}

// checkSolvers refuses unknown solvers and notes solvers that are not installed. Missing solvers whose name ends in a question
// mark are left out.
func (r *resolver) checkSolvers() error {
	var known []string
	missing := map[string]string{} // reasons
	for _, solver := range r.registry.Solvers {
		known = append(known, solver.Name)
		if !solver.Available {
			missing[solver.Name] = solver.Reason
		}
	}
	for _, a := range r.problem.Algorithms {
		known = append(known, a.Solvers...)
	}
	slices.Sort(known)
	known = slices.Compact(known)
	for i, name := range r.suite.Solvers {
		name, optional := strings.CutSuffix(name, "?")
		if !slices.Contains(known, name) && optional && nearest.Name(name, known) == "" {
			r.partial = true
			r.note("solver %s is left out: no entry of SCHEDGAP_SOLVERS has that name", name)
			continue
		} else if !slices.Contains(known, name) {
			return r.suite.errorf("solvers[%d]: %w", i, nearest.Unknown("solver", name, known))
		}
		if reason, lacks := missing[name]; lacks && optional {
			r.partial = true
			r.note("solver %s is not available (%s) and left out", name, reason)
			continue
		} else if lacks {
			r.note("solver %s is not available (%s), its units will fail", name, reason)
		}
		r.milp = append(r.milp, name)
	}
	return nil
}

// solvers lists the solvers of an entry. An empty name leaves the choice to the algorithm.
func (r *resolver) solvers(a *bench.Algorithm, e Entry) []string {
	if e.Solver != "" || a.Kind != models.Exact {
		return []string{e.Solver}
	}
	var listed []string
	for _, solver := range r.milp {
		if slices.Contains(a.Solvers, solver) {
			listed = append(listed, solver)
		}
	}
	if listed == nil {
		return []string{""}
	}
	return listed
}

func (r *resolver) note(format string, args ...any) {
	r.plan.Notes = append(r.plan.Notes, r.suite.errorf(format, args...).Error())
}

// source makes the instances of one source and writes into it what its paths stand for.
func (r *resolver) source(ctx context.Context, i int, s *Source) error {
	var err error
	switch {
	case s.Generate != nil:
		err = r.generate(i, s.Generate)
	case s.Trace != nil:
		trace, given := *s.Trace, s.Trace.Dir
		s.Trace = &trace
		trace.Dir, err = r.path(given, itself)
		if err == nil && strings.Contains(given, "$") {
			// Who names a folder by itself wants that one; below a variable there may be one trace of several.
			if _, missing := os.Stat(trace.Dir); errors.Is(missing, fs.ErrNotExist) {
				err = &absentError{trace.Dir + " does not exist"}
			}
		}
		if err == nil {
			err = r.derive(ctx, i, &trace)
		}
	case s.Library != "":
		err = r.library(ctx, i, s.Library)
	default:
		s.Files, err = r.path(s.Files, input.Literal)
		if err == nil {
			err = r.read(i, s.Files)
		}
	}
	var absent *absentError
	if errors.As(err, &absent) {
		r.note("instances[%d]: skipped because %w", i, absent)
		r.plan.Skipped = append(r.plan.Skipped, r.plan.Notes[len(r.plan.Notes)-1])
		return nil
	}
	if err != nil {
		return r.suite.errorf("instances[%d]: %w", i, err)
	}
	return nil
}

// An absentError says why a source is skipped: what its path needs is not there.
type absentError struct{ reason string }

func (e *absentError) Error() string { return e.reason }

func itself(path string) string { return path }

// path expands the variables of a path and makes it independent of the current folder. In a pattern only the suite's own text has
// characters with a meaning: literal takes it from what variables and the suite's folder add.
func (r *resolver) path(text string, literal func(path string) string) (string, error) {
	var absent *absentError
	expanded := os.Expand(text, func(name string) string {
		value := os.Getenv(name)
		if value == "" && absent == nil {
			absent = &absentError{"$" + name + " is not set"}
		}
		return literal(value)
	})
	if absent != nil {
		return text, absent
	}
	if r.suite.fsys != nil || filepath.IsAbs(expanded) {
		return expanded, nil
	}
	dir, err := filepath.Abs(r.suite.dir)
	return filepath.Join(literal(dir), expanded), err
}

// add adds an instance of the suite's source i, from a file or, if file is empty, from elsewhere.
func (r *resolver) add(i int, source, file string, values models.Values, in *bench.Instance) error {
	if r.taken == nil {
		r.taken = map[string]string{}
	}
	from, at := source, ""
	if file != "" {
		from, at = file, file+": "
	}
	if other, twice := r.taken[in.Name]; twice {
		return fmt.Errorf("%sthe instance name %q is taken by %s", at, in.Name, other)
	}
	r.taken[in.Name] = fmt.Sprintf("instances[%d], %s", i, from)
	factors, err := r.factors(values)
	if err != nil {
		return err
	}
	r.instances = append(r.instances, instance{in, source, factors})
	return nil
}

// factors returns, as JSON, the source's values of the parameters that some source of the suite sets. Empty: there are none.
func (r *resolver) factors(values models.Values) (string, error) {
	if values == nil {
		return "", nil
	}
	factors := models.Values{}
	for _, s := range r.suite.Instances {
		var given map[string]any
		if s.Generate != nil {
			given = s.Generate.Params
		} else if s.Trace != nil {
			given = s.Trace.Params
		}
		for name := range given {
			if value, has := values[name]; has {
				factors[name] = value
			}
		}
	}
	text, err := json.Marshal(factors)
	if err != nil {
		return "", fmt.Errorf("parameters: %w", err)
	}
	return string(text), nil
}

func (r *resolver) generate(i int, g *Generate) error {
	if r.problem.Generator == nil {
		return fmt.Errorf("generate: %s has no generator", r.problem.Name)
	}
	values, idle, err := r.problem.Generator.Resolve(g.Params)
	if err != nil {
		return fmt.Errorf("generate: %w", err)
	}
	if idle != "" {
		r.note("instances[%d]: %s", i, idle)
	}
	for k := range g.N {
		in, err := GenerateOne(r.problem, values, g.Seed, k)
		if err != nil {
			return fmt.Errorf("generate: %w", err)
		}
		if err := r.add(i, "generate", "", values, in); err != nil {
			return err
		}
	}
	return nil
}

// GenerateOne makes instance number i of a seed. It depends on nothing else; its name tells the seed, the number and, unless
// all parameters have their defaults, a digest of those that do not.
func GenerateOne(p *bench.Problem, values models.Values, seed uint64, i int) (*bench.Instance, error) {
	special := map[string]any{}
	for _, param := range p.Generator.Params {
		if v := values[param.Name]; !reflect.DeepEqual(v, param.Default) {
			special[param.Name] = v
		}
	}
	name := fmt.Sprintf("%s-s%d", p.Name, seed)
	if len(special) > 0 {
		text, err := json.Marshal(special)
		if err != nil {
			return nil, fmt.Errorf("generator parameters: %w", err)
		}
		name += "-" + models.Digest(text)[:6]
	}
	return generate.One(p, fmt.Sprintf("%s-%03d", name, i), values, seed, i)
}

func (r *resolver) derive(ctx context.Context, i int, t *Trace) error {
	if r.problem.Deriver == nil {
		return fmt.Errorf("trace: %s has no derivation from traces", r.problem.Name)
	}
	values, idle, err := r.problem.Deriver.Resolve(t.Params)
	if err != nil {
		return fmt.Errorf("trace: %w", err)
	}
	if idle != "" {
		r.note("instances[%d]: %s", i, idle)
	}
	n := 0
	request := models.DeriveRequest{
		Dir: t.Dir, Format: t.Format, From: t.Window.From.Seconds(), To: t.Window.To.Seconds(), N: t.N, Seed: t.Seed, Params: values,
	}
	fewer := request.Watch(t.Params)
	missed := map[string]int{} // parts of the window, by reason
	request.Missed = func(reason string) { missed[reason]++ }
	request.Warn = func(sentence string) { r.note("instances[%d]: %s", i, sentence) }
	for in, err := range r.problem.Derive(ctx, request) {
		var none models.NoInstance
		if errors.As(err, &none) {
			r.note("instances[%d]: %v", i, none)
			continue
		}
		if err != nil {
			return fmt.Errorf("trace: %w", err)
		}
		var lineage struct{ Format string }
		if err := json.Unmarshal(in.Lineage, &lineage); err != nil {
			return fmt.Errorf("trace: lineage: %w", err)
		}
		if err := r.add(i, "trace:"+lineage.Format, "", values, in); err != nil {
			return err
		}
		n++
	}
	if n < t.N {
		text := ""
		for _, reason := range slices.Sorted(maps.Keys(missed)) {
			text += fmt.Sprintf("; in %d of the %d parts of the window %s", missed[reason], t.N, reason)
		}
		r.note("instances[%d]: the trace gives %d of %d instances%s", i, n, t.N, strings.Replace(text, ";", ":", 1))
	}
	for _, sentence := range fewer() {
		r.note("instances[%d]: %s", i, sentence)
	}
	return nil
}

func (r *resolver) read(i int, glob string) error {
	find, load := filepath.Glob, func(name string) ([]byte, error) { return input.Read(name, input.MaxData) }
	if fsys := r.suite.fsys; fsys != nil && !filepath.IsAbs(glob) {
		find = func(glob string) ([]string, error) { return fs.Glob(fsys, glob) }
		load = func(name string) ([]byte, error) {
			data, err := fs.ReadFile(fsys, name)
			if err != nil {
				return nil, err
			}
			return input.Unpack(name, data, input.MaxData)
		}
	}
	names, err := find(glob)
	if err != nil {
		return fmt.Errorf("files: %q: %w", glob, err)
	}
	if len(names) == 0 {
		return fmt.Errorf("files: no file matches %q", glob)
	}
	for _, name := range names {
		data, err := load(name)
		if err != nil {
			return fmt.Errorf("files: %w", err)
		}
		in, err := r.problem.ParseInstance(name, data)
		if err != nil {
			return fmt.Errorf("files: %w", err)
		}
		if err := r.add(i, "files", name, nil, in); err != nil {
			return err
		}
	}
	return nil
}

// library adds the instances of a set of the library.
func (r *resolver) library(ctx context.Context, i int, set string) error {
	if r.registry.Library == nil {
		return errors.New("library: there is none here")
	}
	sets, err := r.registry.Library.Sets(r.problem.Name)
	if err != nil {
		return fmt.Errorf("library: %w", err)
	}
	if set != All && !slices.Contains(sets, set) {
		return fmt.Errorf("library: %w", nearest.Unknown("set", set, append(sets, All)))
	}
	list, skipped, err := r.registry.Library.Set(ctx, r.problem, strings.TrimPrefix(set, All))
	if err != nil {
		return fmt.Errorf("library: %w", err)
	}
	for _, reason := range skipped {
		r.note("instances[%d]: an instance is left out: %s", i, reason)
		r.plan.Skipped = append(r.plan.Skipped, r.plan.Notes[len(r.plan.Notes)-1])
	}
	release, err := r.registry.Library.Release()
	if err != nil {
		return fmt.Errorf("library: %w", err)
	}
	for _, in := range list {
		if err := r.add(i, "library:"+set+"@"+release, "", nil, in); err != nil {
			return err
		}
	}
	return nil
}

// watch resolves the suite's patterns of watched files.
func (r *resolver) watch() (patterns []string, err error) {
	for i, text := range r.suite.Watch {
		pattern, err := r.path(text, input.Literal)
		var files []string
		if err == nil {
			files, err = filepath.Glob(pattern)
		}
		if err == nil && len(files) == 0 {
			err = fmt.Errorf("no file matches %q", pattern)
		}
		if err != nil {
			return nil, r.suite.errorf("watch[%d]: %w", i, err)
		}
		patterns = append(patterns, pattern)
	}
	return patterns, nil
}

// units pairs instances and requests, an instance's units side by side.
func (r *resolver) units(requests [][]bench.Request, watch []string) error {
	seen := map[string]bool{}
	for _, in := range r.instances {
		for i, list := range requests {
			for _, request := range list {
				u := bench.Unit{
					Suite: r.suite.Name, Source: in.source, Factors: in.factors, Instance: in.Instance, Request: request,
					Limits: r.suite.Limits.ofUnit(),
				}
				if len(request.Command) > 0 {
					u.Dir, u.Watch = r.suite.dir, watch
				} else if err := r.problem.Validate(in.Instance, request); err != nil {
					var na *models.NotApplicable
					if !errors.As(err, &na) {
						return r.suite.errorf("algorithms[%d]: %w", i, err)
					}
					u.Skip = na.Reason
				}
				id, err := u.ID()
				if err != nil {
					return r.suite.errorf("algorithms[%d]: %w", i, err)
				}
				if seen[id] {
					return r.suite.errorf("algorithms[%d]: %s is asked for twice with the same settings, solver and seed",
						i, request.Algorithm)
				}
				seen[id] = true
				r.plan.Units = append(r.plan.Units, u)
			}
		}
	}
	return nil
}
