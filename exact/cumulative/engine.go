package cumulative

import "math"

// An atom says that the start of a task is at least (low) or at most a moment. Of a pair of tasks, "at least 1" says that the first
// one is done before the other starts, "at most 0" the reverse.
type atom struct {
	x   int32
	low bool
	at  int
}

// not is the negation.
func (a atom) not() atom {
	if a.low {
		return atom{a.x, false, a.at - 1}
	}
	return atom{a.x, true, a.at + 1}
}

// key numbers the sides of variables.
func (a atom) key() int32 {
	if a.low {
		return 2*a.x + 1
	}
	return 2 * a.x
}

// A kind is why an entry of the trail holds.
type kind uint8

const (
	decided   kind = iota // or without a decision, where nobody asks
	shifted               // an atom of another variable, by so much away, and perhaps that of a pair
	forbidden             // all other atoms of a nogood
	listed                // atoms
)

// A reason is atoms that imply another one.
type reason struct {
	kind  kind
	x     int32 // shifted: the variable; forbidden: the nogood
	by    int   // shifted: what its atom's moment has more
	pair  atom  // shifted: x < 0: none
	atoms []atom
}

// An entry of the trail is an atom that became true, and what was known before.
type entry struct {
	atom
	was   int   // the bound before
	prev  int32 // the entry of that; −1: none
	level int32 // decisions before it
	why   reason
}

// An edge is that a start is at least so much later than another one.
type edge struct {
	x  int32
	by int
}

// An order is a pair of tasks that cannot run at once.
type order struct{ i, j int32 }

type engine struct {
	durations    []int
	after, prior [][]edge // by task: those that start later, and earlier
	orders       []order  // variables from len(durations) on
	paired       bool     // all pairs that no room holds are among them
	ordersOf     [][]int32
	tables       []table
	machines     []machine
	tablesOf     [][]int32
	machinesOf   [][]int32

	lo, hi []int
	last   []int32 // latest entry by key; −1: none
	trail  []entry
	marks  []int32 // length of the trail at each decision
	next   int     // entry of the trail to propagate
	clash  []atom  // true atoms that contradict each other

	nogoods
	conflicts int64
	restarts  int64
	phase     []bool // whether the first task of a pair came first, in the last schedule; nil: there is none
}

func newEngine(p *Problem) *engine {
	n := len(p.Durations)
	e := &engine{
		durations: p.Durations, after: make([][]edge, n), prior: make([][]edge, n), ordersOf: make([][]int32, n),
		tablesOf: make([][]int32, n), machinesOf: make([][]int32, n),
	}
	link := func(i, j, by int) {
		e.after[i] = append(e.after[i], edge{int32(j), by})
		e.prior[j] = append(e.prior[j], edge{int32(i), by})
	}
	for i, list := range p.Before {
		for _, j := range list {
			link(i, j, p.Durations[i])
		}
		if s := p.Same[i]; s >= 0 {
			link(s, i, 0)
		}
	}
	e.disjoint(p)
	for r := range p.Resources {
		e.resource(&p.Resources[r])
	}
	vars := n + len(e.orders)
	e.lo, e.hi, e.last = make([]int, vars), make([]int, vars), make([]int32, 2*vars)
	for x := range vars {
		e.hi[x], e.last[2*x], e.last[2*x+1] = 1, -1, -1
		if x < n {
			e.hi[x] = horizon
		}
	}
	e.nogoods = newNogoods(vars)
	return e
}

// begin makes what holds without a decision: nothing starts before 0. False: that cannot be.
func (e *engine) begin() bool {
	for i := range e.durations {
		for _, to := range e.after[i] { // the first starts are no entries that would be looked at
			if !e.set(atom{to.x, true, to.by}, reason{}) {
				return false
			}
		}
	}
	return true
}

// before asks that all ends before a moment.
func (e *engine) before(moment int) bool {
	for i, d := range e.durations {
		if !e.set(atom{int32(i), false, moment - 1 - d}, reason{}) {
			return false
		}
	}
	return true
}

// resource adds a timetable.
func (e *engine) resource(r *Resource) {
	t := table{dirty: true, stale: true}
	unit := int64(0) // of which all demands are multiples, so that the room is as good as one
	for _, d := range r.Demands {
		for m := d; m != 0; unit, m = m, unit%m {
		}
	}
	if unit == 0 {
		return
	}
	t.room = r.Room / unit
	sum, half := int64(0), true
	for i, d := range r.Demands {
		d /= unit
		t.demands = append(t.demands, d)
		if d == 0 {
			continue
		}
		t.tasks = append(t.tasks, int32(i))
		sum = min(sum+d, t.room+1)
		half = half && d > t.room-d
	}
	if sum <= t.room || half && e.paired {
		return // all fit at once, or no two, which the pairs say
	}
	for _, i := range t.tasks {
		e.tablesOf[i] = append(e.tablesOf[i], int32(len(e.tables)))
	}
	e.tables = append(e.tables, t)
}

func (e *engine) level() int32 { return int32(len(e.marks)) }

func (e *engine) holds(a atom) bool {
	if a.low {
		return e.lo[a.x] >= a.at
	}
	return e.hi[a.x] <= a.at
}

