package ratio

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"schedgap/bench"
)

// FactorPrefix begins the names of the columns of what suites set, as FeaturePrefix does those of features.
const FactorPrefix = "factor_"

// maxLevels is the most values of a factor that divide instances: with more of them a stratum has too few.
const maxLevels = 12

// A kind is a source and metric of instances. A factor varies only if it does within a kind.
type kind struct{ source, metric string }

// factors reads what suites set of the parameters of generators and traces, and divides the instances by what varies.
func (s *Set) factors(p *Problem, pool bool) {
	p.readFactors()
	levels := map[kind]map[string]map[string]bool{} // the values of each factor
	for _, in := range p.Instances {
		k := kind{in.Source, in.metric}
		if levels[k] == nil {
			levels[k] = map[string]map[string]bool{}
		}
		for name, value := range in.Factors {
			if levels[k][name] == nil {
				levels[k][name] = map[string]bool{}
			}
			levels[k][name][level(value)] = true
		}
		in.Axes = in.Features
	}
	if pool {
		return
	}
	varying, strata := map[string]bool{}, map[kind][]string{}
	for k, factors := range levels {
		for _, name := range slices.Sorted(maps.Keys(factors)) {
			n := len(factors[name])
			if n == 1 {
				continue
			}
			varying[name] = true
			if n > maxLevels {
				s.warnf("%s has %d values of %s, which are pooled: up to %d are reported one by one", p.Name, n, name, maxLevels)
			} else {
				strata[k] = append(strata[k], name)
			}
		}
	}
	names := slices.Sorted(maps.Keys(varying))
	members := map[string]*Instance{} // one of each stratum
	delete(varying, "jobs")           // the number of jobs is an axis already
	for _, in := range p.Instances {
		k := kind{in.Source, in.metric}
		in.Stratum = in.stratum(strata[k])
		if in.Stratum != "" && members[in.Stratum] == nil {
			members[in.Stratum] = in
		}
		if len(varying) > 0 {
			in.Axes = maps.Clone(in.Features)
			if in.Axes == nil {
				in.Axes = map[string]any{}
			}
		}
		for name := range varying {
			if value, known := in.Factors[name]; known {
				in.Axes[name] = value
			} else if levels[k][name] != nil {
				delete(in.Axes, name) // the feature is another quantity than the others' factor
			}
		}
	}
	p.Strata = slices.SortedFunc(maps.Keys(members), func(a, b string) int {
		for _, name := range names {
			x, y := members[a].Factors[name], members[b].Factors[name]
			i, _ := x.(float64)
			j, _ := y.(float64)
			if c := cmp.Or(cmp.Compare(i, j), cmp.Compare(level(x), level(y))); c != 0 {
				return c
			}
		}
		return cmp.Compare(a, b)
	})
}

// columns are the features and factors with the names of their columns.
func (in *Instance) columns(yield func(name string, value any) bool) {
	for name, value := range in.Features {
		if name != "metric" && !yield(FeaturePrefix+name, value) { // a Row has the metric
			return
		}
	}
	for name, value := range in.Factors {
		if !yield(FactorPrefix+name, value) {
			return
		}
	}
}

// stratum is the values of an instance's factors, as tables write them; empty if it has none.
func (in *Instance) stratum(names []string) string {
	var parts []string
	for _, name := range names {
		if value, known := in.Factors[name]; known {
			parts = append(parts, name+"="+level(value))
		} else {
			parts = append(parts, name+" not recorded")
		}
	}
	return strings.Join(parts, ", ")
}

// level is a factor's value as text.
func level(value any) string {
	if text, ok := value.(string); ok {
		return text
	}
	text, err := json.Marshal(value)
	if err != nil { // nothing that was read from JSON
		return fmt.Sprint(value)
	}
	return string(text)
}

// readFactors gives instances the factors that their rows have. One that another suite varies has its default.
func (p *Problem) readFactors() {
	type origin struct{ text, source string }
	known := map[origin]map[string]any{}
	names := map[string]bool{}
	for _, in := range p.Instances {
		for _, u := range in.Units {
			if u.Factors == nil {
				continue
			}
			of := origin{*u.Factors, in.Source}
			factors, read := known[of]
			if !read {
				if json.Unmarshal([]byte(of.text), &factors) != nil {
					factors = nil // what another program wrote counts as not recorded
				}
				known[of] = factors
				for name := range factors {
					names[name] = true
				}
			}
			if in.Factors == nil {
				in.Factors = factors
			}
		}
	}
	for of, factors := range known {
		for name, value := range p.defaults(of.source) {
			if _, has := factors[name]; !has && factors != nil && names[name] {
				factors[name] = value
			}
		}
	}
}

// defaults are the default parameters of a source of instances.
func (p *Problem) defaults(source string) map[string]any {
	var from *bench.Source
	from = p.Generator
	if source != "generate" {
		from = p.Deriver
	}
	if from == nil || source == "files" {
		return nil
	}
	values := map[string]any{}
	for _, param := range from.Params {
		values[param.Name] = param.Default
		switch x := param.Default.(type) { // as JSON has them
		case int:
			values[param.Name] = float64(x)
		case int64:
			values[param.Name] = float64(x)
		}
	}
	return values
}
