package sim

import (
	"fmt"

	"schedgap/models"
	"schedgap/models/simulation"
)

// Params are the options of the simulation. The lengths of periods are the fits of the study of failure traces that the
// paper cites; the paper's uniform speeds are lost, and these are decided (docs/problems/redundancy.md#simulator).
var Params = []models.Param{
	{Name: "machines", Default: 100, Min: 1, Max: 1e6, Doc: "number of machines"},
	{
		Name: "beta", Default: 0.5, Min: 1e-6, Max: 1,
		Doc: "β, the share of the active jobs, the latest ones, that laps and laps+r serve",
	},
	Remainder,
	simulation.Noise,
	{Name: "slotted", Default: false, Doc: "decide at the ends of slots only, as the paper does"},
	{Name: "slot", Default: 1.0, Min: 1e-3, Max: 1e6, Doc: "length of a slot, units of time"},
	{
		Name: "checkpoints", Default: checkpointEvents, Choices: []string{checkpointEvents, checkpointPeriodic, checkpointNone},
		Doc: "when the state of a job's most advanced copy is saved and its other copies go on from it: at events, that is arrivals " +
			"and completions, for nothing (Assumption 1); periodic, every checkpoint_every units, when all machines stand still for " +
			"checkpoint_cost; none. A copy begins from what is saved last, and a job that loses all its copies falls back to it",
	},
	{Name: "checkpoint_every", Default: 10.0, Min: 1e-3, Max: 1e9, Doc: "between periodic checkpoints, units of time"},
	{
		Name: "checkpoint_cost", Default: 0.0, Min: 0, Max: 1e9,
		Doc: "of a periodic checkpoint: no machine works for so long, units of time, less than checkpoint_every",
	},
	{
		Name: "counted", Default: countAll, Choices: []string{countAll, countInTime},
		Doc: "jobs of which mean_flowtime and the shares within 40 and 200 units are: all, or those that complete before the last " +
			"arrival, as a simulation that stops there sees them",
	},
	{Name: "available_shape", Default: 0.34, Min: 0.05, Max: 1e3, Doc: "of the length of an available period, Gamma distributed"},
	{Name: "available_scale", Default: 94.35, Min: 0.1, Max: 1e6, Doc: "of the same, units of time"},
	{Name: "unavailable_shape", Default: 0.19, Min: 0.05, Max: 1e3, Doc: "of the length of an unavailable period"},
	{Name: "unavailable_scale", Default: 39.92, Min: 0.1, Max: 1e6, Doc: "of the same, units of time"},
	{Name: "available_low", Default: 0.8, Min: 0, Max: 1e6, Doc: "least speed in an available period, before the mean is made 1"},
	{Name: "available_high", Default: 1.2, Min: 0, Max: 1e6, Doc: "greatest speed in an available period"},
	{Name: "unavailable_low", Default: 0.0, Min: 0, Max: 1e6, Doc: "least speed in an unavailable period"},
	{Name: "unavailable_high", Default: 0.2, Min: 0, Max: 1e6, Doc: "greatest speed in an unavailable period"},
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
