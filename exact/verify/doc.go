// Package verify has no code of its own. Its tests hold all verifiers of proofs to what no proof may do: genuine proofs of random
// instances pass, changed and forged ones are refused or prove something true, small files end soon. The verifiers are the packages
// below:
//
//	core                                           what all share: headers, lines, steps, intervals, prices on a grid
//	flex, pocd, cloning, redundancy, speculation   the rules of a problem's proofs, Verify in each
//	cloning/kernel                                 a cloning instance in whole numbers, shared with the searches
//	onemachine                                     flex on one machine, shared with the search
//	referee                                        judges files; its list has the Verify of every problem
//	verifytest                                     changes proofs in tests
//
// None imports a method. The opinion that shares nothing with the provers is scripts/checkproof.py.
package verify
