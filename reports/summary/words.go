package summary

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// labels are features and metrics whose names say too little.
var labels = map[string]string{
	"n_jobs":              "jobs",
	"small_share":         "share of small jobs",
	"straggler_share":     "share of straggling tasks",
	"hopeless_share":      "share of hopeless jobs",
	"helping_share":       "share of helpful pairs",
	"speedup_share":       "speedup on all machines (share of linear)",
	"spare_per_straggler": "spare machines per straggler",
	"cv":                  "coefficient of variation of durations",
	"dag":                 "shape of jobs",
	"max_speedup":         "largest speedup by clones",
	"metric":              "objective",
	"load":                "offered load of the bottleneck",
	"work_over_horizon":   "bottleneck work over its capacity until the last job could be done",
	"pocd":                "probability of completion before the deadline",
}

// Words writes the name of a feature or metric as an axis has it.
func Words(name string) string {
	if label, ok := labels[name]; ok {
		return label
	}
	return strings.ReplaceAll(name, "_", " ")
}

// IsShare reports whether a feature is a fraction, to be written in percent.
func IsShare(name string) bool { return strings.HasSuffix(name, "_share") || name == "slack" }

// Axis names the metric with its unit.
func (s *Simulation) Axis() string {
	if s.Unit != "" {
		return Words(s.Metric) + " (" + s.Unit + ")"
	}
	return Words(s.Metric)
}

// Name is the policy with the parameters in which simulations differ, such as "sca (copies=2)".
func (s *Simulation) Name() string {
	if params := s.params(true); params != "" {
		return fmt.Sprintf("%s (%s)", s.Policy, params)
	}
	return s.Policy
}

// Varying are the parameters in which simulations of the problem differ, as "a=1, b=2"; empty: none.
func (s *Simulation) Varying() string { return s.params(true) }

// Fixed are the parameters that all simulations of the problem share.
func (s *Simulation) Fixed() string { return s.params(false) }

func (s *Simulation) params(varying bool) string {
	values := parse(s.Params)
	var parts []string
	for _, key := range slices.Sorted(maps.Keys(values)) {
		switch {
		case slices.Contains(s.varying, key) != varying || values[key] == "":
		case key == "":
			parts = append(parts, values[key])
		default:
			parts = append(parts, key+"="+values[key])
		}
	}
	return strings.Join(parts, ", ")
}
