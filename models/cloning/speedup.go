package cloning

import (
	"fmt"
	"math"
)

// ParetoSpeedup returns h(1..maxCopies) of durations that are fitted by a Pareto distribution of the given mean and standard
// deviation (DollyMP eq. 3): α = 1 + √(1 + (mean/sd)²), h(r) = 1 + (1 − 1/r)/(α − 1). It is 1 everywhere for sd = 0.
func ParetoSpeedup(mean, sd float64, maxCopies int) []float64 {
	h := make([]float64, maxCopies)
	most := 1 / math.Hypot(1, mean/sd) // 1/(α−1), the gain of endlessly many copies
	for i := range h {
		h[i] = 1 + most*float64(i)/float64(i+1)
	}
	return h
}

// speedupTolerance lets tables pass that were rounded to about the precision of a float64.
const speedupTolerance = 1e-9

// checkSpeedup reports an error of the last of the values h(1), h(2), …
func checkSpeedup(h []float64) error {
	r := len(h)
	last := h[r-1]
	if r == 1 {
		if last != 1 {
			return fmt.Errorf("h(1) = %v must be 1", last)
		}
		return nil
	}
	before, twoBefore := h[r-2], 0.0
	if r > 2 {
		twoBefore = h[r-3]
	}
	switch {
	case last < before:
		return fmt.Errorf("h(%d) = %v must be at least h(%d) = %v", r, last, r-1, before)
	case last-before > before-twoBefore+speedupTolerance:
		return fmt.Errorf("h(%d) = %v must be at most %v: h is concave, with h(0) = 0", r, last, 2*before-twoBefore)
	}
	return nil
}

// Rate is h(copies), the progress of a task in a slot in which so many of its copies run. No copies make none, and copies
// beyond the table no more than its last.
func (p *Phase) Rate(copies int) float64 {
	if copies <= 0 {
		return 0
	}
	return p.Speedup[min(copies, len(p.Speedup))-1]
}

// Helpful is the least number of copies, up to most, that bring as much progress as most of them.
func (p *Phase) Helpful(most int) int {
	for most > 1 && p.Speedup[most-1] <= p.Speedup[most-2] {
		most--
	}
	return most
}

// Required is the progress at which a task is done: its mean, less the 1e-9 that rounding may cost, or more where the mean is
// so large that a float64 has no such digits.
func (p *Phase) Required() float64 { return p.Mean - max(1e-9, 1e-14*p.Mean) }
