// Package tree is branch and bound over nodes that a problem makes, bounds and splits. exact/flex and exact/redundancy give it
// a Search for each thread.
//
// Rounds. A round takes the open nodes of least bound, 32 at most, and searches each depth-first, for at most 512 nodes, with the
// incumbent that was known when the round began. Then the open nodes and the solutions of all parts are joined in the order of
// the parts. Therefore the tree depends on counts alone, not on time or threads.
//
// Safety. A node leaves the tree only when its Search says that it is closed or splits it into children that together hold all
// of its solutions. A node that is neither is undecided, and Open, the bound of the whole search, never exceeds its bound. A
// visit that was cut short puts its node back. From 2,000 open nodes on the latest are taken first, so that memory stays small;
// this changes the order only.
package tree
