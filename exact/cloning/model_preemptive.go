package cloning

import (
	"cmp"
	"fmt"
	"slices"

	"schedgap/exact"
	"schedgap/exact/milp"
	"schedgap/exact/verify/jobgraph"
	"schedgap/models/cloning"
)

// An item of the preemptive model is a phase whose clones make no difference, all its tasks together, or one task.
type item struct {
	phase, first, tasks int // tasks first..first+tasks−1 of the phase
	kind                int
	z                   [][]int // by slot of the window, copies r = 1, 2, …
}

// A slotModel is the strong model of the preemptive regime.
type slotModel struct {
	*frame
	items []item
	kinds []kind
	rooms []room // by slot, from slot 1
}

func (f *frame) columnsOfSlots() float64 {
	columns := 0.0
	for k := range f.v.phases {
		ph := &f.v.phases[k]
		per := float64(ph.most*ph.Tasks + len(f.v.in.Servers))
		if ph.most == 1 {
			per = 1 + float64(len(f.v.in.Servers))
		}
		columns += per * float64(f.window(k))
	}
	return columns
}

// itemsOf splits phases into items, those for which split holds into tasks, and gives the items kinds.
func itemsOf(v *preprocessed, split func(ph *phase) bool) (items []item, kinds []kind) {
	for k := range v.phases {
		ph := &v.phases[k]
		apart := len(v.in.Servers) > 1 && ph.most > v.in.MaxCopiesPerServer
		step := ph.Tasks
		if split(ph) || apart {
			step = 1
		}
		for first := 0; first < ph.Tasks; first += step {
			q := -1
			if !apart {
				q = slices.IndexFunc(kinds, func(k kind) bool { return !k.apart && same(k.demand, ph.Demand) })
			}
			if q < 0 {
				q = len(kinds)
				kinds = append(kinds, kind{demand: ph.Demand, apart: apart})
			}
			kinds[q].limit += step * min(ph.most, v.in.MaxCopiesPerServer)
			it := item{phase: k, first: first, tasks: step, kind: q}
			items = append(items, it)
		}
	}
	return items, kinds
}

func (f *frame) buildSlots() (*exact.Built[cloning.Solution], error) {
	m := &slotModel{frame: f}
	m.items, m.kinds = itemsOf(f.v, func(ph *phase) bool { return ph.most > 1 })
	for i := range m.items {
		m.addItem(&m.items[i])
	}
	cache := map[string][][][]int{}
	for t := 1; t <= slices.Max(f.due); t++ {
		m.rooms = append(m.rooms, m.roomOf(t, cache))
	}
	return f.wrap(false, m.decode, m.encode), nil
}

// copies returns the columns of an item's copies in slot t.
func (m *slotModel) copies(it *item, t int) []int {
	if t -= m.v.phases[it.phase].head + 1; t < 0 || t >= len(it.z) {
		return nil
	}
	return it.z[t]
}

func (m *slotModel) addItem(it *item) {
	k := it.phase
	ph, n := &m.v.phases[k], float64(it.tasks)
	name := fmt.Sprintf("%s,%s,%d", m.v.in.Jobs[ph.job].ID, ph.ID, it.first)
	var progress, running, volume []milp.Term
	reach := sharp(ph, m.v.exact)
	for t := ph.head + 1; t <= m.due[k]; t++ {
		cols := make([]int, ph.most)
		before := 0.0
		for r := range cols {
			cols[r] = m.AddCol(milp.Col{Name: fmt.Sprintf("z[%s,%d,%d]", name, r+1, t), Hi: n, Integer: true})
			if r > 0 {
				m.AddRow(fmt.Sprintf("order[%s,%d,%d]", name, r+1, t), 0, milp.Inf,
					milp.Term{Col: cols[r-1], Coef: 1}, milp.Term{Col: cols[r], Coef: -1})
			}
			gain := ph.Speedup[r] - before
			if m.v.exact {
				gain = milp.Difference(ph.Speedup[r], before)
			}
			progress = append(progress, milp.Term{Col: cols[r], Coef: gain})
			volume = append(volume, milp.Term{Col: cols[r], Coef: 1})
			before = ph.Speedup[r]
		}
		running = append(running, milp.Term{Col: cols[0], Coef: 1})
		for _, p := range ph.parents {
			m.done[p].bounded(m.Model, fmt.Sprintf("parent[%s,%d,%d]", name, p, t), t-1, n, milp.Term{Col: cols[0], Coef: 1})
		}
		it.z = append(it.z, cols)
		c := &m.done[k]
		if t < c.from {
			continue
		}
		c.reaches(m.Model, fmt.Sprintf("volume[%s,%d]", name, t), t, n*float64(ph.volume), volume...)
		if ph.most > 1 {
			c.reaches(m.Model, fmt.Sprintf("work[%s,%d]", name, t), t, reach, progress...)
			c.reaches(m.Model, fmt.Sprintf("slots[%s,%d]", name, t), t, float64(ph.least), running...)
		}
	}
}

