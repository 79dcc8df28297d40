//go:build !(lpsolve && cgo)

package lpsolve

import (
	"context"

	"schedgap/exact/milp"
	"schedgap/exact/milp/backend"
)

// Linked says whether lp_solve is part of this build.
const Linked = false

func version() string { return "" }

func native(context.Context, *milp.Model, milp.Options) (backend.Answer, error) {
	return backend.Answer{}, backend.ErrNotLinked
}
