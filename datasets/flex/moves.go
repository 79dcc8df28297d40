package flex

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"schedgap/models"
	"schedgap/models/flex"
)

// Moves take flex instances apart. Fields that the metric ignores stay as they are.
var Moves = &models.Moves[*flex.Instance]{
	Parts: parts, Mend: mend,
	Start: map[string]any{"slots": 6, "total": 60, "min_floor": 0}, Jobs: "jobs",
}

// The values worth trying: ratios do not depend on units, so six orders of magnitude are plenty.
const (
	leastWork, mostWork = 1e-3, 1e3
	mostSlots           = 100
)

func parts(in *flex.Instance) models.Parts {
	var p models.Parts
	jobs := models.ListOf("jobs", "jobs", "j", &in.Jobs)
	jobs.Split = func(j int, share float64) {
		jobs.Copy(j)
		in.Jobs[j].Work, in.Jobs[j+1].Work = in.Jobs[j].Work*share, in.Jobs[j].Work*(1-share)
		in.Jobs[j+1].Min = 0
	}
	jobs.Merge = func(i, j int) {
		in.Jobs[i].Work += in.Jobs[j].Work
		in.Jobs[i].Max = min(in.Slots, in.Jobs[i].Max+in.Jobs[j].Max)
		jobs.Drop(j)
	}
	p.Lists = []models.List{jobs}

	slots := models.NumberOf("slots", "slots", "", &in.Slots, 1, mostSlots)
	slots.Set = func(v float64) {
		old := in.Slots
		in.Slots = int(v)
		for j := range in.Jobs {
			if in.Jobs[j].Max == old { // no maximum of its own
				in.Jobs[j].Max = in.Slots
			}
		}
	}
	p.Numbers = append(p.Numbers, slots)
	for j := range in.Jobs {
		metric := in.MetricOf(j)
		job, at := &in.Jobs[j], fmt.Sprintf("jobs[%d].", j)
		p.Numbers = append(p.Numbers,
			models.NumberOf(at+"work", "work", "work", &job.Work, leastWork, mostWork),
			models.NumberOf(at+"min", "min", "", &job.Min, 0, float64(in.Slots)).Or(0),
			models.NumberOf(at+"max", "max", "", &job.Max, 1, float64(in.Slots)).Or(float64(in.Slots)))
		weight := models.NumberOf(at+"weight", "weight", "weight", &job.Weight, leastWork, mostWork).Or(1)
		weight.Idle = !in.Objective.Weighted || metric == flex.Stretch
		p.Numbers = append(p.Numbers, weight)
		if job.Deadline != nil {
			deadline := models.NumberOf(at+"deadline", "deadline", "work", job.Deadline, -mostWork, mostWork)
			deadline.Idle = !metric.NeedsDeadline()
			p.Numbers = append(p.Numbers, deadline)
		}
		if metric == flex.SLA {
			p.Lists = append(p.Lists, stepList(at, job))
			for k := range job.Steps {
				s, step := &job.Steps[k], fmt.Sprintf("%ssteps[%d].", at, k)
				p.Numbers = append(p.Numbers,
					models.NumberOf(step+"at", "at", "work", &s.At, 0, mostWork),
					models.NumberOf(step+"penalty", "penalty", "weight", &s.Penalty, 0, mostWork))
			}
		}
	}
	return p
}

// stepList is the list of a job's steps. They have no ids, and a copy must come later than its original.
func stepList(at string, job *flex.Job) models.List {
	l := models.ListOf(at+"steps", "steps", "", &job.Steps)
	l.Copy = func(k int) {
		s := job.Steps[k]
		job.Steps = slices.Insert(job.Steps, k+1, flex.Step{At: s.At + max(1, math.Abs(s.At)), Penalty: s.Penalty + max(1, s.Penalty)})
	}
	l.Rename = nil
	l.Swap = func(i, j int) { job.Steps[i].At, job.Steps[j].At = job.Steps[j].At, job.Steps[i].At }
	return l
}

// mend keeps maxima within the slots and above the minima, minima within the slots together, and steps in their order.
func mend(in *flex.Instance) {
	for j := range in.Jobs {
		job := &in.Jobs[j]
		job.Max = max(1, min(job.Max, in.Slots))
		job.Min = max(0, min(job.Min, job.Max))
		slices.SortFunc(job.Steps, func(a, b flex.Step) int { return cmp.Compare(a.At, b.At) })
		for k := 1; k < len(job.Steps); k++ {
			if before := &job.Steps[k-1]; job.Steps[k].Penalty < before.Penalty {
				job.Steps[k].Penalty, before.Penalty = before.Penalty, job.Steps[k].Penalty
			}
		}
	}
	for excess := in.TotalMin() - in.Slots; excess > 0; {
		largest := 0
		for j := range in.Jobs {
			if in.Jobs[j].Min >= in.Jobs[largest].Min {
				largest = j
			}
		}
		in.Jobs[largest].Min--
		excess--
	}
}
