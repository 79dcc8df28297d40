// Package cloning solves multi-resource scheduling with clones exactly and bounds its optimum. docs/problems/cloning.md states
// the problem, docs/design/cloning.md proves the methods.
//
// # Problem
//
// Jobs j arrive at a_j and consist of phases in precedence. A phase p has tasks with a mean θ_p of slots and demands of several
// resources. A task that runs in r copies gains h(r) of its mean in a slot; all copies must fit on their servers, at most
// max_copies_per_server of a task on one. Copies may be rearranged in every slot (opt), or run until their task completes
// (opt-nonpreemptive). Σ (C_j − a_j), in whole slots, is least.
//
//	symbol              identifier
//	instance, integral  kernel.Listing, kernel.Space
//	job's state         kernel.Node: progress by task, nonpreemptive running copies too
//	π_p(t)              values.Prices: the price of a copy of phase p in slot t
//	V(π(t))             values.Relaxation.Worth: what the servers earn in a slot
//	moment              the end of a slot
//	target              the cost below which a pass looks for schedules: the cutoff of search.layeredSearch
//
// # Search slot by slot (search/slots.go, search/frontier.go)
//
// State. A partial schedule at a moment is a node of each job's graph, with the slots spent so far. Branching takes one arc for
// each job, such that all copies fit (search/successors.go).
//
// Bound. At prices π, slots spent + Σ_j (least price at which job j can be completed from its node) − what the servers earn in all
// later slots. Any prices ≥ 0 bound any state by weak duality, and all sums are of whole numbers, so prices are chosen by ascent
// without further care. States of least bound get new prices, which the states after them try too (search/reprice.go).
//
// Dominance. Preemptive: a state that costs no more, and whose tasks, in order of progress, have done no less, replaces another;
// choices to which a useful copy can be added are left out. Nonpreemptive: a copy starts only for a reason (its job arrives, a
// parent ends, or it did not fit before); of equal states the one of least cost, then least sum of starts, stays. The design page
// proves that both leave an optimal schedule at ties.
//
// What closes a state. Its bound, rounded up to a slot, reaches the target, or another state replaces it. A pass that kept every
// state below the target and found no schedule proves the target (a destructive bound). The first passes, which keep few states,
// prove nothing.
//
// # Search from event to event (search/layers.go)
//
// For jobs with too many states. It keeps the best states of each event; the least bound of those that it left out is the bound.
//
// # Rooms
//
// Each method is a package. All stand on exact/verify/cloning/kernel, which knows none of them.
//
//	bounds         lb-path, lb-heads, lb-srpt, and the surrogate constraints that they use
//	schedule       lists of jobs as first schedules; copies, slots and paths through states as solutions
//	values         what the rest of a job costs at prices of copies by phase and slot
//	pricing        prices of capacity; with values they are lb-price (prices.go)
//	search         both searches, and the pass that writes a proof
//	formulations   the MILP models: literal and strong, whose columns are paths through states (paths.go) and places (rooms.go)
//	oracle         optima by the definition, for tests; it shares nothing with the others
package cloning
