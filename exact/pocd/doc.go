// Package pocd solves speculative copies exactly and bounds its optimum. docs/problems/pocd.md states the problem,
// docs/design/pocd.md proves the methods.
//
// # Problem
//
// Jobs i have tasks whose stragglers get r extra copies each from a budget of b copies in all. p_i is the probability that job i
// meets its deadline, a product over its tasks; Σ_i U_α(p_i) is largest, U_α being the α-fair utility, or min_i p_i for α = ∞.
//
//	symbol              identifier
//	budget              Instance.Spare, knapsack.capacity
//	ln p_i(b)           frontier.logP[b]: the best that job i makes of b extra copies
//	U_α                 pocd.Utility
//	multiplier          the price of a copy: the slope at which the relaxation exhausts the budget
//
// # Methods
//
// Within a job (search_frontier.go): copies are given one by one to the task whose ln R gains most. ln R is concave in the
// number of copies, so no other distribution of b copies is better.
//
// Among jobs, by α. α < 1 (search.go, search_core.go): a multiple-choice knapsack. The linear relaxation has one fractional
// class and a multiplier; options whose reduced profit is worse than the gap between relaxation and incumbent cannot be in a
// better solution, and a dynamic program over the rest, the core, is exact. 1 ≤ α < ∞ (search_concave.go): utilities are concave
// in b, so the largest marginal gains are optimal (Fox 1966). α = ∞ (search_maxmin.go): bisection over the finitely many values
// of p; whether all jobs can reach one is a sum of copies.
//
// # What is proven
//
// The bound is the relaxation's, raised by its rounding (above), or the core's. The core is complete only if the dynamic program
// was not cut short; otherwise the relaxation's bound stays. At a tie between options either may be chosen, since only the sum
// counts. Values for α ≥ 1 are compared as logarithms: utilities of small p leave the range of a float64.
//
// MILP models: knapsack, literal, and a unary one for α = ∞ (model*.go). Bound: ub (bound.go), whose proof is the multiplier.
package pocd
