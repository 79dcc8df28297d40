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
	"schedgap/reports/words"
)

// A Variant is an algorithm as a report tells it apart from others: by its name and by what else the result set varies.
type Variant struct {
	Label string `json:"algorithm"` // ends in * if marked
	Kind  string `json:"kind"`
	Mark  string `json:"mark,omitempty"` // why its values are not comparable, as in ratio.Unit
	// Search says that the algorithm has a budget of evaluations; all others are one-pass rules.
	Search bool `json:"-"`
	// Blind says that the algorithm decides without works and durations, see bench.Definition.
	Blind bool `json:"-"`
}

// Comparable reports whether the variant makes solutions that may be compared with others'.
func (v *Variant) Comparable() bool { return v.Mark == "" && v.Kind != string(models.Bound) }

// Contender reports whether the variant is one of those that a report is about, rather than an exact method or a bound.
func (v *Variant) Contender() bool { return v.Comparable() && v.Kind != string(models.Exact) }

// A variation lists the settings that vary among the units of one algorithm. Parameters count wherever they differ. Solver,
// model and time limit count only if some instance has units that differ in nothing else: an algorithm that chooses its method
// by the instance is still one algorithm.
type variation struct {
	params        map[string]map[string]string // parsed parameters by their text
	keys          []string                     // parameters with several values
	method, limit bool
}

// Variants are the algorithms of a problem's units: what tells one from another is in the units' setups.
type Variants map[*ratio.Setup]*Variant

// FindVariants assigns every setup of a problem its variant and lists these: heuristics, external commands, exact methods and
// bounds, each by label, then the marked ones.
func FindVariants(p *ratio.Problem) (of Variants, list []*Variant) {
	varies := variations(p)
	of = Variants{}
	known := map[Variant]*Variant{}
	for _, u := range p.Units {
		if of[u.Setup] != nil {
			continue
		}
		v := Variant{Label: varies[u.Algorithm].label(u), Kind: u.Kind, Mark: u.WhyNot}
		if a := algorithm(p, u); a != nil {
			v.Search, v.Blind = a.Search, a.Blind
		}
		if known[v] == nil {
			known[v] = &v
			list = append(list, &v)
		}
		of[u.Setup] = known[v]
	}
	rank := []string{string(models.Heuristic), string(models.External), string(models.Exact), string(models.Bound)}
	slices.SortFunc(list, func(a, b *Variant) int {
		return cmp.Or(
			cmp.Compare(min(1, len(a.Mark)), min(1, len(b.Mark))),
			cmp.Compare(slices.Index(rank, a.Kind), slices.Index(rank, b.Kind)),
			words.Natural(a.Label, b.Label), cmp.Compare(a.Mark, b.Mark),
		)
	})
	return of, list
}

// algorithm is the unit's algorithm; nil: it is none of the problem's, as a command.
func algorithm(p *ratio.Problem, u *ratio.Unit) *bench.Algorithm {
	if u.Kind == string(models.External) {
		return nil
	}
	a, _, err := p.Find(u.Algorithm)
	if err != nil {
		return nil
	}
	return a
}

func variations(p *ratio.Problem) map[string]*variation {
	varies := map[string]*variation{}
	of := map[*ratio.Setup]*variation{}
	type key struct {
		*variation
		params string
		seed   int64
	}
	first := map[key]*ratio.Setup{} // on one instance
	for _, in := range p.Instances {
		for _, u := range in.Units {
			v := of[u.Setup]
			if v == nil {
				v = varies[u.Algorithm]
				if v == nil {
					v = &variation{params: map[string]map[string]string{}}
					varies[u.Algorithm] = v
				}
				v.params[u.Params], of[u.Setup] = parse(u.Params), v
			}
			k := key{v, u.Params, u.Seed}
			if f := first[k]; f == nil {
				first[k] = u.Setup
			} else if f != u.Setup {
				v.method, v.limit = v.method || method(f) != method(u.Setup), v.limit || limit(f) != limit(u.Setup)
			}
		}
		clear(first)
	}
	for _, v := range varies {
		v.keys = varying(slices.Collect(maps.Values(v.params)))
	}
	return varies
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
	if m := method(u.Setup); v.method && m != "" {
		parts = append(parts, m)
	}
	if l := limit(u.Setup); v.limit && l != "" {
		parts = append(parts, l)
	}
	label := u.Algorithm
	if len(parts) > 0 {
		label += " (" + strings.Join(parts, ", ") + ")"
	}
	if u.WhyNot != "" {
		label += "*"
	}
	return label
}

// varying lists the parameters that do not have the same value in all sets, sorted. Where one is not given, it is empty.
func varying(sets []map[string]string) []string {
	values := map[string]map[string]bool{}
	for _, set := range sets {
		for key := range set {
			values[key] = map[string]bool{}
		}
	}
	for key, seen := range values {
		for _, set := range sets {
			seen[set[key]] = true
		}
	}
	maps.DeleteFunc(values, func(_ string, seen map[string]bool) bool { return len(seen) < 2 })
	return slices.Sorted(maps.Keys(values))
}

// parse reads a record's parameters; a text that is not a JSON object counts as one parameter of no name.
func parse(params string) map[string]string {
	var raw map[string]json.RawMessage
	if err := json.Unmarshal([]byte(params), &raw); err != nil {
		return map[string]string{"": params}
	}
	values := map[string]string{}
	for key, v := range raw {
		var s string
		if err := json.Unmarshal(v, &s); err != nil {
			s = string(v) // no text
		}
		values[key] = s
	}
	return values
}

// method names the unit's model and solver, such as position/highs.
func method(s *ratio.Setup) string {
	return strings.Trim(words.Text(s.Model)+"/"+words.Text(s.Solver), "/")
}

// limit is the time in which a unit had to end, such as "1m0s" or "1m0s, CPU 30s"; empty: it had no limit.
func limit(s *ratio.Setup) string {
	wall, cpu := timeLimit(s), cpuLimit(s)
	if cpu != "" {
		cpu = "CPU " + cpu
	}
	return strings.Join(slices.DeleteFunc([]string{wall, cpu}, func(l string) bool { return l == "" }), ", ")
}

func timeLimit(s *ratio.Setup) string { return duration(s.TimeLimitSeconds) }
func cpuLimit(s *ratio.Setup) string  { return duration(s.CPULimitSeconds) }

func duration(seconds *float64) string {
	if seconds == nil {
		return ""
	}
	return time.Duration(*seconds * float64(time.Second)).String()
}
