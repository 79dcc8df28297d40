package summary

import "strings"

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
