package models

import "math"

// Load is the offered load: the work that jobs bring to the bottleneck, over its capacity in the time over which they come,
// max_r work[r]/(capacity[r]·time). A resource's work is in its units times the unit of time: the amount that the jobs' tasks
// would hold if each ran once, alone, for its mean duration. The time is from the first arrival to the last; a generator of n
// jobs at a mean distance d reckons with n·d. With a load in place of the time it returns the time in which the work offers that load.
// docs/using.md#load defines it for each problem, and has the papers' definitions.
func Load(work, capacity []float64, time float64) float64 {
	load := 0.0
	for r, w := range work {
		if w > 0 {
			load = max(load, w/(capacity[r]*time))
		}
	}
	return load
}

// Units is the number of whole units, such as servers, at least 1, at which the load of so many that are busy on average is nearest
// to the given one.
func Units(busy, load float64) int {
	exact := busy / load
	n := max(1, math.Floor(exact))
	if exact > 2*n*(n+1)/(2*n+1) { // n units make it exact/n times the load, which is further off than exact/(n+1)
		n++
	}
	return int(min(n, math.MaxInt32))
}
