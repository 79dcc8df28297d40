package papers

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"

	"schedgap/models"
	"schedgap/models/nearest"
)

// A setting has all parameters of one case.
type setting struct {
	x                float64
	workload, params models.Values
}

// design returns our defaults and a Latin hypercube of settings: each of as many equal slices of every factor's range has one.
func (e *Entry) design() []map[string]any {
	list := make([]map[string]any, 1+e.Settings)
	for i := range list {
		list[i] = map[string]any{}
	}
	rng := rand.New(rand.NewPCG(14, uint64(e.Settings)))
	for _, f := range e.Open {
		list[0][f.Name] = f.Default
		for i, slice := range rng.Perm(e.Settings) {
			list[1+i][f.Name] = f.quantile((float64(slice) + rng.Float64()) / float64(e.Settings))
		}
	}
	return list
}

// quantile is the value at a share u, in [0, 1), of the factor's range, to four digits.
func (f *Factor) quantile(u float64) any {
	if n := len(f.Choices); n > 0 {
		return f.Choices[int(u*float64(n))]
	}
	v := *f.Low + u*(*f.High-*f.Low)
	if f.Log {
		v = *f.Low * math.Pow(*f.High / *f.Low, u)
	}
	if r, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 4, 64), 64); err == nil {
		v = r
	}
	return min(*f.High, max(*f.Low, v))
}

// setting applies the paper's settings, the case and the open settings, in this order.
func (e *Entry) setting(at map[string]any, c Case) (s setting, err error) {
	given := map[string]map[string]any{"workload": {}, "params": {}}
	for _, v := range []Values{e.Values, c.Values} {
		maps.Copy(given["workload"], v.Workload)
		maps.Copy(given["params"], v.Params)
	}
	for i, f := range e.Open {
		for _, target := range f.Set {
			part, key, param, err := e.parameter(target)
			if err == nil {
				given[part][key], err = f.value(at[f.Name], given[part][key], param.Default)
			}
			if err != nil {
				return s, wrong(fmt.Sprintf("open[%d].set", i), "%v", err)
			}
		}
	}
	s.x = c.X
	if s.workload, err = models.Resolve(e.specs, given["workload"]); err != nil {
		return s, wrong("workload", "%v", err)
	}
	if s.params = given["params"]; e.Simulation != nil {
		s.params, err = models.Resolve(e.params, given["params"])
	}
	for key := range given["params"] {
		if _, _, _, err2 := e.parameter("params." + key); err2 != nil {
			err = err2
		}
	}
	if err != nil {
		return s, wrong("params", "%v", err)
	}
	return s, nil
}

// value is a parameter with a factor at v.
func (f *Factor) value(v, base, usual any) (any, error) {
	if len(f.Choices) > 0 {
		return v, nil
	}
	x, err := number(v)
	if err == nil && f.Factor {
		if base == nil {
			base = usual
		}
		var b float64
		b, err = number(base)
		x *= b
	}
	if _, whole := usual.(int); whole {
		x = math.Round(x)
	}
	return x, err
}

// parameter returns the parameter that a target names.
func (e *Entry) parameter(target string) (part, key string, p models.Param, err error) {
	part, key, _ = strings.Cut(target, ".")
	var names []string
	for section, list := range map[string][]models.Param{"workload": e.specs, "params": e.params} {
		for _, p := range list {
			if section == part && p.Name == key {
				return part, key, p, nil
			}
			names = append(names, section+"."+p.Name)
		}
	}
	return "", "", p, nearest.Unknown("parameter", target, names)
}

// number is a number of a file.
func number(v any) (float64, error) { return strconv.ParseFloat(fmt.Sprint(v), 64) }
