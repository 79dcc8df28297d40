// Package values prices the rest of every job of cloning, alone, from any state of it and any moment on.
//
// A job's graph has a node for every multiset of its tasks' progress, phase by phase; an arc is a slot with some copies.
// Given a price of a copy of each phase in each slot, a Table holds, for every moment and node, the least price at which the
// job can still be completed, its remaining slots in the system included. With what servers are worth at the prices
// (Relaxation.Worth) that bounds every partial schedule: slots spent so far, plus the tables at the jobs' states, less the
// worth of the slots to come. docs/bounds-and-proofs.md#states has the proof. All sums are of integers.
package values
