package experiment

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"schedgap/bench"
	"schedgap/bench/catalog/measure"
	"schedgap/bench/generate"
	"schedgap/bench/simrun"
	"schedgap/models"
	"schedgap/models/simulation"
)

// The metrics of a solve.
const (
	metricObjective = "objective" // of a feasible solution, by the checker
	metricProven    = "proven"    // 1: the algorithm proved its solution optimal, 0: it did not
)

// ErrNoTrace says that an experiment needs a trace that is not there.
var ErrNoTrace = measure.ErrNoTrace

// fixed is what all blocks share: read once, when it is needed.
type fixed struct {
	once sync.Once
	work any // the workload of a simulation; nil: it is generated
	list []*bench.Instance
	err  error
}

// measure runs the policies on the repetitions of one block of a setting. The rows come by policy, then by repetition.
func (e *Experiment) measure(ctx context.Context, s *setting, policies []string, block int) ([]bench.SimRecord, error) {
	e.fixed.once.Do(func() { e.fixed.err = e.load(ctx) })
	if e.fixed.err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, e.fixed.err
	}
	switch e.Kind {
	case Simulate:
		return simrun.Run(ctx, simrun.Plan{
			Problem: e.problem, Policies: policies, Params: s.params, Seed: uint64(block), Repetitions: s.reps, Workers: 1,
			Workload: s.name, Fixed: e.fixed.work, Spec: s.workload,
			Keep: func(m models.Metric) bool {
				return slices.Contains(e.Metrics, m.Name) || m.Scope == "run" && slices.Contains(simulation.Beside, m.Name)
			},
		})
	case Solve:
		return e.solve(ctx, s, policies, block)
	}
	return e.compute(ctx, s, block)
}

// load reads what all blocks share.
func (e *Experiment) load(ctx context.Context) error {
	if lines := e.Workload.Inline; len(lines) > 0 {
		var file bytes.Buffer
		for _, line := range lines {
			text, err := json.Marshal(line)
			if err != nil {
				return fmt.Errorf("%s: workload.inline: %w", e.file, err)
			}
			file.Write(append(text, '\n'))
		}
		work, err := e.problem.Simulator.ReadWorkload(e.file+": workload.inline", &file)
		e.fixed.work = work
		return err
	}
	if t := e.Workload.Trace; t != nil {
		dir, err := t.folder()
		if err != nil {
			return fmt.Errorf("%s: %w", e.Name, err)
		}
		from, to, err := t.window()
		if err != nil {
			return err
		}
		e.fixed.work, err = e.problem.Simulator.FromTrace(ctx, models.DeriveRequest{
			Dir: dir, Format: t.Format, From: from, To: to, N: t.Jobs, Seed: 1,
		})
		return err
	}
	for i, in := range e.Instances.Inline {
		text, err := json.Marshal(in)
		if err != nil {
			return fmt.Errorf("%s: instances.inline[%d]: %w", e.file, i, err)
		}
		instance, err := e.problem.ParseInstance(fmt.Sprintf("%s: instances.inline[%d]", e.file, i), text)
		if err != nil {
			return err
		}
		e.fixed.list = append(e.fixed.list, instance)
	}
	return nil
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

// Present reports whether all is there that the experiment is measured on; if not, the error wraps ErrNoTrace.
func (e *Experiment) Present() error {
	if e.Workload.Trace == nil {
		return nil
	}
	_, err := e.Workload.Trace.folder()
	return err
}

// row is a row of a setting's block.
func (e *Experiment) row(s *setting, policy string, block, k int, metric string, value float64) bench.SimRecord {
	return bench.SimRecord{
		Problem: e.Problem, Workload: s.name, Policy: policy, Params: "{}", Seed: int64(block), Repetition: int64(k),
		Scope: "run", Metric: metric, Value: value,
	}
}

// solve runs the algorithms on a block of instances in this process.
func (e *Experiment) solve(ctx context.Context, s *setting, algorithms []string, block int) ([]bench.SimRecord, error) {
	instances := e.fixed.list
	if len(instances) == 0 {
		instances = make([]*bench.Instance, s.reps)
		for k := range instances {
			in, err := generate.One(e.problem, fmt.Sprintf("%s-%d-%d", e.Name, block, k), s.workload, uint64(block), k)
			if err != nil {
				return nil, err
			}
			instances[k] = in
		}
	}
	limit := time.Duration(math.MaxInt64)
	if e.Limits.Time != "" {
		var err error
		if limit, err = time.ParseDuration(e.Limits.Time); err != nil {
			return nil, err
		}
	}
	var rows []bench.SimRecord
	for _, name := range algorithms {
		params, err := e.algorithmParams(name, s.params)
		if err != nil {
			return nil, err
		}
		for k, in := range instances[:min(s.reps, len(instances))] {
			r := bench.Request{Algorithm: name, Params: params, Seed: uint64(block), Threads: 1}
			limited, cancel := context.WithTimeout(ctx, limit)
			res := e.problem.Run(limited, in, r, bench.Observer{})
			cancel()
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if res.Status.Broken() || res.Status == bench.Skipped {
				return nil, fmt.Errorf("%s: %s on %s: %s: %s", e.Name, name, in.Name, res.Status, res.Error)
			}
			proven := 0.
			if res.Status == bench.Optimal {
				proven = 1
			}
			own := []bench.SimRecord{e.row(s, name, block, k, metricProven, proven)}
			if res.Objective != nil && res.Feasible != nil && *res.Feasible {
				own = append(own, e.row(s, name, block, k, metricObjective, *res.Objective))
			}
			for i := range own {
				own[i].WorkloadSHA256 = in.SHA256
			}
			rows = append(rows, own...)
		}
	}
	return rows, nil
}

// A counter counts what is drawn.
type counter struct {
	rand.Source
	n int
}

func (c *counter) Uint64() uint64 {
	c.n++
	return c.Source.Uint64()
}

// compute runs the check.
func (e *Experiment) compute(ctx context.Context, s *setting, block int) ([]bench.SimRecord, error) {
	src := &counter{Source: rand.NewPCG(uint64(block), 0)}
	values, err := e.check.Run(ctx, rand.New(src), s.params)
	if err != nil {
		return nil, fmt.Errorf("%s: check %s: %w", e.Name, e.Check, err)
	}
	if src.n > 0 && e.Seeds < MinSeeds {
		return nil, fmt.Errorf("%s: seeds: %d must be at least %d, since the check draws random numbers", e.file, e.Seeds, MinSeeds)
	}
	if len(values) == 0 {
		return nil, fmt.Errorf("%s: check %s: it gave no numbers", e.Name, e.Check)
	}
	var rows []bench.SimRecord
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if v := values[name]; math.IsNaN(v) || math.IsInf(v, 0) || strings.TrimSpace(name) == "" {
			return nil, fmt.Errorf("%s: check %s: %q is %v", e.Name, e.Check, name, v)
		}
		rows = append(rows, e.row(s, e.Check, block, 0, name, values[name]))
	}
	return rows, nil
}
