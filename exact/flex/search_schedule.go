package flex

import (
	"errors"
	"slices"

	"schedgap/models/flex"
)

// errNoSchedule would contradict Σ m_j ≤ S, which makes every instance feasible.
var errNoSchedule = errors.New("flex: no schedule exists, which a valid instance rules out")

// realizeTolerance is the share of a job's work that rounding may leave undone when times come from a linear program. It is
// far below what the checker forgives.
const realizeTolerance = 1e-9

// realize builds the schedule that meets completion times, with its objective value as the checker computes it.
func realize(in *flex.Instance, p *filling, times []float64) (flex.Schedule, float64, bool) {
	// A linear program's times are right to a rounding error of the largest: jobs whose work is far below that get a little
	// more time, which costs no more than the error itself.
	h := horizon(in)
	for push := 0.0; !p.fits(times, realizeTolerance); push = max(1e-13, 10*push) {
		if push > 1e-10 {
			return nil, 0, false
		}
		times = slices.Clone(times)
		for j := range times {
			times[j] = max(earliest(in, j), min(times[j]+push*h, latest(in, j, h)))
		}
	}
	plan := p.schedule(times)
	r := flex.Problem.Check(in, plan)
	if !r.Feasible(nil) || r.Objective == nil {
		return nil, 0, false
	}
	return plan, *r.Objective, true
}
