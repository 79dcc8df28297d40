// Package redundancy solves redundant execution with checkpoints exactly and bounds its optimum. docs/problems/redundancy.md
// states the problem, docs/design/redundancy.md proves the methods.
//
// # Problem
//
// Jobs j arrive at a_j with work w_j. r copies of a job advance it at the rate h(r), and M machines hold one copy each (whole
// machines) or shares of copies (Multitasking). Copies change only when a job arrives or completes. Σ (C_j − a_j) is least.
//
//	symbol              identifier
//	a_j, w_j            Job.Arrival, Job.Work
//	M, h(r)             Instance.Machines, masterProblem.h
//	ĥ, gains of ĥ       envelope, masterProblem.gain
//	interval k          between the k-th and the next distinct arrival: masterProblem.begin, length
//	u_j                 dual weight of a unit of job j's work: lpSolution.weights
//	set                 the unfinished jobs, a bit each
//
// # Branch and bound (search.go, on exact/tree)
//
// State. A node fixes, for each job, the intervals in which it may complete (a window), for some pairs which job completes
// first, and for some sets how many copies a job may have. exact/verify makes children from these decisions and names the sets
// that a node leaves possible, so that a record of the search is a proof.
//
// Bound. The linear program of a node (search_program.go) is a column generation master. Its variables say how long, in each
// interval, which set of jobs is unfinished and what the jobs hold meanwhile, in any order and mixture. Rows are the lengths of
// the intervals and the works of the jobs. The pricing problem gives the machines to the jobs of a set by falling u_j·gain,
// which is optimal because gains fall. The weights u are all that leaves the program: exact/verify derives from them the bound
// that counts, so a rounding error of the simplex method makes a bound weak and never wrong. A node with many sets
// ascends prices of machine time instead (search_prices.go, exact/prices).
//
// Branching (search_branch.go). The pair of jobs that the program's solution has in both orders for the longest time; else a
// window; else the number of copies that it mixes; on whole machines else a job that completes without copies.
//
// Schedules (search_schedule.go). The solution's sets are followed from event to event, and each schedule that results is
// valued by the checker's own code.
//
// What closes a node. Its bound reaches the threshold, which lies 1e-10 of the sum of flowtimes below the incumbent. The bound
// has its own rounding taken off (lowered). At ties a node may stay open and is parted further; nothing is closed for being
// close. verify's Root orders equal jobs, and those of the last arrival behind jobs of no more work. There is no other dominance:
// before the last arrival, less work moves a completion and with it the moment at which others may change machines. Time counts
// from the first arrival (search_origin.go), so that dates do not make it coarse.
//
// # Models and bounds
//
// The MILP models are events (model_events.go) and periods (model_periods.go). The bounds are lb-price (bound_prices.go) and
// lb-srpt (bound_srpt.go); both are valid on shared machines and therefore on whole ones.
package redundancy
