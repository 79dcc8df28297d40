package search

import "schedgap/exact/cloning/schedule"

// occupy computes the room beside copies that go on, the room beside those of the last slot, and the phases that may run from now on
// only.
func (x *successors) occupy() {
	m := x.relaxation
	if x.empty.Free == nil {
		x.empty = m.Rooms()
		x.rooms, x.before = x.empty.Clone(), x.empty.Clone()
	}
	copy(x.rooms.Free, x.empty.Free)
	copy(x.before.Free, x.empty.Free)
	x.fresh = append(x.fresh[:0], make([]bool, len(m.Phases))...)
	n, from, last := len(m.Graphs), 0, (*frontier)(nil)
	if x.now > 0 {
		from, last = int(x.from.list[x.place].parent)*n, x.frontiers[x.now-1]
	}
	for j, g := range m.Graphs {
		x.rooms.Hold(j, g.Graph, g.Nodes[x.ids[j]].Running)
		ended := uint64(0)
		if arc := x.from.arcs[int(x.place)*n+j]; last != nil && arc != schedule.Stay {
			was := last.ids[from+j]
			x.before.Hold(j, g.Graph, g.Nodes[was].Arcs[arc].Copies)
			ended = x.openIn(j, was) &^ x.openIn(j, x.ids[j])
		}
		for k := m.First[j]; k < m.First[j+1]; k++ {
			x.fresh[k] = m.Fresh(k, x.now, ended)
		}
	}
}

// mayStart reports whether each kind of copies, alone, may start and fits. A copy starts when its phase may run from now on
// only, or did not fit beside what ran in the last slot.
func (x *successors) mayStart(list []start) bool {
	for _, c := range list {
		if !x.rooms.Fit(c.phase, c.server, 1) || !x.fresh[c.phase] && x.before.Fit(c.phase, c.server, 1) {
			return false
		}
	}
	return true
}

// start takes the room of copies that may start. It reports the sum of their starts, and whether they fit.
func (x *successors) start(list []start) (starts int32, ok bool) {
	for _, c := range list {
		if !x.rooms.Fit(c.phase, c.server, c.copies) {
			return 0, false
		}
		x.rooms.Take(c.phase, c.server, c.copies)
		starts += int32(x.now * c.copies)
	}
	return starts, true
}
