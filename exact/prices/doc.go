// Package prices bounds the optimum of flex and redundancy by prices of capacity, for any number of jobs. The oracles are in
// exact/flex and exact/redundancy. docs/bounds-and-proofs.md#prices proves the bound and states its proof files.
//
// # Problem
//
// Jobs share a capacity. Each job has a cost when it completes at C, and the sum of the costs is least. The Lagrangian relaxation
// sells the capacity instead of limiting it, so that the jobs fall apart:
//
//	L(λ, θ) = Σ_j min_C [ f_j(C) + p_j(C; λ) + Σ_{Q∋j} Σ_{g>C} θ_Q(g) ]  −  cap·∫λ  −  Σ_Q Σ_g θ_Q(g)·K_Q(g)
//
//	symbol           identifier
//	λ(t) ≥ 0         Point.Price, constant in each interval of Relaxation.At, 0 after its last point
//	θ_Q(g) ≥ 0       Point.Theta, the multiplier of a Row
//	K_Q(g)           Row.Most: at most so many of Row.Jobs complete strictly before Row.Point, in any schedule
//	f_j + p_j        Column.Cost, from the problem's Oracle: cost and the cheapest capacity for completing in an interval
//	cap              Relaxation.Capacity
//
// # Bound
//
// Relaxation.Evaluate computes L and a supergradient: the capacity bought in each interval less what there is, and the jobs that a
// row counts less what it allows. Value.Safe takes off 1e-12 of the sum of the magnitudes of all terms, for rounding; the sums
// themselves are Neumaier's. A job outside of its Window (a node of redundancy's tree) has no column, which raises L and is valid
// in that node only.
//
// # Ascent (climb.go)
//
// Climb.Ascend maximises L by L-BFGS on non-negative variables. L is not smooth, so each minimum over a job's columns becomes a
// soft minimum at a temperature, which falls from round to round; between rounds violated rows join (covers.go), and the grid is
// halved in length. Nothing depends on the ascent: L is a bound at whatever point it stops, and the
// bound that is kept is L itself, never the smoothed one.
//
// # Why a bound is safe
//
//   - Any λ ≥ 0 and θ ≥ 0 bound the optimum; Evaluate refuses negative, infinite or undefined multipliers with −∞.
//   - Where the oracle's columns are cheapest only at prices that do not rise (Monotone), rising prices are refused too.
//   - A Row must hold in every schedule: one that the instance does not imply has its proof (Row.Proof), which the verifier checks.
//   - A job that completes exactly at a grid point does not pay that point's θ: at ties the bound is the smaller one.
//   - The verifier (exact/verify) computes L again from the file, by its own oracles and with its own allowance for rounding, so a
//     fault here makes a proof fail and not a false optimum.
package prices
