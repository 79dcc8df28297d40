// Package measure has the programs behind experiments of kind check: what neither a simulation nor a solution gives, such as the
// value of a formula, a count, a scaling exponent or a counter-example.
package measure

import (
	"context"
	"errors"
	"maps"
	"math/rand/v2"

	"schedgap/models"
)

// ErrNoTrace says that what is measured needs a trace that is not there.
var ErrNoTrace = errors.New("its trace is not there")

// A Check computes numbers by name. All that it computes comes out of the project's own packages.
type Check struct {
	Doc    string
	Params []models.Param
	// Run computes the numbers of one block. What is random about them comes from rng only.
	Run func(ctx context.Context, rng *rand.Rand, params models.Values) (map[string]float64, error)
}

// All returns the checks by name, such as dollymp-pass.
func All() map[string]Check {
	all := map[string]Check{}
	for _, some := range []map[string]Check{flexChecks, dollympChecks, redundancyChecks, windowChecks} {
		maps.Copy(all, some)
	}
	return all
}
