package sim

import (
	"slices"

	"schedgap/models"
	"schedgap/models/simulation"
)

// Params are the options of a run.
var Params = slices.Concat([]models.Param{
	models.Between("map_slots", 104, 1, 1<<24,
		"Map slots of the cluster; the paper gives only the cores of its 26 hosts, 13×4 + 13×8 = 156, which we split two to "+
			"one into 104 Map and 52 Reduce slots"),
	models.Between("reduce_slots", 52, 1, 1<<24, "Reduce slots of the cluster"),
	models.Between("slack", 0.75, 0, 1,
		"share of each pool's slots that its minimum does not cover; the jobs running in the pool share the minimum, at "+
			"least one slot each"),
	models.Between("epoch", 0.5, 1e-3, 1e6, "T, seconds between two allocations"),
	models.Choice("estimate", "extrapolated", []string{"extrapolated", "exact"},
		"remaining work of a phase: extrapolated is the mean time of its finished tasks times the number of unfinished "+
			"ones, exact is the truth"),
	simulation.Load,
	models.Between("slowstart", 1.0, 0, 1,
		"share of a job's Map tasks that must be done before its Reduce tasks may take slots; they hold them without "+
			"computing until all are done"),
}, penaltyParams())

type options struct {
	slots     [2]int  // by pool
	minimum   [2]int  // the pools' guaranteed slots
	Epoch     float64 `param:"epoch"`
	Exact     bool    `param:"estimate=exact"`
	Slowstart float64 `param:"slowstart"`
}

func readOptions(v models.Values) options {
	o := options{slots: [2]int{v.Int("map_slots"), v.Int("reduce_slots")}}
	v.Read(&o)
	for p, s := range o.slots {
		o.minimum[p] = int((1-v.Float("slack"))*float64(s) + 0.5)
	}
	return o
}
