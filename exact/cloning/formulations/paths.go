package formulations

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"schedgap/exact/cloning/schedule"
	"schedgap/exact/cloning/values"
	"schedgap/exact/verify/cloning/kernel"
	"schedgap/models/cloning"
)

// decode follows the jobs' paths. Only whether an arc is taken counts, and the copies of a slot are placed again.
func (m *strong) decode(x []float64) (cloning.Solution, error) {
	var steps []schedule.Step
	nodes := make([]uint16, len(m.arc))
	for t := range m.arcs {
		st := schedule.Step{Nodes: slices.Clone(nodes), Arcs: slices.Repeat([]uint16{schedule.Stay}, len(nodes))}
		for j, list := range m.arc {
			g := m.Graphs[j]
			if t < m.Arrival[j] || int32(nodes[j]) == g.End {
				continue
			}
			a := -1
			if t < len(list) {
				a = slices.IndexFunc(list[t][nodes[j]], func(col int) bool { return col >= 0 && x[col] > 0.5 })
			}
			if a < 0 {
				return cloning.Solution{}, fmt.Errorf("cloning: the point ends the path of job %s in slot %d", m.v.In.Jobs[j].ID, t+1)
			}
			st.Arcs[j], nodes[j] = uint16(a), uint16(g.Nodes[nodes[j]].Arcs[a].Next)
		}
		steps = append(steps, st)
	}
	s := schedule.OfSteps(m.Relaxation, steps)
	_, _, err := schedule.Feasible(m.v.In, s, m.Fixed) // the graphs are in rounded numbers
	return s, err
}

// A walker marks a schedule's point: the arcs of every job's path and what the servers hold.
type walker struct {
	*strong
	x       []float64
	slots   [][]map[schedule.Place]int // by job and slot
	content [][][]int64                // by slot, server and phase
}

// encode leaves out copies that no task has a use for.
func (m *strong) encode(s cloning.Solution) ([]float64, error) {
	s, cost, err := schedule.Feasible(m.v.In, s, m.Fixed)
	if err != nil {
		return nil, err
	}
	if m.best != nil && cost > float64(m.best.Cost) {
		s = m.best.Solution
	}
	w := walker{strong: m, x: make([]float64, len(m.Cols)), content: make([][][]int64, len(m.arcs))}
	for t := range w.content {
		for range m.Servers {
			w.content[t] = append(w.content[t], make([]int64, len(m.Phases)))
		}
	}
	for range m.Graphs {
		w.slots = append(w.slots, make([]map[schedule.Place]int, len(m.arcs)))
	}
	if err := w.take(s.Copies); err != nil {
		return nil, err
	}
	for j := range m.Graphs {
		if err := w.walk(j); err != nil {
			return nil, err
		}
	}
	for t := range m.rooms {
		if err := m.rooms[t].set(w.x, w.content[t]); err != nil {
			return nil, err
		}
	}
	return w.x, nil
}

// take sorts copies by slot. Without preemption, those of a task that matter are the first to start.
func (w *walker) take(copies []cloning.Copy) error {
	copies = slices.Clone(copies)
	slices.SortStableFunc(copies, func(a, b cloning.Copy) int { return cmp.Compare(a.Start, b.Start) })
	started := map[cloning.Task]int{}
	for _, c := range copies {
		j := c.Task.Job
		if c.End > w.due[j] {
			return fmt.Errorf("the solution is longer than the model's horizon, %d slots", w.due[j])
		}
		started[c.Task]++
		if w.Fixed && started[c.Task] > len(w.Phases[w.First[j]+c.Task.Phase].Gain) {
			continue
		}
		for t := c.Start; t < c.End; t++ {
			if w.slots[j][t] == nil {
				w.slots[j][t] = map[schedule.Place]int{}
			}
			w.slots[j][t][schedule.Place{Task: c.Task, Server: c.Server}]++
		}
	}
	return nil
}

