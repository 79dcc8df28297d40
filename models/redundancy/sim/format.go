package sim

import (
	"schedgap/models/simulation"
	"schedgap/models/strict"
)

// ReadWorkload reads a workload file: JSON lines, one job a line, such as
//
//	{"job":"a","arrival":0,"work":40}
//
// Errors name the file with the line, the field's path and the value. Jobs need not be sorted by arrival.
var ReadWorkload = simulation.Read(decodeJob)

func decodeJob(o *strict.Object) (j Job, err error) {
	if j.ID, err = o.ID("job"); err != nil {
		return j, err
	}
	if j.Arrival, err = o.Float("arrival"); err != nil {
		return j, err
	}
	if j.Work, err = o.Float("work"); err != nil {
		return j, err
	}
	return j, o.Done()
}
