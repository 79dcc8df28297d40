//go:build !(highs && cgo)

package highs

import (
	"context"

	"schedgap/exact/milp"
	"schedgap/exact/milp/backend"
)

// Linked says whether HiGHS is part of this build.
const Linked = false

func version() string { return "" }

func native(context.Context, *milp.Model, milp.Options) (backend.Answer, error) {
	return backend.Answer{}, backend.ErrNotLinked
}
