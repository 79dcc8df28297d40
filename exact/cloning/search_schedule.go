package cloning

import (
	"slices"

	"schedgap/exact/cloning/values"
	"schedgap/exact/verify/jobgraph"
	"schedgap/models/cloning"
)

// A step is a slot of a schedule that a layered search has found: the jobs' nodes before it and the arcs that they take.
type step struct{ nodes, arcs []uint16 }

// replay returns the schedule that ends with some arcs in the slot after moment last, from the state at a place, with tasks that
// keep their names.
func (sp *layeredSearch) replay(last int, at int32, arcs []uint16) cloning.Solution {
	n := len(sp.relaxation.Graphs)
	steps := make([]step, last+1)
	steps[last] = step{sp.frontiers[last].ids[int(at)*n : int(at+1)*n], arcs}
	for now, place := last, int(at); now > 0; now-- {
		before := int(sp.frontiers[now].parent[place])
		steps[now-1] = step{sp.frontiers[now-1].ids[before*n : (before+1)*n], sp.frontiers[now].arcs[place*n : (place+1)*n]}
		place = before
	}
	return sp.schedule(steps)
}

// schedule is the schedule of some slots.
func (sp *layeredSearch) schedule(steps []step) cloning.Solution {
	var names [][]int // by job and place in the node
	for _, g := range sp.relaxation.Graphs {
		names = append(names, namesOf(g))
	}
	servers := 1 // that copies are counted by
	if sp.relaxation.Fixed {
		servers = len(sp.relaxation.Space.Servers)
	}
	var rec recorder
	for now, st := range steps {
		var list []jobgraph.Copies
		var who []cloning.Task
		for j, a := range st.arcs {
			if a == stay {
				continue
			}
			g := sp.relaxation.Graphs[j]
			for c, r := range g.Nodes[st.nodes[j]].Arcs[a].Copies {
				if r == 0 {
					continue
				}
				i := c / servers
				task := cloning.Task{Job: j, Phase: g.Phase[i], Index: names[j][i]}
				if !sp.relaxation.Fixed {
					list = append(list, jobgraph.Copies{Phase: sp.relaxation.First[j] + g.Phase[i], N: int(r)})
					who = append(who, task)
					continue
				}
				for range r {
					rec.add(task, c%servers)
				}
			}
			names[j] = sp.renamed(j, st.nodes[j], a, names[j])
		}
		sp.relaxation.Place(list, func(i, server int) { rec.add(who[i], server) })
		rec.flush(now + 1)
	}
	return cloning.Solution{Copies: rec.finish(), Regime: regime(sp.relaxation.Fixed)}
}

// namesOf are the names of a job's tasks in their phases, by place in the first node.
func namesOf(g *values.Graph) (names []int) {
	for i, k := range g.Phase {
		names = append(names, i-slices.Index(g.Phase, k))
	}
	return names
}

// renamed are the names of a job's tasks after an arc, by place in the node.
func (sp *layeredSearch) renamed(j int, node, arc uint16, names []int) []int {
	g := sp.relaxation.Graphs[j]
	places, _ := sp.relaxation.After(j, g.Graph, &g.Nodes[node], g.Nodes[node].Arcs[arc].Copies)
	return renamed(places, names)
}

// renamed are names in new places.
func renamed(places, names []int) []int {
	next := make([]int, len(names))
	for to, from := range places {
		next[to] = names[from]
	}
	return next
}
