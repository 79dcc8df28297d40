package cumulative

import (
	"math/rand/v2"
	"testing"

	"schedgap/models/trials"
)

// tiny makes a problem whose schedules can all be listed.
func tiny(rng *rand.Rand) *Problem {
	n := 2 + rng.IntN(4)
	p := &Problem{Before: make([][]int, n)}
	for i := range n {
		p.Durations, p.Same = append(p.Durations, 1+rng.IntN(3)), append(p.Same, -1)
		for j := range i {
			if rng.IntN(6) == 0 {
				p.Before[j] = append(p.Before[j], i)
			}
		}
	}
	for range 1 + rng.IntN(2) {
		r := Resource{Room: int64(1 + rng.IntN(5))}
		for range n {
			r.Demands = append(r.Demands, rng.Int64N(r.Room+1))
		}
		p.Resources = append(p.Resources, r)
	}
	return p
}

// schedules lists the starts of all schedules that end before a moment.
func schedules(p *Problem, before int) (list [][]int) {
	n := len(p.Durations)
	starts := make([]int, n)
	apart := func(i, j int) bool { return starts[i]+p.Durations[i] <= starts[j] }
	var try func(i int)
	try = func(i int) {
		for s := 0; i < n && s+p.Durations[i] < before; s++ {
			starts[i] = s
			try(i + 1)
		}
		if i < n {
			return
		}
		for a := range n {
			for _, b := range p.Before[a] {
				if !apart(a, b) {
					return
				}
			}
		}
		for _, r := range p.Resources {
			for t := range before {
				taken := int64(0)
				for a, s := range starts {
					if s <= t && t < s+p.Durations[a] {
						taken += r.Demands[a]
					}
				}
				if taken > r.Room {
					return
				}
			}
		}
		list = append(list, append([]int(nil), starts...))
	}
	try(0)
	return list
}

// meets reports whether a schedule meets an atom.
func (e *engine) meets(starts []int, a atom) bool {
	value := 0
	if n := len(e.durations); int(a.x) < n {
		value = starts[a.x]
	} else if o := e.orders[int(a.x)-n]; starts[o.i]+e.durations[o.i] <= starts[o.j] {
		value = 1
	}
	return value >= a.at && a.low || value <= a.at && !a.low
}

func (e *engine) meetsAll(starts []int, list []atom) bool {
	for _, a := range list {
		if !e.meets(starts, a) {
			return false
		}
	}
	return true
}

// TestDeductions: after random decisions, each schedule that meets the reason of an entry of the trail meets the entry, none meets a clash or
// a learned nogood, and at any time none is lost that meets the decisions.
func TestDeductions(t *testing.T) {
	rng := trials.Rand(t, 3, 1500)
	kinds := map[kind]int{}
	learned := 0
	for range trials.Count(1500) {
		p := tiny(rng)
		before, all := 1, [][]int(nil)
		for slack := rng.IntN(3); len(all) == 0 || slack >= 0; before++ { // where dead ends are
			all = schedules(p, before+1)
			if len(all) > 0 {
				slack--
			}
		}
		e := newEngine(p)
		root := e.begin() && e.before(before)
		for range 40 {
			if !root {
				break
			}
			if !e.propagate() {
				for _, s := range all {
					if e.meetsAll(s, e.clash) {
						t.Fatalf("%+v before %d: %v meets the clash %+v", p, before, s, e.clash)
					}
				}
				root = e.learn()
				for _, g := range e.list {
					learned++
					for _, s := range all {
						if e.meetsAll(s, g.atoms) {
							t.Fatalf("%+v before %d: %v meets the nogood %+v", p, before, s, g.atoms)
						}
					}
				}
				continue
			}
			for k := range e.trail {
				entry := &e.trail[k]
				if entry.level == 0 || entry.why.kind == decided {
					continue
				}
				kinds[entry.why.kind]++
				why := e.explain(nil, entry.atom, entry.why)
				for _, s := range all {
					if e.meetsAll(s, why) && !e.meets(s, entry.atom) {
						t.Fatalf("%+v before %d: %v meets %+v, and not %+v", p, before, s, why, entry.atom)
					}
				}
			}
			var open []int32
			for x := range e.lo {
				if e.lo[x] < e.hi[x] {
					open = append(open, int32(x))
				}
			}
			if len(open) == 0 {
				break
			}
			x := open[rng.IntN(len(open))]
			a := atom{x, true, e.lo[x] + 1 + rng.IntN(e.hi[x]-e.lo[x])}
			if rng.IntN(2) == 0 {
				a = a.not()
			}
			e.marks = append(e.marks, int32(len(e.trail)))
			e.set(a, reason{})
		}
		if !root && len(all) > 0 {
			t.Fatalf("%+v before %d: %v is lost", p, before, all[0])
		}
		for _, s := range all { // what needs no decision
			for k := range e.trail {
				if a := e.trail[k]; a.level == 0 && !e.meets(s, a.atom) {
					t.Fatalf("%+v before %d: %v does not meet %+v", p, before, s, a.atom)
				}
			}
		}
	}
	if kinds[shifted] == 0 || kinds[forbidden] == 0 || kinds[listed] == 0 || learned == 0 {
		t.Errorf("%v, %d nogoods", kinds, learned)
	}
	t.Logf("%v, %d nogoods", kinds, learned)
}
