// Package bounds bounds the total flowtime of cloning in both regimes without prices (docs/bounds-and-proofs.md#heads-and-tails,
// docs/problems/cloning.md#bounds).
//
// An Outlook is a kernel.Listing with surrogate constraints of the cluster (surrogates.go): linear measures of running copies, each
// with a capacity that no slot exceeds. They give each phase the slots that it takes at least, and each job the end before which it
// cannot be done: by longest paths (outlook.go) and by sets of phases on one machine with heads and tails (heads.go). Machines of the
// whole cluster, one a surrogate, bound the jobs together, completion by completion (srpt.go).
//
// Why a bound is safe. Capacities of surrogates hold for all sets of copies that fit, and Ceil takes off more than the tolerance of
// capacities and rounding may add before it rounds up.
package bounds
