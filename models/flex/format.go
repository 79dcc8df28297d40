package flex

import (
	"cmp"
	"fmt"
	"math"
	"slices"

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
	Intervals strict.List[intervalFields] `json:"intervals" is:"either" doc:"one after the other from 0 on"`
	Changes   strict.List[changeFields]   `json:"changes" is:"either" doc:"instead of intervals, in the order of their times"`
}

type intervalFields struct {
	Start float64             `json:"start"`
	End   float64             `json:"end"`
	Slots strict.Map[float64] `json:"slots" doc:"by job; a job that is not named holds none"`
}

type changeFields struct {
	Time float64             `json:"time"`
	Set  strict.Map[float64] `json:"set" doc:"slots from this time on, by job; a job that is not named keeps its own, none before the first change"`
}

// manyJobs is the number of jobs from which on solutions are written as changes: intervals name every running job again, n²/2 in
// all.
const manyJobs = 1000

func encodeSolution(in *Instance, s Schedule) any {
	if len(in.Jobs) >= manyJobs && s.contiguous() {
		return struct {
			Changes strict.List[changeFields] `json:"changes"`
		}{encodeChanges(in, s)}
	}
	order := OrderBy(in, func(int) float64 { return 0 })
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(in.Jobs[a].ID, in.Jobs[b].ID) })
	held, slots := make([]float64, len(in.Jobs)), strict.Map[float64]{}
	write := func(q int, fields *intervalFields) {
		iv := &s[q]
		for _, ch := range iv.Changes {
			held[ch.Job] = ch.Slots
		}
		slots = slots[:0]
		for _, j := range order {
			if held[j] != 0 {
				slots = append(slots, strict.Entry[float64]{Key: in.Jobs[j].ID, Value: held[j]})
			}
		}
		*fields = intervalFields{iv.Start, iv.End, slots}
	}
	return struct {
		Intervals strict.List[intervalFields] `json:"intervals"`
	}{strict.List[intervalFields]{Len: len(s), Item: write}}
}

// contiguous reports whether each interval begins where the one before ends, to the last bit.
func (s Schedule) contiguous() bool {
	end := 0.0
	for _, iv := range s {
		if iv.Start != end {
			return false
		}
		end = iv.End
	}
	return true
}

// encodeChanges ends with a change that takes all slots away.
func encodeChanges(in *Instance, s Schedule) strict.List[changeFields] {
	held := make([]float64, len(in.Jobs))
	var set strict.Map[float64]
	name := func(j int, slots float64) {
		held[j] = slots
		set = append(set, strict.Entry[float64]{Key: in.Jobs[j].ID, Value: slots})
	}
	write := func(k int, fields *changeFields) {
		set = set[:0]
		if k == len(s) {
			fields.Time = s[k-1].End
			for j, slots := range held {
				if slots != 0 {
					name(j, 0)
				}
			}
		} else {
			fields.Time = s[k].Start
			for _, ch := range s[k].Changes {
				name(ch.Job, ch.Slots)
			}
		}
		fields.Set = set.Sort()
	}
	n := len(s)
	if n > 0 {
		n++
	}
	return strict.List[changeFields]{Len: n, Item: write}
}

func decodeSolution(f *strict.File, in *Instance) Schedule {
	d := solutionDecoder{
		file: f, index: strict.Index(in.Jobs, func(j *Job) string { return j.ID }),
		held: make([]float64, len(in.Jobs)), named: make([]int, len(in.Jobs)), schedule: Schedule{},
	}
	var file solutionFields
	file.Intervals.Each = d.interval
	file.Changes.Each = d.change
	if f.Read(&file) {
		d.end(in)
	}
	return d.schedule
}

type solutionDecoder struct {
	file     *strict.File
	index    map[string]int // of jobs
	held     []float64      // by job
	named    []int          // by job: the number of the last interval that names it, from 1 on
	schedule Schedule
	changes  int
}

// set enters into iv what a job holds, if that is new, and returns the job.
func (d *solutionDecoder) set(iv *Interval, e strict.Entry[float64], list string, at int, field string) int {
	j, _ := d.file.Find(d.index, e.Key, "a job", list, at, field, e.Key)
	if e.Value != d.held[j] {
		d.held[j] = e.Value
		iv.Changes = append(iv.Changes, Share{Job: j, Slots: e.Value})
	}
	return j
}

func (d *solutionDecoder) interval(q int, fields *intervalFields) {
	iv := Interval{Start: fields.Start, End: fields.End}
	for _, e := range fields.Slots {
		d.named[d.set(&iv, e, "intervals", q, "slots")] = q + 1
	}
	for j, h := range d.held {
		if h != 0 && d.named[j] != q+1 {
			d.held[j] = 0
			iv.Changes = append(iv.Changes, Share{Job: j})
		}
	}
	d.schedule = append(d.schedule, iv)
}

// change begins an interval, which the next change ends.
func (d *solutionDecoder) change(k int, fields *changeFields) {
	d.changes++
	switch n := len(d.schedule); {
	case n > 0:
		d.schedule[n-1].End = fields.Time
	case fields.Time > 0:
		d.schedule = append(d.schedule, Interval{End: fields.Time})
	}
	iv := Interval{Start: fields.Time}
	for _, e := range fields.Set {
		d.set(&iv, e, "changes", k, "set")
	}
	d.schedule = append(d.schedule, iv)
}

// end takes away the interval that the last change begins and nothing ends, in which there must be no slots.
func (d *solutionDecoder) end(in *Instance) {
	if d.changes == 0 {
		return
	}
	d.schedule = d.schedule[:len(d.schedule)-1]
	for j, slots := range d.held {
		if slots != 0 {
			d.file.Fail(strict.At("changes", d.changes-1), "job %q still holds %v slots after this last change; it must end with none",
				in.Jobs[j].ID, slots)
			return
		}
	}
}
