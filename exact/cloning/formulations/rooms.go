package formulations

import (
	"fmt"
	"slices"

	"schedgap/exact/milp"
	"schedgap/exact/verify/cloning/kernel"
)

// A room is the part of the model that gives the copies of a slot their place: servers alike, what they may hold, and how many of
// them hold it.
type room struct {
	groups   [][]int
	fillings [][][]kernel.Buy
	cols     [][]int
}

// A part is some groups of servers, all but a number of servers.
type part struct {
	groups []int
	out    int
}

// apart reports whether a server may not hold all copies of a task of a phase.
func (m *strong) apart(k int) bool {
	return len(m.Servers) > 1 && len(m.Phases[k].Gain) > m.In.MaxCopiesPerServer
}

// out is the number of servers that can be left out with copies of a task of a phase still to be placed on all others.
func (m *strong) out(k int) int {
	return min(len(m.Servers)-1, (len(m.Phases[k].Gain)-1)/m.In.MaxCopiesPerServer)
}

// addRoom adds that the copies of slot t + 1 have a place.
func (m *strong) addRoom(t int) {
	open, apart := make([]bool, len(m.Phases)), m.Fixed
	for j, list := range m.arcs[t] {
		for _, use := range list {
			for i, k := range m.Graphs[j].Phase {
				k += m.First[j]
				if slices.Max(m.copies(use.copies, i)) > 0 {
					open[k], apart = true, apart || m.apart(k)
				}
			}
		}
	}
	var r room
	for s, c := range m.Servers {
		g := slices.IndexFunc(r.groups, func(g []int) bool { return !apart && m.Servers[g[0]] == c })
		if g < 0 {
			g, r.groups = len(r.groups), append(r.groups, nil)
		}
		r.groups[g] = append(r.groups[g], s)
	}
	for g, servers := range r.groups {
		n := float64(len(servers))
		r.fillings = append(r.fillings, m.Fillings(m.Servers[servers[0]], open))
		r.cols = append(r.cols, nil)
		for i := range r.fillings[g] {
			// Without choice of a server, whole copies that fit on average fit.
			whole := !m.Fixed && len(m.Servers) > 1
			col := m.AddCol(milp.Col{Name: fmt.Sprintf("l[%d,%d,%d]", g, i, t+1), Hi: n, Integer: whole})
			r.cols[g] = append(r.cols[g], col)
		}
		m.Relate(fmt.Sprintf("servers[%d,%d]", g, t+1), -milp.Inf, n, milp.Total(r.cols[g]...))
	}
	m.rooms = append(m.rooms, r)
	for k := range open {
		for i, p := range m.parts(k, &r, apart) {
			m.addCapacity(fmt.Sprintf("capacity[%d,%d,%d]", k, i, t+1), t, k, p, &r)
		}
	}
}

// parts are the parts of the servers that have to hold copies of a phase: each server, where arcs name servers; otherwise all,
// and all but some where copies of a task have to be apart.
func (m *strong) parts(k int, r *room, apart bool) []part {
	var list []part
	if m.Fixed {
		for s := range m.Servers {
			list = append(list, part{groups: []int{s}})
		}
		return list
	}
	most := 0
	if apart && m.apart(k) {
		most = m.out(k)
	}
	var add func(g int, p part)
	add = func(g int, p part) {
		if g == len(r.groups) {
			list = append(list, p)
			return
		}
		add(g+1, part{append(slices.Clone(p.groups), g), p.out})
		if p.out < most {
			add(g+1, part{p.groups, p.out + 1})
		}
	}
	add(0, part{})
	return list
}

// addCapacity adds that a part of the servers holds the copies of a phase that have to be there.
func (m *strong) addCapacity(name string, t, k int, p part, r *room) {
	var copies milp.Sum
	if j := m.Phases[k].Job; j < len(m.arcs[t]) {
		for _, use := range m.arcs[t][j] {
			if n := m.needed(j, k, use.copies, p); n > 0 {
				copies = append(copies, milp.Of(use.col, float64(n))...)
			}
		}
	}
	if copies == nil {
		return
	}
	for _, g := range p.groups {
		for i, set := range r.fillings[g] {
			for _, b := range set {
				if int(b.Phase) == k {
					copies = append(copies, milp.Of(r.cols[g][i], -float64(b.Copies))...)
				}
			}
		}
	}
	m.Relate(name, -milp.Inf, 0, copies)
}

// needed is the number of copies of a phase that an arc needs on a part of the servers.
func (m *strong) needed(j, k int, copies []uint8, p part) int {
	n := 0
	for i, q := range m.Graphs[j].Phase {
		switch list := m.copies(copies, i); {
		case q+m.First[j] != k:
		case m.Fixed:
			n += int(list[p.groups[0]])
		default:
			n += max(0, int(list[0])-m.In.MaxCopiesPerServer*p.out)
		}
	}
	return n
}

// copies are those of the i-th task, in the nonpreemptive regime by server.
func (m *strong) copies(list []uint8, i int) []uint8 {
	if n := len(m.Servers); m.Fixed {
		return list[i*n : (i+1)*n]
	}
	return list[i : i+1]
}

// set marks in a point what runs on the servers in the slot, given by server and phase.
func (r *room) set(x []float64, content [][]int64) error {
	for g, servers := range r.groups {
		for _, s := range servers {
			i := slices.IndexFunc(r.fillings[g], func(set []kernel.Buy) bool {
				held := make([]int64, len(content[s]))
				for _, b := range set {
					held[b.Phase] = int64(b.Copies)
				}
				return kernel.NoMore(content[s], held)
			})
			if i < 0 {
				return fmt.Errorf("cloning: no filling of server %d holds copies %v", s, content[s])
			}
			x[r.cols[g][i]]++
		}
	}
	return nil
}
