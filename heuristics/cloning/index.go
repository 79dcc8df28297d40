package cloning

import (
	"math"
	"math/rand/v2"

	"schedgap/heuristics/cloning/decoder"
	"schedgap/models"
	"schedgap/models/cloning"
	"schedgap/models/cloning/sim"
)

// pricePower is p, how fast prices fall at first.
const pricePower = 2

// Index serves by what copies cost at prices of capacity.
var Index = sim.Policy{
	Policy: models.Policy{
		Name: "index",
		Doc: "the copy that costs least per slot that its job gains, at prices of capacity that fall over time\n\n" +
			"This project's (heuristics/cloning/index.go).",
	},
	Fixed: models.Fixed{"price_horizon": 1., "price_power": float64(pricePower), "clone_cost": 1.},
	New: func(s *sim.State, _ models.Values, _ *rand.Rand) sim.Rules {
		x := &index{sizes: newSizes(s, 0), costs: make([][]float64, len(s.Instance().Jobs))}
		return sim.Rules{
			MaxCopies: s.Instance().MaxCopies, Changes: sim.OnArrival, Arrived: x.price,
			Rank: func(job, phase, copies int) (sim.Rank, bool) {
				cost := x.costs[job][phase]
				if copies == 0 {
					return sim.Rank{Key: cost}, true
				}
				p := &s.Instance().Jobs[job].Phases[phase]
				gain := p.Rate(copies+1) - p.Rate(copies)
				rate := x.phases(job)[phase].share * float64(p.Tasks)
				return sim.Rank{Key: max(cost, rate/gain-(rate-cost))}, gain > 0
			},
		}
	},
}

// An index keeps the costs of phases from arrival to arrival. Capacity has the price π(t) = (1 − t/T)^p, with T =
// Σ v_j, the work of the jobs there are. An original of phase k costs what k and the phases behind it, each as early as it can
// be, pay more if all begin a slot earlier: c_k = Σ_q ρ_q·(π(s_q) − π(s_q + θ_q)), ρ_q = d_q times the tasks left and s_q the
// start of q counted from that of k. An (r + 1)-th copy costs ρ_k/(h(r + 1) − h(r)) − (ρ_k − c_k), with ρ_k of
// all tasks, and at least c_k; so clones of one job may go before originals of another.
type index struct {
	*sizes
	costs [][]float64 // by job and phase
}

// price finds the costs of all phases.
func (x *index) price() {
	work := 0.0
	for j := range x.state.Active {
		work += x.volume(j)
	}
	free := max(work, math.SmallestNonzeroFloat64)
	price := func(t float64) float64 { return math.Pow(max(0, 1-t/free), pricePower) }
	for j := range x.state.Active {
		sizes := x.phases(j)
		rate := make([]float64, len(sizes))
		for k := range rate {
			rate[k] = float64(x.state.Left(j, k)) * sizes[k].share
		}
		x.costs[j] = decoder.Costs(&x.state.Instance().Jobs[j], rate, func(p *cloning.Phase) float64 { return p.Mean }, price)
	}
}
