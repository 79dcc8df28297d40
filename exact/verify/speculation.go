package verify

import (
	"fmt"
	"math/big"

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

// Speculation checks a proof about a speculation instance whose canonical file has the given hash. Nil: what it claims is proven.
func Speculation(p *proof.Proof, in *speculation.Instance, sha256 string) error {
	return follow(p, speculation.Problem.Name, in, sha256, map[string]rule[*speculation.Instance]{
		SpeculationPrices: {
			references: []string{speculation.Opt}, check: checkSpeculation,
			solution: solution(false, func(in *speculation.Instance, s *SpeculationSolution, _ string) (interval, float64, error) {
				worth, err := SpeculationValue(in, s.Solution)
				return point(worth), worth, err
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

// SpeculationValue returns what a matching is worth, rounded down. The error says what makes it none.
func SpeculationValue(in *speculation.Instance, m speculation.Matching) (float64, error) {
	if len(m) != len(in.Stragglers) {
		return 0, fmt.Errorf("slots for %d stragglers of %d", len(m), len(in.Stragglers))
	}
	taken, sum := make([]bool, len(in.Slots)), binary(0)
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
	value, accuracy := sum.Float64()
	if accuracy == big.Above {
		value = down(value)
	}
	return value, nil
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
	sum, net := binary(0), binary(0)
	price := make([]*big.Float, len(prices))
	for j, v := range prices {
		price[j] = binary(v)
		sum.Add(sum, price[j])
	}
	for i := range in.Stragglers {
		best := binary(0)
		for j := range in.Slots {
			if w := speculationWorth(in, i, j); w != nil && net.Sub(w, price[j]).Cmp(best) > 0 {
				best.Set(net)
			}
		}
		sum.Add(sum, best)
	}
	bound, accuracy := sum.Float64()
	if accuracy == big.Below {
		bound = up(bound)
	}
	return bound, nil
}

// speculationWorth is w_ij, nil where the pair may not be used: by the definition a difference below 1e-15 of the sum of its
// terms is 0, and both have to be above 0.
func speculationWorth(in *speculation.Instance, i, j int) *big.Float {
	if !in.Allowed(i, j) {
		return nil
	}
	s, v, copyTime := &in.Stragglers[i], &in.Slots[j], binary(in.CopyTime[i][j])
	finish, needed := binary(s.Finish), binary(v.Start)
	needed.Add(needed, copyTime)
	saved := binary(0).Sub(finish, needed)
	if saved.Sign() <= 0 {
		return nil
	}
	power, span, spent := binary(s.Power), needed.Add(needed, finish), copyTime.Mul(copyTime, binary(v.Power))
	energy := binary(0).Mul(power, saved)
	energy.Sub(energy, spent)
	if energy.Sign() <= 0 || vanishes(saved, span) || vanishes(energy, spent.Add(spent, power.Mul(power, span))) {
		return nil
	}
	return saved.Add(saved, energy.Mul(energy, binary(in.EnergyWeight)))
}

// vanishes reports whether a difference counts as 0 beside the sum of its terms.
func vanishes(difference, span *big.Float) bool {
	return binary(1e15).Mul(binary(1e15), difference).Cmp(span) < 0
}

// binary is v as a binary fraction, of which sums and products are exact: v is a multiple of 2^-1074 below 2^1024, so that sums
// of 2^60 products of three such numbers have fewer than 3·(1074 + 1024) + 60 digits, times 10^15 fewer than 2^13.
func binary(v float64) *big.Float { return new(big.Float).SetPrec(1 << 13).SetFloat64(v) }
