package cumulative

import (
	"cmp"
	"slices"
)

// mostEnergy is the most tasks of a timetable of which energies are compared: that takes the cube of their number.
const mostEnergy = 80

// energies compares, between first starts a and last ends b of tasks, the room with what the tasks take there whatever happens. A task
// that starts at a + m − d at least and at b − m at most runs there for m slots at least (energetic reasoning, Baptiste, Le Pape and
// Nuijten 2001). So m + 1 of them, where the others leave room for m, are too many: the task starts later or earlier.
func (e *engine) energies(r *table) bool {
	r.from, r.to = r.from[:0], r.to[:0]
	for _, i := range r.tasks {
		r.from, r.to = append(r.from, e.lo[i]), append(r.to, e.hi[i]+e.durations[i])
	}
	slices.Sort(r.from)
	slices.Sort(r.to)
	r.from, r.to = slices.Compact(r.from), slices.Compact(r.to)
	before := len(e.trail)
	for _, a := range r.from {
		for _, b := range slices.Backward(r.to) {
			if b <= a {
				break
			}
			if !e.energy(r, a, b) {
				return false
			}
			if len(e.trail) > before { // the moments are stale
				return true
			}
		}
	}
	return true
}

// within is for how many slots a task surely runs between two moments.
func (e *engine) within(i int32, a, b int) int {
	d := e.durations[i]
	return max(0, min(b-a, d, e.lo[i]+d-a, b-e.hi[i]))
}

func (e *engine) energy(r *table, a, b int) bool {
	if int64(b-a) > maxEnergy/r.room {
		return true // products would be too large
	}
	room := r.room * int64(b-a)
	taken := int64(0)
	for _, i := range r.tasks {
		taken += r.demands[i] * int64(e.within(i, a, b))
	}
	if taken > room {
		e.clash = e.energyOf(e.clash[:0], r, -1, a, b, room)
		return false
	}
	for _, i := range r.tasks {
		d, own := e.durations[i], e.within(i, a, b)
		rest := room - taken + r.demands[i]*int64(own)
		many := min(b-a, d) // slots that are too many
		if rest >= r.demands[i]*int64(many) {
			continue
		}
		many = int(rest/r.demands[i]) + 1
		if early := (atom{i, true, a + many - d}); e.holds(early) && e.lo[i] <= b-many {
			why := e.energyOf([]atom{early}, r, i, a, b, room-r.demands[i]*int64(many))
			return e.set(atom{i, true, b - many + 1}, reason{kind: listed, atoms: why})
		}
		if late := (atom{i, false, b - many}); e.holds(late) && e.hi[i] >= a+many-d {
			why := e.energyOf([]atom{late}, r, i, a, b, room-r.demands[i]*int64(many))
			return e.set(atom{i, false, a + many - d - 1}, reason{kind: listed, atoms: why})
		}
	}
	return true
}

// maxEnergy is the most that a resource has between two moments, so that the sums of mostEnergy tasks stay below 2^57.
const maxEnergy = 1 << 50

// energyOf appends why tasks other than i take more than room between two moments.
func (e *engine) energyOf(list []atom, r *table, i int32, a, b int, room int64) []atom {
	type part struct {
		task   int32
		slots  int
		energy int64
	}
	var parts []part
	for _, j := range r.tasks {
		if m := e.within(j, a, b); j != i && m > 0 {
			parts = append(parts, part{j, m, r.demands[j] * int64(m)})
		}
	}
	slices.SortStableFunc(parts, func(x, y part) int { return cmp.Compare(y.energy, x.energy) })
	taken := int64(0)
	for _, p := range parts {
		if taken > room {
			break
		}
		taken += p.energy
		list = append(list, atom{p.task, true, a + p.slots - e.durations[p.task]}, atom{p.task, false, b - p.slots})
	}
	return list
}
