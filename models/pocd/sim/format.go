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

func decodeJob(f strict.Fields) Job {
	return Job{
		ID: f.ID("job"), Tasks: f.Int("tasks"), Arrival: f.Float("arrival"), Deadline: f.Float("deadline"),
		TMin: f.Float("t_min"), Beta: f.Float("beta"),
	}
}
