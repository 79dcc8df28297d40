package verify

import (
	"fmt"
	"math"
	"math/big"
	"math/bits"

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
		SpeculationPrices: {references: []string{speculation.Opt}, optimal: true, check: checkSpeculation},
	})
}

func checkSpeculation(p *proof.Proof, in *speculation.Instance) error {
	lines, want := p.Lines, 1
	if p.Header.Value != nil {
		want = 2
	}
	if len(lines) != want {
		return refused("the proof has %d lines after the header; it must have %d", len(lines), want)
	}
	if value := p.Header.Value; value != nil {
		var s SpeculationSolution
		if err := proof.Decode(lines[0], &s); err != nil {
			return refused("line 2: %v", err)
		}
		worth, err := SpeculationValue(in, s.Solution)
		if err != nil {
			return refused("line 2: %v", err)
		}
		if err := meet(p.Header, point(worth), worth); err != nil {
			return err
		}
	}
	var slots SpeculationSlots
	if err := proof.Decode(lines[want-1], &slots); err != nil {
		return refused("line %d: %v", want+1, err)
	}
	proven, err := SpeculationBound(in, slots.Prices)
	if err != nil {
		return refused("line %d: %v", want+1, err)
	}
	if !(proven <= *p.Header.Bound) {
		return refused("the prices prove %v, not %v", proven, *p.Header.Bound)
	}
	return nil
}

// SpeculationValue returns what a matching is worth, rounded down. The error says what makes it none.
func SpeculationValue(in *speculation.Instance, m speculation.Matching) (float64, error) {
	if len(m) != len(in.Stragglers) {
		return 0, fmt.Errorf("slots for %d stragglers of %d", len(m), len(in.Stragglers))
	}
	g := newSpeculationGains(in, nil)
	taken := make([]bool, len(in.Slots))
	sum := new(big.Int)
	for i, j := range m {
		if j == speculation.None {
			continue
		}
		if j < 0 || j >= len(in.Slots) || taken[j] {
			return 0, fmt.Errorf("straggler %s: slot number %d is not there or taken", in.Stragglers[i].ID, j)
		}
		taken[j] = true
		w := g.worth(i, j)
		if w == nil {
			return 0, fmt.Errorf("straggler %s: a copy on %s saves nothing", in.Stragglers[i].ID, in.Slots[j].ID)
		}
		sum.Add(sum, w)
	}
	return g.float(sum, big.ToNegativeInf), nil
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
	g := newSpeculationGains(in, prices)
	bound, net := new(big.Int), new(big.Int)
	price := make([]*big.Int, len(prices))
	for j, v := range prices {
		price[j] = scaled(v, g.value)
		bound.Add(bound, price[j])
	}
	for i := range in.Stragglers {
		best := new(big.Int)
		for j := range in.Slots {
			if w := g.worth(i, j); w != nil && net.Sub(w, price[j]).Cmp(best) > 0 {
				best.Set(net)
			}
		}
		bound.Add(bound, best)
	}
	return g.float(bound, big.ToPositiveInf), nil
}

// speculationGains computes what pairs save as whole numbers: times in units of 2^time, powers of 2^power, the weight of energy
// in units of 2^weight, and the objective in units of 2^value.
type speculationGains struct {
	in                         *speculation.Instance
	time, power, weight, value int
	finish, start              []*big.Int
	powerOf, powerAt           []*big.Int
	timeFactor, energyFactor   *big.Int // from savings to the objective
}

