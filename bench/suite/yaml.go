package suite

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"github.com/goccy/go-yaml"
)

// YAML writes a suite with its defaults, in the form that Parse reads. Of a resolved suite it has no variables and no
// relative paths left; those inside commands begin at its dir.
func (s *Suite) YAML() ([]byte, error) {
	doc := yaml.MapSlice{{Key: "name", Value: s.Name}, {Key: "problem", Value: s.Problem}}
	add := func(m *yaml.MapSlice, key string, value any) { *m = append(*m, yaml.MapItem{Key: key, Value: value}) }

	if s.Purpose != "" {
		add(&doc, "purpose", s.Purpose)
	}
	if s.Figure != "" {
		add(&doc, "figure", s.Figure)
	}
	if s.Typical > 0 {
		add(&doc, "typical", s.Typical.String())
	}

	var instances []yaml.MapSlice
	for _, src := range s.Instances {
		var body yaml.MapSlice
		switch {
		case src.Generate != nil:
			g := src.Generate
			add(&body, "n", g.N)
			add(&body, "seed", g.Seed)
			addParams(&body, g.Params)
			instances = append(instances, yaml.MapSlice{{Key: "generate", Value: body}})
		case src.Trace != nil:
			t := src.Trace
			add(&body, "format", t.Format)
			add(&body, "dir", t.Dir)
			if t.To > 0 {
				add(&body, "window", []string{t.From.String(), t.To.String()})
			}
			add(&body, "n", t.N)
			add(&body, "seed", t.Seed)
			addParams(&body, t.Params)
			instances = append(instances, yaml.MapSlice{{Key: "trace", Value: body}})
		default:
			instances = append(instances, yaml.MapSlice{{Key: "files", Value: src.Files}})
		}
	}
	add(&doc, "instances", instances)

	var algorithms []any
	for _, e := range s.Algorithms {
		entry := yaml.MapSlice{{Key: "name", Value: e.Name}}
		addParams(&entry, e.Params)
		if len(e.Command) > 0 {
			add(&entry, "command", e.Command)
		}
		if e.Solver != "" {
			add(&entry, "solver", e.Solver)
		}
		if e.Model != "" {
			add(&entry, "model", e.Model)
		}
		if len(entry) == 1 {
			algorithms = append(algorithms, e.Name)
		} else {
			algorithms = append(algorithms, entry)
		}
	}
	add(&doc, "algorithms", algorithms)
	if len(s.Solvers) > 0 {
		add(&doc, "solvers", s.Solvers)
	}
	add(&doc, "seeds", s.Seeds)
	limits := yaml.MapSlice{{Key: "time", Value: s.Limits.Time.String()}}
	if s.Limits.Memory > 0 {
		add(&limits, "memory", FormatSize(s.Limits.Memory))
	}
	if s.Limits.CPU > 0 {
		add(&limits, "cpu", s.Limits.CPU.String())
	}
	if s.Limits.Output > 0 {
		add(&limits, "output", FormatSize(s.Limits.Output))
	}
	add(&limits, "threads", s.Threads)
	add(&doc, "limits", limits)
	add(&doc, "pin_cpus", s.PinCPUs)
	if len(s.Env) > 0 {
		add(&doc, "env", s.Env)
	}
	if len(s.Watch) > 0 {
		add(&doc, "watch", s.Watch)
	}
	if slices.ContainsFunc(s.Algorithms, func(e Entry) bool { return len(e.Command) > 0 }) && (s.fsys == nil || s.dir != "") {
		dir, err := filepath.Abs(s.dir)
		if err != nil {
			return nil, fmt.Errorf("suite %s: %w", s.Name, err)
		}
		add(&doc, "dir", dir) // where the commands find their files
	}
	out, err := yaml.Marshal(doc)
	if err != nil {
		return nil, fmt.Errorf("suite %s: %w", s.Name, err)
	}
	return out, nil
}

// addParams adds the params, sorted by name.
func addParams(m *yaml.MapSlice, params map[string]any) {
	if params == nil {
		return
	}
	sorted := yaml.MapSlice{}
	for _, key := range slices.Sorted(maps.Keys(params)) {
		sorted = append(sorted, yaml.MapItem{Key: key, Value: params[key]})
	}
	*m = append(*m, yaml.MapItem{Key: "params", Value: sorted})
}
