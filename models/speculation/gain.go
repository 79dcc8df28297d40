package speculation

import (
	"iter"
	"math"
	"math/big"
)

// Allowed reports whether an estimate of a copy of straggler i on slot j exists.
func (in *Instance) Allowed(i, j int) bool { return !math.IsNaN(in.CopyTime[i][j]) }

// Gain is the saving by a copy of straggler i on slot j: time Δt_ij = finish_i − (start_j + copy_time_ij) (eq. 2) and energy
// ΔE_ij = power_i·Δt_ij − power_j·copy_time_ij (eq. 5). Small differences are exact but for one rounding. Both are NaN for a pair
// without an estimate.
func (in *Instance) Gain(i, j int) (time, energy float64) {
	s, v, copyTime := &in.Stragglers[i], &in.Slots[j], in.CopyTime[i][j]
	span := s.Finish + v.Start + copyTime
	time = s.Finish - v.Start - copyTime
	// The conversions keep compilers from fusing products into sums, so that all machines find the same savings.
	spent := float64(v.Power * copyTime)
	energy = float64(s.Power*time) - spent
	switch most := float64(s.Power*span) + spent; {
	case math.IsNaN(copyTime):
	case !plain(time, span), !plain(energy, most) && (s.Power > 0 || v.Power > 0):
		t, e := in.ExactGain(i, j)
		return nearest(t), nearest(e)
	}
	return time, energy
}

// plain reports whether a difference of float64s whose terms add up to span has no digits less than they have.
func plain(difference, span float64) bool {
	d := math.Abs(difference)
	return d > 1e-3*span && d > 0x1p-900 && span <= math.MaxFloat64
}

// nearest is the float64 nearest to v that has the same sign: 0 stands for 0 alone.
func nearest(v *big.Float) float64 {
	if f, _ := v.Float64(); f != 0 {
		return f
	}
	return float64(v.Sign()) * math.SmallestNonzeroFloat64
}

// ExactGain is Gain without rounding. A saving that is smaller than 1e-15 of the sum of its terms is 0.
func (in *Instance) ExactGain(i, j int) (time, energy *big.Float) {
	s, v, copyTime := &in.Stragglers[i], &in.Slots[j], Exactly(in.CopyTime[i][j])
	power, needed := Exactly(s.Power), Exactly(v.Start)
	needed.Add(needed, copyTime)
	time = Exactly(s.Finish)
	span := Exactly(0).Add(time, needed)
	time.Sub(time, needed)
	spent := copyTime.Mul(copyTime, Exactly(v.Power))
	energy = Exactly(0).Mul(power, time)
	energy.Sub(energy, spent)
	spent.Add(spent, power.Mul(power, span))
	return settled(time, span), settled(energy, spent)
}

// settled is a difference of terms that add up to span, 0 where it may be nothing but the rounding of decimals.
func settled(difference, span *big.Float) *big.Float {
	size := Exactly(1e15)
	if size.Mul(size, difference).Abs(size).Cmp(span) < 0 {
		return Exactly(0)
	}
	return difference
}

// Exactly is v as a binary fraction whose sums and products are exact: v is a multiple of 2^-1074 below 2^1024, so that sums
// of 2^60 products of three such numbers have fewer than 3·(1074 + 1024) + 60 digits, times 10^15 fewer than 2^13.
func Exactly(v float64) *big.Float { return new(big.Float).SetPrec(1 << 13).SetFloat64(v) }

// Helps reports whether a pair with these savings may be used: both must be positive.
func Helps(time, energy float64) bool { return time > 0 && energy > 0 }

// Helping are the slots that help straggler i, with the scalar objective of its savings there.
func (in *Instance) Helping(i int) iter.Seq2[int, float64] {
	return func(yield func(slot int, value float64) bool) {
		for j := range in.Slots {
			if time, energy := in.Gain(i, j); Helps(time, energy) && !yield(j, in.Scalar(time, energy)) {
				return
			}
		}
	}
}

// Scalar is the scalar objective of savings: ΣΔt + energy_weight·ΣΔE.
func (in *Instance) Scalar(time, energy float64) float64 {
	return time + float64(in.EnergyWeight*energy)
}

// Savings are ΣΔt and ΣΔE of a matching, added in the stragglers' order. Pairs without an estimate, and those that the instance
// does not have, save nothing.
func (in *Instance) Savings(m Matching) (time, energy float64) {
	for i := range min(len(m), len(in.Stragglers)) {
		if j := m[i]; j >= 0 && j < len(in.Slots) && in.Allowed(i, j) {
			t, e := in.Gain(i, j)
			time, energy = time+t, energy+e
		}
	}
	return time, energy
}

// Value is the scalar objective of a matching.
func (in *Instance) Value(m Matching) float64 { return in.Scalar(in.Savings(m)) }

// Criticalness is (1 − progress)·duration/progress, the time that the straggler still needs at its speed so far (section 5.1).
func (s *Straggler) Criticalness() float64 { return (1 - s.Progress) * s.Duration / s.Progress }

// NoCopies is the matching that gives no straggler a copy.
func NoCopies(in *Instance) Matching {
	m := make(Matching, len(in.Stragglers))
	for i := range m {
		m[i] = None
	}
	return m
}
