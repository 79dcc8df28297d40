package cloning

import "cmp"

// A Solution lists what every copy did.
type Solution struct {
	Copies []Copy
	// Regime is empty or Nonpreemptive, which has the checker enforce that no copy stops before its task is done.
	Regime string
	// CapacityFactor multiplies all capacities (resource augmentation), ≥ 1; 0 stands for 1.
	CapacityFactor float64
}

// The regimes of solutions: in the preemptive one copies may stop, move and multiply at any slot.
const (
	Preemptive    = "preemptive"
	Nonpreemptive = "nonpreemptive"
)

// A Copy of a task holds its demand on its server in slots Start+1..End.
type Copy struct {
	Task       Task
	Server     int // index of Instance.Servers
	Start, End int
}

// Compare orders copies by task, start and server.
func (c Copy) Compare(o Copy) int {
	return cmp.Or(compareTasks(c.Task, o.Task), cmp.Compare(c.Start, o.Start), cmp.Compare(c.Server, o.Server))
}

// A Task names one task by indices.
type Task struct{ Job, Phase, Index int }
