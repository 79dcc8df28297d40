// Package speculation checks proofs of speculation (docs/bounds-and-proofs.md#proofs-of-speculation): a matching, and prices of slots.
//
// What is checked. Every copy of the matching is allowed, saves time and energy, and has a slot of its own. At the prices each
// straggler takes what is worth most to it: Σ max(0, max_j w_ij − v_j) + Σ v_j is at most the bound.
//
// Why acceptance is safe. At any prices ≥ 0 the sum is no less than the worth of every matching. All numbers are binary fractions
// and all sums exact; one rounding at the end, of the value down and of the bound up, only weakens the claim.
package speculation
