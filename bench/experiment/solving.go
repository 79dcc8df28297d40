package experiment

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"gonum.org/v1/gonum/stat"

	"schedgap/bench"
	"schedgap/bench/catalog/measure"
	"schedgap/bench/generate"
	"schedgap/models"
)

// The metrics of a solve.
const (
	metricObjective = "objective" // of a feasible solution, by the checker
	metricProven    = "proven"    // 1: the algorithm proved its solution optimal, 0: it did not
)

// solving is an experiment of algorithms on instances.
type solving struct {
	Policies  []string `yaml:"policies" json:"-"` // algorithms
	Reference string   `yaml:"reference"`         // the one among them that proves optima
	Instances struct { // one of the two
		Generate map[string]any   `yaml:"generate"`
		Inline   []map[string]any `yaml:"inline"` // instance files
	} `yaml:"instances"`
	Limits struct { // of one run of an algorithm
		Time string `yaml:"time"` // a duration; empty: none
	} `yaml:"limits"`

	e     *Experiment
	limit time.Duration
	once  sync.Once
	list  []*bench.Instance
	err   error
}

func (s *solving) bind(e *Experiment, _ map[string]measure.Check) error {
	s.e = e
	if err := e.named("algorithm", s.Policies, func(name string) error {
		_, _, err := e.problem.Find(name)
		return err
	}); err != nil {
		return err
	}
	switch {
	case !slices.Contains(e.Policies, s.Reference):
		return fmt.Errorf("reference: %q must be one of the policies", s.Reference)
	case s.Instances.Generate != nil && s.inline() > 0:
		return errors.New("instances: it must have one of generate and inline")
	case s.inline() == 0 && e.problem.Generator == nil:
		return fmt.Errorf("instances: %s has no generator", e.Problem)
	}
	s.limit = math.MaxInt64
	if s.Limits.Time != "" {
		var err error
		if s.limit, err = time.ParseDuration(s.Limits.Time); err != nil || s.limit <= 0 {
			return fmt.Errorf("limits.time: %q must be a duration such as 5s", s.Limits.Time)
		}
	}
	e.Metrics = []string{metricObjective, metricProven}
	return nil
}

func (s *solving) given() map[string]any { return s.Instances.Generate }
func (s *solving) inline() int           { return len(s.Instances.Inline) }

func (s *solving) lucky() bool {
	return s.inline() == 0 || slices.ContainsFunc(s.Policies, func(name string) bool {
		a, _, err := s.e.problem.Find(name)
		return err != nil || a.Random
	})
}

func (s *solving) specs() []models.Param {
	if s.inline() > 0 {
		return nil
	}
	return s.e.problem.Generator.Params
}

func (s *solving) params() (list []models.Param) {
	for _, name := range s.Policies {
		if a, _, err := s.e.problem.Find(name); err == nil {
			list = append(list, a.Params...)
		}
	}
	return list
}

// resolve returns the values as they are: each algorithm takes those that it has, with its own defaults.
func (s *solving) resolve(given map[string]any) (models.Values, error) {
	for key := range given {
		if _, err := parameter(Target{partParams, key}, s.params()); err != nil {
			return nil, err
		}
	}
	for _, name := range s.Policies {
		if _, err := s.own(name, given); err != nil {
			return nil, err
		}
	}
	return given, nil
}

// own are the parameters that an algorithm has of those given.
func (s *solving) own(name string, given models.Values) (models.Values, error) {
	a, _, err := s.e.problem.Find(name)
	if err != nil {
		return nil, err
	}
	own := models.Values{}
	for _, p := range a.Params {
		if v, ok := given[p.Name]; ok {
			own[p.Name] = v
		}
	}
	return models.Resolve(a.Params, own)
}

// load reads the instances of the file.
func (s *solving) load() ([]*bench.Instance, error) {
	list, err := texts(s.e.file+": instances.inline", s.Instances.Inline)
	if err != nil {
		return nil, err
	}
	instances := make([]*bench.Instance, len(list))
	for i, text := range list {
		if instances[i], err = s.e.problem.ParseInstance(fmt.Sprintf("%s: instances.inline[%d]", s.e.file, i), text); err != nil {
			return nil, err
		}
	}
	return instances, nil
}

func (s *solving) measure(ctx context.Context, at *setting, algorithms []string, block int) ([]bench.SimRecord, error) {
	s.once.Do(func() { s.list, s.err = s.load() })
	instances, err := s.list, s.err
	if err != nil {
		return nil, err
	}
	for k := len(instances); k < at.reps; k++ {
		in, err := generate.One(s.e.problem, fmt.Sprintf("%s-%d-%d", s.e.Name, block, k), at.workload, uint64(block), k)
		if err != nil {
			return nil, err
		}
		instances = append(instances, in)
	}
	var rows []bench.SimRecord
	for _, name := range algorithms {
		params, err := s.own(name, at.params)
		if err != nil {
			return nil, err
		}
		for k, in := range instances[:at.reps] {
			own, err := s.run(ctx, at, in, bench.Request{Algorithm: name, Params: params, Seed: uint64(block), Threads: 1}, block, k)
			if err != nil {
				return nil, err
			}
			rows = append(rows, own...)
		}
	}
	return rows, nil
}

