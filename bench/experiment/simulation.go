package experiment

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"gonum.org/v1/gonum/stat"

	"schedgap/bench"
	"schedgap/bench/catalog/measure"
	"schedgap/bench/simrun"
	"schedgap/models"
	"schedgap/models/nearest"
	"schedgap/models/simulation"
)

// ErrNoTrace says that an experiment needs a trace that is not there.
var ErrNoTrace = measure.ErrNoTrace

// simulated is an experiment of policies on workloads over time.
type simulated struct {
	Policies []string `yaml:"policies" json:"-"`
	Metrics  []string `yaml:"metrics"`  // what is kept of a run
	Workload Workload `yaml:"workload"` // where the jobs come from

	e *Experiment
	// by the simulation's parameters, what loads the workload; a trace's jobs that a cluster could never start are not in it
	works sync.Map
}

// A Workload says where a simulation's jobs come from: one of the three.
type Workload struct {
	Generate map[string]any   `yaml:"generate"`
	Trace    *Trace           `yaml:"trace"`
	Inline   []map[string]any `yaml:"inline"` // the jobs, as lines of a workload file
}

// A Trace is the part of a cluster trace whose jobs are simulated.
type Trace struct {
	Format string   `yaml:"format"`
	Dir    string   `yaml:"dir"`    // may begin with $SCHEDGAP_TRACES
	Window []string `yaml:"window"` // two durations; absent: all of it
	Jobs   int      `yaml:"jobs"`   // at most so many; 0: all
}

func (s *simulated) bind(e *Experiment, _ map[string]measure.Check) error {
	sim, w := e.problem.Simulator, s.Workload
	switch {
	case sim == nil:
		return fmt.Errorf("kind: there is no simulator of %s", e.Problem)
	case len(s.Metrics) == 0:
		return errors.New("metrics: the list must not be empty")
	case w.Generate != nil && w.Trace != nil, len(w.Inline) > 0 && (w.Generate != nil || w.Trace != nil):
		return errors.New("workload: it must have one of generate, trace and inline")
	}
	s.e, e.Metrics, e.given, e.params, e.lucky, e.list = e, s.Metrics, w.Generate, sim.Params, true, (*view).job
	e.short = map[string]string{}
	for _, name := range e.Metrics {
		e.short[name] = fmt.Sprintf("m(%q, policy, x)", name)
	}
	if w.Trace != nil {
		if _, _, err := w.Trace.window(); err != nil {
			return fmt.Errorf("workload.trace.window: %w", err)
		}
	} else if len(w.Inline) == 0 {
		e.specs = sim.Specs
	}
	return e.named("policy", s.Policies, func(name string) error {
		base, _, has := strings.Cut(name, ":")
		names := make([]string, len(sim.Policies))
		for i, p := range sim.Policies {
			if p.Name == base && (!has || p.Arg != "") {
				return nil
			}
			names[i] = p.Name
		}
		return nearest.Unknown("policy", name, names)
	})
}

func (s *simulated) resolve(given map[string]any) (models.Values, error) {
	return models.Resolve(s.e.params, given)
}

func (s *simulated) measure(ctx context.Context, at *setting, policies []string, block int) ([]bench.SimRecord, error) {
	once, _ := s.works.LoadOrStore(fmt.Sprint(at.params), sync.OnceValues(func() (any, error) { return s.load(ctx, at.params) }))
	work, err := once.(func() (any, error))()
	if err != nil {
		return nil, errors.Join(ctx.Err(), err)
	}
	return simrun.Run(ctx, simrun.Plan{
		Problem: s.e.problem, Policies: policies, Params: at.params, Seed: uint64(block), Repetitions: at.reps, Workers: 1,
		Workload: at.name, Fixed: work, Spec: at.workload,
		Keep: func(m models.Metric) bool {
			return slices.Contains(s.Metrics, m.Name) || m.Scope == "run" && slices.Contains(simulation.Beside, m.Name)
		},
	})
}

// load reads the workload that all blocks of a setting share; nil: each generates its own.
func (s *simulated) load(ctx context.Context, params models.Values) (any, error) {
	sim := s.e.problem.Simulator
	if t := s.Workload.Trace; t != nil {
		dir, err := t.folder()
		if err != nil {
			return nil, err
		}
		from, to, err := t.window()
		if err != nil {
			return nil, err
		}
		return sim.FromTrace(ctx, models.DeriveRequest{
			Dir: dir, Format: t.Format, From: from, To: to, N: t.Jobs, Seed: 1,
			Params: params,
		})
	}
	if len(s.Workload.Inline) == 0 {
		return nil, nil
	}
	lines, err := texts(s.e.file+": workload.inline", s.Workload.Inline)
	if err != nil {
		return nil, err
	}
	return sim.ReadWorkload(s.e.file+": workload.inline", bytes.NewReader(append(bytes.Join(lines, []byte("\n")), '\n')))
}

