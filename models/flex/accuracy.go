package flex

import (
	"math"

	"schedgap/models"
)

// Rounding is what rounding may change about the value of completion times c, see models.Accuracy: a penalty of response or
// stretch has one term, w·C, one of tardiness or lateness two, w·C and w·d, and one of tardy or sla is a constant. counts tells
// the jobs whose penalty is not 0: a job that is in time has no terms, as rounding does not make it late. Of a max objective that
// job counts which has the largest terms of those that rounding may make the worst.
func (in *Instance) Rounding(c []float64, counts func(j int) bool) float64 {
	worst, sum, most := math.Inf(-1), 0.0, 0.0
	terms := make([]float64, len(c))
	for j, t := range c {
		if !counts(j) {
			worst = max(worst, 0)
			continue
		}
		p := in.Penalty(j, t)
		worst = max(worst, p)
		switch metric := in.MetricOf(j); {
		case metric.Steps():
			terms[j] = p
		case metric == Tardiness || metric == Lateness:
			terms[j] = in.Factor(j) * (t + math.Abs(*in.Jobs[j].Deadline))
		default:
			terms[j] = in.Factor(j) * t
		}
		sum += terms[j]
	}
	if in.Objective.Aggregate == Sum {
		return models.Unit * sum
	}
	for j, t := range terms {
		if counts(j) && in.Penalty(j, c[j])+models.Unit*t >= worst {
			most = max(most, t)
		}
	}
	return models.Unit * most
}

// least is the smallest amount of an instance with tardiness or lateness, whose values may be 0 or cancel: the least w·W/M, what
// the lightest job costs by its own work alone, of the jobs that have such a penalty. Values of the other metrics are sums of
// positive numbers.
func least(in *Instance) float64 {
	amount := math.Inf(1)
	for j := range in.Jobs {
		if metric := in.MetricOf(j); metric == Tardiness || metric == Lateness {
			amount = min(amount, in.Factor(j)*Earliest(in, j))
		}
	}
	if math.IsInf(amount, 1) {
		return 0
	}
	return amount
}
