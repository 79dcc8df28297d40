// Package redundancy checks proofs of redundancy (docs/bounds-and-proofs.md#proofs-of-redundancy). Verify is its rule for each kind.
//
//	kind              what is checked                                                                       file
//	prices            jobs pay for machine time at prices, counts limit early completions                   verify.go
//	redundancy-tree   a tree over completion windows, orders and copies, whose leaves weigh the jobs' work  tree.go, sets.go, leaf.go
//
// A solution is what jobs hold from event to event. Replay follows it in rationals (value.go).
//
// Why acceptance is safe. Node.Children makes both children from the question, and each schedule of the node is in one of them.
// Node.Closed and Node.Bound are lower bounds by weak duality, rounded to the safe side, over sets of unfinished jobs that Node.Sets
// lists completely or refuses. A count holds if one more of its jobs could not pay for what it needs. The search of exact/redundancy
// makes its nodes with Tree and Node, so its records are proofs; tests hold nodes to random schedules by the definition.
package redundancy
