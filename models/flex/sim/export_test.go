package sim

import (
	"context"
	"strings"

	"schedgap/models"
	"schedgap/models/flex"
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
	if err := e.drawPenalties(v); err != nil {
		return err
	}
	e.observe = func(now float64, kind, job, change int) { observe(now, kind == reducePool, job, change) }
	if err := e.Run(context.Background()); err != nil {
		return err
	}
	e.Report(emit)
	return nil
}

// Drawn are the jobs, in the workload's order, with the penalties by which a run judges them.
func Drawn(w *Workload, v models.Values, seed uint64) ([]flex.Job, error) {
	e := newEngine(w, &Policy{}, readOptions(v), seed)
	if err := e.drawPenalties(v); err != nil {
		return nil, err
	}
	jobs := make([]flex.Job, len(w.Jobs))
	for i, file := range e.File {
		jobs[file] = e.judge.Jobs[i]
	}
	return jobs, nil
}

// Moments runs policy p, shows what it sees of each pool, with the time, and returns the metrics by name, a job's by name and id.
func Moments(w *Workload, p Policy, v models.Values, seed uint64, see func(now float64, in *flex.Instance)) (map[string]float64,
	error,
) {
	var e *engine
	targets := p.Targets
	p.Targets = func(in *flex.Instance, t []float64) {
		see(e.Now, in)
		targets(in, t)
	}
	e = newEngine(w, &p, readOptions(v), seed)
	if err := e.drawPenalties(v); err != nil {
		return nil, err
	}
	got := map[string]float64{}
	if err := e.Run(context.Background()); err != nil {
		return nil, err
	}
	e.Report(func(m models.Metric) { got[strings.TrimSuffix(m.Name+" "+m.Job, " ")] = m.Value })
	return got, nil
}
