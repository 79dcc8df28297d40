package cloning

import "schedgap/models/cloning"

// A start is copies that an arc of a nonpreemptive job has on a server beyond those that run.
type start struct{ phase, server, copies int }

// startsOf lists the copies of an arc that do not run yet.
func startsOf(first, servers int, phase []int, running, copies []uint8) []start {
	var list []start
	for c, r := range copies {
		if r > running[c] {
			list = append(list, start{first + phase[c/servers], c % servers, int(r - running[c])})
		}
	}
	return list
}

// occupy computes what copies that go on leave free, what was used in the last slot, and which phases may run from now on only.
func (x *spread) occupy() {
	v := x.st.v
	resources := len(v.in.Resources)
	x.free, x.used = x.free[:0], append(x.used[:0], make([]float64, len(v.in.Servers)*resources)...)
	for s := range v.in.Servers {
		x.free = append(x.free, v.in.Servers[s].Capacity...)
	}
	x.fresh = append(x.fresh[:0], make([]bool, len(v.phases))...)
	for _, j := range x.jobs {
		node := &x.market.Graphs[j].Nodes[x.ids[j]]
		x.load(j, node.Running, x.free, -1)
		if x.market.Arrival[j] == x.now {
			for k := v.first[j]; k < v.until(j); k++ {
				x.fresh[k] = true
			}
		}
	}
	if x.now == 0 {
		return
	}
	n := len(x.market.Graphs)
	f, before := x.from, x.fronts[x.now-1]
	from := int(f.parent[x.place]) * n
	for j := range n {
		arc := f.arcs[int(x.place)*n+j]
		if arc == stay {
			continue
		}
		was := before.ids[from+j]
		x.load(j, x.market.Graphs[j].Nodes[was].Arcs[arc].Copies, x.used, 1)
		ended := x.sweep.open[j][was] &^ x.sweep.open[j][x.ids[j]]
		for k := v.first[j]; k < v.until(j) && ended != 0; k++ {
			for _, p := range v.phases[k].parents {
				x.fresh[k] = x.fresh[k] || ended>>(p%64)&1 == 1
			}
		}
	}
}

// load adds what copies of a job take, times sign, to amounts by server and resource.
func (sp *sweep) load(j int, copies []uint8, amounts []float64, sign float64) {
	g, v := sp.market.Graphs[j], sp.st.v
	resources := len(v.in.Resources)
	for c, r := range copies {
		if r > 0 {
			for q, d := range v.phases[v.first[j]+g.Phase[c/g.Servers]].Demand {
				amounts[c%g.Servers*resources+q] += sign * float64(r) * d
			}
		}
	}
}

// mayStart reports whether each kind of copies, alone, may start and fits. A copy starts when its phase may run from now on only, or did not fit
// beside what ran in the last slot.
func (x *spread) mayStart(list []start) bool {
	v := x.st.v
	resources := len(v.in.Resources)
	for _, c := range list {
		demand, capacity := v.phases[c.phase].Demand, v.in.Servers[c.server].Capacity
		if !cloning.Fits(demand, x.free[c.server*resources:(c.server+1)*resources], capacity) {
			return false
		}
		blocked := x.fresh[c.phase]
		for q, d := range demand {
			blocked = blocked || x.used[c.server*resources+q]+d > capacity[q]*(1+cloning.FitTolerance)
		}
		if !blocked {
			return false
		}
	}
	return true
}

// start takes the room of copies that may start. It reports the sum of their starts, and whether they fit.
func (x *spread) start(list []start) (starts int32, ok bool) {
	v := x.st.v
	resources := len(v.in.Resources)
	for _, c := range list {
		demand, free := v.phases[c.phase].Demand, x.free[c.server*resources:(c.server+1)*resources]
		for range c.copies {
			if !cloning.Fits(demand, free, v.in.Servers[c.server].Capacity) {
				return 0, false
			}
			for q, d := range demand {
				free[q] -= d
			}
			starts += int32(x.now)
		}
	}
	return starts, true
}
