package pocd

import (
	"cmp"
	"slices"

	"schedgap/models/pocd"
)

// concave returns optimal choices for finite α ≥ 1. U_α(e^x) is then concave and increasing in x, and ln p_j(b) is concave
// in b, so the utility of a job gains less from copy to copy and the largest gains of all jobs are optimal (Fox, Discrete
// optimization via marginal analysis, Management Science 1966); they also solve the linear relaxation. Gains are compared as
// logarithms, since utilities of small p leave the range of a float64.
func concave(in *pocd.Instance, fs []frontier) []int {
	type step struct {
		k    int
		gain float64
	}
	var steps []step
	for k := range fs {
		for b, g := range fs[k].gain {
			steps = append(steps, step{k, logGain(in.Alpha, fs[k].logP[b], g)})
		}
	}
	slices.SortStableFunc(steps, func(a, b step) int { return cmp.Compare(b.gain, a.gain) })
	choice := make([]int, len(fs))
	for _, s := range steps[:min(len(steps), in.Spare())] {
		choice[s.k]++
	}
	return choice
}

// logGain orders the gains U_α(e^(logP+gain)) − U_α(e^logP) for finite α ≥ 1: it is the gain itself for α = 1 and otherwise,
// up to a constant, its logarithm (1−α)·logP + ln(1 − e^((1−α)·gain)).
func logGain(alpha, logP, gain float64) float64 {
	if alpha == 1 {
		return gain
	}
	return (1-alpha)*logP + pocd.Log1mexp((1-alpha)*gain)
}
