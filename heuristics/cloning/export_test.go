package cloning

// Classes runs Algorithm 1 on jobs of the given volumes and times.
func Classes(volumes, times []float64) []int {
	jobs := make([]size, len(volumes))
	for i := range jobs {
		jobs[i] = size{i, volumes[i], times[i]}
	}
	return classes(jobs)
}

// Schedulers are all algorithms but the search.
var Schedulers = schedulers
