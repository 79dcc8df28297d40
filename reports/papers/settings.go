package papers

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
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

// A trial is a choice of all open settings.
type trial struct {
	at     map[string]any
	factor int // the one that alone differs from our defaults; −1: none, or several
}

// design returns our defaults first, then each factor alone at both ends of its range or at each other choice, then a
// space-filling design, in which all vary at once.
func (e *Entry) design() []trial {
	defaults := trial{map[string]any{}, -1}
	for _, f := range e.Open {
		defaults.at[f.Name] = f.Default
	}
	list := []trial{defaults}
	for i, f := range e.Open {
		for _, level := range f.levels() {
			if fmt.Sprint(level) == fmt.Sprint(f.Default) {
				continue
			}
			alone := maps.Clone(defaults.at)
			alone[f.Name] = level
			list = append(list, trial{alone, i})
		}
	}
	for _, point := range spaceFilling(e.Settings, len(e.Open)) {
		joint := trial{map[string]any{}, -1}
		for i, f := range e.Open {
			joint.at[f.Name] = f.quantile(point[i])
		}
		list = append(list, joint)
	}
	return list
}

// levels are the ends of a factor's range, or its choices.
func (f *Factor) levels() []any {
	if len(f.Choices) > 0 {
		return f.Choices
	}
	return []any{*f.Low, *f.High}
}

// spaceFilling returns n points of the unit cube: of a thousand Latin hypercubes, each of which has one point in every one of n
// equal slices of every side, the one whose nearest two points lie farthest apart.
func spaceFilling(n, sides int) (best [][]float64) {
	rng := rand.New(rand.NewPCG(14, uint64(n)))
	apart := -1.0
	for range 1000 {
		points := make([][]float64, n)
		for i := range points {
			points[i] = make([]float64, sides)
		}
		for side := range sides {
			for i, slice := range rng.Perm(n) {
				points[i][side] = (float64(slice) + rng.Float64()) / float64(n)
			}
		}
		least := math.Inf(1)
		for i := 0; i < n && least > apart; i++ { // no more than apart is of no use
			p := points[i]
			for _, q := range points[:i] {
				square := 0.0
				for side := range p {
					square += (p[side] - q[side]) * (p[side] - q[side])
				}
				least = min(least, square)
			}
		}
		if least > apart {
			best, apart = points, least
		}
	}
	return best
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
	s.workload, err = models.Resolve(e.specs, given["workload"])
	if err != nil {
		return s, wrong("workload", "%v", err)
	}
	s.params = given["params"]
	if e.Simulation != nil {
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
	sections := map[string][]models.Param{"workload": e.specs, "params": e.params}
	if i := slices.IndexFunc(sections[part], func(p models.Param) bool { return p.Name == key }); i >= 0 {
		return part, key, sections[part][i], nil
	}
	var names []string
	for section, list := range sections {
		for _, p := range list {
			names = append(names, section+"."+p.Name)
		}
	}
	return "", "", p, nearest.Unknown("parameter", target, names)
}

// number is a number of a file.
func number(v any) (float64, error) { return strconv.ParseFloat(fmt.Sprint(v), 64) }
