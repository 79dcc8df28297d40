package sim

import (
	"context"

	"schedgap/models"
	"schedgap/models/simulation"
)

// Hooks are what tests add to a run: an observer, and times of attempts in place of the Pareto distributed ones, which are nil
// or negative where they replace nothing.
type Hooks struct {
	Observe func(Change)
	Times   func(job, task, attempt int) float64
	// Segments replaces the stretches of equal speed where speeds change.
	Segments func(job, task, attempt, segment int) (x, lasts float64)
}

// Watch runs a policy without a baseline.
func Watch(ctx context.Context, w *Workload, p Policy, v models.Values, seed uint64, h Hooks, emit func(models.Metric)) error {
	e, err := newEngine(w, &p, readOptions(v), seed)
	if err != nil {
		return err
	}
	e.observe, e.segments = h.Observe, h.Segments
	if h.Times != nil {
		e.times = func(job, task, attempt int) float64 {
			if x := h.Times(job, task, attempt); x >= 0 {
				return x
			}
			return pareto(&w.Jobs[job], simulation.Stream(seed, job), int32(task), int32(attempt))
		}
	}
	if err := e.Run(ctx); err != nil {
		return err
	}
	e.Report(emit)
	return nil
}
