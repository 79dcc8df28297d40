package cloning

// cycle returns a phase and the place in its parents of a link that closes a cycle, or −1.
func (job *Job) cycle() (phase, parent int) {
	// Depth first, without recursion: a file may hold a very long chain.
	const (
		untouched = iota
		open
		closed
	)
	state := make([]int8, len(job.Phases))
	type frame struct{ phase, next int }
	var stack []frame
	for root := range job.Phases {
		if state[root] != untouched {
			continue
		}
		state[root], stack = open, append(stack[:0], frame{root, 0})
		for len(stack) > 0 {
			top := &stack[len(stack)-1]
			parents := job.Phases[top.phase].Parents
			if top.next == len(parents) {
				state[top.phase], stack = closed, stack[:len(stack)-1]
				continue
			}
			p := parents[top.next]
			switch state[p] {
			case open:
				return top.phase, top.next
			case untouched:
				state[p] = open
				top.next++
				stack = append(stack, frame{p, 0})
			default:
				top.next++
			}
		}
	}
	return -1, -1
}

// Order returns the job's phases so that parents come before children, breadth first from those without parents.
func (job *Job) Order() []int {
	waits := make([]int, len(job.Phases))
	for k := range job.Phases {
		waits[k] = len(job.Phases[k].Parents)
	}
	children := job.Children()
	order := make([]int, 0, len(job.Phases))
	for k := range job.Phases {
		if waits[k] == 0 {
			order = append(order, k)
		}
	}
	for i := 0; i < len(order); i++ {
		for _, c := range children[order[i]] {
			if waits[c]--; waits[c] == 0 {
				order = append(order, c)
			}
		}
	}
	return order
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
