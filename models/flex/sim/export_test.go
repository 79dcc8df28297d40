package sim

import (
	"context"

	"schedgap/models"
)

var (
	RoundTargets = roundTargets
	ShareMinimum = shareMinimum
)

// Observe runs policy p and reports every task that takes a slot (change +1) or leaves it (−1) to observe, jobs by their
// places in the workload, and at the end the metrics to emit.
func Observe(w *Workload, p Policy, v models.Values, seed uint64, observe func(now float64, reduce bool, job, change int),
	emit func(models.Metric),
) error {
	e := newEngine(w, &p, readOptions(v), seed)
	e.observe = func(now float64, kind, job, change int) { observe(now, kind == reducePool, job, change) }
	if err := e.run(context.Background()); err != nil {
		return err
	}
	e.report(emit)
	return nil
}
