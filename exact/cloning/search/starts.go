package search

import (
	"schedgap/exact/cloning/schedule"
)

import "schedgap/models/cloning"

// occupy computes the room beside copies that go on, the room used in the last slot, and the phases that may run from now on
// only.
func (x *successors) occupy() {
	v := x.v
	if x.loads.Used == nil {
		x.loads = cloning.NewLoads(v.In.Servers...)
		x.used = x.loads.Empty()
	}
	clear(x.loads.Used)
	clear(x.used.Used)
	x.fresh = append(x.fresh[:0], make([]bool, len(v.Phases))...)
	for _, j := range x.jobs {
		node := &x.relaxation.Graphs[j].Nodes[x.ids[j]]
		x.load(j, node.Running, x.loads)
		if x.relaxation.Arrival[j] == x.now {
			for k := v.First[j]; k < v.First[j+1]; k++ {
				x.fresh[k] = true
			}
		}
	}
	if x.now == 0 {
		return
	}
	n := len(x.relaxation.Graphs)
	f, before := x.from, x.frontiers[x.now-1]
	from := int(f.parent[x.place]) * n
	for j := range n {
		arc := f.arcs[int(x.place)*n+j]
		if arc == schedule.Stay {
			continue
		}
		was := before.ids[from+j]
		x.load(j, x.relaxation.Graphs[j].Nodes[was].Arcs[arc].Copies, x.used)
		ended := x.openIn(j, was) &^ x.openIn(j, x.ids[j])
		for k := v.First[j]; k < v.First[j+1] && ended != 0; k++ {
			for _, p := range v.Phases[k].Preds {
				x.fresh[k] = x.fresh[k] || ended>>(p%64)&1 == 1
			}
		}
	}
}

// load puts copies of a job on the servers.
func (sp *layeredSearch) load(j int, copies []uint8, loads cloning.Loads) {
	g, v, servers := sp.relaxation.Graphs[j], sp.v, len(sp.relaxation.Space.Servers)
	for c, r := range copies {
		if r > 0 {
			loads.Add(c%servers, v.Phases[v.First[j]+g.Phase[c/servers]].Demand, int(r))
		}
	}
}

// mayStart reports whether each kind of copies, alone, may start and fits. A copy starts when its phase may run from now on
// only, or did not fit beside what ran in the last slot.
func (x *successors) mayStart(list []start) bool {
	for _, c := range list {
		demand := x.v.Phases[c.phase].Demand
		if !x.loads.Fit(c.server, demand, 1) || !x.fresh[c.phase] && x.used.Fit(c.server, demand, 1) {
			return false
		}
	}
	return true
}

// start takes the room of copies that may start. It reports the sum of their starts, and whether they fit.
func (x *successors) start(list []start) (starts int32, ok bool) {
	for _, c := range list {
		demand := x.v.Phases[c.phase].Demand
		if !x.loads.Fit(c.server, demand, c.copies) {
			return 0, false
		}
		x.loads.Add(c.server, demand, c.copies)
		starts += int32(x.now * c.copies)
	}
	return starts, true
}
