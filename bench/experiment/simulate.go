package experiment

import (
	"context"
	"fmt"

	"schedgap/bench"
	"schedgap/bench/simrun"
	"schedgap/bench/store"
)

// A CaseMeans is what the runs at a case gave on average over all blocks.
type CaseMeans struct {
	X     float64       `json:"x"`
	Means []simrun.Mean `json:"means"`
}

// RunSimulation simulates the default point of an experiment of kind simulate, adds what the dataset in o.Dir lacks to it, and
// returns the number of new rows and the means at every case.
func RunSimulation(ctx context.Context, e *Experiment, o Options) (added int, cases []CaseMeans, err error) {
	if e.Kind != Simulate {
		return 0, nil, fmt.Errorf("sweep %q is not a simulation; schedgap reproduce --run measures it", e.Name)
	}
	if err := e.present(); err != nil {
		return 0, nil, err
	}
	settings, err := e.settings(0, e.defaults(), false)
	if err != nil {
		return 0, nil, err
	}
	dir := store.Open(o.Dir)
	if _, added, err = e.run(ctx, [][]setting{settings}, dir, o); err != nil {
		return 0, nil, err
	}
	runs := map[string][]bench.SimRecord{} // by the workload's name
	err = eachSim(ctx, dir, func(rows []bench.SimRecord) {
		for _, r := range rows {
			if r.Scope == "run" {
				runs[r.Workload] = append(runs[r.Workload], r)
			}
		}
	})
	for _, s := range settings {
		cases = append(cases, CaseMeans{s.x, simrun.Means(runs[s.name])})
	}
	return added, cases, err
}
