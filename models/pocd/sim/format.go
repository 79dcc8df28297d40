package sim

import (
	"schedgap/models/simulation"
	"schedgap/models/strict"
)

// ReadWorkload reads a workload file: JSON lines, one job a line, such as
//
//	{"job":"a","arrival":0,"deadline":400,"tasks":10,"t_min":120,"beta":1.5}
//
// Errors name the file with the line, the field's path and the value. Jobs need not be sorted by arrival.
var ReadWorkload = simulation.Read(decodeJob)

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