// run runs an algorithm on one instance in this process.
func (s *solving) run(ctx context.Context, at *setting, in *bench.Instance, r bench.Request, block, k int) ([]bench.SimRecord,
	error,
) {
	limited, cancel := context.WithTimeout(ctx, s.limit)
	res := s.e.problem.Run(limited, in, r, bench.Observer{})
	cancel()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if res.Status.Broken() || res.Status == bench.Skipped {
		return nil, fmt.Errorf("%s: %s on %s: %s: %s", s.e.Name, r.Algorithm, in.Name, res.Status, res.Error)
	}
	proven := 0.
	if res.Status == bench.Optimal {
		proven = 1
	}
	rows := []bench.SimRecord{s.e.row(at, r.Algorithm, block, k, metricProven, proven)}
	if res.Objective != nil && res.Feasible != nil && *res.Feasible {
		rows = append(rows, s.e.row(at, r.Algorithm, block, k, metricObjective, *res.Objective))
	}
	for i := range rows {
		rows[i].WorkloadSHA256 = in.SHA256
	}
	return rows, nil
}

func (s *solving) functions(v *view) map[string]any {
	return map[string]any{
		"ratio": v.ratio, "ratios": v.ratios, "worst": v.worst, "value": v.value, "objective": v.objective, "objectives": v.objectives,
	}
}

func (s *solving) y(name string) (string, bool) {
	return name + "(policy, x)", name == "ratio" || name == "worst" || name == "objective"
}

func (s *solving) cdf(v *view, _, policy string, x ...any) ([]float64, error) {
	return v.ratios(policy, x...)
}

// solutions are objectives of an algorithm by instance, and whether it proved them; NaN: it found no feasible solution.
func (v *view) solutions(algorithm string, x []any) (values []float64, proven []bool, err error) {
	list, err := v.samples(algorithm, x)
	if err != nil {
		return nil, nil, err
	}
	for _, s := range list {
		value, ok := s.run[metricObjective]
		if !ok {
			value = math.NaN()
		}
		values, proven = append(values, value), append(proven, s.run[metricProven] == 1)
	}
	return values, proven, nil
}

// ratios are the algorithm's objectives over the reference's, of the instances whose optimum is proven.
func (v *view) ratios(algorithm string, x ...any) ([]float64, error) {
	reference := v.e.source.(*solving).Reference
	values, _, err := v.solutions(algorithm, x)
	if err != nil {
		return nil, err
	}
	optima, proven, err := v.solutions(reference, x)
	if err != nil {
		return nil, err
	}
	ratios := []float64{}
	for i, value := range values {
		if !proven[i] {
			continue
		}
		if math.IsNaN(value) {
			return nil, v.fail("%s found no feasible solution of instance %d of block %d", algorithm, i, v.block)
		}
		ratio := 1.
		if value != optima[i] {
			ratio = value / optima[i]
		}
		ratios = append(ratios, ratio)
	}
	if len(ratios) == 0 {
		return nil, v.fail("%s proved no optimum in block %d", reference, v.block)
	}
	return ratios, nil
}

func (v *view) ratio(algorithm string, x ...any) (float64, error) {
	ratios, err := v.ratios(algorithm, x...)
	return stat.Mean(ratios, nil), err
}

// worst is the largest ratio, or the least where the objective is to be large.
func (v *view) worst(algorithm string, x ...any) (float64, error) {
	ratios, err := v.ratios(algorithm, x...)
	if err != nil {
		return 0, err
	}
	if v.e.problem.Sense == models.Maximize {
		return slices.Min(ratios), nil
	}
	return slices.Max(ratios), nil
}

// objectives returns the algorithm's values on the instances where it found a feasible solution, in the instances' order.
func (v *view) objectives(algorithm string, x ...any) ([]float64, error) {
	values, _, err := v.solutions(algorithm, x)
	return slices.DeleteFunc(values, math.IsNaN), err
}

func (v *view) objective(algorithm string, x ...any) (float64, error) {
	values, err := v.objectives(algorithm, x...)
	if err == nil && len(values) == 0 {
		err = v.fail("%s found no feasible solution in block %d", algorithm, v.block)
	}
	return stat.Mean(values, nil), err
}

// value is the objective of instance i, from 0.
func (v *view) value(algorithm string, i int, x ...any) (float64, error) {
	values, _, err := v.solutions(algorithm, x)
	if err != nil {
		return 0, err
	}
	if i < 0 || i >= len(values) || math.IsNaN(values[i]) {
		return 0, v.fail("%s has no objective of instance %d of %d", algorithm, i, len(values))
	}
	return values[i], nil
}
