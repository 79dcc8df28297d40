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

// RunSimulation simulates the default point of an experiment of kind simulate, adds what the dataset in o.Dir lacks to it, and returns the
// number of new rows and the means at every case.
func RunSimulation(ctx context.Context, e *Experiment, o Options) (added int, cases []CaseMeans, err error) {
	if e.Kind != Simulate {
		return 0, nil, fmt.Errorf("sweep %q is not a simulation; schedgap reproduce --run measures it", e.Name)
	}
	if err := e.Present(); err != nil {
		return 0, nil, fmt.Errorf("%s: %w", e.Name, err)
	}
	settings, err := e.settings(0, e.defaults(), false)
	if err != nil {
		return 0, nil, err
	}
	dir := store.Open(o.Dir)
	own := map[string]int{} // case by the workload's name
	for i, s := range settings {
		own[s.name] = i
	}
	read := func() (all int, runs [][]bench.SimRecord, err error) {
		runs = make([][]bench.SimRecord, len(settings))
		bad, err := dir.EachSim(ctx, func(rows []bench.SimRecord) {
			for _, r := range rows {
				if i, ok := own[r.Workload]; ok {
					if all++; r.Scope == "run" {
						runs[i] = append(runs[i], r)
					}
				}
			}
		})
		if err == nil && len(bad) > 0 {
			err = bad[0]
		}
		return all, runs, err
	}
	before, _, err := read()
	if err != nil {
		return 0, nil, err
	}
	if _, err := e.run(ctx, [][]setting{settings}, dir, o); err != nil {
		return 0, nil, err
	}
	after, runs, err := read()
	if err != nil {
		return 0, nil, err
	}
	for i, s := range settings {
		cases = append(cases, CaseMeans{s.x, simrun.Means(runs[i])})
	}
	return after - before, cases, nil
}
