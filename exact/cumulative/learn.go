package cumulative

import (
	"cmp"
	"slices"
)

// A nogood is atoms of which no schedule that is looked for has all. The first two are watched: they are not known to be true, or the
// nogood has done its work.
type nogood struct {
	atoms    []atom
	activity float64
}

// nogoods are the learned ones, and how active variables were in the last dead ends.
type nogoods struct {
	list     []nogood
	watches  [][]int32 // by key of an atom: nogoods that watch one
	activity []float64 // by variable
	grain    float64   // what a dead end adds
	needed   []atom    // by entry of the trail: the atom that is asked of it
	marked   []bool
}

func newNogoods(vars int) nogoods {
	return nogoods{watches: make([][]int32, 2*vars), activity: make([]float64, vars), grain: 1}
}

// forbid makes the deductions of the nogoods that watch an atom which became true.
func (e *engine) forbid(t atom) bool {
	key := t.key()
	watching := e.watches[key]
	kept := watching[:0]
	for k, id := range watching {
		g := e.list[id].atoms
		w := 0
		if g[1].key() == key {
			w = 1
		}
		other := g[1-w]
		if !e.holds(g[w]) || e.holds(other.not()) {
			kept = append(kept, id)
			continue
		}
		if free := slices.IndexFunc(g[2:], func(a atom) bool { return !e.holds(a) }); free >= 0 {
			g[w], g[2+free] = g[2+free], g[w]
			e.watches[g[w].key()] = append(e.watches[g[w].key()], id)
			continue
		}
		kept = append(kept, id)
		if e.holds(other) {
			e.clash = append(e.clash[:0], g...)
		}
		if e.holds(other) || !e.set(other.not(), reason{kind: forbidden, x: id}) {
			e.watches[key] = append(kept, watching[k+1:]...)
			return false
		}
	}
	e.watches[key] = kept
	return true
}

// cause is the entry of the trail that made an atom true, which is true; −1: it needs no decision.
func (e *engine) cause(a atom) int32 {
	k := e.last[a.key()]
	for k >= 0 {
		t := &e.trail[k]
		if a.low && t.was < a.at || !a.low && t.was > a.at {
			break
		}
		k = t.prev
	}
	if k >= 0 && e.trail[k].level == 0 {
		return -1
	}
	return k
}

// learn makes a nogood of the clash, goes back to where it has one atom that is not known yet, and makes the deduction. False: the
// clash needs no decision.
func (e *engine) learn() bool {
	e.conflicts++
	top := int32(0)
	for _, a := range e.clash {
		if k := e.cause(a); k >= 0 {
			top = max(top, e.trail[k].level)
		}
	}
	if top == 0 {
		return false
	}
	e.undo(top) // a clash may be older than the last decision
	learned := e.resolve(top)
	back := int32(0)
	for i, a := range learned[1:] {
		if l := e.trail[e.cause(a)].level; l > back {
			back = l
			learned[1], learned[i+1] = a, learned[1] // of the latest level
		}
	}
	e.undo(back)
	e.grain *= 1.05
	if e.grain > 1e100 {
		e.rescale()
	}
	why := reason{}
	if len(learned) > 1 {
		why = reason{kind: forbidden, x: e.add(nogood{learned, e.grain})}
	}
	return e.set(learned[0].not(), why) || e.level() > 0
}

// resolve replaces atoms of the clash by their reasons, the latest first, until only one is of the latest level, top: the first unique
// implication point. It comes first in the list. Each atom is the weakest that the clash needs.
func (e *engine) resolve(top int32) []atom {
	for len(e.marked) < len(e.trail) {
		e.marked, e.needed = append(e.marked, false), append(e.needed, atom{})
	}
	clear(e.marked)
	open := e.mark(e.clash, top)
	k := len(e.trail) - 1
	var scratch []atom
	for ; !e.marked[k] || open > 1; k-- { // the clash has an atom of this level
		if !e.marked[k] {
			continue
		}
		t := &e.trail[k]
		e.marked[k] = false
		if t.why.kind == forbidden {
			e.list[t.why.x].activity += e.grain
		}
		scratch = e.explain(scratch[:0], e.needed[k], t.why)
		open += e.mark(scratch, top) - 1
	}
	learned := []atom{e.needed[k]}
	for k := range e.marks[top-1] {
		if e.marked[k] {
			learned = append(learned, e.needed[k])
		}
	}
	return strongest(learned)
}

// mark notes the entries of the trail that made atoms true, and returns how many more are of a level now.
func (e *engine) mark(list []atom, level int32) (more int) {
	for _, a := range list {
		k := e.cause(a)
		if k < 0 {
			continue
		}
		e.activity[a.x] += e.grain
		if n := &e.needed[k]; !e.marked[k] {
			e.marked[k], *n = true, a
			if e.trail[k].level == level {
				more++
			}
		} else if a.low && a.at > n.at || !a.low && a.at < n.at {
			*n = a
		}
	}
	return more
}

// strongest drops atoms that others of the list imply. The first implies others, if any, since they are of earlier levels.
func strongest(list []atom) []atom {
	out := list[:0]
	for _, a := range list {
		implied := slices.ContainsFunc(list, func(b atom) bool {
			return b.x == a.x && b.low == a.low && (a.low && b.at > a.at || !a.low && b.at < a.at)
		})
		if !implied {
			out = append(out, a)
		}
	}
	return out
}

func (e *engine) rescale() {
	for x := range e.activity {
		e.activity[x] *= 1e-100
	}
	for i := range e.list {
		e.list[i].activity *= 1e-100
	}
	e.grain *= 1e-100
}

func (e *engine) add(g nogood) int32 {
	id := int32(len(e.list))
	e.list = append(e.list, g)
	for _, a := range g.atoms[:2] {
		e.watches[a.key()] = append(e.watches[a.key()], id)
	}
	return id
}

// forget keeps at most so many nogoods, short and active ones first, without atoms that are true by now. There is no decision. False:
// a nogood has only true atoms.
func (e *engine) forget(most int) bool {
	list := e.list
	if len(list) > most {
		slices.SortFunc(list, func(a, b nogood) int {
			if short := len(a.atoms) <= 2; short != (len(b.atoms) <= 2) {
				return map[bool]int{true: -1, false: 1}[short]
			}
			return cmp.Compare(b.activity, a.activity)
		})
		list = list[:most/2]
	}
	e.list = nil
	for k := range e.watches {
		e.watches[k] = nil
	}
	for _, g := range list {
		if slices.ContainsFunc(g.atoms, func(a atom) bool { return e.holds(a.not()) }) {
			continue
		}
		g.atoms = slices.DeleteFunc(g.atoms, e.holds)
		switch {
		case len(g.atoms) == 0:
			return false
		case len(g.atoms) > 1:
			e.add(g)
		case !e.set(g.atoms[0].not(), reason{}):
			return false
		}
	}
	return true
}
