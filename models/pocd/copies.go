package pocd

// Copies is a solution: the extra copies r of task i of job j at [j][i].
type Copies [][]int

// NoCopies is the solution that leaves every task its one attempt.
func NoCopies(in *Instance) Copies {
	c := make(Copies, len(in.Jobs))
	for j := range in.Jobs {
		c[j] = make([]int, len(in.Jobs[j].Tasks))
	}
	return c
}
