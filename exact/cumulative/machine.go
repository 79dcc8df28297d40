package cumulative

import (
	"cmp"
	"slices"
)

// mostEdges is the most tasks of a machine: edge finding here takes the cube of their number. More have their pairs alone.
const mostEdges = 200

// A machine is tasks of which no two can run at once.
type machine struct {
	tasks []int32
	dirty bool
	view  []window
}

// A window is a task from its first start to its last end, or both mirrored in time.
type window struct {
	task       int32
	first, end int
	d          int
}

// edges is edge finding, forwards and mirrored: if tasks and a further one, which all start at a moment at least, cannot all be done by
// the end of the tasks, the further one comes after them all (Carlier and Pinson 1989; explained by Vilím 2005).
func (e *engine) edges(m *machine) bool {
	for _, mirrored := range []bool{false, true} {
		m.view = m.view[:0]
		for _, i := range m.tasks {
			w := window{i, e.lo[i], e.hi[i] + e.durations[i], e.durations[i]}
			if mirrored {
				w.first, w.end = -w.end, -w.first
			}
			m.view = append(m.view, w)
		}
		slices.SortFunc(m.view, func(a, b window) int { return cmp.Or(cmp.Compare(b.first, a.first), cmp.Compare(a.task, b.task)) })
		before := len(e.trail)
		for _, w := range m.view {
			if !e.edge(m, w.end, mirrored) {
				return false
			}
			if len(e.trail) > before { // the view is stale
				return true
			}
		}
	}
	return true
}

// starts and ends are the atoms of a window's bounds.
func (w window) starts(at int, mirrored bool) atom {
	if mirrored {
		return atom{w.task, false, -at - w.d}
	}
	return atom{w.task, true, at}
}

func (w window) ends(at int, mirrored bool) atom {
	if mirrored {
		return atom{w.task, true, -at}
	}
	return atom{w.task, false, at - w.d}
}

// edge looks at the tasks that end by a moment.
func (e *engine) edge(m *machine, end int, mirrored bool) bool {
	work := 0
	for _, w := range m.view { // the latest first
		if w.end > end {
			continue
		}
		work += w.d
		if w.first+work > end {
			e.clash = e.clash[:0]
			for _, o := range m.view {
				if o.end <= end && o.first >= w.first {
					e.clash = append(e.clash, o.starts(w.first, mirrored), o.ends(end, mirrored))
				}
			}
			return false
		}
	}
	for _, i := range m.view {
		if i.end > end && !e.behind(m, i, end, mirrored) {
			return false
		}
	}
	return true
}

// behind deduces that a task comes after tasks that end by a moment. Of the tasks by first start, the latest first, it looks at each
// beginning of the list.
func (e *engine) behind(m *machine, i window, end int, mirrored bool) bool {
	work, done, doneBy, set := 0, i.first, -1, -1
	at, by := i.first, -1 // what the largest set that i comes after says: it is done at that moment, because of its tasks up to one
	for k, w := range m.view {
		if w.end > end {
			continue
		}
		work += w.d
		if w.first+work > done {
			done, doneBy = w.first+work, k
		}
		if min(w.first, i.first)+work+i.d > end {
			set, at, by = k, done, doneBy
		}
	}
	if by < 0 {
		return true
	}
	first, last := min(m.view[set].first, i.first), m.view[by].first
	why := []atom{i.starts(first, mirrored)}
	for k, w := range m.view[:set+1] {
		if w.end > end {
			continue
		}
		from := first
		if k <= by {
			from = last
		}
		why = append(why, w.starts(from, mirrored), w.ends(end, mirrored))
	}
	return e.set(i.starts(at, mirrored), reason{kind: listed, atoms: why})
}