// roomOf gives the copies of slot t their place.
func (m *slotModel) roomOf(t int, cache map[string][][][]int) room {
	terms := make([][]milp.Term, len(m.kinds))
	for i := range m.items {
		it := &m.items[i]
		for _, col := range m.copies(it, t) {
			terms[it.kind] = append(terms[it.kind], milp.Term{Col: col, Coef: 1})
		}
	}
	return m.v.addActive(m.Model, t, m.kinds, terms, cache)
}

// addActive is addRoom for the kinds that have terms.
func (v *preprocessed) addActive(m *milp.Model, t int, kinds []kind, terms [][]milp.Term, cache map[string][][][]int) room {
	var active []int
	var list [][]milp.Term
	for k := range terms {
		if terms[k] != nil {
			active, list = append(active, k), append(list, terms[k])
		}
	}
	return v.addRoom(m, t, kinds, active, list, cache)
}

// decode gives the copies of each slot to tasks, of a phase to those that have done least, and packs them.
func (m *slotModel) decode(x []float64) (cloning.Solution, error) {
	p := newPlayer(m.v)
	first := make([]int, len(m.v.phases))
	for i := len(p.phase) - 1; i >= 0; i-- {
		first[p.phase[i]] = i
	}
	sp, err := jobgraph.New(m.v.in, false)
	if err != nil {
		return cloning.Solution{}, err
	}
	var rec recorder
	for t := range m.rooms {
		var demands []jobgraph.Copies
		var who []int
		for i := range m.items {
			it := &m.items[i]
			cols := m.copies(it, t+1)
			if cols == nil {
				continue
			}
			var tasks []int
			for q := range it.tasks {
				if task := first[it.phase] + it.first + q; !p.done(task) {
					tasks = append(tasks, task)
				}
			}
			slices.SortStableFunc(tasks, func(a, b int) int { return cmp.Compare(p.progress[a].Value(), p.progress[b].Value()) })
			if len(cols) == 1 {
				for _, task := range tasks[:min(len(tasks), count(x[cols[0]]))] {
					demands, who = append(demands, jobgraph.Copies{Phase: it.phase, N: 1}), append(who, task)
				}
				continue
			}
			copies := 0
			for _, col := range cols {
				copies += count(x[col])
			}
			if copies > 0 && len(tasks) > 0 {
				demands, who = append(demands, jobgraph.Copies{Phase: it.phase, N: copies}), append(who, tasks[0])
			}
		}
		if !sp.Place(demands, func(i, server int) {
			ph := &m.v.phases[demands[i].Phase]
			rec.add(cloning.Task{Job: ph.job, Phase: ph.index, Index: who[i] - first[demands[i].Phase]}, server)
		}) {
			return cloning.Solution{}, fmt.Errorf("cloning: the point's copies do not fit in slot %d", t+1)
		}
		rec.flush(t + 1)
		for i, d := range demands {
			p.run(who[i], d.N)
		}
	}
	return cloning.Solution{Copies: rec.finish(), Regime: cloning.Preemptive}, p.finished()
}

// encode leaves out copies that no task has a use for.
func (m *slotModel) encode(s cloning.Solution) ([]float64, error) {
	x := make([]float64, len(m.Cols))
	p := newPlayer(m.v)
	which := make([]int, 0, len(p.phase)) // item by task
	for i := range m.items {
		for range m.items[i].tasks {
			which = append(which, i)
		}
	}
	ends := make([]int, len(m.v.phases))
	slots := slotsOf(s.Copies)
	next := 0
	for t := range m.rooms {
		content := make([][]int, len(m.v.in.Servers))
		for v := range content {
			content[v] = make([]int, len(m.kinds))
		}
		copies := map[int]int{}
		if next < len(slots) && slots[next].now == t+1 {
			for at, n := range slots[next].count {
				if i := p.index[at.task]; !p.done(i) {
					copies[i] += n
					content[at.server][m.items[which[i]].kind] += n
				}
			}
			next++
		}
		for i, n := range copies {
			it := &m.items[which[i]]
			n = min(n, m.v.phases[it.phase].most)
			for r := range n {
				x[m.copies(it, t+1)[r]]++
			}
			if p.run(i, n) {
				ends[it.phase] = t + 1
			}
		}
		m.rooms[t].set(x, m.kinds, content)
	}
	m.setClocks(x, ends)
	return x, p.finished()
}
