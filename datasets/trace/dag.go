package trace

import (
	"cmp"
	"slices"

	"schedgap/datasets/event"
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

// dags makes the DAGs of many jobs.
type dags struct {
	dags    pool[DAG]
	parents pool[[]int]
	lists   pool[int]
	sorted  []int // positions of a job's nodes by their numbers
	known   map[shape]*DAG
}

// A shape is the nodes of a job that consists of few, all in a DAG. Most jobs of a trace have one of few shapes.
type shape [8]*event.Node

const mostShapes = 1 << 16

// unused ends the reasons why a DAG cannot be made.
const unused = ", so that its graph is not used"

// A flaw is a fault of a job's DAG at one of its nodes.
type flaw struct {
	reason string
	node   int
}

// link resolves the references between a job's nodes. Jobs of one shape share a DAG.
func (l *dags) link(nodes []node, tasks int) (*DAG, *flaw) {
	var s shape
	if len(nodes) < tasks || tasks > len(s) {
		return l.make(nodes, tasks)
	}
	for i := range nodes {
		s[i] = nodes[i].Node
	}
	if d, known := l.known[s]; known {
		return d, nil
	}
	d, flaw := l.make(nodes, tasks)
	if l.known == nil {
		l.known = map[shape]*DAG{}
	}
	if flaw == nil && len(l.known) < mostShapes {
		l.known[s] = d
	}
	return d, flaw
}

// make makes the DAG of some of a job's tasks.
func (l *dags) make(nodes []node, tasks int) (*DAG, *flaw) {
	l.sorted = l.sorted[:0]
	for i := range nodes {
		l.sorted = append(l.sorted, i)
	}
	if !slices.IsSortedFunc(nodes, func(x, y node) int { return cmp.Compare(x.Number, y.Number) }) {
		slices.SortFunc(l.sorted, func(x, y int) int { return cmp.Or(cmp.Compare(nodes[x].Number, nodes[y].Number), x-y) })
	}
	for i := 1; i < len(l.sorted); i++ {
		if x, y := l.sorted[i-1], l.sorted[i]; nodes[x].Number == nodes[y].Number {
			return nil, &flaw{"another task of the job has the same number or name" + unused, y}
		}
	}
	d := l.dags.one()
	d.Parents = l.parents.empty()
	for range tasks {
		d.Parents = append(d.Parents, nil)
	}
	d.Parents = l.parents.keep(d.Parents)
	rising := true // from parents to children: there is no cycle
	for i := range nodes {
		n := &nodes[i]
		list := l.lists.empty()
		for _, p := range n.Parents {
			at, recorded := slices.BinarySearchFunc(l.sorted, p, func(k int, p int32) int { return cmp.Compare(nodes[k].Number, p) })
			if !recorded {
				d.Unrecorded++
				continue
			}
			parent := l.sorted[at]
			if parent == i {
				return nil, &flaw{"the task waits for itself" + unused, i}
			}
			if task := int(nodes[parent].task); !slices.Contains(list, task) {
				list = append(list, task)
			}
			rising = rising && p < n.Number
		}
		if len(list) > 0 {
			d.Parents[n.task] = l.lists.keep(list)
		}
	}
	if rising {
		return d, nil
	}
	order := d.order()
	if len(order) == tasks {
		return d, nil
	}
	slices.Sort(order)
	at := make([]int, tasks) // of the tasks that are in DAGs, their nodes
	for i := range nodes {
		at[nodes[i].task] = i
	}
	task := 0
	for task < len(order) && order[task] == task {
		task++
	}
	// Of a task that is not in order some parent is not either: from one to the next there is a way into a circle, and round it.
	for range tasks {
		task = d.Parents[task][slices.IndexFunc(d.Parents[task], func(p int) bool {
			_, found := slices.BinarySearch(order, p)
			return !found
		})]
	}
	return nil, &flaw{"tasks of the job wait for each other in a circle" + unused, at[task]}
}
