// Package flex solves malleable slot allocation exactly and bounds its optimum. docs/problems/flex.md states the problem,
// docs/design/flex.md proves the methods.
//
// # Problem
//
// S slots, jobs j with work W_j that hold between m_j and M_j slots from time 0 until they complete at C_j. The sum or the
// maximum of penalties f_j(C_j) is least. Three classes of schedules have an optimum each: all malleable ones (opt), those of the
// packing scheme MPS (opt-mps), moldable ones, in which a job never changes its slots (opt-moldable).
//
//	symbol              identifier
//	S, W_j, m_j, M_j    Instance.Slots, Job.Work, Job.Min, Job.Max
//	C_j                 pairNode.times, in units of relaxation.unit
//	u_j(C, τ)           least work of j done by τ if it completes at C: exactWork; a lower bound on it: workBound
//	i before j          pairNode.precedes[i·n+j]: C_i ≤ C_j
//	[earliest, latest]  completion window of a job in a node
//	λ(t)                price of a slot at t: exact/prices
//
// # What can be met
//
// Completion times C_j in [W_j/M_j, W_j/m_j] can be met if and only if Σ_j u_j(C_j, C_k) ≤ S·C_k for every k. All four methods
// rest on this condition, which is max-flow and min-cut.
//
// # Methods
//
// Maxima (search_max.go): bisection over the value; water filling decides whether the deadlines that it implies can be met.
//
// Sums of convex penalties (search_pairs.go, on exact/tree): branch and bound over which of two jobs completes first. The state
// of a node is a partial order and a completion window for each job. Its bound is a linear program over the C_j (exact/lp),
// whose cuts are the condition above with u_j replaced by a lower bound that is linear in the C (search_pair_rows.go), and,
// after 200 nodes, prices of slots. Branching takes, of three pairs that together need more than the slots, the one whose
// children's bounds rise most. Dominance orders pairs of jobs before the search where an exchange argument shows that all
// orders can hold in one optimum.
//
// Sums of step penalties (search_levels.go): branch and bound over the level that each job reaches. The state is a range of
// levels for each job, the bound a multi-dimensional knapsack's linear program, branching on a fractional step.
//
// Where jobs have one step and can hold all slots, the dynamic program of Lawler and Moore (search_table.go).
//
// Tardiness and step penalties of jobs that are best served one at a time (search_machine.go, on exact/verify/onemachine): successive
// sublimation. The state is a job and when it ends, in time; a path of states may miss jobs or visit them twice, for which their
// multipliers pay (bound_machine.go). It bounds all sequences, and is made tighter by what states remember and by jobs that they count,
// until no path is left that is better than the best order (search_machine_orders.go).
//
// opt-mps (search_packing.go): branch and bound over priority orders. The state is a prefix; packing it while all others hold
// their minima (search_prefix.go) bounds what it and they can reach.
//
// # What closes a node
//
// A state of one machine, or a step from one to the next, if every path through it costs what nothing better than the incumbent costs;
// one best sequence, the first in a fixed alphabet, passes all other rules, so ties lose nothing.
//
// A node of a tree: its bound, computed again from its multipliers and from its rows as they were added, reaches the incumbent's value less
// proofTolerance; or the rows are contradictory, which is believed only of a program that was put together again. Windows and
// fixing (search_pair_fix.go) take away completion times only if each of them lifts the bound to the incumbent, so a schedule
// that is lost is no better. A tie may keep a node open, never close one.
//
// # Models and bounds
//
// MILP models: position, precedence, intervals, grid, moldable (model_*.go). Bounds: lb and lb-price (bound*.go).
package flex
