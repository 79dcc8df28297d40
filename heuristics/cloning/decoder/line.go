package decoder

import (
	"math"
	"slices"
	"sort"
)

// A line is what is remembered of a schedule, so that another whose keys differ little need not be carried out from its
// beginning, nor to its end once both are in the same state.
type line struct {
	value    float64
	memories []*memory // in order of time
	gap      int       // slots between them, at least
	packings []packed
	released []int // by phase, the moment from which it may run; never: it is not known
	begun    []int // by item, the first moment at which it got a copy

	from, met int  // of a trial: the memory of the line before that it starts from, and the one that it meets at its end
	same      bool // the trial is the line
}

// A packed is the moment of a packing, the key of the last item that found room, and what found none.
type packed struct {
	now   int
	last  float64
	fails []fail
}

// A memory is a state.
type memory struct {
	now, arrived int
	cost         float64
	left         []int32 // by phase
	active       []int32 // phases that may run
	tasks        []level // of these, one phase after the other
	ends         []int32 // of each in tasks
}

const never = math.MaxInt

func newLine(m *Model) line {
	l := line{released: make([]int, len(m.phases)), begun: make([]int, len(m.itemPhase))}
	for k := range l.released {
		l.released[k] = never
	}
	for i := range l.begun {
		l.begun[i] = never
	}
	return l
}

// clear makes a trial of l that is as old until now.
func (l *line) clear(now int, old *line) {
	l.memories, l.packings = l.memories[:0], l.packings[:0]
	l.met = -1
	for k, t := range old.released {
		if l.released[k] = t; t > now {
			l.released[k] = never
		}
	}
	for i, t := range old.begun {
		if l.begun[i] = t; t >= now {
			l.begun[i] = never
		}
	}
}

// remember keeps the present state. It reports whether the line was in the same and all phases whose keys differ are done.
func (d *decoder) remember() bool {
	d.next = d.now + d.line.gap
	m := d.memory()
	l := d.line
	at := sort.Search(len(l.memories), func(i int) bool { return l.memories[i].now >= d.now })
	if at < len(l.memories) && l.memories[at].same(m) && !slices.ContainsFunc(d.changed,
		func(k int32) bool { return d.left[k] > 0 }) {
		d.trial.met = at
		d.spare = append(d.spare, m)
		return true
	}
	d.trial.memories = append(d.trial.memories, m)
	return false
}

func (d *decoder) memory() *memory {
	m := &memory{}
	if n := len(d.spare); n > 0 {
		m, d.spare = d.spare[n-1], d.spare[:n-1]
	}
	m.now, m.arrived, m.cost = d.now, d.arrived, d.cost
	m.left = append(m.left[:0], d.left...)
	m.active, m.tasks, m.ends = m.active[:0], m.tasks[:0], m.ends[:0]
	for _, i := range d.live {
		k := d.itemPhase[i]
		if d.left[k] > 0 && i == d.phases[k].item {
			m.active = append(m.active, k)
		}
	}
	slices.Sort(m.active)
	for _, k := range m.active {
		m.tasks = append(m.tasks, d.levels[k]...)
		m.ends = append(m.ends, int32(len(m.tasks)))
	}
	return m
}

// same reports whether two states are the same, whatever they cost.
func (m *memory) same(o *memory) bool {
	return m.now == o.now && m.arrived == o.arrived && slices.Equal(m.left, o.left) && slices.Equal(m.active, o.active) &&
		slices.Equal(m.ends, o.ends) && slices.Equal(m.tasks, o.tasks)
}

// restore returns to a state.
func (d *decoder) restore(m *memory) {
	d.now, d.arrived, d.cost = m.now, m.arrived, m.cost
	copy(d.left, m.left)
	d.unfinished = 0
	clear(d.undone)
	for k := range d.phases {
		f := &d.phases[k]
		if d.left[k] > 0 {
			d.undone[f.job]++
		}
		d.waits[k] = 0
		for _, p := range f.parents {
			if d.left[p] > 0 {
				d.waits[k]++
			}
		}
		d.levels[k] = d.levels[k][:0]
	}
	for _, n := range d.undone {
		if n > 0 {
			d.unfinished++
		}
	}
	from := int32(0)
	for i, k := range m.active {
		d.levels[k] = append(d.levels[k], m.tasks[from:m.ends[i]]...)
		from = m.ends[i]
	}
	d.live = d.live[:0]
	for _, i := range d.order {
		if len(d.levels[d.itemPhase[i]]) > 0 {
			d.live = append(d.live, i)
		}
	}
	d.running, d.stale = d.running[:0], true
}

