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
	load  func() ([]*bench.Instance, error) // the instances of the file, once
}

func (s *solving) bind(e *Experiment, _ map[string]measure.Check) error {
	if err := e.named("algorithm", s.Policies, func(name string) error {
		a, _, err := e.problem.Find(name)
		if err == nil {
			e.params, e.lucky = append(e.params, a.Params...), e.lucky || a.Random
		}
		return err
	}); err != nil {
		return err
	}
	s.e, s.limit, e.given, e.inline = e, math.MaxInt64, s.Instances.Generate, len(s.Instances.Inline)
	s.load, e.lucky = sync.OnceValues(s.read), e.lucky || e.inline == 0
	e.Metrics = []string{metricObjective, metricProven}
	e.list = func(v *view, _, policy string, x ...any) ([]float64, error) { return v.ratios(policy, x...) }
	e.short = map[string]string{}
	for _, name := range []string{"ratio", "worst", "objective"} {
		e.short[name] = name + "(policy, x)"
	}
	switch {
	case !slices.Contains(e.Policies, s.Reference):
		return fmt.Errorf("reference: %q must be one of the policies", s.Reference)
	case e.given != nil && e.inline > 0:
		return errors.New("instances: it must have one of generate and inline")
	case e.inline == 0 && e.problem.Generator == nil:
		return fmt.Errorf("instances: %s has no generator", e.Problem)
	case e.inline == 0:
		e.specs = e.problem.Generator.Params
	}
	if s.Limits.Time != "" {
		var err error
		if s.limit, err = time.ParseDuration(s.Limits.Time); err != nil || s.limit <= 0 {
			return fmt.Errorf("limits.time: %q must be a duration such as 5s", s.Limits.Time)
		}
	}
	return nil
}

// resolve returns the values as they are: each algorithm takes those that it has, with its own defaults.
func (s *solving) resolve(given map[string]any) (models.Values, error) {
	for key := range given {
		if _, err := parameter(Target{partParams, key}, s.e.params); err != nil {
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

// read reads the instances of the file.
func (s *solving) read() ([]*bench.Instance, error) {
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
	instances, err := s.load()
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
	worst := slices.Max[[]float64] // the largest ratio, or the least where the objective is to be large
	if s.e.problem.Sense == models.Maximize {
		worst = slices.Min[[]float64]
	}
	mean := func(list []float64) float64 { return stat.Mean(list, nil) }
	return map[string]any{
		"ratios": v.ratios, "ratio": v.of(v.ratios, mean), "worst": v.of(v.ratios, worst),
		"objectives": v.objectives, "objective": v.of(v.objectives, mean), "value": v.value,
	}
}

// of makes one number of the values of an algorithm, of which there must be some.
func (v *view) of(values func(algorithm string, x ...any) ([]float64, error), one func([]float64) float64) any {
	return func(algorithm string, x ...any) (float64, error) {
		list, err := values(algorithm, x...)
		if err == nil && len(list) == 0 {
			err = fmt.Errorf("%s found no feasible solution in block %d", algorithm, v.block)
		}
		if err != nil {
			return 0, err
		}
		return one(list), nil
	}
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
			return nil, fmt.Errorf("%s found no feasible solution of instance %d of block %d", algorithm, i, v.block)
		}
		ratio := 1.
		if value != optima[i] {
			ratio = value / optima[i]
		}
		ratios = append(ratios, ratio)
	}
	if len(ratios) == 0 {
		return nil, fmt.Errorf("%s proved no optimum in block %d", reference, v.block)
	}
	return ratios, nil
}

// objectives returns the algorithm's values on the instances where it found a feasible solution, in the instances' order.
func (v *view) objectives(algorithm string, x ...any) ([]float64, error) {
	values, _, err := v.solutions(algorithm, x)
	return slices.DeleteFunc(values, math.IsNaN), err
}

// value is the objective of instance i, from 0.
func (v *view) value(algorithm string, i int, x ...any) (float64, error) {
	values, _, err := v.solutions(algorithm, x)
	if err != nil {
		return 0, err
	}
	if i < 0 || i >= len(values) || math.IsNaN(values[i]) {
		return 0, fmt.Errorf("%s has no objective of instance %d of %d", algorithm, i, len(values))
	}
	return values[i], nil
}
