package flex

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"schedgap/models"
)

// ObjectiveParams are the options for the objective of an instance.
func ObjectiveParams() []models.Param {
	metrics := make([]string, len(Metrics))
	for i, m := range Metrics {
		metrics[i] = string(m)
	}
	return []models.Param{
		models.Choice("metric", string(Response), append(metrics, MixedMetrics),
			"penalty of a job's completion time; mixed: each job has one of its own, drawn from those that the aggregate allows"),
		models.Choice("aggregate", string(Sum), []string{string(Sum), string(Max)},
			"one objective out of the penalties; max is not defined for tardy and sla"),
		models.Flag("weighted", "multiply the penalties by the weights; stretch ignores it"),
	}
}

// MixedMetrics is the metric of instances whose jobs have their own.
const MixedMetrics = "mixed"

// ReadObjective reads the objective and draws the metric of a job, which is its own where metric=mixed.
func ReadObjective(v models.Values) (o Objective, metric func(*rand.Rand) Metric, err error) {
	o = Objective{
		Metric: Metric(v.Text("metric")), Aggregate: Aggregate(v.Text("aggregate")), Weighted: v.Bool("weighted"),
	}
	if o.Aggregate == Max && o.Metric.Steps() {
		return o, nil, fmt.Errorf("parameter aggregate: max is not defined for the metric %s; it must be sum", o.Metric)
	}
	if o.Metric != MixedMetrics {
		return o, func(*rand.Rand) Metric { return "" }, nil
	}
	o.Metric = Response
	choices := slices.DeleteFunc(slices.Clone(Metrics), func(m Metric) bool { return o.Aggregate == Max && m.Steps() })
	return o, func(rng *rand.Rand) Metric { return choices[rng.IntN(len(choices))] }, nil
}

// Steps is the number of steps of a service level agreement that is drawn; the paper does not tell it.
const Steps = 3

// DateParams are the options of due dates and steps that are drawn, in the given unit.
func DateParams(unit string) []models.Param {
	unit = ", in units of " + unit
	return []models.Param{
		models.Between("deadline_to", 1.0, 0, 1e6, "latest deadline, the earliest being 0"+unit),
		models.Between("step_to", 1.0, 0, 1e6, "latest step, the earliest being 0"+unit),
	}
}

// DrawUnit draws uniformly from (0, 1], to four decimals.
func DrawUnit(rng *rand.Rand) float64 { return float64(1+rng.IntN(1e4)) / 1e4 }

// DrawDate draws uniformly from 0 to latest, in units of the horizon.
func DrawDate(latest, horizon float64, rng *rand.Rand) float64 {
	return RoundTo(latest*rng.Float64()*horizon, Exponent(horizon))
}

// DrawSteps draws times up to latest, in units of the horizon, and heights and sorts both. Where rounding made two equal the
// later one moves by one unit of the last digit, since steps must increase strictly.
func DrawSteps(latest, horizon float64, rng *rand.Rand) []Step {
	times, heights := make([]float64, Steps), make([]float64, Steps)
	for i := range times {
		times[i], heights[i] = DrawDate(latest, horizon, rng), DrawUnit(rng)
	}
	spread(times, Exponent(horizon))
	spread(heights, -4)
	steps := make([]Step, Steps)
	for i := range steps {
		steps[i] = Step{At: times[i], Penalty: heights[i]}
	}
	return steps
}

// spread sorts multiples of 10^exp and makes them increase strictly.
func spread(values []float64, exp int) {
	slices.Sort(values)
	for i := 1; i < len(values); i++ {
		if values[i] <= values[i-1] {
			values[i] = RoundTo(values[i-1]+math.Pow10(exp), exp)
		}
	}
}

// Exponent belongs to the power of ten which leaves size five significant digits.
func Exponent(size float64) int {
	// Log10 may fall short of an integer by one bit.
	return int(math.Floor(math.Log10(size)+1e-12)) - 4
}

// Decimal is k·10^exp as the nearest float64, so that it is written with few digits.
func Decimal(k float64, exp int) float64 {
	if exp < 0 {
		return k / math.Pow10(-exp)
	}
	return k * math.Pow10(exp)
}

// RoundTo rounds v to a multiple of 10^exp.
func RoundTo(v float64, exp int) float64 { return Decimal(math.Round(v/math.Pow10(exp)), exp) }
