package cloning

import (
	"fmt"
	"math"
	"slices"

	"schedgap/exact"
	"schedgap/exact/milp"
	"schedgap/models/cloning"
)

// A runModel is the strong model of the nonpreemptive regime: how many of an item's tasks start at each moment by each
// profile, and on which servers their copies run.
type runModel struct {
	*frame
	items []runItem
	kinds []kind
	rooms []room // on one server, by slot from slot 1
}

// A runItem is a phase, or one task of it where its copies cannot all be on one server.
type runItem struct {
	item
	profiles []profile
	starts   [][]int // columns by profile and start, counted from the phase's head
	spans    map[span][]int
}

// A span is when a copy runs. On several servers its columns say how many of an item's copies run there then.
type span struct{ start, end int }

func (f *frame) columnsOfRuns() float64 {
	columns := 0.0
	for k := range f.v.phases {
		ph := &f.v.phases[k]
		w := float64(f.window(k))
		per := w * float64(countProfiles(ph, maxColumns))
		if n := len(f.v.in.Servers); n > 1 {
			per += w * min(w, float64(ph.alone)) * float64(n)
			if ph.most > f.v.in.MaxCopiesPerServer {
				per *= float64(ph.Tasks)
			}
		}
		columns += per
	}
	return columns
}

func (f *frame) buildRuns() (*exact.Built[cloning.Solution], error) {
	m := &runModel{frame: f}
	items, kinds := itemsOf(f.v, func(*phase) bool { return false })
	m.kinds = kinds
	for _, it := range items {
		m.items = append(m.items, runItem{item: it, profiles: profiles(&f.v.phases[it.phase]), spans: map[span][]int{}})
	}
	for i := range m.items {
		m.addItem(&m.items[i])
	}
	cache := map[string][][][]int{}
	several := len(f.v.in.Servers) > 1
	for t := 1; t <= slices.Max(f.due); t++ {
		terms, byPhase := make([][]milp.Term, len(m.kinds)), make([][]milp.Term, len(f.v.phases))
		for i := range m.items {
			it := &m.items[i]
			list := m.copies(it, t)
			terms[it.kind] = append(terms[it.kind], list...)
			byPhase[it.phase] = append(byPhase[it.phase], list...)
		}
		if !several {
			m.rooms = append(m.rooms, f.v.addActive(f.Model, t, m.kinds, terms, cache))
			continue
		}
		if !m.v.exact { // cuts, whose weights are rounded
			m.addSurrogates(t, byPhase)
		}
		m.addCapacities(t)
	}
	return f.wrap(true, m.decode, m.encode), nil
}

// each calls f with every column of an item, its profile and its start.
func (m *runModel) each(it *runItem, f func(col int, p profile, start int)) {
	for q, cols := range it.starts {
		for i, col := range cols {
			f(col, it.profiles[q], m.v.phases[it.phase].head+i)
		}
	}
}

// copies are the terms of an item's running copies in slot t.
func (m *runModel) copies(it *runItem, t int) []milp.Term {
	var terms []milp.Term
	m.each(it, func(col int, p profile, start int) {
		if t > start && t <= start+len(p) {
			terms = append(terms, milp.Term{Col: col, Coef: float64(p[t-start-1])})
		}
	})
	return terms
}

func (m *runModel) addItem(it *runItem) {
	k := it.phase
	ph, n := &m.v.phases[k], float64(it.tasks)
	name := fmt.Sprintf("%s,%s,%d", m.v.in.Jobs[ph.job].ID, ph.ID, it.first)
	all := milp.Row{Name: "work[" + name + "]", Lo: n, Hi: n}
	ends := map[int][]milp.Term{}
	starts := map[int][]milp.Term{}
	for q, p := range it.profiles {
		var cols []int
		for start := ph.head; start+len(p) <= m.due[k]; start++ {
			col := m.AddCol(milp.Col{Name: fmt.Sprintf("s[%s,%d,%d]", name, q, start), Hi: n, Integer: true})
			cols = append(cols, col)
			term := milp.Term{Col: col, Coef: 1}
			all.Terms = append(all.Terms, term)
			starts[start] = append(starts[start], term)
			ends[start+len(p)] = append(ends[start+len(p)], term)
		}
		it.starts = append(it.starts, cols)
	}
	m.Rows = append(m.Rows, all)
	var begun, ended []milp.Term
	for t := ph.head; t <= m.due[k]; t++ {
		begun, ended = append(begun, starts[t]...), append(ended, ends[t]...)
		if len(starts[t]) > 0 {
			for _, p := range ph.parents {
				m.done[p].bounded(m.Model, fmt.Sprintf("parent[%s,%d,%d]", name, p, t), t, n, begun...)
			}
		}
		if c := &m.done[k]; t >= c.from && t < c.to {
			c.reaches(m.Model, fmt.Sprintf("ended[%s,%d]", name, t), t, n, ended...)
		}
	}
	if len(m.v.in.Servers) > 1 {
		m.addSpans(it, name)
	}
}

