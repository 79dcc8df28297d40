package pocd

import "math"

// Utility is U_α(p) of a probability given as its logarithm: p^(1−α)/(1−α), ln p for α = 1, and p itself for
// α = +Inf, where the objective is the least (Lan et al., INFOCOM 2010). Utilities below the range of a float64 are
// −math.MaxFloat64.
func Utility(alpha, logP float64) float64 {
	switch {
	case math.IsInf(alpha, 1):
		return math.Exp(logP)
	case alpha == 1:
		return max(-math.MaxFloat64, logP)
	}
	return max(-math.MaxFloat64, math.Exp((1-alpha)*logP)/(1-alpha))
}

// CountsHopeless reports whether hopeless jobs are part of the objective, with p_j = 0: for α < 1. For α ≥ 1 they would make
// every decision equally bad and are left out.
func (in *Instance) CountsHopeless() bool { return in.Alpha < 1 }

// Aggregate is the objective of probabilities given as their logarithms, one a job: Σ_j U_α(p_j), or min_j p_j for α = +Inf,
// with −Inf for hopeless jobs. With no job to count it is 0, or 1 for α = +Inf.
func (in *Instance) Aggregate(logP []float64) float64 {
	if math.IsInf(in.Alpha, 1) {
		least := 0.0
		for _, p := range logP {
			if !math.IsInf(p, -1) {
				least = min(least, p)
			}
		}
		return Utility(in.Alpha, least)
	}
	var total Sum
	for _, p := range logP {
		if in.CountsHopeless() || !math.IsInf(p, -1) {
			total.Add(Utility(in.Alpha, p))
		}
	}
	return max(-math.MaxFloat64, total.Value())
}

// Value is the objective of a decision.
func (in *Instance) Value(c Copies) float64 {
	logP := make([]float64, len(in.Jobs))
	for j := range in.Jobs {
		var copies []int
		if j < len(c) {
			copies = c[j]
		}
		logP[j] = in.Jobs[j].LogP(copies)
	}
	return in.Aggregate(logP)
}

// Hopeless lists the indices of the hopeless jobs.
func (in *Instance) Hopeless() []int {
	var list []int
	for j := range in.Jobs {
		if in.Jobs[j].Hopeless() {
			list = append(list, j)
		}
	}
	return list
}
