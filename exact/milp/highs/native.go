//go:build highs && cgo

package highs

// #cgo pkg-config: highs
// #include <stdlib.h>
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
	"slices"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/lanl/highs"

	"schedgap/exact/milp"
	"schedgap/exact/milp/backend"
)

// tolerance of feasibility and optimality, and the absolute gap.
const tolerance = 1e-9

// The settings of one run.
type settings struct {
	presolve string
	// integrality is HiGHS's mip_feasibility_tolerance. At 1e-9 the presolve of HiGHS 1.10 cuts feasible points off, in 1 of 100
	// of the models of exact/redundancy, and calls a worse point optimal; at its default, 1e-6, points may use up the tolerance.
	integrality float64
}

var (
	loose  = settings{"choose", 1e-6}
	strict = settings{"choose", tolerance}
	plain  = settings{"off", tolerance}
)

// Linked says whether HiGHS is part of this build.
const Linked = true

func version() string { return C.GoString(C.Highs_version()) }

// errRun is wrapped when HiGHS itself reports that a run failed.
var errRun = errors.New("the run ended in an error")

// native solves m. Three answers of HiGHS 1.10 are solved again, since they are sometimes wrong and rare enough for a second opinion. An
// optimum that is integral only within the tolerance is solved strictly, from that point, so that it cannot become worse. A run
// that ends in an error because the postsolved point is infeasible is solved without presolve. So is a model with integers that
// HiGHS calls infeasible.
func native(ctx context.Context, m *milp.Model, opt milp.Options) (backend.Answer, error) {
	begin := time.Now()
	a, err := run(ctx, m, opt, loose)
	rest := opt
	if opt.TimeLimit > 0 {
		rest.TimeLimit = max(opt.TimeLimit-time.Since(begin), time.Millisecond)
	}
	solved := err == nil && a.Status == milp.Optimal
	switch {
	case solved && opt.Start != nil && worse(m, a.X, opt.Start):
		return withoutPresolve(ctx, m, rest, a, nil) // which has cut off the start
	case solved && a.Nodes >= 0 && len(a.X) == len(m.Cols):
		return strictly(ctx, m, rest, a)
	case errors.Is(err, errRun), err == nil && a.Status == milp.Infeasible && a.Nodes >= 0:
		return withoutPresolve(ctx, m, rest, a, err)
	}
	return a, err
}

// strictly solves m again if the rounded point of a misses a row. Where that finds no optimum a stays: its point is refused or repaired
// like any other.
func strictly(ctx context.Context, m *milp.Model, rest milp.Options, a backend.Answer) (backend.Answer, error) {
	rest.Start = m.Rounded(a.X)
	if m.Violation(rest.Start).Amount <= tolerance {
		return a, nil
	}
	b, err := run(ctx, m, rest, strict)
	if err != nil || b.Status != milp.Optimal {
		return a, nil
	}
	b.Seconds, b.Root = b.Seconds+a.Seconds, a.Root
	return b, nil
}

// withoutPresolve solves m again. Where that says nothing, a stays unless it was an error.
func withoutPresolve(ctx context.Context, m *milp.Model, rest milp.Options, a backend.Answer, err error) (backend.Answer, error) {
	b, again := run(ctx, m, rest, plain)
	b.Seconds += a.Seconds
	switch {
	case err != nil:
		return b, again
	case again != nil || b.Status == milp.Limit && b.X == nil:
		a.Raw, a.Seconds = a.Raw+", not confirmed without presolve", b.Seconds
		return a, nil
	}
	return b, nil
}

// worse reports whether x, of a minimisation, is worse than the start by more than rounding.
func worse(m *milp.Model, x, start []float64) bool {
	if len(x) != len(m.Cols) || len(start) != len(m.Cols) {
		return false
	}
	value, given := m.Objective(x), m.Objective(start)
	return value-given > backend.Tolerance*max(1, math.Abs(given)) && m.Violation(start).Amount <= backend.Tolerance
}

// run solves m once. The wrapper's own Solve loses incumbent and bound at every limit, so that HiGHS is run and asked
// on the wrapper's C handle.
func run(ctx context.Context, m *milp.Model, opt milp.Options, with settings) (backend.Answer, error) {
	raw, err := build(m, opt, with)
	if err == nil {
		err = raw.SetStringOption("presolve", with.presolve)
	}
	if err != nil {
		return backend.Answer{}, fmt.Errorf("highs: %w", err)
	}
	// The wrapper frees the handle when raw is collected.
	defer runtime.KeepAlive(raw)
	h, err := handle(raw)
	if err != nil {
		return backend.Answer{}, err
	}
	// Returns the memory of large models now and not at some collection.
	defer C.Highs_clear(h)
	if opt.Start != nil {
		C.Highs_setSolution(h, doubles(opt.Start), nil, nil, nil)
	}
	control := &C.schedgap_highs_control{root: C.double(math.Inf(-1))}
	if opt.Improved != nil {
		incumbents := cgo.NewHandle(func(x []float64) { opt.Improved(x, math.NaN()) })
		defer incumbents.Delete()
		control.incumbents = C.uintptr_t(incumbents)
		control.columns = C.int(len(m.Cols))
	}
	if opt.Bounded != nil {
		bounds := cgo.NewHandle(opt.Bounded)
		defer bounds.Delete()
		control.bounds, control.bound = C.uintptr_t(bounds), C.double(math.Inf(-1))
	}
	stop := context.AfterFunc(ctx, func() { atomic.StoreInt32((*int32)(&control.stop), 1) })
	defer stop()
	if C.schedgap_highs_run(h, control) == -1 {
		return backend.Answer{}, fmt.Errorf("highs: %w (%s)", errRun, say(int(C.Highs_getModelStatus(h))))
	}
	a, err := answer(h, m)
	a.Root = (*float64)(&control.root)
	return a, err
}

