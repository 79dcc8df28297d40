// Package verify checks proofs of optima and bounds from the definitions of the problems alone (docs/bounds-and-proofs.md). It
// imports nothing of the methods that made them.
//
// Flex, Cloning, Redundancy, Pocd and Speculation each check a proof of their problem. A nil error says that its claim is proven:
// the solution is feasible and has the claimed value, and no solution of the class is worth less (for maxima: more) than the
// claimed bound. The commands verify and schedcheck call them through exact/verify/referee.
//
// What a proof is made of. The solution's value is computed again from its line. A bound comes from a tree or a list of states
// whose leaves carry multipliers: prices of capacity, weights of work, or multipliers of cuts. Any multipliers prove some bound
// by weak duality, so nothing in a proof is believed; a wrong number makes the proof weaker or refused. A tree must part its
// nodes by the rules of its format, which leave every solution in some child.
//
// Where rounding enters. Lateness, lists of events and whether times can be met are decided in rationals. Sums of prices are in
// whole numbers (cloning) or in intervals rounded outward (interval.go). The claim's value and bound may differ by what
// models.Accuracy excuses, which is the one definition of optimal.
//
// What is shared with provers. The search of redundancy makes its nodes with RedundancyTree and RedundancyNode, and that of
// cloning its states with jobgraph, so that their records are proofs. The opinion that shares nothing is scripts/checkproof.py.
package verify
