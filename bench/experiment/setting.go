package experiment

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"schedgap/bench/simrun"
	"schedgap/models"
)

// A setting is a case of the axis at a point of the design, with all parameters.
type setting struct {
	point    int
	x        float64
	name     string // tells all that decides what is measured
	workload models.Values
	params   models.Values // resolved, except in a solve
	reps     int
}

// settings are the cases at a point of the design, in order.
func (e *Experiment) settings(point int, at map[string]any, reduced bool) ([]setting, error) {
	list, err := e.unnamed(point, at, reduced)
	for i := range list {
		if err == nil {
			list[i].name, err = e.nameOf(&list[i], at)
		}
	}
	return list, err
}

// unnamed are the settings without their names, which take longer than all the rest.
func (e *Experiment) unnamed(point int, at map[string]any, reduced bool) ([]setting, error) {
	var list []setting
	for i, c := range e.Cases {
		if reduced && len(e.Reduced.Cases) > 0 && !slices.Contains(e.Reduced.Cases, c.X) {
			continue
		}
		s, err := e.setting(point, at, c, reduced)
		if err != nil {
			return nil, fmt.Errorf("cases[%d], x = %v: %w", i, c.X, err)
		}
		list = append(list, s)
	}
	return list, nil
}

func (e *Experiment) setting(point int, at map[string]any, c Case, reduced bool) (s setting, err error) {
	s = setting{point: point, x: c.X, reps: e.Repetitions}
	layers := []Values{{e.given, e.Params}}
	for _, t := range e.Told {
		layers = append(layers, t.Values)
	}
	layers = append(layers, c.Values)
	if reduced {
		layers = append(layers, e.Reduced.Values)
		s.reps = cmp.Or(e.Reduced.Repetitions, e.inline, 1)
	}
	given := Values{map[string]any{}, map[string]any{}}
	for _, v := range layers {
		maps.Copy(given.Workload, v.Workload)
		maps.Copy(given.Params, v.Params)
	}
	for _, f := range e.Untold {
		for _, t := range f.Set {
			part := given.of(t.Part)
			if part[t.Key], err = e.value(f, t, at[f.Name], part); err != nil {
				return s, fmt.Errorf("untold %s: %w", f.Name, err)
			}
		}
	}
	if s.workload, err = models.Resolve(e.specs, given.Workload); err != nil {
		return s, fmt.Errorf("workload: %w", err)
	}
	if s.params, err = e.source.resolve(given.Params); err != nil {
		return s, fmt.Errorf("params: %w", err)
	}
	return s, nil
}

// value is what a factor at v makes of a target.
func (e *Experiment) value(f Factor, t Target, v any, given map[string]any) (any, error) {
	param, err := e.declared(t)
	if err != nil {
		return nil, err
	}
	if len(f.Choices) > 0 {
		return v, nil
	}
	x, err := toFloat(v)
	if err != nil {
		return nil, err
	}
	if f.Factor {
		base, ok := given[t.Key]
		if !ok {
			base = param.Default
		}
		b, err := toFloat(base)
		if err != nil {
			return nil, fmt.Errorf("%s is %v, which nothing can be multiplied with", t, base)
		}
		x *= b
	}
	if _, whole := param.Default.(int); whole {
		x = math.Round(x)
	}
	return x, nil
}

// declared returns the parameter that a target names.
func (e *Experiment) declared(t Target) (models.Param, error) {
	if t.Part == partWorkload {
		return parameter(t, e.specs)
	}
	return parameter(t, e.params)
}

// nameOf is the name of a setting's workload in the rows. Its last word is a digest of all that decides what is measured, except
// for policies and numbers of repetitions, so that rows of an earlier form of the experiment are not taken for those of this one.
func (e *Experiment) nameOf(s *setting, at map[string]any) (string, error) {
	text, err := json.Marshal(struct {
		Workload, Params any
		Metrics          []string
		Source           source
	}{s.workload, s.params, e.Metrics, e.source})
	if err != nil {
		return "", err
	}
	var set []string
	for _, f := range e.Untold {
		if v := at[f.Name]; fmt.Sprint(v) != fmt.Sprint(f.Default) {
			set = append(set, fmt.Sprintf("%s=%v", strings.Join(strings.Fields(f.Name), "-"), v))
		}
	}
	return simrun.Sweep{Name: e.Name, X: s.x, At: strings.Join(set, " ")}.Workload(models.Digest(text)[:8]), nil
}

// errNotNumber is what toFloat says of anything else.
var errNotNumber = errors.New("not a number")

func toFloat(v any) (float64, error) {
	switch n := v.(type) {
	case float64:
		return n, nil
	case int:
		return float64(n), nil
	case int64:
		return float64(n), nil
	case uint64:
		return float64(n), nil
	}
	return 0, fmt.Errorf("%v: %w", v, errNotNumber)
}
