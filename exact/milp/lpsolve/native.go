//go:build lpsolve && cgo

package lpsolve

// #cgo LDFLAGS: -llpsolve55
// #include "run.h"
import "C"

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"runtime"
	"runtime/cgo"
	"sync/atomic"
	"unsafe"

	"github.com/draffensperger/golp"

	"schedgap/exact/milp"
	"schedgap/exact/milp/backend"
)

const (
	tolerance = 1e-9
	infinity  = 1e30 // lp_solve's own
)

// turn is held while lp_solve runs: its LU factorisation works in static variables.
var turn = make(chan struct{}, 1)

// Linked says whether lp_solve is part of this build.
const Linked = true

func version() string {
	var major, minor, release, build C.int
	C.lp_solve_version(&major, &minor, &release, &build)
	return fmt.Sprintf("%d.%d.%d.%d", major, minor, release, build)
}

func native(ctx context.Context, m *milp.Model, opt milp.Options) (backend.Answer, error) {
	if opt.TimeLimit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, opt.TimeLimit)
		defer cancel()
	}
	select {
	case turn <- struct{}{}:
		defer func() { <-turn }()
	case <-ctx.Done():
		return backend.Answer{Status: milp.Limit, Raw: "waited for another solve", Bound: math.NaN(), Nodes: -1}, nil
	}
	model := golp.NewLP(0, len(m.Cols))
	// golp frees the handle when model is collected.
	defer runtime.KeepAlive(model)
	lp, err := handle(model)
	if err != nil {
		return backend.Answer{}, err
	}
	if err := build(model, lp, m); err != nil {
		return backend.Answer{}, err
	}
	var incumbent []float64
	take := cgo.NewHandle(func(x []float64) {
		incumbent = x
		if opt.Improved != nil {
			opt.Improved(x, math.NaN())
		}
	})
	defer take.Delete()
	control := &C.schedgap_lpsolve_control{incumbents: C.uintptr_t(take)}
	// lp_solve's own time limit has whole seconds, the context has not.
	stop := context.AfterFunc(ctx, func() { atomic.StoreInt32((*int32)(&control.stop), 1) })
	defer stop()
	code := golp.SolutionType(C.schedgap_lpsolve_run(lp, tolerance, control))
	a := backend.Answer{Raw: code.String(), Bound: math.NaN(), Nodes: int64(C.get_total_nodes(lp))}
	if control.rooted != 0 {
		a.Root = (*float64)(&control.root)
	}
	if control.stopped != 0 {
		// Told to stop, lp_solve may report any status, even INFEASIBLE when told at the very start.
		a.Status, a.Raw, a.X = milp.Limit, a.Raw+" when told to stop", incumbent
		return a, nil
	}
	a.Status, err = verdict(code)
	if err != nil {
		return a, err
	}
	if code == golp.OPTIMAL || code == golp.SUBOPTIMAL {
		a.X = model.Variables()
	}
	for j, c := range m.Cols {
		if code == golp.OPTIMAL && c.Cost != 0 && math.Abs(a.X[j]) >= infinity {
			a.Status, a.X = milp.Unbounded, nil // so it treats columns that stand in no row
			break
		}
	}
	return a, nil
}

// build states m. Rows come first, since golp starts in the mode for adding rows, which SetObjFn ends.
func build(model *golp.LP, lp *C.lprec, m *milp.Model) error {
	model.SetVerboseLevel(golp.NEUTRAL)
	for _, r := range m.Rows {
		entries := make([]golp.Entry, len(r.Terms))
		for k, t := range r.Terms {
			entries[k] = golp.Entry{Col: t.Col, Val: t.Coef}
		}
		kind, rhs := golp.GE, r.Lo
		switch {
		case r.Lo == r.Hi:
			kind = golp.EQ
		case math.IsInf(r.Lo, -1):
			kind, rhs = golp.LE, r.Hi
		}
		if err := model.AddConstraintSparse(entries, kind, rhs); err != nil {
			return fmt.Errorf("lpsolve: row %s: %w", r.Name, err)
		}
	}
	costs := make([]float64, len(m.Cols))
	for j, c := range m.Cols {
		costs[j] = c.Cost
	}
	model.SetObjFn(costs)
	if model.NumRows() != len(m.Rows) {
		return fmt.Errorf("lpsolve: took %d rows of %d", model.NumRows(), len(m.Rows))
	}
	for i, r := range m.Rows {
		if r.Lo != r.Hi && !math.IsInf(r.Lo, -1) && !math.IsInf(r.Hi, 1) {
			C.set_rh_range(lp, C.int(i+1), C.REAL(r.Hi-r.Lo))
		}
	}
	for j, c := range m.Cols {
		model.SetBounds(j, max(c.Lo, -infinity), min(c.Hi, infinity))
		if c.Integer {
			model.SetInt(j, true)
		}
	}
	return nil
}

// handle returns the C object behind golp's.
func handle(model *golp.LP) (*C.lprec, error) {
	f := reflect.ValueOf(model).Elem().FieldByName("ptr")
	if f.Kind() != reflect.Pointer || f.IsNil() {
		return nil, errors.New("lpsolve: no memory, or this version of github.com/draffensperger/golp keeps its handle elsewhere")
	}
	return (*C.lprec)(f.UnsafePointer()), nil
}

//export schedgapLPSolveIncumbent
func schedgapLPSolveIncumbent(handle C.uintptr_t, columns C.int, x *C.double) {
	take := cgo.Handle(handle).Value().(func([]float64))
	take(append([]float64(nil), unsafe.Slice((*float64)(unsafe.Pointer(x)), int(columns))...))
}
