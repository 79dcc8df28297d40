// Package lp is the dual simplex method on linear programs that grow: rows are added as they are found to be violated, and a copy
// goes on from where its original stopped. That, and a size of a few dozen variables, is why a solver library is not asked.
//
// A Program is min c·x with A·x ≥ b, x ≥ 0 and c ≥ 0, kept as a dense dictionary. c ≥ 0 makes the empty program dual feasible, and
// a new row leaves it so: therefore Value rises from pivot to pivot and is a lower bound on the optimum at any time, up to rounding.
//
// A user who prunes by the bound calls Program.Bound, which does not read the dictionary: it takes the multipliers, computes the
// reduced costs from the rows as they were added, and charges each negative one at the variable's largest value. Weak duality makes
// that a bound for any multipliers, so wrong pivots make it weak and never wrong. The rounding of its own sums is left to the user,
// who knows their size. A pivot smaller than leastPivot is not made, since it may be a rounding error of 0.
package lp
