package schedule

import (
	"fmt"

	"schedgap/models/cloning"
)

// Feasible returns the solution to encode: s as a member of the model's regime on the capacities as they are. A solution that
// breaks a constraint is an error.
func Feasible(in *cloning.Instance, s cloning.Solution, fixed bool) (cloning.Solution, float64, error) {
	s = Member(s, fixed)
	r := cloning.Problem.Check(in, s)
	if v := r.Worst(nil); v != nil {
		return s, 0, fmt.Errorf("the solution breaks %s at %s by %g, so it has no point in the model", v.Constraint, v.Where, v.Amount)
	}
	return s, *r.Objective, nil
}

// Member is s stated as one of the regime on the capacities as they are.
func Member(s cloning.Solution, fixed bool) cloning.Solution {
	s.CapacityFactor = 0
	if fixed {
		s.Regime = cloning.Nonpreemptive
	}
	return s
}

// Regime is the name of a regime.
func Regime(fixed bool) string {
	if fixed {
		return cloning.Nonpreemptive
	}
	return cloning.Preemptive
}
