package flex

import "math"

// largestWhole is the largest number below which all whole numbers are float64s.
const largestWhole = 1 << 53

// ValueGrid is a number of which the value of some optimum is a whole multiple, and the value of every optimum with it; 0: none is
// known. Sums of step penalties (tardy, sla) are sums of the steps' heights. If no job has a minimum and every job can take all slots,
// jobs may be served one at a time in the order of their completions, each no later than before: then completions are sums of works over
// the number of slots, and penalties that are linear or tardiness are whole multiples of the works', dates' and weights' common
// divisors. Numbers that are not whole have no grid.
func ValueGrid(in *Instance) float64 {
	o := in.Objective
	if o.Aggregate != Sum || in.Mixed() {
		return 0
	}
	heights := 0.0
	if in.StepTimes(0) != nil {
		for j := range in.Jobs {
			before := 0.0
			for _, t := range in.StepTimes(j) {
				after := in.Penalty(j, JustAfter(t))
				heights = divisor(heights, after-before)
				before = after
			}
		}
		return heights
	}
	if in.Slots != 1 || o.Metric != Tardiness && o.Metric != Response {
		return 0
	}
	times := 0.0
	for j := range in.Jobs {
		job := &in.Jobs[j]
		if job.Min != 0 {
			return 0
		}
		times, heights = divisor(times, job.Work), divisor(heights, in.Factor(j))
		if o.Metric == Tardiness {
			times = divisor(times, *job.Deadline)
		}
	}
	if g := times * heights; g < largestWhole {
		return g
	}
	return 0
}

// divisor is the greatest common divisor of two whole numbers, 0 counting as a multiple of all; NaN where one is not whole.
func divisor(a, b float64) float64 {
	if a != math.Trunc(a) || b != math.Trunc(b) || !(math.Abs(a) < largestWhole && math.Abs(b) < largestWhole) {
		return math.NaN()
	}
	for a, b = math.Abs(a), math.Abs(b); b != 0; {
		a, b = b, math.Mod(a, b)
	}
	return a
}
