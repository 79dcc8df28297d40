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

func decodeJob(f strict.Fields) Job {
	return Job{ID: f.ID("job"), Arrival: f.Float("arrival"), Work: f.Float("work")}
}
