package flex

import "slices"

// Uniform is an instance whose jobs all have the metric of its objective, with the same schedules, each worth its value in
// in less offset. It is in itself where no job has a metric of its own, and false where some penalties jump and others do not.
//
// A tardy job is one of sla with the penalty 1 from its deadline on. For sums f·C and f·(C − d) are f·max(0, C − 0), the latter
// less the constant f·d; under max the largest penalty is at least 0 once any job's is, and then f·(C − d) counts as f·max(0, C −
// d).
func (in *Instance) Uniform() (u *Instance, offset float64, ok bool) {
	if !slices.ContainsFunc(in.Jobs, func(j Job) bool { return j.Metric != "" }) {
		return in, 0, true
	}
	copied := *in
	u = &copied
	u.Jobs = slices.Clone(in.Jobs)
	for j := range u.Jobs {
		u.Jobs[j].Metric = ""
	}
	u.Objective.Metric = in.MetricOf(0)
	if !in.Mixed() {
		return u, 0, true
	}
	steps := in.Any(Metric.Steps)
	if steps && in.Any(func(m Metric) bool { return !m.Steps() }) {
		return nil, 0, false
	}
	u.Objective = Objective{Metric: Tardiness, Aggregate: in.Objective.Aggregate, Weighted: true}
	if steps {
		u.Objective.Metric = SLA
	}
	for j := range u.Jobs {
		job, f, zero := &u.Jobs[j], in.Factor(j), 0.0
		job.Weight = f
		switch metric := in.MetricOf(j); {
		case metric == Tardy:
			job.Steps = []Step{{At: *job.Deadline, Penalty: 1}}
		case metric == Response || metric == Stretch:
			job.Deadline = &zero
		case metric == Lateness && in.Objective.Aggregate == Sum:
			offset -= f * *job.Deadline
			job.Deadline = &zero
		}
	}
	return u, offset, true
}
