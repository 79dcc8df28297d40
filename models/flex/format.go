package flex

import (
	"maps"
	"math"
	"slices"

	"schedgap/models"
	"schedgap/models/strict"
)

// instanceFields are an instance file's keys beyond the header.
type instanceFields struct {
	Slots     int       `json:"slots"`
	Objective Objective `json:"objective"`
	Jobs      []Job     `json:"jobs"`
}

func encodeInstance(in *Instance) any {
	return instanceFields{in.Slots, in.Objective, in.Jobs}
}

func decodeInstance(f strict.Fields, h models.Header) *Instance {
	in := &Instance{
		Header: h, Slots: f.Int("slots", strict.AtLeast(1)), Objective: strict.Nested(f.Item("objective"), decodeObjective),
	}
	in.Jobs = strict.List(f, "jobs", func(f strict.Fields) Job { return decodeJob(f, in) }, strict.NotEmpty, strict.Unique)
	if total := in.TotalMin(); total > in.Slots {
		f.Fail("jobs", "the minima add up to %d, more than the %d slots", total, in.Slots)
	}
	return in
}

func decodeObjective(f strict.Fields) (obj Objective) {
	if obj.Metric = Metric(f.Text("metric")); !slices.Contains(Metrics, obj.Metric) {
		f.Fail("metric", "%q must be one of response, stretch, tardy, tardiness, lateness, sla", obj.Metric)
	}
	obj.Aggregate = Aggregate(f.Text("aggregate"))
	switch {
	case obj.Aggregate != Sum && obj.Aggregate != Max:
		f.Fail("aggregate", "%q must be sum or max", obj.Aggregate)
	case obj.Aggregate == Max && obj.Metric.Steps():
		f.Fail("aggregate", "%q is not defined for the metric %s; it must be sum", obj.Aggregate, obj.Metric)
	}
	obj.Weighted = f.Bool("weighted")
	return obj
}

// Works, weights, deadlines and penalties beyond these would make sums of their products no numbers.
const leastAmount, mostAmount = 1e-100, 1e100

func decodeJob(f strict.Fields, in *Instance) Job {
	amount := strict.Between(leastAmount, mostAmount)
	job := Job{
		ID: f.ID("id"), Work: f.Float("work", strict.Above(0), amount),
		Min: f.IntOr("min", 0, strict.AtLeast(0)), Max: f.IntOr("max", in.Slots),
	}
	switch given := f.Has("max"); {
	case job.Max > in.Slots:
		f.Fail("max", "%d must be at most the number of slots, %d", job.Max, in.Slots)
	case job.Max < 1:
		f.Fail("max", "%d must be at least 1", job.Max)
	case job.Max < job.Min && given:
		f.Fail("max", "%d must be at least min, %d", job.Max, job.Min)
	case job.Max < job.Min:
		f.Fail("min", "%d must be at most the number of slots, %d", job.Min, in.Slots)
	}
	job.Weight = f.FloatOr("weight", 1, strict.Above(0), amount)
	metric := in.Objective.Metric
	if f.Has("metric") {
		metric = Metric(f.Text("metric"))
		job.Metric = metric
	}
	switch {
	case !slices.Contains(Metrics, metric) && job.Metric != "":
		f.Fail("metric", "%q must be one of response, stretch, tardy, tardiness, lateness, sla", metric)
	case in.Objective.Aggregate == Max && metric.Steps() && job.Metric != "":
		f.Fail("metric", "%s is not defined for the aggregate max", metric)
	}
	if metric.NeedsDeadline() {
		d := f.Float("deadline", strict.Between(-mostAmount, mostAmount))
		job.Deadline = &d
	} else if f.Has("deadline") {
		d := f.Float("deadline")
		job.Deadline = &d
	}
	if metric == SLA {
		job.Steps = decodeSteps(f)
	} else if f.Has("steps") { // their values are not looked at
		job.Steps = strict.List(f, "steps", func(f strict.Fields) Step { return Step{At: f.Float("at"), Penalty: f.Float("penalty")} })
	}
	return job
}

func decodeSteps(f strict.Fields) []Step {
	before := Step{At: math.Inf(-1), Penalty: -1}
	return strict.List(f, "steps", func(f strict.Fields) Step {
		s := Step{At: f.Float("at"), Penalty: f.Float("penalty", strict.AtLeast(0), strict.AtMost(mostAmount))}
		if s.At <= before.At {
			f.Fail("at", "%v must be greater than the step before it, %v", s.At, before.At)
		}
		if s.Penalty <= before.Penalty {
			f.Fail("penalty", "%v must be greater than the step before it, %v", s.Penalty, before.Penalty)
		}
		before = s
		return s
	}, strict.NotEmpty)
}

// intervalFields is one interval of a solution file.
type intervalFields struct {
	Start float64            `json:"start"`
	End   float64            `json:"end"`
	Slots map[string]float64 `json:"slots"`
}

func encodeSolution(in *Instance, s Schedule) any {
	out := struct {
		Intervals []intervalFields `json:"intervals"`
	}{make([]intervalFields, len(s))}
	held := map[string]float64{}
	for q, iv := range s {
		for _, ch := range iv.Changes {
			if id := in.Jobs[ch.Job].ID; ch.Slots == 0 {
				delete(held, id)
			} else {
				held[id] = ch.Slots
			}
		}
		out.Intervals[q] = intervalFields{iv.Start, iv.End, maps.Clone(held)}
	}
	return out
}

func decodeSolution(f strict.Fields, in *Instance) Schedule {
	index := strict.Index(in.Jobs, func(j *Job) string { return j.ID })
	held, named := make([]float64, len(in.Jobs)), make([]int, len(in.Jobs))
	q := 0
	return strict.List(f, "intervals", func(f strict.Fields) Interval {
		q++
		iv := Interval{Start: f.Float("start"), End: f.Float("end")}
		for id, v := range f.Map("slots") {
			j, ok := index[id]
			if !ok {
				v.Fail("%q is not the id of a job", id)
				break
			}
			named[j] = q
			if amount := v.Float(); amount != held[j] {
				held[j] = amount
				iv.Changes = append(iv.Changes, Share{Job: j, Slots: amount})
			}
		}
		for j, h := range held {
			if h != 0 && named[j] != q {
				held[j] = 0
				iv.Changes = append(iv.Changes, Share{Job: j})
			}
		}
		return iv
	})
}
