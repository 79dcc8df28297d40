// Package sweeps holds the experiments that stand in for the papers': NAME.yaml, of the form in docs/experiments.md.
package sweeps

import "embed"

// Files has the experiments, *.yaml.
//
//go:embed *
var Files embed.FS
