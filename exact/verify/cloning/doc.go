// Package cloning checks proofs of cloning (docs/bounds-and-proofs.md#proofs-of-cloning). Verify is its rule for each kind of proof.
//
//	kind             what is checked                                                                file
//	prices           no job can pay less at prices of surrogates than the sum says (Bound)          verify.go, surrogates.go, job.go
//	cloning-heads    a job's end by sets of its phases, each job alone (HeadsBound)                 heads.go
//	cloning-states   partial schedules from slot to slot, followed, or closed by prices of copies   states.go, successors.go, slotprices.go
//
// What phases need in any schedule, copies, slots and longest paths, is measured in needs.go for the first two kinds.
//
// A solution is its copies. The checker of models/cloning judges it, with all capacities kept exactly (schedule.go).
//
// Why acceptance is safe. Prices bound by weak duality: what copies weigh is rounded down, what servers hold is rounded up, and sums
// are whole numbers that cannot overflow, or the proof is refused. States are of kernel, which allows all that the instance allows.
// From each state that is not closed all arcs of all jobs are tried here; the state after them must be listed, or be no better than a
// listed one. So no schedule below the bound escapes. The search of exact/cloning makes its states with kernel, too, and tests hold
// that package to an oracle.
package cloning