// leastCoef is HiGHS's small_matrix_value: it leaves out terms of coefficients up to it, with a warning. mostCoef is its
// large_matrix_value, from which on it takes no coefficient.
const leastCoef, mostCoef = 1e-9, 1e15

// build hands m to HiGHS.
func build(m *milp.Model, opt milp.Options, with settings) (*highs.RawModel, error) {
	raw := highs.NewRawModel()
	n := len(m.Cols)
	lo, hi, cost, kind := make([]float64, n), make([]float64, n), make([]float64, n), make([]highs.VariableType, n)
	integer := false
	for j, c := range m.Cols {
		lo[j], hi[j], cost[j], kind[j] = c.Lo, c.Hi, c.Cost, highs.ContinuousType
		if c.Integer {
			kind[j], integer = highs.IntegerType, true
		}
	}
	rowLo, rowHi, start := make([]float64, len(m.Rows)), make([]float64, len(m.Rows)), make([]int, len(m.Rows))
	var index []int
	var value []float64
	for i, r := range m.Rows {
		rowLo[i], rowHi[i], start[i] = r.Lo, r.Hi, len(index)
		for _, t := range r.Terms {
			if a := math.Abs(t.Coef); a <= leastCoef { // the row is widened by the largest size of the term, so that it cuts off no more
				ends := []float64{t.Coef * lo[t.Col], t.Coef * hi[t.Col]}
				if a > 0 {
					rowLo[i], rowHi[i] = rowLo[i]-slices.Max(ends), rowHi[i]-slices.Min(ends)
				}
				continue
			} else if a >= mostCoef {
				return nil, milp.ErrAccuracy
			}
			index, value = append(index, t.Col), append(value, t.Coef)
		}
	}
	err := errors.Join(
		// First of all, so that nothing is printed.
		raw.SetBoolOption("output_flag", false),
		raw.SetFloat64Option("mip_rel_gap", 0),
		raw.SetFloat64Option("mip_abs_gap", tolerance),
		raw.SetFloat64Option("primal_feasibility_tolerance", tolerance),
		raw.SetFloat64Option("dual_feasibility_tolerance", tolerance),
		raw.SetFloat64Option("mip_feasibility_tolerance", with.integrality),
		raw.SetIntOption("threads", opt.Threads),
		raw.SetIntOption("random_seed", int(uint64(opt.Seed)&math.MaxInt32)),
		raw.AddColumnBounds(lo, hi),
		raw.SetColumnCosts(cost),
		raw.AddCompSparseRows(rowLo, start, index, value, rowHi),
	)
	if integer {
		err = errors.Join(err, raw.SetIntegrality(kind))
	}
	if opt.TimeLimit > 0 {
		err = errors.Join(err, raw.SetFloat64Option("time_limit", opt.TimeLimit.Seconds()))
	}
	return raw, err
}

// handle returns the C object behind the wrapper.
func handle(raw *highs.RawModel) (unsafe.Pointer, error) {
	f := reflect.ValueOf(raw).Elem().FieldByName("obj")
	if f.Kind() != reflect.UnsafePointer {
		return nil, errors.New("highs: this version of github.com/lanl/highs keeps its handle elsewhere")
	}
	return f.UnsafePointer(), nil
}

// answer reads what HiGHS found.
func answer(h unsafe.Pointer, m *milp.Model) (backend.Answer, error) {
	code := int(C.Highs_getModelStatus(h))
	status, err := verdict(code)
	a := backend.Answer{Status: status, Raw: say(code), Bound: math.NaN(), Nodes: -1, Seconds: float64(C.Highs_getRunTime(h))}
	if err != nil {
		return a, err
	}
	var kind C.HighsInt
	name := C.CString("primal_solution_status")
	defer C.free(unsafe.Pointer(name))
	const feasible = 2
	if C.Highs_getIntInfoValue(h, name, &kind) == 0 && kind == feasible {
		a.X = make([]float64, len(m.Cols))
		duals := make([]float64, len(m.Cols))
		rows, rowDuals := make([]float64, len(m.Rows)), make([]float64, len(m.Rows))
		if C.Highs_getSolution(h, doubles(a.X), doubles(duals), doubles(rows), doubles(rowDuals)) == -1 {
			return a, errors.New("highs: no solution to be had")
		}
	}
	if nodes, ok := nodeCount(h); ok { // only for models with integers, as is the bound
		a.Nodes, a.Bound = nodes, dualBound(h)
	}
	return a, nil
}

func nodeCount(h unsafe.Pointer) (int64, bool) {
	name := C.CString("mip_node_count")
	defer C.free(unsafe.Pointer(name))
	var n C.int64_t
	ok := C.Highs_getInt64InfoValue(h, name, &n) == 0 && n >= 0
	return int64(n), ok
}

func dualBound(h unsafe.Pointer) float64 {
	name := C.CString("mip_dual_bound")
	defer C.free(unsafe.Pointer(name))
	var v C.double
	if C.Highs_getDoubleInfoValue(h, name, &v) != 0 {
		return math.NaN()
	}
	return float64(v)
}

func doubles(x []float64) *C.double { return (*C.double)(unsafe.Pointer(unsafe.SliceData(x))) }

//export schedgapHighsBound
func schedgapHighsBound(handle C.uintptr_t, bound C.double) {
	cgo.Handle(handle).Value().(func(float64))(float64(bound))
}

//export schedgapHighsIncumbent
func schedgapHighsIncumbent(handle C.uintptr_t, columns C.int, x *C.double) {
	take := cgo.Handle(handle).Value().(func([]float64))
	take(append([]float64(nil), unsafe.Slice((*float64)(unsafe.Pointer(x)), int(columns))...))
}
