// Package flex checks proofs of flex (docs/bounds-and-proofs.md#proofs-of-flex). Verify is its rule for each kind of proof.
//
//	kind             what is checked                                                          file
//	prices           no job can pay less at the prices than the sum says                      verify.go
//	flex-prices      the same, and a solution of the same value                               verify.go
//	flex-orders      a tree over orders of completion, whose leaves multiply cuts             orders.go
//	flex-deadlines   a tree over penalty levels, whose leaves have prices of moments          deadlines.go
//	flex-machine     steps of a dynamic program for one machine, taken again (onemachine)     machine.go
//
// A solution is its completion times. Value decides in rationals whether a schedule has them (value.go), so rounding excuses nothing.
//
// Why acceptance is safe. Children of a node are made here from the instance and leave each schedule of the node in one of them; a
// proof cannot leave one out. Leaves and prices bound by weak duality: the jobs' least costs are rounded down, the worth of the slots
// up. A leaf that says that it has no schedule must show it. Grid (grid.go) raises a bound to the next possible value of an optimum,
// in rationals. Bound, Pairs, Works and Machine serve the searches of exact/flex, so that they prune by what will be accepted.
package flex
