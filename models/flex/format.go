package flex

import (
	"cmp"
	"fmt"
	"math"

	"schedgap/models"
	"schedgap/models/strict"
)

func decodeInstance(f *strict.File, h models.Header) *Instance {
	in := &Instance{Header: h}
	if !f.Read(in) {
		return in
	}
	if obj := in.Objective; obj.Aggregate == Max && obj.Metric.Steps() {
		f.Fail("objective.aggregate", "%q is not defined for the metric %s; it must be sum", obj.Aggregate, obj.Metric)
	}
	for j := range in.Jobs {
		job := &in.Jobs[j]
		given := job.Max != 0
		if !given {
			job.Max = in.Slots
		}
		if key, fault := in.fault(job, given); fault != "" {
			f.Fail(fmt.Sprintf("jobs[%d].%s", j, key), "%s", fault)
		}
	}
	if total := in.TotalMin(); total > in.Slots {
		f.Fail("jobs", "the minima add up to %d, more than the %d slots", total, in.Slots)
	}
	return in
}

// mostAmount bounds works, weights, deadlines and penalties: sums of products of larger ones would be no numbers.
const mostAmount = 1e100

// fault says which field of a job does not fit the instance, and why; max may be that of the file.
func (in *Instance) fault(job *Job, max bool) (key, fault string) {
	metric := cmp.Or(job.Metric, in.Objective.Metric)
	switch {
	case job.Max > in.Slots:
		return "max", fmt.Sprintf("%d must be at most the number of slots, %d", job.Max, in.Slots)
	case job.Max < job.Min && max:
		return "max", fmt.Sprintf("%d must be at least min, %d", job.Max, job.Min)
	case job.Max < job.Min:
		return "min", fmt.Sprintf("%d must be at most the number of slots, %d", job.Min, in.Slots)
	case in.Objective.Aggregate == Max && job.Metric.Steps():
		return "metric", fmt.Sprintf("%s is not defined for the aggregate max", job.Metric)
	case metric.NeedsDeadline() && job.Deadline == nil:
		return "deadline", "required field is missing"
	case metric.NeedsDeadline() && math.Abs(*job.Deadline) > mostAmount:
		return "deadline", fmt.Sprintf("%v must be between %v and %v", *job.Deadline, -mostAmount, mostAmount)
	case metric != SLA: // the steps' values are not looked at
		return "", ""
	case job.Steps == nil:
		return "steps", "required field is missing"
	case len(job.Steps) == 0:
		return "steps", "the list of steps must not be empty"
	}
	before := Step{At: math.Inf(-1), Penalty: -1}
	for k, s := range job.Steps {
		switch {
		case s.Penalty < 0:
			return fmt.Sprintf("steps[%d].penalty", k), fmt.Sprintf("%v must be at least 0", s.Penalty)
		case s.Penalty > mostAmount:
			return fmt.Sprintf("steps[%d].penalty", k), fmt.Sprintf("%v must be at most %v", s.Penalty, mostAmount)
		case s.At <= before.At:
			return fmt.Sprintf("steps[%d].at", k), fmt.Sprintf("%v must be greater than the step before it, %v", s.At, before.At)
		case s.Penalty <= before.Penalty:
			return fmt.Sprintf("steps[%d].penalty", k), fmt.Sprintf("%v must be greater than the step before it, %v", s.Penalty,
				before.Penalty)
		}
		before = s
	}
	return "", ""
}

// solutionFields are a solution file's keys beyond its head.
type solutionFields struct {
	Intervals strict.List[intervalFields] `json:"intervals" doc:"one after the other from 0 on"`
}

type intervalFields struct {
	Start float64             `json:"start"`
	End   float64             `json:"end"`
	Slots strict.Map[float64] `json:"slots" doc:"by job; a job that is not named holds none"`
}

func encodeSolution(in *Instance, s Schedule) any {
	out := solutionFields{strict.List[intervalFields]{Items: make([]intervalFields, len(s))}}
	held := map[string]float64{}
	for q, iv := range s {
		for _, ch := range iv.Changes {
			if id := in.Jobs[ch.Job].ID; ch.Slots == 0 {
				delete(held, id)
			} else {
				held[id] = ch.Slots
			}
		}
		out.Intervals.Items[q] = intervalFields{iv.Start, iv.End, strict.MapOf(held)}
	}
	return out
}

func decodeSolution(f *strict.File, in *Instance) (s Schedule) {
	index := strict.Index(in.Jobs, func(j *Job) string { return j.ID })
	held, named := make([]float64, len(in.Jobs)), make([]int, len(in.Jobs))
	s = Schedule{}
	var file solutionFields
	file.Intervals.Each = func(q int, fields *intervalFields) {
		iv := Interval{Start: fields.Start, End: fields.End}
		for _, e := range fields.Slots {
			j, _ := f.Find(index, e.Key, "a job", "intervals", q, "slots", e.Key)
			named[j] = q + 1
			if e.Value != held[j] {
				held[j] = e.Value
				iv.Changes = append(iv.Changes, Share{Job: j, Slots: e.Value})
			}
		}
		for j, h := range held {
			if h != 0 && named[j] != q+1 {
				held[j] = 0
				iv.Changes = append(iv.Changes, Share{Job: j})
			}
		}
		s = append(s, iv)
	}
	f.Read(&file)
	return s
}
