// Package oracle solves tiny speculation instances by going through every matching, for the tests of other packages only.
//
// It is written from the definition of the problem and shares no code with the packages under test except the types of an
// instance. All arithmetic is exact.
package oracle

import (
	"math"
	"math/big"

	"schedgap/models/speculation"
)

// A Point has the savings of a matching, ΣΔt and ΣΔE.
type Point struct{ Time, Energy *big.Rat }

// Float64s are the savings rounded once.
func (p Point) Float64s() (time, energy float64) { return rounded(p.Time), rounded(p.Energy) }

// plus adds the savings of two matchings.
func (p Point) plus(q Point) Point {
	return Point{new(big.Rat).Add(p.Time, q.Time), new(big.Rat).Add(p.Energy, q.Energy)}
}

// Gain is the saving of a copy of straggler i on slot j: Δt = finish_i − (start_j + copy_time_ij) (eq. 2) and
// ΔE = power_i·Δt − power_j·copy_time_ij (eq. 5), of which one below 1e-15 of its terms is 0; ok says that the pair may be used:
// it has an estimate and both are positive.
func Gain(in *speculation.Instance, i, j int) (gain Point, ok bool) {
	if math.IsNaN(in.CopyTime[i][j]) {
		return gain, false
	}
	s, v, copyTime := &in.Stragglers[i], &in.Slots[j], exactly(in.CopyTime[i][j])
	time, terms := exactly(s.Finish), exactly(s.Finish)
	time.Sub(time, exactly(v.Start)).Sub(time, copyTime)
	terms.Add(terms, exactly(v.Start)).Add(terms, copyTime)
	power, spent := exactly(s.Power), copyTime.Mul(copyTime, exactly(v.Power))
	energy := new(big.Rat).Mul(power, time)
	energy.Sub(energy, spent)
	gain = Point{settled(time, terms), settled(energy, power.Mul(power, terms).Add(power, spent))}
	return gain, gain.Time.Sign() > 0 && gain.Energy.Sign() > 0
}

// settled is a difference, 0 where it is below 1e-15 of the sum of its terms.
func settled(difference, terms *big.Rat) *big.Rat {
	size := new(big.Rat).Abs(difference)
	if size.Mul(size, exactly(1e15)).Cmp(terms) < 0 {
		return new(big.Rat)
	}
	return difference
}

// Savings adds up the savings of a matching; ok says that it is feasible: one entry a straggler, each None or a slot, no slot
// twice, and only pairs that may be used.
func Savings(in *speculation.Instance, m speculation.Matching) (sum Point, ok bool) {
	sum, taken := nothing(), map[int]bool{}
	if len(m) != len(in.Stragglers) {
		return sum, false
	}
	for i, j := range m {
		if j == speculation.None {
			continue
		}
		if j < 0 || j >= len(in.Slots) || taken[j] {
			return sum, false
		}
		gain, ok := Gain(in, i, j)
		if !ok {
			return sum, false
		}
		taken[j], sum = true, sum.plus(gain)
	}
	return sum, true
}

// Value is ΣΔt + energy_weight·ΣΔE.
func Value(in *speculation.Instance, p Point) float64 { return rounded(value(in, p)) }

func value(in *speculation.Instance, p Point) *big.Rat {
	weighted := exactly(in.EnergyWeight)
	return weighted.Mul(weighted, p.Energy).Add(weighted, p.Time)
}

// Opt is the largest value of a matching. No weight is negative, so a point of the front attains it.
func Opt(in *speculation.Instance) float64 {
	best := new(big.Rat)
	for _, p := range Front(in) {
		if v := value(in, p); v.Cmp(best) > 0 {
			best = v
		}
	}
	return rounded(best)
}

// Front is the Pareto front by ascending time, hence descending energy: each point that some matching reaches and none is at
// least as good as in both savings, once. It is only (0, 0) where no pair may be used.
//
// It goes from straggler to straggler and keeps, for each set of slots taken, what matchings onto that set may save; of two
// such matchings with the same future the better one is enough.
func Front(in *speculation.Instance) []Point {
	taken := make([][]Point, 1<<len(in.Slots))
	taken[0] = []Point{nothing()}
	for i := range in.Stragglers {
		// Sets only grow, so going down reads the entries of the straggler before.
		for set := len(taken) - 1; set >= 0; set-- {
			for j := range in.Slots {
				gain, ok := Gain(in, i, j)
				if !ok || set>>j&1 == 1 {
					continue
				}
				for _, p := range taken[set] {
					taken[set|1<<j] = insert(taken[set|1<<j], p.plus(gain))
				}
			}
		}
	}
	var front []Point
	for _, points := range taken {
		for _, p := range points {
			front = insert(front, p)
		}
	}
	return front
}

// insert adds p to a front unless a point of it is at least as good, and drops the points that p is at least as good as.
func insert(front []Point, p Point) []Point {
	kept, at := make([]Point, 0, len(front)+1), 0
	for _, q := range front {
		time, energy := q.Time.Cmp(p.Time), q.Energy.Cmp(p.Energy)
		if time >= 0 && energy >= 0 {
			return front
		}
		if time <= 0 && energy <= 0 {
			continue
		}
		kept = append(kept, q)
		if time < 0 {
			at = len(kept)
		}
	}
	kept = append(kept, Point{})
	copy(kept[at+1:], kept[at:])
	kept[at] = p
	return kept
}

func nothing() Point { return Point{new(big.Rat), new(big.Rat)} }

// exactly is the number that a float64 is.
func exactly(f float64) *big.Rat { return new(big.Rat).SetFloat64(f) }

func rounded(r *big.Rat) float64 {
	f, _ := r.Float64()
	return f
}
