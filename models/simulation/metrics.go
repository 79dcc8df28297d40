package simulation

import (
	"schedgap/models"
)

// InFile lists jobs by their places in the file, of jobs by arrival with the places that models.OrderBy gives them.
func InFile(file []int) []int {
	place := make([]int, len(file))
	for i, k := range file {
		place[k] = i
	}
	return place
}

// EmitJob emits metrics of a job.
func EmitJob(job string, emit func(models.Metric)) func(name, unit string, v float64) {
	return func(name, unit string, v float64) {
		emit(models.Metric{Scope: "job", Job: job, Name: name, Unit: unit, Value: v})
	}
}

// EmitRun emits metrics of a whole run.
func EmitRun(emit func(models.Metric)) func(name, unit string, v float64) {
	return func(name, unit string, v float64) {
		emit(models.Metric{Scope: "run", Name: name, Unit: unit, Value: v})
	}
}

// Share is a part of a whole, 0 where the whole is nothing: a run may be too short for its clock.
func Share(part, whole float64) float64 {
	if whole <= 0 {
		return 0
	}
	return part / whole
}
