package sim

import (
	"schedgap/models/simulation"
	"schedgap/models/strict"
)

// ReadWorkload reads a workload file: JSON lines, one job a line, such as
//
//	{"job":"a","arrival":0,"tasks":600,"mean":30,"cv":0.2,"input":128,"memory":1}
//
// Errors name the file with the line, the field's path and the value. Jobs need not be sorted by arrival.
var ReadWorkload = simulation.Read(decodeJob)

func decodeJob(f strict.Fields) Job {
	return Job{
		ID: f.ID("job"), Tasks: f.Int("tasks"), Arrival: f.Float("arrival"), Mean: f.Float("mean"), CV: f.Float("cv"),
		Input: f.Float("input"), Memory: f.Float("memory"),
	}
}
