package verify

import (
	"fmt"
	"math/big"

	"schedgap/models"
	"schedgap/models/proof"
	"schedgap/models/speculation"
)

// SpeculationPrices is the kind of proof of speculation's opt: line 2 is a solution, unless only a bound is claimed, and the last
// line prices of slots.
const SpeculationPrices = "speculation-prices"

// SpeculationSolution is the line with the slot of each straggler, −1: none.
type SpeculationSolution struct {
	Solution speculation.Matching `json:"solution"`
}

// SpeculationSlots is the line with the price of each slot, in units of the objective.
type SpeculationSlots struct {
	Prices []float64 `json:"prices"`
}

// Speculation checks a proof about a speculation instance whose canonical file has the given hash. A nil error says that its claim is
// proven.
func Speculation(p *proof.Proof, in *speculation.Instance, sha256 string) (models.Verdict, error) {
	return follow(p, speculation.Problem.Name, in, sha256, map[string]rule[*speculation.Instance]{
		SpeculationPrices: {
			references: []string{speculation.Opt}, check: checkSpeculation,
			solution: solution(false, func(in *speculation.Instance, s *SpeculationSolution, _ string) (interval, models.Accuracy, error) {
				worth, err := SpeculationValue(in, s.Solution)
				return point(worth), models.Accuracy{}, err
			}),
		},
	})
}

func checkSpeculation(r *reader, in *speculation.Instance) error {
	var slots SpeculationSlots
	if err := r.read(&slots); err != nil {
		return err
	}
	proven, err := SpeculationBound(in, slots.Prices)
	if err != nil {
		return err
	}
	if !(proven <= *r.Header.Bound) {
		return refused("the prices prove %v, not %v", proven, *r.Header.Bound)
	}
	return nil
}

// SpeculationValue returns the value of a matching, rounded down. The error says why it is none.
func SpeculationValue(in *speculation.Instance, m speculation.Matching) (float64, error) {
	if len(m) != len(in.Stragglers) {
		return 0, fmt.Errorf("slots for %d stragglers of %d", len(m), len(in.Stragglers))
	}
	taken, sum := make([]bool, len(in.Slots)), speculation.Exactly(0)
	for i, j := range m {
		if j == speculation.None {
			continue
		}
		if j < 0 || j >= len(in.Slots) || taken[j] {
			return 0, fmt.Errorf("straggler %s: slot number %d is not there or taken", in.Stragglers[i].ID, j)
		}
		taken[j] = true
		w := speculationWorth(in, i, j)
		if w == nil {
			return 0, fmt.Errorf("straggler %s: a copy on %s saves nothing", in.Stragglers[i].ID, in.Slots[j].ID)
		}
		sum.Add(sum, w)
	}
	exact, _ := sum.Rat(nil)
	return roundDown(exact), nil
}

// SpeculationBound returns what no matching is worth more than, rounded up, at prices ≥ 0 of the slots: a straggler saves at most
// u_i = max(0, max_j w_ij − v_j) and pays for its slot, so that Σ u_i + Σ v_j is a bound.
func SpeculationBound(in *speculation.Instance, prices []float64) (float64, error) {
	if len(prices) != len(in.Slots) {
		return 0, fmt.Errorf("prices of %d slots of %d", len(prices), len(in.Slots))
	}
	if err := multipliers(prices); err != nil {
		return 0, err
	}
	sum, net := speculation.Exactly(0), speculation.Exactly(0)
	price := make([]*big.Float, len(prices))
	for j, v := range prices {
		price[j] = speculation.Exactly(v)
		sum.Add(sum, price[j])
	}
	for i := range in.Stragglers {
		best := speculation.Exactly(0)
		for j := range in.Slots {
			if w := speculationWorth(in, i, j); w != nil && net.Sub(w, price[j]).Cmp(best) > 0 {
				best.Set(net)
			}
		}
		sum.Add(sum, best)
	}
	exact, _ := sum.Rat(nil)
	return RoundUp(exact), nil
}

// speculationWorth is w_ij, nil where the pair may not be used.
func speculationWorth(in *speculation.Instance, i, j int) *big.Float {
	if !in.Allowed(i, j) {
		return nil
	}
	time, energy := in.ExactGain(i, j)
	if time.Sign() <= 0 || energy.Sign() <= 0 {
		return nil
	}
	return time.Add(time, energy.Mul(energy, speculation.Exactly(in.EnergyWeight)))
}
