package trace

import (
	"fmt"
	"slices"
)

// A DAG holds, for every task of a job, its name and the positions in Job.Tasks of those that it waits for.
type DAG struct {
	Names   []string
	Parents [][]int
	// Unrecorded counts the references to tasks that the trace does not hold; they are not among Parents.
	Unrecorded int
}

// Depth is the number of tasks on the longest path.
func (d *DAG) Depth() int {
	depth := make([]int, len(d.Parents))
	var visit func(i int) int
	visit = func(i int) int {
		if depth[i] == 0 {
			deepest := 0
			for _, p := range d.Parents[i] {
				deepest = max(deepest, visit(p))
			}
			depth[i] = deepest + 1
		}
		return depth[i]
	}
	deepest := 0
	for i := range d.Parents {
		deepest = max(deepest, visit(i))
	}
	return deepest
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
	d := &DAG{Names: make([]string, len(nodes)), Parents: make([][]int, len(nodes))}
	for i, n := range nodes {
		d.Names[i] = n.name
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
	if i := d.cycle(); i >= 0 {
		return nil, fmt.Errorf("task %q waits for itself, directly or through others", nodes[i].name)
	}
	return d, nil
}

// cycle returns a task on or behind a cycle, or -1: it removes tasks all of whose parents are removed until none is left.
func (d *DAG) cycle() int {
	waiting := make([]int, len(d.Parents))
	children := make([][]int, len(d.Parents))
	var free []int
	for i, parents := range d.Parents {
		waiting[i] = len(parents)
		for _, p := range parents {
			children[p] = append(children[p], i)
		}
		if len(parents) == 0 {
			free = append(free, i)
		}
	}
	for len(free) > 0 {
		i := free[len(free)-1]
		free = free[:len(free)-1]
		for _, c := range children[i] {
			if waiting[c]--; waiting[c] == 0 {
				free = append(free, c)
			}
		}
	}
	return slices.IndexFunc(waiting, func(n int) bool { return n > 0 })
}
