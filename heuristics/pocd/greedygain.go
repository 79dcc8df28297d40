package pocd

import (
	"context"
	"math"

	"schedgap/models"
	"schedgap/models/pocd"
)

// GreedyGain is the rule that section IV-C announces ("assign VMs to stragglers with the highest utility improvement") and
// Algorithm 1 does not follow.
var GreedyGain = &pocd.Algorithm{
	Name: "greedy-gain",
	Doc: "one copy at a time where the utility gains most; for inf, the largest gain in ln p of the least job\n\n" +
		"Alamro et al. 2020, section IV-C and Table I (j', i'). Optimal for finite α ≥ 1 and for inf.",
	Kind: models.Heuristic, Reference: pocd.Opt,
	Run: models.Decided(GreedyGainCopies),
}

// GreedyGainCopies is the decision of GreedyGain. For inf a job whose stragglers have all their copies is set aside and the next
// least goes on.
func GreedyGainCopies(ctx context.Context, in *pocd.Instance) pocd.Copies {
	gain := func(miss pocd.Miss, r int) float64 { return pocd.LogR(miss, r+1) - pocd.LogR(miss, r) }
	g := greedy{
		taskKey: func(miss pocd.Miss, r int) float64 { return -gain(miss, r) },
		jobKey: func(logP float64, miss pocd.Miss, r int) float64 {
			return -logGain(in.Alpha, logP, gain(miss, r))
		},
	}
	if math.IsInf(in.Alpha, 1) {
		g.jobKey = func(logP float64, _ pocd.Miss, _ int) float64 { return logP }
	}
	return g.run(ctx, in)
}

// logGain is ln(U_α(p·e^δ) − U_α(p)) up to a constant of α: the gains themselves leave the range of a float64 when p is
// small and α large. With U = p^(1−α)/(1−α) the gain is p^(1−α)·(e^((1−α)δ) − 1)/(1−α), with U = ln p it is δ. A logarithm
// near 0 is a difference of larger ones, so it is rounded to twelve decimals, as tied rounds the others to twelve digits.
func logGain(alpha, logP, delta float64) float64 {
	gain := math.Log(delta)
	if alpha != 1 {
		gain = (1-alpha)*logP + math.Log(math.Abs(math.Expm1((1-alpha)*delta)))
	}
	const grain = 1 << 40
	return math.Round(gain*grain) / grain
}
