// Package verify has no code of its own. Its tests hold the verifiers of all problems to one standard: stored falsehoods are refused,
// small files end soon, and a pass that its context ends leaves nothing false. The verifiers are the packages below, with the tests of
// their rules: genuine proofs of random instances pass, changed ones are refused or prove something true.
//
//	core                                           what all share: headers, lines, steps, intervals, prices on a grid
//	flex, pocd, cloning, redundancy, speculation   the rules of a problem's proofs, Verify in each
//	cloning/kernel                                 a cloning instance in whole numbers, shared with the searches
//	onemachine                                     flex on one machine, shared with the search
//	referee                                        judges files; its list has the Verify of every problem
//	verifytest                                     claims in tests, and ways to change them
//
// None imports a method. The opinion that shares nothing with the provers is scripts/checkproof.py.
package verify