// folder is where the trace is.
func (t *Trace) folder() (string, error) {
	unset := ""
	dir := os.Expand(t.Dir, func(name string) string {
		value := os.Getenv(name)
		if value == "" {
			unset = name
		}
		return value
	})
	if unset != "" {
		return "", fmt.Errorf("%w: $%s is not set", ErrNoTrace, unset)
	}
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("%w: %s", ErrNoTrace, dir)
	}
	return dir, nil
}

// window returns the ends in seconds; 0 and 0: all of the trace.
func (t *Trace) window() (from, to float64, err error) {
	ends := make([]time.Duration, len(t.Window))
	for i, text := range t.Window {
		if ends[i], err = time.ParseDuration(text); err != nil {
			return 0, 0, fmt.Errorf("%q must be a duration such as 90m", text)
		}
	}
	switch {
	case len(ends) == 0:
		return 0, 0, nil
	case len(ends) != 2 || ends[0] < 0 || ends[0] >= ends[1]:
		return 0, 0, fmt.Errorf("%v must be two durations, the start and a later end", t.Window)
	}
	return ends[0].Seconds(), ends[1].Seconds(), nil
}

// present reports whether all is there that the experiment is measured on; if not, the error wraps ErrNoTrace.
func (e *Experiment) present() error {
	if s, ok := e.source.(*simulated); ok && s.Workload.Trace != nil {
		if _, err := s.Workload.Trace.folder(); err != nil {
			return fmt.Errorf("%s: %w", e.Name, err)
		}
	}
	return nil
}

func (s *simulated) functions(v *view) map[string]any {
	return map[string]any{"m": v.mean, "job": v.job, "share": v.share, "paired": v.paired}
}

// mean is the mean of a metric of the run over the repetitions; of a metric of jobs, over all jobs.
func (v *view) mean(metric, policy string, x ...any) (float64, error) {
	list, err := v.samples(policy, x)
	if err != nil {
		return 0, err
	}
	if _, ok := list[0].run[metric]; !ok && len(list[0].jobs[metric]) > 0 {
		values, err := v.job(metric, policy, x...)
		return stat.Mean(values, nil), err
	}
	values := make([]float64, len(list))
	for i, s := range list {
		value, ok := s.run[metric]
		if !ok {
			return 0, fmt.Errorf("policy %s gives no %s of the run", policy, metric)
		}
		values[i] = value
	}
	return stat.Mean(values, nil), nil
}

// job is a metric of all jobs, by repetition and by the jobs' ids, so in one order for all policies.
func (v *view) job(metric, policy string, x ...any) ([]float64, error) {
	list, err := v.samples(policy, x)
	if err != nil {
		return nil, err
	}
	var values []float64
	for _, s := range list {
		for _, j := range s.jobs[metric] {
			values = append(values, j.value)
		}
	}
	if len(values) == 0 {
		return nil, fmt.Errorf("policy %s gives no %s of jobs", policy, metric)
	}
	return values, nil
}

// share is the share of the jobs whose metric is at most the limit, which is the last argument; an x may come before it.
func (v *view) share(metric, policy string, rest ...any) (float64, error) {
	if len(rest) == 0 || len(rest) > 2 {
		return 0, fmt.Errorf("the limit must be the last argument, after x where there are several cases")
	}
	limit, err := toFloat(rest[len(rest)-1])
	if err != nil {
		return 0, fmt.Errorf("the limit: %w", err)
	}
	values, err := v.job(metric, policy, rest[:len(rest)-1]...)
	if err != nil {
		return 0, err
	}
	slices.Sort(values)
	return stat.CDF(limit, stat.Empirical, values, nil), nil
}

// paired is the jobs' metric over that of the same job under a base policy. Jobs that one of them has no metric of, such as those
// that were killed, are left out.
func (v *view) paired(metric, policy, base string, x ...any) ([]float64, error) {
	list, err := v.samples(policy, x)
	if err != nil {
		return nil, err
	}
	bases, err := v.samples(base, x)
	if err != nil {
		return nil, err
	}
	var ratios []float64
	for k, s := range list {
		others := bases[k].jobs[metric] // both are sorted
		for _, j := range s.jobs[metric] {
			for len(others) > 0 && others[0].job < j.job {
				others = others[1:]
			}
			if len(others) > 0 && others[0].job == j.job {
				ratios = append(ratios, j.value/others[0].value)
			}
		}
	}
	if len(ratios) == 0 {
		return nil, fmt.Errorf("no job has a %s under %s and %s", metric, policy, base)
	}
	return ratios, nil
}