// addSpans places an item's copies on servers: as many run during a span as the starts say.
func (m *runModel) addSpans(it *runItem, name string) {
	ph := &m.v.phases[it.phase]
	rows := map[span][]milp.Term{}
	var order []span
	m.each(it, func(col int, p profile, start int) {
		for s, n := range p.copies(start) {
			if rows[s] == nil {
				order = append(order, s)
			}
			rows[s] = append(rows[s], milp.Term{Col: col, Coef: float64(n)})
		}
	})
	slices.SortFunc(order, func(a, b span) int {
		if a.start != b.start {
			return a.start - b.start
		}
		return a.end - b.end
	})
	for _, s := range order {
		row := milp.Row{Name: fmt.Sprintf("run[%s,%d,%d]", name, s.start, s.end), Terms: rows[s]}
		slices.SortFunc(row.Terms, func(a, b milp.Term) int { return a.Col - b.Col })
		for v := range m.v.in.Servers {
			fit := cloning.Copies(ph.Demand, m.v.in.Servers[v].Capacity, m.kinds[it.kind].limit)
			col := m.AddCol(milp.Col{
				Name: fmt.Sprintf("y[%s,%d,%d,%d]", name, v, s.start, s.end), Hi: float64(fit), Integer: true,
			})
			it.spans[s] = append(it.spans[s], col)
			row.Terms = append(row.Terms, milp.Term{Col: col, Coef: -1})
		}
		m.Rows = append(m.Rows, row)
	}
}

// copies returns how many copies of a task run from when to when, when it starts by the profile.
func (p profile) copies(start int) map[span]int {
	list, before := map[span]int{}, 0
	for i, n := range p {
		if n > before {
			list[span{start + i, start + len(p)}] = n - before
			before = n
		}
	}
	return list
}

// addSurrogates are cuts: the cluster bounds copies in sum.
func (m *runModel) addSurrogates(t int, byPhase [][]milp.Term) {
	for g := range m.v.surrogates {
		var terms []milp.Term
		for k, list := range byPhase {
			if w := m.v.surrogates[g].weight[k]; w > 0 {
				for _, term := range list {
					terms = append(terms, milp.Term{Col: term.Col, Coef: w * term.Coef})
				}
			}
		}
		addCapacity(m.Model, fmt.Sprintf("surrogate[%d,%d]", g, t), m.v.surrogates[g].capacity, terms, false)
	}
}

// addCapacities bounds every server's resources in slot t, and the copies there of tasks whose copies must be apart.
func (m *runModel) addCapacities(t int) {
	for v := range m.v.in.Servers {
		terms := make([][]milp.Term, len(m.v.in.Resources))
		for i := range m.items {
			it := &m.items[i]
			var here []milp.Term
			for s, cols := range it.spans {
				if t > s.start && t <= s.end {
					here = append(here, milp.Term{Col: cols[v], Coef: 1})
				}
			}
			slices.SortFunc(here, func(a, b milp.Term) int { return a.Col - b.Col })
			if m.kinds[it.kind].apart && len(here) > 1 {
				m.AddRow(fmt.Sprintf("copies_per_server[%d,%d,%d]", i, v, t), -milp.Inf, float64(m.kinds[it.kind].limit), here...)
			}
			for r, d := range m.v.phases[it.phase].Demand {
				for _, term := range here {
					if d > 0 {
						terms[r] = append(terms[r], milp.Term{Col: term.Col, Coef: d})
					}
				}
			}
		}
		for r, c := range m.v.in.Servers[v].Capacity {
			addCapacity(m.Model, fmt.Sprintf("capacity[%d,%d,%d]", v, r, t), c, terms[r], m.v.exact)
		}
	}
}

