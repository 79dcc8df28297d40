package oracle

import (
	"math/big"

	"schedgap/models/flex"
)

// metric is job j's own metric, or the objective's.
func metric(in *flex.Instance, j int) flex.Metric {
	if own := in.Jobs[j].Metric; own != "" {
		return own
	}
	return in.Objective.Metric
}

// factor multiplies the penalty of job j: 1/W_j for stretch whatever the weights, else the weight if the
// objective is weighted, else 1.
func factor(in *flex.Instance, j int) *big.Rat {
	switch {
	case metric(in, j) == flex.Stretch:
		return quo(whole(1), exactly(in.Jobs[j].Work))
	case in.Objective.Weighted:
		return exactly(in.Jobs[j].Weight)
	}
	return whole(1)
}

// due is the deadline of job j where the metric measures from one, and 0 where it measures from the start.
func due(in *flex.Instance, j int) *big.Rat {
	if m := metric(in, j); m == flex.Response || m == flex.Stretch {
		return new(big.Rat)
	}
	return exactly(*in.Jobs[j].Deadline)
}

// A level is a penalty that a job pays if it completes by a time.
type level struct {
	by      *big.Rat // nil: at any time
	penalty *big.Rat // with the job's factor
}

// levels lists what job j may pay under a step metric, tardy or sla, from the earliest time to the latest.
func levels(in *flex.Instance, j int) []level {
	f := factor(in, j)
	if metric(in, j) == flex.Tardy {
		return []level{{by: due(in, j), penalty: new(big.Rat)}, {penalty: f}}
	}
	var l []level
	paid := new(big.Rat)
	for _, s := range in.Jobs[j].Steps {
		l = append(l, level{by: exactly(s.At), penalty: paid})
		paid = mul(f, exactly(s.Penalty))
	}
	return append(l, level{penalty: paid})
}

func stepMetric(m flex.Metric) bool { return m == flex.Tardy || m == flex.SLA }

// penalty is f_j(c) with every comparison forgiving the fraction slip of the deadline.
func penalty(in *flex.Instance, j int, c, slip *big.Rat) *big.Rat {
	if stepMetric(metric(in, j)) {
		for _, l := range levels(in, j) {
			if l.by == nil || !less(add(l.by, mul(slip, l.by)), c) {
				return l.penalty
			}
		}
	}
	late := sub(c, due(in, j))
	if metric(in, j) == flex.Tardiness && late.Sign() < 0 {
		return new(big.Rat)
	}
	return mul(factor(in, j), late)
}

// value is the objective of completion times c.
func value(in *flex.Instance, c []*big.Rat, slip *big.Rat) *big.Rat {
	total := penalty(in, 0, c[0], slip)
	for j := 1; j < len(c); j++ {
		p := penalty(in, j, c[j], slip)
		switch {
		case in.Objective.Aggregate == flex.Sum:
			total = add(total, p)
		case less(total, p):
			total = p
		}
	}
	return total
}
