package models

import (
	"math"
	"slices"

	"schedgap/models/strict"
)

// A Violation is one broken constraint, where it broke, and the distance from satisfying it in the constraint's own unit.
type Violation struct {
	Constraint string  `json:"constraint"`
	Where      string  `json:"where"`
	Amount     float64 `json:"amount"`
	// The problem's statement of the constraint; CheckClaim fills them in.
	Statement string `json:"statement"`
	Source    string `json:"source"`
}

// A Report has the findings of a checker. Only violations beyond the tolerance are listed.
type Report struct {
	Findings   // the objective is nil only when some job never completes
	Violations []Violation
	// Class is the class of solutions that the solution states itself to belong to; empty: it states none.
	Class string
	// Fits are the classes, besides the problem's first, to which the checker found the solution to belong, stated or not.
	Fits     []string
	Hopeless []string // jobs left out of the objective, where the problem knows such; nil otherwise
	// Rounding is what rounding may have added to the objective or taken from it, see Accuracy: Unit times the sum of the absolute
	// values of the terms of which it is computed. 0 where its terms have one sign, so that this is less than Relative of it.
	Rounding float64
	// Augmentation is the factor by which the solution was given faster or larger machines than the optimum it is compared with;
	// 0: it was given none.
	Augmentation float64
	// Err says why there is no finding: a checker that is a command failed. Nothing is feasible then.
	Err error
}

// Violate enters a broken constraint.
func (r *Report) Violate(constraint, where string, amount float64) {
	r.Violations = append(r.Violations, Violation{Constraint: constraint, Where: where, Amount: amount})
}

// Feasible reports whether no constraint but the waived ones is broken. It shadows the field Findings.Feasible, which is set only once the
// waivers are known.
func (r Report) Feasible(waived []string) bool {
	if r.Err != nil {
		return false
	}
	for _, v := range r.Violations {
		if !slices.Contains(waived, v.Constraint) {
			return false
		}
	}
	return true
}

// Worst returns the violation with the largest amount among those not waived, or nil.
func (r Report) Worst(waived []string) *Violation {
	var worst *Violation
	for i, v := range r.Violations {
		if !slices.Contains(waived, v.Constraint) && (worst == nil || v.Amount > worst.Amount) {
			worst = &r.Violations[i]
		}
	}
	return worst
}

// Finite makes the numbers of a report on a solution file fit for JSON and comparisons: absurdly large ones in the file make
// violations that no number measures, which become the largest one. An objective that no number measures is an error.
func (r Report) Finite(file string) (Report, error) {
	if r.Err != nil {
		return r, r.Err
	}
	if o := r.Objective; o != nil && (math.IsNaN(*o) || math.IsInf(*o, 0)) {
		return r, strict.Errorf(file, "", "the solution's numbers are too large: its objective is %v", *o)
	}
	for i := range r.Violations {
		if a := &r.Violations[i].Amount; math.IsNaN(*a) || *a > math.MaxFloat64 {
			*a = math.MaxFloat64
		}
	}
	return r, nil
}

// ClaimTolerance is the relative error up to which a solution's claimed objective counts as the checker's.
const ClaimTolerance = 1e-6
