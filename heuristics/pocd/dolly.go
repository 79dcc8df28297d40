package pocd

import (
	"context"
	"math"

	"schedgap/models"
	"schedgap/models/pocd"
	"schedgap/models/pocd/sim"
)

// Dolly clones whole jobs when they arrive.
var Dolly = &pocd.Algorithm{
	Name: "dolly",
	Doc: "as many clones of all tasks of a job as keep the risk of a straggler below 5 %, in file order: it waives straggler\n\n" +
		"Ananthanarayanan et al., Effective Straggler Mitigation: Attack of the Clones, NSDI 2013, as set up in Alamro et al. 2020, " +
		"section VI-A: r+1 = ⌈log(1−(1−ε)^(1/N))/log p⌉, ε = 0.05, p one minus the job's PoCD under hadoop; p ≤ 0 makes r = 0 and " +
		"p ≥ 1 max_copies. A job that does not fit gets none.",
	Kind: models.Heuristic, Reference: pocd.OptAll, Waives: []string{"straggler"},
	Run: models.Decided(DollyCopies),
}

// dollyRisk is ε, the acceptable risk that a job straggles.
const dollyRisk = 0.05

// DollyCopies is the decision of Dolly.
func DollyCopies(ctx context.Context, in *pocd.Instance) pocd.Copies {
	hadoop := HadoopCopies(ctx, in)
	copies, spare := pocd.NoCopies(in), in.Spare()
	for j := range in.Jobs {
		if ctx.Err() != nil {
			return copies
		}
		n := len(copies[j])
		if n > spare {
			continue // not even one clone of each task fits
		}
		logP := in.Jobs[j].LogP(hadoop[j])
		if math.IsInf(logP, -1) {
			continue // hopeless
		}
		r := DollyClones(logP, n, in.MaxCopies)
		if r == 0 || r > spare/n {
			continue
		}
		spare -= r * n
		for i := range copies[j] {
			copies[j][i] = r
		}
	}
	return copies
}

// DollyClones is the extra copies of each of n tasks, at most most, when the job's PoCD without clones is p: p = 1 − exp(logP)
// of the formula is computed without cancellation.
func DollyClones(logP float64, n, most int) int {
	miss := -math.Expm1(logP)
	switch {
	case miss <= 0:
		return 0
	case miss >= 1:
		return most
	}
	risk := math.Log(-math.Expm1(math.Log1p(-dollyRisk) / float64(n))) // ln(1 − (1−ε)^(1/N))
	// Where the quotient is an integer it may come out a bit above.
	attempts := math.Ceil(risk / logMiss(logP, miss) * (1 - 1e-9))
	return int(min(float64(most), max(0, attempts-1)))
}

// logMiss is ln(1 − p) of p = exp(logP), miss = 1 − p: from p itself when the miss is near 1.
func logMiss(logP, miss float64) float64 {
	if miss > 0.5 {
		return math.Log1p(-math.Exp(logP))
	}
	return math.Log(miss)
}

// DollyPolicy is Dolly when a job starts.
var DollyPolicy = sim.Policy{
	Policy: models.Policy{
		Name: "dolly",
		Doc: "clones of all tasks of a job from its start on, if all fit\n\n" +
			"Ananthanarayanan et al., NSDI 2013, as set up in Alamro et al. 2020, section VI-A: p is the share of jobs that miss " +
			"their deadlines under hadoop (options miss_rate and miss_level), ε is 5 %. Nothing is killed before the task completes.",
	},
	Clones:   func(s sim.Start) int { return DollyClones(s.LogPoCD, s.Tasks, s.MaxCopies) },
	Baseline: "hadoop",
}
