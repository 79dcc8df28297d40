// Package measured holds what the experiments gave: NAME.json, as `schedgap reproduce --run` writes it.
package measured

import "embed"

// Files has what was measured, *.json.
//
//go:embed *
var Files embed.FS
