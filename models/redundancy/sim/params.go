package sim

import (
	"fmt"

	"schedgap/models"
	"schedgap/models/simulation"
)

// Params are the options of the simulation. The lengths of periods are the fits of the study of failure traces that the
// paper cites; the paper's uniform speeds are lost, and these are decided (docs/problems/redundancy.md#simulator).
var Params = []models.Param{
	models.Between("machines", 100, 1, 1e6, "number of machines"),
	models.Between("beta", 0.5, 1e-6, 1, "β, the share of the active jobs, the latest ones, that laps and laps+r serve"),
	Remainder,
	simulation.Load,
	models.Flag("slotted", "decide at the ends of slots only, as the paper does"),
	models.Between("slot", 1.0, 1e-3, 1e6, "length of a slot, units of time"),
	models.Choice("checkpoints", checkpointEvents, []string{checkpointEvents, checkpointPeriodic, checkpointNone},
		"when the state of a job's most advanced copy is saved and its other copies go on from it: at events, that is "+
			"arrivals and completions, for nothing (Assumption 1); periodic, every checkpoint_every units, when all "+
			"machines stand still for checkpoint_cost; none. A copy begins from what is saved last, and a job that loses "+
			"all its copies falls back to it"),
	models.Between("checkpoint_every", 10.0, 1e-3, 1e9, "between periodic checkpoints, units of time"),
	models.Between("checkpoint_cost", 0.0, 0, 1e9,
		"of a periodic checkpoint: no machine works for so long, units of time, less than checkpoint_every"),
	models.Choice("counted", countAll, []string{countAll, countInTime},
		"jobs of which mean_flowtime and the shares within 40 and 200 units are: all, or those that complete before the "+
			"last arrival, as a simulation that stops there sees them"),
	models.Between("available_shape", 0.34, 0.05, 1e3, "of the length of an available period, Gamma distributed"),
	models.Between("available_scale", 94.35, 0.1, 1e6, "of the same, units of time"),
	models.Between("unavailable_shape", 0.19, 0.05, 1e3, "of the length of an unavailable period"),
	models.Between("unavailable_scale", 39.92, 0.1, 1e6, "of the same, units of time"),
	models.Between("available_low", 0.8, 0, 1e6, "least speed in an available period, before the mean is made 1"),
	models.Between("available_high", 1.2, 0, 1e6, "greatest speed in an available period"),
	models.Between("unavailable_low", 0.0, 0, 1e6, "least speed in an unavailable period"),
	models.Between("unavailable_high", 0.2, 0, 1e6, "greatest speed in an unavailable period"),
}

// Remainder is an option of laps and laps+r, on workloads and on instances.
var Remainder = models.Param{
	Name: "remainder", Default: remainderShares, Choices: []string{remainderShares, remainderWaits},
	Doc: "of k jobs that laps or laps+r serves on M < k machines, the k mod M oldest: share, as section 5.3 prints it, ⌊k/M⌋+1 " +
		"shares a machine, the latest job with copies on what is left over; or wait, as under fair+r",
}

const (
	remainderWaits  = "wait"
	remainderShares = "share"
	countAll        = "all"
	countInTime     = "in-time"

	checkpointEvents   = "events"
	checkpointPeriodic = "periodic"
	checkpointNone     = "none"
)

// RemainderShares reads the option remainder.
func RemainderShares(v models.Values) bool { return v.Text("remainder") == remainderShares }

// readLaw reads how machines behave.
func readLaw(v models.Values) (*law, error) {
	l := &law{}
	for k, kind := range [...]string{available: "available", unavailable: "unavailable"} {
		p := &l.kinds[k]
		p.shape, p.scale = v.Float(kind+"_shape"), v.Float(kind+"_scale")
		p.low, p.high = v.Float(kind+"_low"), v.Float(kind+"_high")
		if err := v.AtMost(kind+"_low", kind+"_high"); err != nil {
			return nil, err
		}
	}
	mean := l.meanSpeed()
	if mean == 0 {
		return nil, fmt.Errorf("parameters available_high and unavailable_high: 0 leaves the machines no speed")
	}
	for k := range l.kinds {
		l.kinds[k].low /= mean
		l.kinds[k].high /= mean
	}
	return l, nil
}
