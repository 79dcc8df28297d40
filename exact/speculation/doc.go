// Package speculation solves the window problem exactly and bounds its optimum. docs/problems/speculation.md states the problem,
// docs/design/speculation.md the method.
//
// # Problem
//
// Tasks of a window may each get one speculative copy on one of the free hosts, and a host takes at most one. Each pair of task
// and host has a gain; the sum of the gains of the chosen pairs is largest. That is the assignment problem in which every row
// may stay unmatched.
//
// # Method
//
// hungarian (search_scalar.go): shortest augmenting paths, row by row, with dual prices of rows and columns. A pair's gain is at
// most the sum of its two prices, and pairs in the matching reach it, so the sum of all prices is the optimum (linear
// programming duality). When a limit ends the search the prices are raised until no pair exceeds them; their sum is then a
// bound, and they are the proof in either case. Ties leave the sum of prices as it is.
//
// MILP model: assignment (model_assignment.go). Bound: ub (bound.go, bound_matching.go).
package speculation
