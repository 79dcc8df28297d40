package schedule

import (
	"math"
	"slices"

	"schedgap/exact/cloning/values"
	"schedgap/exact/verify/cloning/kernel"
	"schedgap/models/cloning"
)

// A Step is a slot of a schedule as paths through the jobs' graphs: the jobs' nodes before it and the arcs that they take.
type Step struct{ Nodes, Arcs []uint16 }

// OfSteps is the schedule of some slots, in which tasks keep their names.
func OfSteps(m *values.Relaxation, steps []Step) cloning.Solution {
	var names [][]int // by job and place in the node
	for _, g := range m.Graphs {
		names = append(names, Names(g))
	}
	servers := 1 // that copies are counted by
	if m.Fixed {
		servers = len(m.Space.Servers)
	}
	var rec Recorder
	for now, st := range steps {
		var list []kernel.Copies
		var who []cloning.Task
		for j, a := range st.Arcs {
			if a == Stay {
				continue
			}
			g := m.Graphs[j]
			for c, r := range g.Nodes[st.Nodes[j]].Arcs[a].Copies {
				if r == 0 {
					continue
				}
				i := c / servers
				task := cloning.Task{Job: j, Phase: g.Phase[i], Index: names[j][i]}
				if !m.Fixed {
					list = append(list, kernel.Copies{Phase: m.First[j] + g.Phase[i], N: int(r)})
					who = append(who, task)
					continue
				}
				for range r {
					rec.Add(task, c%servers)
				}
			}
			from := &g.Nodes[st.Nodes[j]]
			places, _ := m.After(j, g.Graph, from, from.Arcs[a].Copies)
			names[j] = Renamed(places, names[j])
		}
		m.Place(list, func(i, server int) { rec.Add(who[i], server) })
		rec.Flush(now + 1)
	}
	return cloning.Solution{Copies: rec.Finish(), Regime: Regime(m.Fixed)}
}

// Stay is the arc of a job that is done or has not arrived.
const Stay = math.MaxUint16

// Names are the names of a job's tasks in their phases, by place in the first node.
func Names(g *values.Graph) (names []int) {
	for i, k := range g.Phase {
		names = append(names, i-slices.Index(g.Phase, k))
	}
	return names
}

// Renamed are names in new places.
func Renamed(places, names []int) []int {
	next := make([]int, len(names))
	for to, from := range places {
		next[to] = names[from]
	}
	return next
}
