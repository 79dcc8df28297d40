package cumulative

import (
	"cmp"
	"slices"
)

// A table is the timetable of a resource: a task surely runs from its last start to its first end.
type table struct {
	room    int64
	demands []int64 // by task
	tasks   []int32
	dirty   bool
	profile []step
	events  []event
	// from and to are the moments between which energies are compared.
	from, to []int
	stale    bool // energies are to be compared
}

// A step is an interval in which tasks surely take so much.
type step struct {
	from, to int
	taken    int64
}

type event struct {
	at     int
	demand int64 // negative: the task surely runs no longer
}

// timetable deduces that a task does not run where what surely runs leaves no room for it. The reason for a moment t is that of tasks
// that run then whatever happens: they start by t, and so late that they are not done by t (Schutt et al. 2011, pointwise).
func (e *engine) timetable(r *table) bool {
	r.events = r.events[:0]
	for _, i := range r.tasks {
		if from, to := e.hi[i], e.lo[i]+e.durations[i]; from < to {
			r.events = append(r.events, event{from, r.demands[i]}, event{to, -r.demands[i]})
		}
	}
	slices.SortFunc(r.events, func(a, b event) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.demand, b.demand)) })
	r.profile = r.profile[:0]
	taken := int64(0)
	for k, v := range r.events {
		if k > 0 && v.at > r.events[k-1].at && taken > 0 {
			r.profile = append(r.profile, step{r.events[k-1].at, v.at, taken})
		}
		taken += v.demand
		if taken > r.room { // at most twice the room, as a demand is at most that
			// They run until the next event. Its last moment is the reason: that lifts a start farthest.
			next := k + slices.IndexFunc(r.events[k:], func(w event) bool { return w.at > v.at })
			e.clash = e.running(e.clash[:0], r, -1, r.events[next].at-1, r.room)
			return false
		}
	}
	for _, i := range r.tasks {
		if e.lo[i] < e.hi[i] && !(e.later(r, i) && e.earlier(r, i)) {
			return false
		}
	}
	return true
}

// later raises the first start of a task over steps without room for it.
func (e *engine) later(r *table, i int32) bool {
	d, room := e.durations[i], r.room-r.demands[i]
	for _, s := range r.profile {
		if s.from >= e.lo[i]+d {
			break
		}
		if s.to <= e.lo[i] || s.taken <= room || e.surely(i, s.from) {
			continue
		}
		for e.lo[i] < s.to {
			t := min(s.to, e.lo[i]+d) - 1
			why := e.running([]atom{{i, true, t + 1 - d}}, r, i, t, room)
			if !e.set(atom{i, true, t + 1}, reason{kind: listed, atoms: why}) {
				return false
			}
		}
	}
	return true
}

// earlier lowers the last start.
func (e *engine) earlier(r *table, i int32) bool {
	d, room := e.durations[i], r.room-r.demands[i]
	for _, s := range slices.Backward(r.profile) {
		if s.to <= e.hi[i] {
			break
		}
		if s.from >= e.hi[i]+d || s.taken <= room || e.surely(i, s.from) {
			continue
		}
		for e.hi[i]+d > s.from {
			t := max(s.from, e.hi[i])
			why := e.running([]atom{{i, false, t}}, r, i, t, room)
			if !e.set(atom{i, false, t - d}, reason{kind: listed, atoms: why}) {
				return false
			}
		}
	}
	return true
}

// surely reports whether a task runs at a moment whatever happens.
func (e *engine) surely(i int32, t int) bool { return e.hi[i] <= t && t < e.lo[i]+e.durations[i] }

// running appends why tasks other than i run at t that take more than room together.
func (e *engine) running(list []atom, r *table, i int32, t int, room int64) []atom {
	var tasks []int32
	for _, j := range r.tasks {
		if j != i && e.surely(j, t) {
			tasks = append(tasks, j)
		}
	}
	slices.SortStableFunc(tasks, func(a, b int32) int { return cmp.Compare(r.demands[b], r.demands[a]) })
	taken := int64(0)
	for _, j := range tasks {
		if taken > room {
			break
		}
		list = append(list, atom{j, true, t + 1 - e.durations[j]}, atom{j, false, t})
		taken += r.demands[j]
	}
	return list
}
