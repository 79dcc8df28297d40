package speculation

import (
	"fmt"
	"math/big"

	"schedgap/exact/verify/core"
	"schedgap/models"
	"schedgap/models/proof"
	"schedgap/models/speculation"
)

// Prices is the kind of proof of speculation's opt: line 2 is a solution, unless only a bound is claimed, and the last
// line prices of slots.
const Prices = "speculation-prices"

// Solution is the line with the slot of each straggler, −1: none.
type Solution struct {
	Solution speculation.Matching `json:"solution"`
}

// Slots is the line with the price of each slot, in units of the objective.
type Slots struct {
	Prices []float64 `json:"prices"`
}

// Verify checks a proof about a speculation instance whose canonical file has the given hash. A nil error says that its claim is
// proven.
func Verify(p *proof.Proof, in *speculation.Instance, sha256 string) (models.Verdict, error) {
	return core.Follow(p, speculation.Problem.Name, in, sha256, map[string]core.Rule[*speculation.Instance]{
		Prices: {
			References: []string{speculation.Opt}, Check: check,
			Solution: core.Solution(false, func(in *speculation.Instance, s *Solution, _ string) (core.Interval, models.Accuracy, error) {
				worth, err := Value(in, s.Solution)
				return core.Point(worth), models.Accuracy{}, err
			}),
		},
	})
}

func check(r *core.Reader, in *speculation.Instance) error {
	var slots Slots
	if err := r.Read(&slots); err != nil {
		return err
	}
	proven, err := Bound(in, slots.Prices)
	if err != nil {
		return err
	}
	if !(proven <= *r.Header.Bound) {
		return fmt.Errorf("the prices prove %v, not %v", proven, *r.Header.Bound)
	}
	return nil
}

// Value returns the value of a matching, rounded down. The error says why it is none.
func Value(in *speculation.Instance, m speculation.Matching) (float64, error) {
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
		w := worthOf(in, i, j)
		if w == nil {
			return 0, fmt.Errorf("straggler %s: a copy on %s saves nothing", in.Stragglers[i].ID, in.Slots[j].ID)
		}
		sum.Add(sum, w)
	}
	exact, _ := sum.Rat(nil)
	return core.RoundDown(exact), nil
}

// Bound returns what no matching is worth more than, rounded up, at prices ≥ 0 of the slots: a straggler saves at most
// u_i = max(0, max_j w_ij − v_j) and pays for its slot, so that Σ u_i + Σ v_j is a bound.
func Bound(in *speculation.Instance, prices []float64) (float64, error) {
	if len(prices) != len(in.Slots) {
		return 0, fmt.Errorf("prices of %d slots of %d", len(prices), len(in.Slots))
	}
	if err := core.Multipliers(prices); err != nil {
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
			if w := worthOf(in, i, j); w != nil && net.Sub(w, price[j]).Cmp(best) > 0 {
				best.Set(net)
			}
		}
		sum.Add(sum, best)
	}
	exact, _ := sum.Rat(nil)
	return core.RoundUp(exact), nil
}

// worthOf is w_ij, nil where the pair may not be used.
func worthOf(in *speculation.Instance, i, j int) *big.Float {
	if !in.Allowed(i, j) {
		return nil
	}
	time, energy := in.ExactGain(i, j)
	if time.Sign() <= 0 || energy.Sign() <= 0 {
		return nil
	}
	return time.Add(time, energy.Mul(energy, speculation.Exactly(in.EnergyWeight)))
}