// change gives a phase other keys, and returns the first moment at which that matters to the line.
func (d *decoder) change(k int32, key, clones float64) int {
	f := &d.phases[k]
	first := never
	d.keys.Key[k], d.keys.Clones[k] = key, clones
	for r := range int(f.copies) {
		i := f.item + int32(r)
		old, now := d.key[i], d.itemKey(k, r)
		if old == now {
			continue
		}
		first = min(first, d.matters(k, i, old, now))
		at, _ := slices.BinarySearchFunc(d.order, i, d.compare)
		d.key[i] = now
		if now > old {
			to := at + sort.Search(len(d.order)-at-1, func(j int) bool { return d.before(i, d.order[at+1+j]) })
			copy(d.order[at:to], d.order[at+1:to+1])
			d.order[to] = i
		} else {
			to := sort.Search(at, func(j int) bool { return d.before(i, d.order[j]) })
			copy(d.order[to+1:at+1], d.order[to:at])
			d.order[to] = i
		}
	}
	return first
}

// matters is the first moment at which another key of an item may change the line. An item that got no copies gets none behind
// its place, nor before it if it still is behind all that got some, or behind a smaller demand that found no room: room only
// shrinks.
func (d *decoder) matters(k, i int32, old, now float64) int {
	l := d.line
	begun := l.begun[i]
	if now > old || begun == l.released[k] {
		return begun
	}
	at := sort.Search(len(l.packings), func(j int) bool { return l.packings[j].now >= l.released[k] })
	for _, p := range l.packings[at:] {
		if p.now >= begun || p.last >= now && !d.hopeless(k, math.Nextafter(now, math.Inf(-1)), p.fails) {
			return p.now
		}
	}
	return never
}

// again is the value of the keys, whose first difference from the line matters from a moment on; more than limit if it is.
func (d *decoder) again(matters int, limit float64) float64 {
	l := d.line
	d.spare = append(d.spare, d.trial.memories...) // of a trial that was not kept
	if d.trial.clear(never, l); matters == never {
		d.trial.same = true
		return l.value
	}
	from := sort.Search(len(l.memories), func(i int) bool { return l.memories[i].now > matters }) - 1
	m := l.memories[from]
	d.restore(m)
	d.trial.from, d.trial.same = from, false
	d.trial.clear(m.now, l)
	d.next = m.now + d.line.gap
	return d.run(limit)
}

// keep has the trial, whose value is given, as the line.
func (d *decoder) keep(value float64) {
	l, t := d.line, &d.trial
	if t.same {
		return
	}
	l.value = value
	now, tail, until := 0, never, len(l.memories)
	if t.from >= 0 {
		now = l.memories[t.from].now
	}
	if t.met >= 0 {
		tail, until = l.memories[t.met].now, t.met
		shift := d.cost - l.memories[t.met].cost
		for _, m := range l.memories[t.met:] {
			m.cost += shift
		}
		t.memories = append(t.memories, l.memories[t.met:]...)
	}
	d.spare = append(d.spare, l.memories[t.from+1:until]...)
	l.memories = append(l.memories[:t.from+1], t.memories...)
	t.memories = t.memories[:0]
	at := sort.Search(len(l.packings), func(j int) bool { return l.packings[j].now >= now })
	if tail < never {
		rest := sort.Search(len(l.packings), func(j int) bool { return l.packings[j].now >= tail })
		t.packings = append(t.packings, l.packings[rest:]...)
	}
	l.packings = append(l.packings[:at], t.packings...)
	for k, r := range t.released {
		if r < never || tail == never {
			l.released[k] = r
		}
	}
	for i, b := range t.begun {
		if b < never || tail == never {
			l.begun[i] = b
		}
	}
}
