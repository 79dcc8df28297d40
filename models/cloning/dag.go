package cloning

import (
	"slices"

	"schedgap/models"
)

// cycle returns a phase and the place in its parents of a link that closes a cycle, or −1.
func (job *Job) cycle() (phase, parent int) {
	const inOrder, visited = 1, 2
	state := make([]int8, len(job.Phases))
	for _, k := range job.Order() {
		state[k] = inOrder
	}
	k := slices.Index(state, 0)
	if k < 0 {
		return -1, -1
	}
	for { // each phase that is left waits for another such one
		state[k] = visited
		i := slices.IndexFunc(job.Phases[k].Parents, func(p int) bool { return state[p] != inOrder })
		p := job.Phases[k].Parents[i]
		if state[p] == visited {
			return k, i
		}
		k = p
	}
}

// Order returns the job's phases so that parents come before children, breadth first from those without parents. Phases of a
// cycle and those behind it are left out.
func (job *Job) Order() []int {
	return models.Topological(len(job.Phases), func(k int) []int { return job.Phases[k].Parents })
}

// Children returns, by phase, the phases it is a parent of.
func (job *Job) Children() [][]int {
	children := make([][]int, len(job.Phases))
	for k := range job.Phases {
		for _, p := range job.Phases[k].Parents {
			children[p] = append(children[p], k)
		}
	}
	return children
}

// LongestPath is the greatest sum of length over the phases of a path, with each phase's length given by index.
func (job *Job) LongestPath(length func(phase int) float64) float64 {
	ends, longest := make([]float64, len(job.Phases)), 0.0
	for _, k := range job.Order() {
		for _, p := range job.Phases[k].Parents {
			ends[k] = max(ends[k], ends[p])
		}
		ends[k] += length(k)
		longest = max(longest, ends[k])
	}
	return longest
}
