package sim

import (
	"schedgap/models/simulation"
	"schedgap/models/strict"
)

// ReadWorkload reads a workload file: JSON lines, one job a line, such as
//
//	{"job":"a","arrival":0,"map":{"tasks":120,"mean":20,"cv":0.2},"reduce":{"tasks":10,"mean":60}}
//
// reduce and cv (default 0) are optional. Errors name the file with the line, the field's path and the value. Jobs need not
// be sorted by arrival.
var ReadWorkload = simulation.Read(decodeJob)

func decodeJob(f strict.Fields) Job {
	j := Job{ID: f.ID("job"), Arrival: f.Float("arrival"), Map: strict.Nested(f.Item("map"), decodePhase)}
	if f.Has("reduce") {
		reduce := strict.Nested(f.Item("reduce"), decodePhase)
		j.Reduce = &reduce
	}
	return j
}

func decodePhase(f strict.Fields) Phase {
	return Phase{Tasks: f.Int("tasks"), Mean: f.Float("mean"), CV: f.FloatOr("cv", 0)}
}
