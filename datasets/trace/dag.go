package trace

import (
	"fmt"
	"slices"

	"schedgap/models"
)

// A DAG holds, for every task of a job, the positions in Job.Tasks of those that it waits for.
type DAG struct {
	Parents [][]int
	// Unrecorded counts the references to tasks that the trace does not hold; they are not among Parents.
	Unrecorded int
}

// Depth is the number of tasks on the longest path.
func (d *DAG) Depth() int {
	depth, deepest := make([]int, len(d.Parents)), 0
	for _, i := range d.order() {
		for _, p := range d.Parents[i] {
			depth[i] = max(depth[i], depth[p])
		}
		depth[i]++
		deepest = max(deepest, depth[i])
	}
	return deepest
}

func (d *DAG) order() []int {
	return models.Topological(len(d.Parents), func(i int) []int { return d.Parents[i] })
}

// Edges counts the dependencies.
func (d *DAG) Edges() int {
	n := 0
	for _, p := range d.Parents {
		n += len(p)
	}
	return n
}

// link resolves the references between a job's tasks; nil when none of them takes part in a DAG.
func link(nodes []node) (*DAG, error) {
	at := map[int32]int{}
	for i, n := range nodes {
		if !n.dag {
			continue
		}
		if first, twice := at[n.number]; twice {
			return nil, fmt.Errorf("tasks %q and %q have the same number", nodes[first].name, n.name)
		}
		at[n.number] = i
	}
	if len(at) == 0 {
		return nil, nil
	}
	d := &DAG{Parents: make([][]int, len(nodes))}
	for i, n := range nodes {
		for _, p := range n.parents {
			parent, ok := at[p]
			switch {
			case !ok:
				d.Unrecorded++
			case !slices.Contains(d.Parents[i], parent):
				d.Parents[i] = append(d.Parents[i], parent)
			}
		}
	}
	order := d.order()
	slices.Sort(order)
	for i := range nodes {
		if i == len(order) || order[i] != i {
			return nil, fmt.Errorf("task %q waits for itself, directly or through others", nodes[i].name)
		}
	}
	return d, nil
}
