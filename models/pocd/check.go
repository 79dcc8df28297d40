package pocd

import (
	"fmt"

	"schedgap/models"
)

// check recomputes feasibility and objective from the definition in docs/problems/pocd.md#constraints: r_i integer, 0 ≤ r_i ≤
// max_copies, r_i = 0 unless the task is a straggler, Σ_j Σ_i (r_i + 1) + |J| ≤ capacity. All sides are integers, so nothing is
// forgiven.
func check(in *Instance, c Copies) models.Report {
	var r models.Report
	if len(c) > len(in.Jobs) {
		r.Violate("copies", "jobs that the instance does not have", float64(len(c)-len(in.Jobs)))
	}
	used := float64(in.BaseLoad()) // counts beyond a machine integer's sum must not wrap around
	for j := range min(len(c), len(in.Jobs)) {
		job := &in.Jobs[j]
		if extra := len(c[j]) - len(job.Tasks); extra > 0 {
			r.Violate("copies", fmt.Sprintf("jobs[%s]: tasks that the job does not have", job.ID), float64(extra))
		}
		for i := range min(len(c[j]), len(job.Tasks)) {
			n, where := c[j][i], func() string { return fmt.Sprintf("jobs[%s].tasks[%s]", job.ID, job.Tasks[i].ID) }
			used += float64(max(0, n))
			switch {
			case n < 0:
				r.Violate("copies", where(), -float64(n))
			case n > in.MaxCopies:
				r.Violate("copies", where(), float64(n)-float64(in.MaxCopies))
			}
			if n > 0 && !job.Tasks[i].Straggler {
				r.Violate("straggler", where(), float64(n))
			}
		}
	}
	if over := used - float64(in.Capacity); over > 0 {
		r.Violate("capacity", "capacity", over)
	}
	v := in.Value(c)
	r.Objective = &v
	r.Hopeless = leftOut(in)
	return r
}

// leftOut lists the hopeless jobs where the objective leaves them out.
func leftOut(in *Instance) (ids []string) {
	if !in.CountsHopeless() {
		for _, j := range in.Hopeless() {
			ids = append(ids, in.Jobs[j].ID)
		}
	}
	return ids
}
