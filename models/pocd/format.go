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

func decodeInstance(o *strict.Object, h models.Header) (*Instance, error) {
	in := &Instance{Header: h}
	var err error
	if in.Capacity, err = o.Int("capacity"); err != nil {
		return nil, err
	}
	if in.Capacity < 0 {
		return nil, o.Get("capacity").Errorf("%d must be at least 0", in.Capacity)
	}
	if in.Alpha, err = decodeAlpha(o); err != nil {
		return nil, err
	}
	if in.MaxCopies, err = o.Int("max_copies"); err != nil {
		return nil, err
	}
	if in.MaxCopies < 0 {
		return nil, o.Get("max_copies").Errorf("%d must be at least 0", in.MaxCopies)
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
	for j, v := range jobs.All() {
		jo, err := v.Object()
		if err != nil {
			return nil, err
		}
		if in.Jobs[j], err = decodeJob(jo); err != nil {
			return nil, err
		}
		if first, twice := seen[in.Jobs[j].ID]; twice {
			return nil, jo.Get("id").Errorf("%q is also the id of jobs[%d]", in.Jobs[j].ID, first)
		}
		seen[in.Jobs[j].ID] = j
	}
	if base := in.BaseLoad(); base > in.Capacity {
		return nil, o.Get("capacity").Errorf("%d is less than the base load %d, one machine for each of %d tasks and %d jobs",
			in.Capacity, base, base-len(in.Jobs), len(in.Jobs))
	}
	return in, nil
}

func decodeAlpha(o *strict.Object) (float64, error) {
	v, err := o.Need("alpha")
	if err != nil {
		return 0, err
	}
	if text, err := v.Text(); err == nil {
		if text != infinite {
			return 0, v.Errorf("%q must be a number from 0 to %d or %q", text, MaxAlpha, infinite)
		}
		return math.Inf(1), nil
	}
	alpha, err := v.Float()
	if err != nil {
		return 0, err
	}
	if alpha < 0 || alpha > MaxAlpha {
		return 0, v.Errorf("%v must be a number from 0 to %d or %q", alpha, MaxAlpha, infinite)
	}
	return alpha, nil
}

func decodeJob(o *strict.Object) (job Job, err error) {
	if job.ID, err = o.ID("id"); err != nil {
		return job, err
	}
	if job.Deadline, err = o.Float("deadline"); err != nil {
		return job, err
	}
	if job.Deadline < 0 {
		return job, o.Get("deadline").Errorf("%v must be at least 0", job.Deadline)
	}
	if job.Elapsed, err = o.Float("elapsed"); err != nil {
		return job, err
	}
	if job.Elapsed < 0 {
		return job, o.Get("elapsed").Errorf("%v must be at least 0", job.Elapsed)
	}
	tasks, err := o.Array("tasks")
	if err != nil {
		return job, err
	}
	if tasks.Len() == 0 {
		return job, o.Get("tasks").Errorf("the list of tasks must not be empty")
	}
	job.Tasks = make([]Task, tasks.Len())
	seen := make(map[string]int)
	for i, v := range tasks.All() {
		to, err := v.Object()
		if err != nil {
			return job, err
		}
		if job.Tasks[i], err = decodeTask(to); err != nil {
			return job, err
		}
		if first, twice := seen[job.Tasks[i].ID]; twice {
			return job, to.Get("id").Errorf("%q is also the id of tasks[%d] of this job", job.Tasks[i].ID, first)
		}
		seen[job.Tasks[i].ID] = i
	}
	return job, o.Done()
}

func decodeTask(o *strict.Object) (t Task, err error) {
	if t.ID, err = o.ID("id"); err != nil {
		return t, err
	}
	if t.Progress, err = o.Float("progress"); err != nil {
		return t, err
	}
	if t.Progress < 0 || t.Progress >= 1 {
		return t, o.Get("progress").Errorf("%v must be at least 0 and less than 1", t.Progress)
	}
	if t.TMin, err = o.Float("t_min"); err != nil {
		return t, err
	}
	if t.TMin <= 0 {
		return t, o.Get("t_min").Errorf("%v must be greater than 0", t.TMin)
	}
	if t.Beta, err = o.Float("beta"); err != nil {
		return t, err
	}
	if t.Beta <= 0 {
		return t, o.Get("beta").Errorf("%v must be greater than 0", t.Beta)
	}
	if t.Straggler, err = o.Bool("straggler"); err != nil {
		return t, err
	}
	return t, o.Done()
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

func decodeSolution(o *strict.Object, in *Instance) (Copies, error) {
	jobs, err := o.Object("copies")
	if err != nil {
		return nil, err
	}
	index := make(map[string]int, len(in.Jobs))
	for j := range in.Jobs {
		index[in.Jobs[j].ID] = j
	}
	c := NoCopies(in)
	for _, id := range jobs.Keys() {
		j, ok := index[id]
		if !ok {
			return nil, jobs.Get(id).Errorf("%q is not the id of a job", id)
		}
		tasks, err := jobs.Object(id)
		if err != nil {
			return nil, err
		}
		if err := decodeCopies(tasks, &in.Jobs[j], c[j]); err != nil {
			return nil, err
		}
	}
	return c, nil
}

func decodeCopies(o *strict.Object, job *Job, copies []int) error {
	index := make(map[string]int, len(job.Tasks))
	for i := range job.Tasks {
		index[job.Tasks[i].ID] = i
	}
	for _, id := range o.Keys() {
		i, ok := index[id]
		if !ok {
			return o.Get(id).Errorf("%q is not the id of a task of job %s", id, job.ID)
		}
		r, err := o.Int(id)
		if err != nil {
			return err
		}
		copies[i] = r
	}
	return nil
}
