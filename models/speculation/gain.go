package speculation

import "math"

// Allowed reports whether an estimate of a copy of straggler i on slot j exists.
func (in *Instance) Allowed(i, j int) bool { return !math.IsNaN(in.CopyTime[i][j]) }

// Gain is what a copy of straggler i on slot j saves: time Δt_ij = finish_i − (start_j + copy_time_ij) (eq. 2) and energy
// ΔE_ij = power_i·Δt_ij − power_j·copy_time_ij (eq. 5). Both are NaN for a pair without an estimate. A saving that is no larger
// than the rounding of its terms is 0.
func (in *Instance) Gain(i, j int) (time, energy float64) {
	s, v, copyTime := &in.Stragglers[i], &in.Slots[j], in.CopyTime[i][j]
	span := s.Finish + v.Start + copyTime
	time = settled(s.Finish-v.Start-copyTime, span)
	// The conversions keep compilers from fusing products into sums, so that all machines find the same savings.
	spent := float64(v.Power * copyTime)
	return time, settled(float64(s.Power*time)-spent, float64(s.Power*span)+spent)
}

// settled is a difference of terms that add up to span, 0 where nothing but their rounding is left.
func settled(difference, span float64) float64 {
	const rounding = 1e-15
	if math.Abs(difference) < rounding*span {
		return 0
	}
	return difference
}

// Helps reports whether a pair with these savings may be used: both must be positive.
func Helps(time, energy float64) bool { return time > 0 && energy > 0 }

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