// decode hands starts to an item's tasks in order, and their copies to the servers that the spans name.
func (m *runModel) decode(x []float64) (cloning.Solution, error) {
	out := cloning.Solution{Regime: cloning.Nonpreemptive}
	for i := range m.items {
		it := &m.items[i]
		ph := &m.v.phases[it.phase]
		left := map[span][]int{}
		for s, cols := range it.spans {
			for v, col := range cols {
				for range count(x[col]) {
					left[s] = append(left[s], v)
				}
			}
		}
		task, short := it.first, false
		m.each(it, func(col int, p profile, start int) {
			for range count(x[col]) {
				for s, n := range p.copies(start) {
					for range n {
						server := 0
						if len(m.v.in.Servers) > 1 {
							if len(left[s]) == 0 {
								short = true
								continue
							}
							server, left[s] = left[s][0], left[s][1:]
						}
						out.Copies = append(out.Copies, cloning.Copy{
							Task: cloning.Task{Job: ph.job, Phase: ph.index, Index: task}, Server: server, Start: s.start, End: s.end,
						})
					}
				}
				task++
			}
		})
		if short || task != it.first+it.tasks {
			return out, fmt.Errorf("cloning: the point starts %d tasks of phase %s of job %s with %d servers short",
				task-it.first, ph.ID, m.v.in.Jobs[ph.job].ID, len(left))
		}
	}
	slices.SortFunc(out.Copies, compareCopies)
	return out, nil
}

// encode takes of each task's copies those of a profile below them that ends with them.
func (m *runModel) encode(s cloning.Solution) ([]float64, error) {
	x := make([]float64, len(m.Cols))
	tasks := map[cloning.Task][]cloning.Copy{}
	for _, c := range s.Copies {
		tasks[c.Task] = append(tasks[c.Task], c)
	}
	content := make([][][]int, len(m.rooms)) // by slot, of the only server, by kind
	for t := range content {
		content[t] = [][]int{make([]int, len(m.kinds))}
	}
	ends := make([]int, len(m.v.phases))
	for i := range m.items {
		it := &m.items[i]
		ph := &m.v.phases[it.phase]
		for q := range it.tasks {
			copies := tasks[cloning.Task{Job: ph.job, Phase: ph.index, Index: it.first + q}]
			slices.SortFunc(copies, func(a, b cloning.Copy) int { return a.Start - b.Start })
			end := 0
			for _, c := range copies {
				end = max(end, c.End)
			}
			start := math.MaxInt
			for _, c := range copies {
				start = min(start, c.Start)
			}
			actual := make(profile, end-start)
			for _, c := range copies {
				for t := c.Start; t < end; t++ {
					actual[t-start]++
				}
			}
			p := slices.IndexFunc(it.profiles, func(p profile) bool { return actual.above(p) })
			if p < 0 {
				return nil, fmt.Errorf("cloning: no profile of phase %s of job %s fits", ph.ID, m.v.in.Jobs[ph.job].ID)
			}
			start = end - len(it.profiles[p])
			x[it.starts[p][start-ph.head]]++
			ends[it.phase] = max(ends[it.phase], end)
			m.occupy(x, it, copies, it.profiles[p], start)
			for t := start + 1; t <= end && len(m.rooms) > 0; t++ {
				content[t-1][0][it.kind] += it.profiles[p][t-start-1]
			}
		}
	}
	for t := range m.rooms {
		m.rooms[t].set(x, m.kinds, content[t])
	}
	m.setClocks(x, ends)
	return x, nil
}

// occupy lets the r-th copy of a profile, which starts no earlier than the r-th of the given ones, run on its server.
func (m *runModel) occupy(x []float64, it *runItem, copies []cloning.Copy, p profile, start int) {
	if len(m.v.in.Servers) == 1 {
		return
	}
	r := 0
	for i, n := range p {
		for ; r < n; r++ {
			x[it.spans[span{start + i, start + len(p)}][copies[r].Server]]++
		}
	}
}
