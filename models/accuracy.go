package models

import "math"

// An Accuracy says how exactly the objective value of one solution of an instance is known. It is what "proves the optimum" and "is
// the same value" mean everywhere: in exact methods, verifiers, results and reports. docs/bounds-and-proofs.md#optimal derives its
// numbers.
type Accuracy struct {
	// Least is Problem.Least: values nearer to 0 count as this large where one is to prove another.
	Least float64
	// Amount is Problem.Amount, by which Near and Gap measure numbers near 0. It proves nothing.
	Amount float64
	// Rounding is Report.Rounding: what rounding may have added to the value or taken from it. 0 where the value is exact, or the
	// solution is not known.
	Rounding float64
	// Whole is Problem.Whole: values are whole numbers, so two that are not equal are 1 apart at least.
	Whole bool
}

const (
	// Relative is how far apart value and bound of an optimum may be, relative to the value.
	Relative = 1e-9
	// Coarsest is the largest part of a value that rounding excuses. Where it is more, as with weights 2^60 apart, the value says
	// nothing about the terms that are lost in it, and no bound short of it proves it.
	Coarsest = 1e-3
	// Unit is the rounding error of a sum, relative to the sum of the absolute values of its terms: eight times the error of one
	// float64, as a completion time is itself the result of a few operations.
	Unit = 0x1p-50
)

// Allowed is how far from the value a bound may be that proves it.
func (a Accuracy) Allowed(value float64) float64 {
	size := max(math.Abs(value), a.Least)
	allowed := Relative*size + min(a.Rounding, Coarsest*size)
	if a.Whole {
		allowed = min(allowed, 0.5)
	}
	return allowed
}

// A Verdict is what a verified proof, or a bound, says of a value. Gap and Optimal come from Accuracy.Proves alone.
type Verdict struct {
	Gap     *float64 `json:"gap"`     // value − bound; null: there is no value
	Optimal bool     `json:"optimal"` // the bound proves the value
}

// Judge is Proves of a value that may be missing.
func (a Accuracy) Judge(value *float64, bound float64) (v Verdict) {
	if value != nil {
		var gap float64
		gap, v.Optimal = a.Proves(*value, bound)
		v.Gap = &gap
	}
	return v
}

// Proves compares the value of a solution with a bound on all solutions. The gap is value less bound; optimal reports whether it
// is small enough for the bound to prove the value, on either side. An infinite or missing number, NaN, proves nothing.
func (a Accuracy) Proves(value, bound float64) (gap float64, optimal bool) {
	gap = value - bound
	return gap, !math.IsInf(value, 0) && math.Abs(gap) <= a.Allowed(value)
}

// Same reports whether two values of the instance are one: the one, as a bound, would prove the other.
func (a Accuracy) Same(x, y float64) bool {
	_, one := a.Proves(x, y)
	_, other := a.Proves(y, x)
	return one || other
}

// Gap is the distance of value and bound relative to the value or, where that is less, to Least or Amount: at most math.MaxFloat64.
func (a Accuracy) Gap(value, bound float64) float64 {
	if value == bound {
		return 0
	}
	return min(math.Abs(value-bound)/max(math.Abs(value), a.Least, a.Amount), math.MaxFloat64)
}

// Near reports whether two numbers are the same to within ClaimTolerance of the larger one, of Least or Amount where both are smaller, and
// rounding: a number that was printed with seven digits, or that a MILP solver knows within its tolerances, stands for the other.
func (a Accuracy) Near(x, y float64) bool {
	size := max(math.Abs(x), math.Abs(y), a.Least, a.Amount)
	return !math.IsInf(size, 0) && math.Abs(x-y) <= ClaimTolerance*size+min(a.Rounding, Coarsest*size)
}

// Amount is the amount of an instance by which numbers near 0 are measured: Least or else, where values may come near 0, the
// least of the scales of regret, at most 1. 0: values are never near 0.
func (p *Problem[I, S]) Amount(in I) float64 {
	if p.Least != nil {
		return p.Least(in)
	}
	if p.Scale == nil {
		return 0
	}
	amount := math.Inf(1)
	for _, r := range p.References {
		if s := p.Scale(in, r.Name); s > 0 {
			amount = min(amount, s)
		}
	}
	if math.IsInf(amount, 1) {
		return 0
	}
	return min(1, amount)
}

// Accuracy is that of a value by the checker with its Report.Rounding.
func (p *Problem[I, S]) Accuracy(in I, rounding float64) Accuracy {
	a := Accuracy{Rounding: rounding, Whole: p.Whole}
	if p.Least != nil {
		a.Least = p.Least(in)
	}
	return a
}