// walk marks the arcs of a job.
func (w *walker) walk(j int) error {
	g, names, node := w.Graphs[j], schedule.Names(w.Graphs[j]), int32(0)
	for t := w.Arrival[j]; node != g.End; t++ {
		if t >= w.due[j] {
			return fmt.Errorf("cloning: the solution leaves job %s undone", w.v.In.Jobs[j].ID)
		}
		copies := w.copiesOf(j, t, node, names)
		places, next := w.After(j, g.Graph, &g.Nodes[node], copies)
		to := g.Find(next.Progress, next.Running)
		a := slices.IndexFunc(g.Nodes[node].Arcs, func(a kernel.Arc) bool { return a.Next == to && kernel.NoMore(a.Copies, copies) })
		if a < 0 || w.arc[j][t][node] == nil || w.arc[j][t][node][a] < 0 {
			return fmt.Errorf("cloning: no arc of job %s runs copies %v in slot %d", w.v.In.Jobs[j].ID, copies, t+1)
		}
		w.x[w.arc[j][t][node][a]] = 1
		node, names = to, schedule.Renamed(places, names)
	}
	return nil
}

// copiesOf are a slot's copies of a job as an arc from its node has them.
func (w *walker) copiesOf(j, t int, node int32, names []int) []uint8 {
	g := w.Graphs[j]
	held := make([][]uint8, len(g.Phase)) // by task and server
	for i, k := range g.Phase {
		most := w.use(j, g, node, i)
		for s := range w.Servers {
			n := min(most, w.slots[j][t][schedule.Place{Task: cloning.Task{Job: j, Phase: k, Index: names[i]}, Server: s}])
			held[i], most = append(held[i], uint8(n)), most-n
		}
	}
	for k := w.First[j]; k < w.First[j+1] && !w.Fixed; k++ {
		if len(w.Phases[k].Gain) == 1 {
			w.level(g, node, j, k-w.First[j], held)
		}
	}
	for i, k := range g.Phase {
		for s, n := range held[i] {
			w.content[t][s][w.First[j]+k] += int64(n)
		}
		if !w.Fixed {
			held[i] = []uint8{uint8(kernel.Tally(held[i]))}
		}
	}
	w.sort(g, node, names, held)
	return slices.Concat(held...)
}

// use is the number of copies that a task has a use for. Tasks without clones are levelled first.
func (w *walker) use(j int, g *values.Graph, node int32, i int) int {
	ph := &w.Phases[w.First[j]+g.Phase[i]]
	if w.Fixed || len(ph.Gain) == 1 {
		return len(ph.Gain)
	}
	return ph.Use(g.Nodes[node].Progress[i])
}

// level has the tasks of a phase without clones run least progress first.
func (w *walker) level(g *values.Graph, node int32, j, k int, held [][]uint8) {
	progress, need := g.Nodes[node].Progress, w.Phases[w.First[j]+k].Need
	var tasks []int
	var servers []int
	for i, q := range g.Phase {
		if q != k {
			continue
		}
		if at := slices.Index(held[i], 1); at >= 0 {
			servers = append(servers, at)
		}
		held[i] = make([]uint8, len(w.Servers))
		if progress[i] < need {
			tasks = append(tasks, i)
		}
	}
	slices.SortStableFunc(tasks, func(a, b int) int { return cmp.Compare(progress[a], progress[b]) })
	for i, s := range servers[:min(len(servers), len(tasks))] {
		held[tasks[i]][s] = 1
	}
}

// sort puts tasks alike into the order in which arcs have them run.
func (w *walker) sort(g *values.Graph, node int32, names []int, held [][]uint8) {
	for i := range held {
		for q := i; q > 0 && g.Alike(&g.Nodes[node], q) && bytes.Compare(held[q-1], held[q]) < 0; q-- {
			held[q-1], held[q], names[q-1], names[q] = held[q], held[q-1], names[q], names[q-1]
		}
	}
}
