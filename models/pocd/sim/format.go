package sim

import (
	"io"

	"schedgap/models/simulation"
	"schedgap/models/strict"
)

// ReadWorkload reads a workload file: JSON lines, one job a line, such as
//
//	{"job":"a","arrival":0,"deadline":400,"tasks":10,"t_min":120,"beta":1.5}
//
// Errors name the file with the line, the field's path and the value. Jobs need not be sorted by arrival.
func ReadWorkload(file string, r io.Reader) (*Workload, error) {
	jobs, err := simulation.ReadJobs(file, r, decodeJob, (*Job).validate, func(j *Job) string { return j.ID })
	if err != nil {
		return nil, err
	}
	return &Workload{Jobs: jobs}, nil
}

func decodeJob(o *strict.Object) (j Job, err error) {
	if j.ID, err = o.ID("job"); err != nil {
		return j, err
	}
	if j.Tasks, err = o.Int("tasks"); err != nil {
		return j, err
	}
	for _, f := range []struct {
		key  string
		into *float64
	}{{"arrival", &j.Arrival}, {"deadline", &j.Deadline}, {"t_min", &j.TMin}, {"beta", &j.Beta}} {
		if *f.into, err = o.Float(f.key); err != nil {
			return j, err
		}
	}
	return j, o.Done()
}

// Encode writes w in the form that ReadWorkload reads.
func Encode(out io.Writer, w *Workload) error { return simulation.EncodeJobs(out, w.Jobs) }
