// Package kernel is a cloning instance as all methods and the verifier take it; it knows no method. A Space states it in whole numbers:
// what tasks need and gain, which copies fit on the servers in a slot, and the states that each job can come to, alone on the cluster. A
// Listing is its phases in one list, with copies that help, slots and longest paths. The search for optima and the verification of its
// proofs both stand on the Space, so an oracle written from the definition checks it (docs/bounds-and-proofs.md#proofs-of-cloning).
//
//	symbol              identifier
//	θ_p                 Phase.Need, in units of progress
//	h(r)                Phase.Gain[r−1]: the units of progress that a slot in r copies brings
//	server classes      Space.Classes, servers of equal capacity
//	job's state         Node: progress by task, nonpreemptive the running copies by task and server too
//	one slot            Arc: copies by task, and the node after it
//
// Why it is safe. Gains and capacities are rounded up, needs and demands down: all that the instance allows is allowed here, so a
// bound for this space holds for the instance. It may allow more; a solution is judged by the checker and never by the space.
//
// Arcs are left out only where another arc does as well: copies beyond the last that matter; an arc that leads to the same node
// with nowhere fewer copies; of tasks in the same state, orders other than the one in which the first has the most copies; and,
// without clones, choices that pass over the task with the least progress (Level; Gale and Ryser). Progress at which the same
// number of slots is left is one state. Each rule holds at ties, as it compares whole numbers.
//
// Sizes are limited: beyond them there is no Space or no Graph, and no bound.
package kernel
