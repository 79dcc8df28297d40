package experiment

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/goccy/go-yaml"

	"schedgap/bench"
	"schedgap/bench/catalog/measure"
	"schedgap/models"
	"schedgap/models/nearest"
)

// A Kind says what measures an experiment.
type Kind string

// The kinds.
const (
	Simulate Kind = "simulate" // policies on workloads over time
	Solve    Kind = "solve"    // algorithms on instances, beside a reference that proves its optimum
	Check    Kind = "check"    // a program of bench/catalog/measure
)

// A source is what one kind of experiment has of its own: the fields of the file that no other kind has, and what they mean.
type source interface {
	// bind finds what the fields name, fills in what the experiment has of its source, and says what is wrong with them.
	bind(e *Experiment, checks map[string]measure.Check) error
	resolve(given map[string]any) (models.Values, error) // of params
	// measure runs the policies on the repetitions of one block of a setting. The rows come by policy, then by repetition.
	measure(ctx context.Context, s *setting, policies []string, block int) ([]bench.SimRecord, error)
	functions(v *view) map[string]any // of statistics
}

// decode reads a file of an experiment into the fields of all kinds and those of its own.
func decode(data []byte, registry *bench.Registry) (*Experiment, error) {
	var head struct {
		Kind Kind `yaml:"kind"`
	}
	if err := yaml.Unmarshal(data, &head); errors.Is(err, io.EOF) || len(bytes.TrimSpace(data)) == 0 {
		return nil, errors.New("the file is empty, it must hold an experiment")
	} else if err != nil {
		return nil, err
	}
	var e *Experiment
	var err error
	switch head.Kind {
	case Simulate:
		e, err = fields(data, &simulated{})
	case Solve:
		e, err = fields(data, &solving{})
	case Check:
		e, err = fields(data, &checking{})
	default:
		err = fmt.Errorf("kind: %q must be simulate, solve or check", string(head.Kind))
	}
	if err != nil {
		return nil, err
	}
	if err := models.CheckName(e.Name); err != nil || e.Name == "" {
		return nil, fmt.Errorf("name: %q must be a name such as shed-fig6", e.Name)
	}
	if e.problem, err = registry.Problem(e.Problem); err != nil {
		return nil, fmt.Errorf("problem: %w", err)
	}
	return e, nil
}

func fields[S source](data []byte, own S) (*Experiment, error) {
	file := struct {
		Common *Experiment `yaml:",inline"`
		Own    S           `yaml:",inline"`
	}{&Experiment{}, own}
	err := yaml.NewDecoder(bytes.NewReader(data), yaml.Strict()).Decode(&file)
	file.Common.source = file.Own
	return file.Common, err
}

// named takes over the policies of a file, all of which must be known and none twice.
func (e *Experiment) named(what string, list []string, known func(name string) error) error {
	if len(list) == 0 {
		return errors.New("policies: the list must not be empty")
	}
	for i, name := range list {
		if err := known(name); err != nil {
			return fmt.Errorf("policies[%d]: %w", i, err)
		}
		if slices.Contains(list[:i], name) {
			return fmt.Errorf("policies[%d]: the %s %q is named twice", i, what, name)
		}
	}
	e.Policies = list
	return nil
}

// row is a row of a setting's block.
func (e *Experiment) row(s *setting, policy string, block, k int, metric string, value float64) bench.SimRecord {
	return bench.SimRecord{
		Problem: e.Problem, Workload: s.name, Policy: policy, Params: "{}", Seed: int64(block), Repetition: int64(k),
		Scope: "run", Metric: metric, Value: value,
	}
}

// texts are values of a file as JSON, one each.
func texts(field string, list []map[string]any) ([][]byte, error) {
	all := make([][]byte, len(list))
	for i, item := range list {
		var err error
		if all[i], err = json.Marshal(item); err != nil {
			return nil, fmt.Errorf("%s[%d]: %w", field, i, err)
		}
	}
	return all, nil
}

// finite refuses what is no number.
func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// parameter returns the parameter of a name.
func parameter(t Target, list []models.Param) (models.Param, error) {
	names := make([]string, len(list))
	for i, p := range list {
		if p.Name == t.Key {
			return p, nil
		}
		names[i] = t.Part + "." + p.Name
	}
	return models.Param{}, nearest.Unknown("parameter", t.String(), names)
}