func newSpeculationGains(in *speculation.Instance, prices []float64) *speculationGains {
	g := &speculationGains{in: in, time: math.MaxInt, power: math.MaxInt, weight: math.MaxInt}
	for i := range in.Stragglers {
		finest(&g.time, in.Stragglers[i].Finish)
		finest(&g.power, in.Stragglers[i].Power)
		for _, t := range in.CopyTime[i] {
			finest(&g.time, t)
		}
	}
	for j := range in.Slots {
		finest(&g.time, in.Slots[j].Start)
		finest(&g.power, in.Slots[j].Power)
	}
	finest(&g.weight, in.EnergyWeight)
	for _, unit := range []*int{&g.time, &g.power, &g.weight} {
		if *unit == math.MaxInt {
			*unit = 0 // all are 0
		}
	}
	g.value = min(g.time, g.time+g.power+g.weight)
	for _, v := range prices {
		finest(&g.value, v)
	}
	g.timeFactor = new(big.Int).Lsh(big.NewInt(1), uint(g.time-g.value))
	g.energyFactor = scaled(in.EnergyWeight, g.weight)
	g.energyFactor.Lsh(g.energyFactor, uint(g.time+g.power+g.weight-g.value))
	for i := range in.Stragglers {
		g.finish = append(g.finish, scaled(in.Stragglers[i].Finish, g.time))
		g.powerOf = append(g.powerOf, scaled(in.Stragglers[i].Power, g.power))
	}
	for j := range in.Slots {
		g.start = append(g.start, scaled(in.Slots[j].Start, g.time))
		g.powerAt = append(g.powerAt, scaled(in.Slots[j].Power, g.power))
	}
	return g
}

// worth is w_ij, nil where the pair may not be used: by the definition a difference below 1e-15 of the sum of its terms is 0, and
// both have to be above 0.
func (g *speculationGains) worth(i, j int) *big.Int {
	if !g.in.Allowed(i, j) {
		return nil
	}
	copyTime := scaled(g.in.CopyTime[i][j], g.time)
	needed := new(big.Int).Add(g.start[j], copyTime)
	saved := new(big.Int).Sub(g.finish[i], needed)
	if saved.Sign() <= 0 {
		return nil
	}
	span := needed.Add(needed, g.finish[i])
	spent := new(big.Int).Mul(g.powerAt[j], copyTime)
	energy := new(big.Int).Mul(g.powerOf[i], saved)
	energy.Sub(energy, spent)
	if energy.Sign() <= 0 || settles(saved, span) || settles(energy, new(big.Int).Add(spent, new(big.Int).Mul(g.powerOf[i], span))) {
		return nil
	}
	saved.Mul(saved, g.timeFactor)
	return saved.Add(saved, energy.Mul(energy, g.energyFactor))
}

// settles reports whether a difference counts as 0 beside the sum of its terms.
func settles(difference, span *big.Int) bool {
	if difference.BitLen()+48 >= span.BitLen() { // as 10^15 is more than 2^49
		return false
	}
	return new(big.Int).Mul(difference, quadrillion).Cmp(span) < 0
}

var quadrillion = big.NewInt(1_000_000_000_000_000)

// float rounds a number of units.
func (g *speculationGains) float(n *big.Int, mode big.RoundingMode) float64 {
	f := new(big.Float).SetMode(mode).SetPrec(53).SetInt(n)
	v, accuracy := f.SetMantExp(f, g.value).Float64() // below the normal numbers this rounds again
	switch {
	case mode == big.ToPositiveInf && accuracy == big.Below:
		return up(v)
	case mode == big.ToNegativeInf && accuracy == big.Above:
		return down(v)
	}
	return v
}

// finest lowers unit to the place of the last binary digit of v; NaN, and 0, have none.
func finest(unit *int, v float64) {
	if v == 0 || math.IsNaN(v) {
		return
	}
	mantissa, exponent := whole53(v)
	*unit = min(*unit, exponent+bits.TrailingZeros64(uint64(mantissa)))
}

// scaled is v ≥ 0 in units of 2^unit, of which it is a whole number.
func scaled(v float64, unit int) *big.Int {
	mantissa, exponent := whole53(v)
	if exponent >= unit {
		return new(big.Int).Lsh(big.NewInt(mantissa), uint(exponent-unit))
	}
	return big.NewInt(mantissa >> (unit - exponent))
}

// whole53 is v as mantissa·2^exponent.
func whole53(v float64) (mantissa int64, exponent int) {
	f, e := math.Frexp(v)
	return int64(math.Ldexp(f, 53)), e - 53
}
