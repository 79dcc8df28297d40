package simulation

import (
	"cmp"
	"slices"

	"schedgap/models"
)

// ByArrival lists the places of n jobs in their file by arrival; of jobs that arrive together the earlier in the file comes
// first.
func ByArrival(n int, arrival func(i int) float64) []int {
	file := make([]int, n)
	for i := range file {
		file[i] = i
	}
	slices.SortStableFunc(file, func(a, b int) int { return cmp.Compare(arrival(a), arrival(b)) })
	return file
}

// InFile lists jobs by their places in the file, of jobs by arrival with the places that ByArrival gives them.
func InFile(file []int) []int {
	place := make([]int, len(file))
	for i, k := range file {
		place[k] = i
	}
	return place
}

// Of emits metrics of a job.
func Of(job string, emit func(models.Metric)) func(name, unit string, v float64) {
	return func(name, unit string, v float64) {
		emit(models.Metric{Scope: "job", Job: job, Name: name, Unit: unit, Value: v})
	}
}

// Total emits metrics of a whole run.
func Total(emit func(models.Metric)) func(name, unit string, v float64) {
	return func(name, unit string, v float64) {
		emit(models.Metric{Scope: "run", Name: name, Unit: unit, Value: v})
	}
}
