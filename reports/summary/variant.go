package summary

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"schedgap/bench"
	"schedgap/models"
	"schedgap/reports/ratio"
)

// A Variant is an algorithm as a report tells it apart from others: by its name and by what else the result set varies.
type Variant struct {
	Label string `json:"algorithm"` // ends in * if marked
	Kind  string `json:"kind"`
	Mark  string `json:"mark,omitempty"` // why its values are not comparable, as in ratio.Unit
}

// Comparable reports whether the variant makes solutions that may be compared with others'.
func (v *Variant) Comparable() bool { return v.Mark == "" && v.Kind != string(models.Bound) }

// Contender reports whether the variant is one of those that a report is about, rather than an exact method or a bound.
func (v *Variant) Contender() bool { return v.Comparable() && v.Kind != string(models.Exact) }

// A variation is what varies among the units of one algorithm. Parameters count wherever they differ. Solver, model and
// time limit count only if some instance has units that differ in nothing else: an algorithm that chooses its method by
// the instance is still one algorithm.
type variation struct {
	params        map[string]map[string]string // parsed parameters by their text
	keys          []string                     // parameters with several values
	method, limit bool
}

// variants assigns every unit of a problem its variant and lists these: heuristics, external commands, exact methods and
// bounds, each by label, then the marked ones.
func variants(p *ratio.Problem) (of map[*ratio.Unit]*Variant, list []*Variant) {
	varies := variations(p)
	of = make(map[*ratio.Unit]*Variant, len(p.Units))
	known := map[Variant]*Variant{}
	for _, u := range p.Units {
		v := Variant{Label: varies[u.Algorithm].label(u), Kind: u.Kind, Mark: u.Mark}
		if known[v] == nil {
			known[v] = &v
			list = append(list, &v)
		}
		of[u] = known[v]
	}
	rank := []string{string(models.Heuristic), string(models.External), string(models.Exact), string(models.Bound)}
	slices.SortFunc(list, func(a, b *Variant) int {
		return cmp.Or(
			cmp.Compare(min(1, len(a.Mark)), min(1, len(b.Mark))),
			cmp.Compare(slices.Index(rank, a.Kind), slices.Index(rank, b.Kind)),
			cmp.Compare(a.Label, b.Label), cmp.Compare(a.Mark, b.Mark),
		)
	})
	return of, list
}

func variations(p *ratio.Problem) map[string]*variation {
	type seed struct {
		algorithm, params string
		seed              int64
	}
	varies := map[string]*variation{}
	for _, in := range p.Instances {
		first := map[seed]*ratio.Unit{}
		for _, u := range in.Units {
			v := varies[u.Algorithm]
			if v == nil {
				v = &variation{params: map[string]map[string]string{}}
				varies[u.Algorithm] = v
			}
			if v.params[u.Params] == nil {
				v.params[u.Params] = parse(u.Params)
			}
			key := seed{u.Algorithm, u.Params, u.Seed}
			f := first[key]
			if f == nil {
				first[key] = u
				continue
			}
			v.method = v.method || method(f) != method(u)
			v.limit = v.limit || limit(f.Record) != limit(u.Record)
		}
	}
	for _, v := range varies {
		v.keys = v.varying()
	}
	return varies
}

// varying lists the parameters that do not have the same value everywhere, sorted.
func (v *variation) varying() []string {
	values := map[string]map[string]bool{}
	for _, set := range v.params {
		for key := range set {
			values[key] = map[string]bool{}
		}
	}
	for key, seen := range values {
		for _, set := range v.params {
			seen[set[key]] = true // "" where it is not given
		}
		if len(seen) < 2 {
			delete(values, key)
		}
	}
	return slices.Sorted(maps.Keys(values))
}

func (v *variation) label(u *ratio.Unit) string {
	var parts []string
	for _, key := range v.keys {
		if value := v.params[u.Params][key]; value != "" {
			parts = append(parts, key+"="+value)
		}
	}
	if _, told := v.params[u.Params]["capacity_factor"]; u.Augmentation != 1 && !told {
		parts = append(parts, fmt.Sprintf("augmentation=%g", u.Augmentation))
	}
	if m := method(u); v.method && m != "" {
		parts = append(parts, m)
	}
	if l := limit(u.Record); v.limit && l != "" {
		parts = append(parts, l)
	}
	label := u.Algorithm
	if len(parts) > 0 {
		label += " (" + strings.Join(parts, ", ") + ")"
	}
	if u.Mark != "" {
		label += "*"
	}
	return label
}

// parse reads a record's parameters; what is not a JSON object counts as one parameter of no name.
func parse(params string) map[string]string {
	var raw map[string]json.RawMessage
	if err := json.Unmarshal([]byte(params), &raw); err != nil {
		return map[string]string{"": params}
	}
	values := map[string]string{}
	for key, v := range raw {
		values[key] = strings.Trim(string(v), `"`)
	}
	return values
}

// method names the unit's model and solver, such as position/highs.
func method(u *ratio.Unit) string {
	return strings.Trim(text(u.Model)+"/"+text(u.Solver), "/")
}

func limit(u *bench.Record) string {
	if u.TimeLimitSeconds == nil {
		return ""
	}
	return time.Duration(*u.TimeLimitSeconds * float64(time.Second)).String()
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
