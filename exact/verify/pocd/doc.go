// Package pocd checks proofs of pocd (docs/bounds-and-proofs.md#proofs-of-pocd): a solution, and a price of a copy at which no
// choice of copies is worth more than the bound.
//
// What is checked. The solution keeps to the spare machines and to the largest number of copies; Value encloses its worth in an
// interval (verify.go). Bound goes through all choices that lose less at the price than the bound leaves, in whole units (bound.go).
// For α = inf it counts the copies that all jobs need to be above the bound.
//
// Why acceptance is safe. Any price ≥ 0 bounds the worth by weak duality. Worths are rounded up to units, logarithms and exponentials
// are intervals with a margin beyond the error of package math (core). Choices that are left out lose at least as much, or use no
// fewer copies and are worth no more than one that stays.
package pocd
