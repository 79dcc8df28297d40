// Package core is what the verifiers of all problems share (docs/bounds-and-proofs.md): the header and the lines of a proof, the
// limit of steps, numbers that round to the safe side, and prices on a grid of time. It knows no problem and no method.
//
//	Follow, Rule      a proof's header against its instance, then the lines by the rule of the proof's kind
//	Reader, Walk      lines in turn, and trees in pre-order
//	Solution          the line of a solution: its value is computed again and held to the header's value and bound
//	Effort            steps of a verification, of which there is a limit
//	Interval, Below   floating-point numbers that round outwards (interval.go, functions.go)
//	Relaxation        prices and counts that were read, with what capacity is worth at most (prices.go)
//	Market            what machine time costs at least at prices (supply.go)
//
// What is checked. The header must name the problem, the instance and its hash, a kind and a reference that go together, and a
// finite bound. The rule of the kind must consume all lines. A nil error of Follow says that the claim is proven: the solution is
// feasible and has the claimed value, and no solution of the reference is worth less (for maxima: more) than the claimed bound.
//
// Why acceptance is safe. A bound comes from multipliers: prices of capacity, weights of work, or multipliers of cuts. Any
// multipliers prove some bound by weak duality, so nothing in a proof is believed; a wrong number makes the proof weaker or refused.
// Lateness, events and whether times can be met are decided in rationals, sums of prices in whole numbers (cloning) or in intervals
// rounded outwards. The claim's value and bound may differ by what models.Accuracy excuses, the one definition of optimal.
package core