// atLeast and atMost are the bounds as atoms.
func (e *engine) atLeast(x int32) atom { return atom{x, true, e.lo[x]} }
func (e *engine) atMost(x int32) atom  { return atom{x, false, e.hi[x]} }

// set makes an atom true. If it contradicts what is known, the clash has the atoms and it returns false.
func (e *engine) set(a atom, why reason) bool {
	if e.holds(a) {
		return true
	}
	if e.holds(a.not()) {
		e.clash = append(e.explain(e.clash[:0], a, why), a.not())
		return false
	}
	k := a.key()
	t := entry{atom: a, prev: e.last[k], level: e.level(), why: why}
	if a.low {
		t.was, e.lo[a.x] = e.lo[a.x], a.at
	} else {
		t.was, e.hi[a.x] = e.hi[a.x], a.at
	}
	e.last[k] = int32(len(e.trail))
	e.trail = append(e.trail, t)
	return true
}

// explain appends the atoms that imply a for a reason.
func (e *engine) explain(list []atom, a atom, why reason) []atom {
	switch why.kind {
	case shifted:
		list = append(list, atom{why.x, a.low, a.at + why.by})
		if why.pair.x >= 0 {
			list = append(list, why.pair)
		}
	case forbidden:
		for _, b := range e.list[why.x].atoms {
			if b.x != a.x || b.low == a.low {
				list = append(list, b)
			}
		}
	case listed:
		list = append(list, why.atoms...)
	}
	return list
}

// undo takes back all decisions after a level.
func (e *engine) undo(level int32) {
	if level >= e.level() {
		return
	}
	from := e.marks[level]
	for i := len(e.trail) - 1; i >= int(from); i-- {
		t := &e.trail[i]
		if t.low {
			e.lo[t.x] = t.was
		} else {
			e.hi[t.x] = t.was
		}
		e.last[t.key()] = t.prev
	}
	e.trail, e.marks, e.next = e.trail[:from], e.marks[:level], int(from)
}

// propagate makes all deductions; false: the clash has atoms that contradict each other.
func (e *engine) propagate() bool {
	for {
		for e.next < len(e.trail) {
			t := e.trail[e.next].atom
			e.next++
			if !e.forbid(t) || !e.precedences(t) {
				return false
			}
		}
		before := len(e.trail)
		for r := range e.tables {
			if t := &e.tables[r]; t.dirty && len(e.trail) == before {
				t.dirty = false
				if !e.timetable(t) {
					t.dirty = true
					return false
				}
			}
		}
		for m := range e.machines {
			if s := &e.machines[m]; s.dirty && len(e.trail) == before {
				s.dirty = false
				if !e.edges(s) {
					s.dirty = true
					return false
				}
			}
		}
		for r := range e.tables {
			if t := &e.tables[r]; t.stale && len(e.trail) == before && len(t.tasks) <= mostEnergy {
				t.stale = false
				if !e.energies(t) {
					t.stale = true
					return false
				}
			}
		}
		if len(e.trail) == before {
			return true
		}
	}
}

// precedences are the deductions from one atom by precedences and pairs.
func (e *engine) precedences(t atom) bool {
	if int(t.x) >= len(e.durations) {
		return e.ordered(t.x)
	}
	for _, r := range e.tablesOf[t.x] {
		e.tables[r].dirty, e.tables[r].stale = true, true
	}
	for _, m := range e.machinesOf[t.x] {
		e.machines[m].dirty = true
	}
	if t.low {
		for _, to := range e.after[t.x] {
			if !e.set(atom{to.x, true, e.lo[t.x] + to.by}, reason{kind: shifted, x: t.x, by: -to.by, pair: atom{x: -1}}) {
				return false
			}
		}
	} else {
		for _, to := range e.prior[t.x] {
			if !e.set(atom{to.x, false, e.hi[t.x] - to.by}, reason{kind: shifted, x: t.x, by: to.by, pair: atom{x: -1}}) {
				return false
			}
		}
	}
	for _, x := range e.ordersOf[t.x] {
		if !e.ordered(x) {
			return false
		}
	}
	return true
}

// ordered makes the deductions of a pair: its order where only one is left, and then the bounds of both tasks.
func (e *engine) ordered(x int32) bool {
	o := e.orders[int(x)-len(e.durations)]
	if e.lo[x] == e.hi[x] {
		i, j, pair := o.i, o.j, e.atLeast(x)
		if e.hi[x] == 0 {
			i, j, pair = o.j, o.i, e.atMost(x)
		}
		d := e.durations[i]
		return e.set(atom{j, true, e.lo[i] + d}, reason{kind: shifted, x: i, by: -d, pair: pair}) &&
			e.set(atom{i, false, e.hi[j] - d}, reason{kind: shifted, x: j, by: d, pair: pair})
	}
	return e.excluded(o.i, o.j, atom{x, false, 0}) && e.excluded(o.j, o.i, atom{x, true, 1})
}

// excluded sets an atom if task i cannot be done before j starts.
func (e *engine) excluded(i, j int32, then atom) bool {
	d := e.durations[i]
	if e.lo[i]+d <= e.hi[j] {
		return true
	}
	return e.set(then, reason{kind: listed, atoms: []atom{{i, true, e.hi[j] + 1 - d}, e.atMost(j)}})
}

// horizon is later than any moment that matters.
const horizon = math.MaxInt / 4
