package flex

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"schedgap/models"
	"schedgap/models/flex"
)

// objectiveParams are the options that say what an instance minimises.
func objectiveParams() []models.Param {
	metrics := make([]string, len(flex.Metrics))
	for i, m := range flex.Metrics {
		metrics[i] = string(m)
	}
	return []models.Param{
		{
			Name: "metric", Default: string(flex.Response), Choices: append(metrics, mixed),
			Doc: "penalty of a job's completion time; mixed: each job has one of its own, drawn from those that the aggregate allows",
		},
		{
			Name: "aggregate", Default: string(flex.Sum), Choices: []string{string(flex.Sum), string(flex.Max)},
			Doc: "one objective out of the penalties; max is not defined for tardy and sla",
		},
		{Name: "weighted", Default: false, Doc: "multiply the penalties by the weights; stretch ignores it"},
	}
}

// minimaParams are the options of the guaranteed minima.
func minimaParams() []models.Param {
	return []models.Param{
		{
			Name: "slack", Default: 0.75, Min: 0, Max: 1,
			Doc: "share of the slots that the minima leave free, up to rounding, maxima and min_floor",
		},
		{Name: "min_floor", Default: 1, Min: 0, Max: 1, Doc: "least minimum of a job: 1, as in the paper, or 0"},
	}
}

// What becomes of the minima that are drawn.
const (
	minimaScaled = "scaled" // together, so that the slack is what was asked for
	minimaDrawn  = "drawn"  // each rounded; scaled only where they exceed the slots
)

// mixed is the metric of instances whose jobs have their own.
const mixed = "mixed"

// objectiveOf reads the objective and draws the metric of a job, which is its own where metric=mixed.
func objectiveOf(v models.Values) (o flex.Objective, metric func(*rand.Rand) flex.Metric, err error) {
	o = flex.Objective{
		Metric: flex.Metric(v.Text("metric")), Aggregate: flex.Aggregate(v.Text("aggregate")), Weighted: v.Bool("weighted"),
	}
	if o.Aggregate == flex.Max && o.Metric.Steps() {
		return o, nil, fmt.Errorf("parameter aggregate: max is not defined for the metric %s; it must be sum", o.Metric)
	}
	if o.Metric != mixed {
		return o, func(*rand.Rand) flex.Metric { return "" }, nil
	}
	o.Metric = flex.Response
	choices := slices.DeleteFunc(slices.Clone(flex.Metrics), func(m flex.Metric) bool { return o.Aggregate == flex.Max && m.Steps() })
	return o, func(rng *rand.Rand) flex.Metric { return choices[rng.IntN(len(choices))] }, nil
}

// guaranteed is how many of the slots the minima take.
func guaranteed(slack float64, slots int) int {
	return int((1-slack)*float64(slots) + 0.5)
}
