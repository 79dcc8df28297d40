package pocd

// Copies is a solution: the extra copies r of task i of job j at [j][i].
type Copies [][]int

// NoCopies is the solution that leaves every task its one attempt.
func NoCopies(in *Instance) Copies {
	tasks := in.BaseLoad() - len(in.Jobs)
	c, flat := make(Copies, len(in.Jobs)), make([]int, tasks)
	for j := range in.Jobs {
		n := len(in.Jobs[j].Tasks)
		c[j], flat = flat[:n:n], flat[n:]
	}
	return c
}
