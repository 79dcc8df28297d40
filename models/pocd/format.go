package pocd

import (
	"math"
	"strconv"

	"schedgap/models"
	"schedgap/models/strict"
)

// instanceFields are an instance file's keys beyond the header.
type instanceFields struct {
	Capacity  int   `json:"capacity"`
	Alpha     any   `json:"alpha"`
	MaxCopies int   `json:"max_copies"`
	Jobs      []Job `json:"jobs"`
}

func encodeInstance(in *Instance) any {
	f := instanceFields{Capacity: in.Capacity, Alpha: in.Alpha, MaxCopies: in.MaxCopies, Jobs: in.Jobs}
	if math.IsInf(in.Alpha, 1) {
		f.Alpha = infinite
	}
	return f
}

// infinite is how α = ∞ is written.
const infinite = "inf"

func alphaText(alpha float64) string {
	if math.IsInf(alpha, 1) {
		return infinite
	}
	return strconv.FormatFloat(alpha, 'g', -1, 64)
}

// ParseAlpha reads α as parameters give it: a number from 0 to MaxAlpha, or inf.
func ParseAlpha(text string) (float64, bool) {
	if text == infinite {
		return math.Inf(1), true
	}
	alpha, err := strconv.ParseFloat(text, 64)
	return alpha, err == nil && alpha >= 0 && alpha <= MaxAlpha
}

func decodeInstance(f strict.Fields, h models.Header) *Instance {
	in := &Instance{
		Header: h, Capacity: f.Int("capacity", strict.AtLeast(0)), Alpha: decodeAlpha(f.Item("alpha")),
		MaxCopies: f.Int("max_copies", strict.AtLeast(0)),
		Jobs:      strict.List(f, "jobs", decodeJob, strict.NotEmpty, strict.Unique),
	}
	if base := in.BaseLoad(); base > in.Capacity {
		f.Fail("capacity", "%d is less than the base load %d, one machine for each of %d tasks and %d jobs",
			in.Capacity, base, base-len(in.Jobs), len(in.Jobs))
	}
	return in
}

func decodeAlpha(v strict.Item) float64 {
	if v.IsText() {
		if text := v.Text(); text != infinite {
			v.Fail("%q must be a number from 0 to %d or %q", text, MaxAlpha, infinite)
		}
		return math.Inf(1)
	}
	alpha := v.Float()
	if alpha < 0 || alpha > MaxAlpha {
		v.Fail("%v must be a number from 0 to %d or %q", alpha, MaxAlpha, infinite)
	}
	return alpha
}

func decodeJob(f strict.Fields) Job {
	return Job{
		ID: f.ID("id"), Deadline: f.Float("deadline", strict.AtLeast(0)), Elapsed: f.Float("elapsed", strict.AtLeast(0)),
		Tasks: strict.List(f, "tasks", decodeTask, strict.NotEmpty, strict.Unique),
	}
}

func decodeTask(f strict.Fields) Task {
	return Task{
		ID: f.ID("id"), Progress: f.Float("progress", strict.AtLeast(0).And(strict.Below(1))),
		TMin: f.Float("t_min", strict.Above(0)), Beta: f.Float("beta", strict.Above(0)), Straggler: f.Bool("straggler"),
	}
}

// encodeSolution writes the tasks that have extra copies.
func encodeSolution(in *Instance, c Copies) any {
	copies := map[string]map[string]int{}
	for j := range min(len(c), len(in.Jobs)) {
		job := &in.Jobs[j]
		for i := range min(len(c[j]), len(job.Tasks)) {
			if c[j][i] == 0 {
				continue
			}
			if copies[job.ID] == nil {
				copies[job.ID] = map[string]int{}
			}
			copies[job.ID][job.Tasks[i].ID] = c[j][i]
		}
	}
	return struct {
		Copies map[string]map[string]int `json:"copies"`
	}{copies}
}

func decodeSolution(f strict.Fields, in *Instance) Copies {
	index := strict.Index(in.Jobs, func(j *Job) string { return j.ID })
	c := NoCopies(in)
	for id, tasks := range f.Map("copies") {
		if j, ok := index[id]; ok {
			decodeCopies(tasks, &in.Jobs[j], c[j])
		} else {
			tasks.Fail("%q is not the id of a job", id)
		}
	}
	return c
}

func decodeCopies(tasks strict.Item, job *Job, copies []int) {
	index := strict.Index(job.Tasks, func(t *Task) string { return t.ID })
	for id, r := range tasks.Map() {
		if i, ok := index[id]; ok {
			copies[i] = r.Int()
		} else {
			r.Fail("%q is not the id of a task of job %s", id, job.ID)
		}
	}
}
