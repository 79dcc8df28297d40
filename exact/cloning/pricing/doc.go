// Package pricing bounds the total flowtime of cloning by prices of copies, with preemption and without, for any number of jobs.
// docs/bounds-and-proofs.md#prices-of-cloning proves the bound and states its proof file.
//
// # Problem
//
// Jobs are graphs of phases; a phase has equal tasks, which run as up to max_copies copies on servers with several resources, slot
// by slot. The Lagrangian relaxation sells copies instead of packing them on servers:
//
//	Σ_j (C_j − a_j)  ≥  Σ_j min_C [ C − a_j + cost_j(C) ]  −  Σ_t V(t)
//
//	symbol          identifier
//	π_p(t) ≥ 0      oracle.price: of a copy of phase p in a slot, by interval of the grid; 0 after its last point
//	cost_j(C)       what oracle.job finds: the cheapest copies for job j to complete at slot C
//	V(t)            class.dual: at least the worth of any copies that fit on the servers
//	θ               work of a task; η, the most of it that a copy does in a slot
//	surrogate       a weight of demands such that copies on a server never weigh more than the server (surrogate.go)
//
// A price of a copy is not free: it is the least, over the classes of servers that hold the phase, of the prices of that class's
// surrogates times the weights of the copy. Then V follows from the weights of the servers, and no packing problem is solved.
//
// # Bound (oracle.go, bound.go)
//
// A task takes its cheapest slots; a phase lies between its head (the longest path before it) and its tail; in a chain of two
// phases the completion of the first is chosen as well. A later completion never pays more. So the payment at the end of a range of
// completions and the flowtime at its beginning bound the range, and the oracle bisects the ranges whose bound is lower than the best
// cost by more than the tolerance of its caller. The bounds of the others count: the result may be too small, never too large.
//
// # Ascent (ascent.go, start.go)
//
// Prices start from relaxed schedules, the preemptive shortest remaining times on one machine. Then each job in turn moves its
// average schedule towards its cheapest one (block-coordinate Frank-Wolfe on an augmented Lagrangian), and the prices follow the
// excess over the capacities. The bound is computed between the rounds, and the best prices are kept.
//
// # Why a bound is safe
//
//   - Prices are whole numbers of 2^−bits slots (scale.go), so that sums are exact. tally gives no bound where a sum could leave int64.
//   - A copy's weight is rounded down and a server's up, tolerance of the checker included, so that rounding only lowers the bound.
//   - Any prices ≥ 0 bound any schedule; what the ascent does matters for its size only.
//   - The bound is rounded up to a whole number of slots once, at the end, since every flowtime is whole.
//   - What a phase needs (copies, slots, profiles, spans, heads and tails) is measured by exact/verify/cloning, which also computes the sum
//     again from the stated prices, by an oracle of its own. scripts/checkproof.py shares nothing with either.
package pricing
