package summary

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"schedgap/bench"
	"schedgap/models"
	"schedgap/reports/ratio"
	"schedgap/reports/stats"
	"schedgap/reports/words"
)

// Levels are two neighbouring values of a parameter that suites vary, on the instances that differ in nothing else: they are
// drawn from the same seed, with the same number.
type Levels struct {
	Factor string `json:"factor"`
	A      string `json:"a"`
	B      string `json:"b"`
	// Instances are the pairs of instances with values to compare.
	Instances int `json:"instances"`
	// Known are those whose optima are both proven, Optima those of them whose optima differ.
	Known  int `json:"known"`
	Optima int `json:"optima_differ"`
	// Differ are the pairs on which the value of some algorithm differs.
	Differ int `json:"differ"`
}

// Idle says that the factor decides nothing between the two values, as far as the instances show.
func (l *Levels) Idle() bool { return l.Differ == 0 }

// Sentence says whether the two values differ.
func (l *Levels) Sentence() string {
	head := fmt.Sprintf("%s %s and %s", l.Factor, l.A, l.B)
	switch {
	case l.Idle():
		return fmt.Sprintf("%s: equal on %d of %d: this factor decides nothing here", head, l.Instances, l.Instances)
	case l.Known > 0 && l.Optima == 0:
		return fmt.Sprintf("%s: algorithms differ on %d of %d, but the optimum is equal on %d of %d", head, l.Differ, l.Instances, l.Known, l.Known)
	}
	return fmt.Sprintf("%s: differ on %d of %d", head, l.Differ, l.Instances)
}

// A Same is a group of algorithms of which no two ever have different values.
type Same struct {
	Algorithms []string `json:"algorithms"`
	Instances  int      `json:"instances"` // that each of them was run on
}

// Sentence says so.
func (s *Same) Sentence() string {
	return fmt.Sprintf("%s never differ, on %s", and(s.Algorithms), words.Count(s.Instances, "instance"))
}

// Effects compares the values of every factor, and all pairs of algorithms.
func Effects(p *ratio.Problem) ([]Levels, []Same) {
	of, list := FindVariants(p)
	values := map[*Variant][]float64{}
	for _, v := range list {
		if v.Kind != string(models.Bound) {
			values[v] = means(p, of, v)
		}
	}
	return levels(p, values), same(p, list, values)
}

// means are a variant's values by instance, over seeds; NaN: it has none. One without a solution is infinitely bad.
func means(p *ratio.Problem, of Variants, v *Variant) []float64 {
	out := make([]float64, len(p.Instances))
	for i, in := range p.Instances {
		var xs []float64
		for _, u := range in.Units {
			switch {
			case in.Trouble != "" || of[u.Setup] != v || u.Rounded || u.Status == string(bench.Skipped):
			case u.Value != nil:
				xs = append(xs, *u.Value)
			default:
				xs = append(xs, float64(p.Sense)*math.Inf(1))
			}
		}
		out[i] = stats.Mean(xs)
	}
	return out
}

// same groups the algorithms that never differ on any instance, at least two, that both were run on.
func same(p *ratio.Problem, list []*Variant, values map[*Variant][]float64) (out []Same) {
	grouped := map[*Variant]bool{}
	for i, a := range list {
		if values[a] == nil || grouped[a] {
			continue
		}
		group := []*Variant{a}
		least := len(p.Instances)
		for _, b := range list[i+1:] {
			if values[b] == nil || grouped[b] || a.Kind == string(models.Exact) && b.Kind == string(models.Exact) {
				continue // two exact methods should not differ
			}
			both := least
			equal := !slices.ContainsFunc(group, func(v *Variant) bool {
				n, alike := alike(p, values[v], values[b])
				both = min(both, n)
				return n < 2 || !alike
			})
			if equal {
				group, least, grouped[b] = append(group, b), both, true
			}
		}
		if len(group) > 1 {
			s := Same{Instances: least}
			for _, v := range group {
				s.Algorithms = append(s.Algorithms, v.Label)
			}
			out = append(out, s)
		}
	}
	return out
}

// alike reports on how many instances both have values, and whether all are equal.
func alike(p *ratio.Problem, a, b []float64) (n int, equal bool) {
	equal = true
	for i, in := range p.Instances {
		if !math.IsNaN(a[i]) && !math.IsNaN(b[i]) {
			n, equal = n+1, equal && in.Equal(a[i], b[i])
		}
	}
	return n, equal
}

// levels compares every two neighbouring values of each factor.
func levels(p *ratio.Problem, values map[*Variant][]float64) (out []Levels) {
	names := map[string]bool{}
	for _, in := range p.Instances {
		for name := range in.Factors {
			names[name] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		twins := map[string]map[string]*ratio.Instance{} // by all but the factor, and by its value
		for _, in := range p.Instances {
			x, has := in.Factors[name]
			if !has || in.Draw == "" || in.Trouble != "" {
				continue
			}
			rest := maps.Clone(in.Factors)
			delete(rest, name)
			key := strings.Join([]string{in.Draw, in.Source, in.Metric(), text(rest)}, "\n")
			if twins[key] == nil {
				twins[key] = map[string]*ratio.Instance{}
			}
			twins[key][text(x)] = in
		}
		found := map[[2]string]*Levels{}
		for _, by := range twins {
			order := slices.SortedFunc(maps.Keys(by), words.Natural)
			for k := 1; k < len(order); k++ {
				at := [2]string{order[k-1], order[k]}
				l := found[at]
				if l == nil {
					l = &Levels{Factor: name, A: strings.Trim(at[0], `"`), B: strings.Trim(at[1], `"`)}
					found[at] = l
				}
				l.count(p, by[at[0]], by[at[1]], values)
			}
		}
		for _, at := range slices.SortedFunc(maps.Keys(found), func(a, b [2]string) int {
			return cmp.Or(words.Natural(a[0], b[0]), words.Natural(a[1], b[1]))
		}) {
			if found[at].Instances > 0 {
				out = append(out, *found[at])
			}
		}
	}
	return out
}

// count compares two instances.
func (l *Levels) count(p *ratio.Problem, a, b *ratio.Instance, values map[*Variant][]float64) {
	compared, differ := false, false
	for _, xs := range values {
		if x, y := xs[a.Index], xs[b.Index]; !math.IsNaN(x) && !math.IsNaN(y) {
			compared, differ = true, differ || !a.Equal(x, y)
		}
	}
	if !compared {
		return
	}
	l.Instances++
	if differ {
		l.Differ++
	}
	if x, y := a.Best(p.Reported[0]), b.Best(p.Reported[0]); x.Proven && y.Proven {
		l.Known++
		if !a.Equal(*x.Value, *y.Value) {
			l.Optima++
		}
	}
}

// text is a value as JSON, whose objects have their keys in order.
func text(x any) string {
	out, err := json.Marshal(x)
	if err != nil { // nothing that was read from JSON
		return fmt.Sprint(x)
	}
	return string(out)
}
