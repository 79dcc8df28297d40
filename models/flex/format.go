package flex

import (
	"maps"
	"math"

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

func decodeInstance(o *strict.Object, h models.Header) (*Instance, error) {
	in := &Instance{Header: h}
	slots, err := o.Need("slots")
	if err != nil {
		return nil, err
	}
	if in.Slots, err = slots.Int(); err != nil {
		return nil, err
	}
	if in.Slots < 1 {
		return nil, slots.Errorf("%d must be at least 1", in.Slots)
	}
	if in.Objective, err = decodeObjective(o); err != nil {
		return nil, err
	}
	jobs, err := o.Array("jobs")
	if err != nil {
		return nil, err
	}
	if jobs.Len() == 0 {
		return nil, o.Get("jobs").Errorf("the list of jobs must not be empty")
	}
	in.Jobs = make([]Job, jobs.Len())
	seen := make(map[string]int)
	total := 0
	for i, v := range jobs.All() {
		jo, err := v.Object()
		if err != nil {
			return nil, err
		}
		if in.Jobs[i], err = decodeJob(jo, in); err != nil {
			return nil, err
		}
		if first, twice := seen[in.Jobs[i].ID]; twice {
			return nil, jo.Get("id").Errorf("%q is also the id of jobs[%d]", in.Jobs[i].ID, first)
		}
		seen[in.Jobs[i].ID] = i
		total += in.Jobs[i].Min
	}
	if total > in.Slots {
		return nil, o.Get("jobs").Errorf("the minima add up to %d, more than the %d slots", total, in.Slots)
	}
	return in, nil
}

func decodeObjective(o *strict.Object) (obj Objective, err error) {
	f, err := o.Object("objective")
	if err != nil {
		return obj, err
	}
	metric, err := f.Text("metric")
	if err != nil {
		return obj, err
	}
	obj.Metric = Metric(metric)
	known := false
	for _, m := range Metrics {
		known = known || m == obj.Metric
	}
	if !known {
		return obj, f.Get("metric").Errorf("%q must be one of response, stretch, tardy, tardiness, lateness, sla", metric)
	}
	aggregate, err := f.Text("aggregate")
	if err != nil {
		return obj, err
	}
	obj.Aggregate = Aggregate(aggregate)
	switch {
	case obj.Aggregate != Sum && obj.Aggregate != Max:
		return obj, f.Get("aggregate").Errorf("%q must be sum or max", aggregate)
	case obj.Aggregate == Max && (obj.Metric == Tardy || obj.Metric == SLA):
		return obj, f.Get("aggregate").Errorf("%q is not defined for the metric %s; it must be sum", aggregate, metric)
	}
	if obj.Weighted, err = f.Bool("weighted"); err != nil {
		return obj, err
	}
	return obj, f.Done()
}

// Works, weights, deadlines and penalties beyond these would make sums of their products no numbers.
const leastAmount, mostAmount = 1e-100, 1e100

// ranged refuses a positive amount that is out of range.
func ranged(at *strict.Value, x float64) error {
	if x < leastAmount || x > mostAmount {
		return at.Errorf("%v must be between %g and %g", x, leastAmount, mostAmount)
	}
	return nil
}

func decodeJob(o *strict.Object, in *Instance) (job Job, err error) {
	if job.ID, err = o.ID("id"); err != nil {
		return job, err
	}
	if job.Work, err = o.Float("work"); err != nil {
		return job, err
	}
	if job.Work <= 0 {
		return job, o.Get("work").Errorf("%v must be greater than 0", job.Work)
	}
	if err := ranged(o.Get("work"), job.Work); err != nil {
		return job, err
	}
	if job.Min, err = o.IntOr("min", 0); err != nil {
		return job, err
	}
	if job.Min < 0 {
		return job, o.Get("min").Errorf("%d must be at least 0", job.Min)
	}
	if job.Max, err = o.IntOr("max", in.Slots); err != nil {
		return job, err
	}
	switch at := o.Get("max"); {
	case job.Max > in.Slots && at != nil:
		return job, at.Errorf("%d must be at most the number of slots, %d", job.Max, in.Slots)
	case job.Max < 1:
		return job, at.Errorf("%d must be at least 1", job.Max)
	case job.Max < job.Min && at != nil:
		return job, at.Errorf("%d must be at least min, %d", job.Max, job.Min)
	case job.Max < job.Min:
		return job, o.Get("min").Errorf("%d must be at most the number of slots, %d", job.Min, in.Slots)
	}
	if job.Weight, err = o.FloatOr("weight", 1); err != nil {
		return job, err
	}
	if job.Weight <= 0 {
		return job, o.Get("weight").Errorf("%v must be greater than 0", job.Weight)
	}
	if at := o.Get("weight"); at != nil {
		if err := ranged(at, job.Weight); err != nil {
			return job, err
		}
	}
	if v := o.Get("deadline"); v != nil {
		d, err := v.Float()
		if err != nil {
			return job, err
		}
		if in.Objective.Metric.NeedsDeadline() && math.Abs(d) > mostAmount {
			return job, v.Errorf("%v must be between %g and %g", d, -mostAmount, mostAmount)
		}
		job.Deadline = &d
	} else if in.Objective.Metric.NeedsDeadline() {
		_, err := o.Need("deadline")
		return job, err
	}
	if v := o.Get("steps"); v != nil {
		if job.Steps, err = decodeSteps(v, in.Objective.Metric == SLA); err != nil {
			return job, err
		}
	} else if in.Objective.Metric == SLA {
		_, err := o.Need("steps")
		return job, err
	}
	return job, o.Done()
}

// decodeSteps reads steps; where the metric ignores them their values are not looked at.
func decodeSteps(v *strict.Value, used bool) ([]Step, error) {
	elems, err := v.Array()
	if err != nil {
		return nil, err
	}
	if used && elems.Len() == 0 {
		return nil, v.Errorf("the list of steps must not be empty")
	}
	steps := make([]Step, elems.Len())
	for i, e := range elems.All() {
		o, err := e.Object()
		if err != nil {
			return nil, err
		}
		s := &steps[i]
		if s.At, err = o.Float("at"); err != nil {
			return nil, err
		}
		if s.Penalty, err = o.Float("penalty"); err != nil {
			return nil, err
		}
		switch {
		case !used:
		case s.Penalty < 0:
			return nil, o.Get("penalty").Errorf("%v must be at least 0", s.Penalty)
		case s.Penalty > mostAmount:
			return nil, o.Get("penalty").Errorf("%v must be at most %g", s.Penalty, mostAmount)
		case i > 0 && s.At <= steps[i-1].At:
			return nil, o.Get("at").Errorf("%v must be greater than the step before it, %v", s.At, steps[i-1].At)
		case i > 0 && s.Penalty <= steps[i-1].Penalty:
			return nil, o.Get("penalty").Errorf("%v must be greater than the step before it, %v", s.Penalty, steps[i-1].Penalty)
		}
		if err := o.Done(); err != nil {
			return nil, err
		}
	}
	return steps, nil
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

func decodeSolution(o *strict.Object, in *Instance) (Schedule, error) {
	elems, err := o.Array("intervals")
	if err != nil {
		return nil, err
	}
	index := make(map[string]int, len(in.Jobs))
	for j := range in.Jobs {
		index[in.Jobs[j].ID] = j
	}
	held, named := make([]float64, len(in.Jobs)), make([]int, len(in.Jobs))
	s := make(Schedule, elems.Len())
	for q, e := range elems.All() {
		fields, err := e.Object()
		if err != nil {
			return nil, err
		}
		iv := &s[q]
		if iv.Start, err = fields.Float("start"); err != nil {
			return nil, err
		}
		if iv.End, err = fields.Float("end"); err != nil {
			return nil, err
		}
		slots, err := fields.Object("slots")
		if err != nil {
			return nil, err
		}
		for _, id := range slots.Keys() {
			j, ok := index[id]
			if !ok {
				return nil, slots.Get(id).Errorf("%q is not the id of a job", id)
			}
			amount, err := slots.Float(id)
			if err != nil {
				return nil, err
			}
			named[j] = q + 1
			if amount != held[j] {
				held[j] = amount
				iv.Changes = append(iv.Changes, Share{Job: j, Slots: amount})
			}
		}
		for j, h := range held {
			if h != 0 && named[j] != q+1 {
				held[j] = 0
				iv.Changes = append(iv.Changes, Share{Job: j})
			}
		}
		if err := fields.Done(); err != nil {
			return nil, err
		}
	}
	return s, nil
}
