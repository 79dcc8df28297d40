package search

import (
	"context"
	"math"
	"slices"

	"schedgap/exact/cloning/schedule"
	"schedgap/exact/cloning/values"
	"schedgap/exact/verify/cloning/kernel"
)

// successors are the successor generator of a thread, with its work space: it finds what follows the states of a moment. It
// changes nothing of the layered search except its caches of computations, so that its results do not depend on the
// threads.
type successors struct {
	*layeredSearch
	from     *frontier // the states of the moment
	now      int
	place    int32
	dual     int32
	by       *potential
	below    int   // only what costs less is looked for
	budget   int64 // by which a move may cost more than the cheapest one, in units
	value    int64 // of the slots spent and the nodes of jobs that stay or have been chosen for, after the slot
	earnings int64 // of the servers after the slot to the phases that are open before it
	open     uint64
	cost     int32
	starts   int32
	jobs     []int // with a choice of arcs
	ids      []uint16
	next     []uint16
	arcs     []uint16
	option   [][]option // by place in jobs
	found    *found
	room     int64 // for results

	rooms  kernel.Rooms // beside copies that go on or have been chosen
	saved  []int64      // rooms, before each job that has been chosen for
	before kernel.Rooms // beside the copies of the slot before
	empty  kernel.Rooms
	fresh  []bool // by phase
}

// An option is an arc of a job.
type option struct {
	arc   uint16
	next  uint16
	slack int64 // units by which it costs more than the cheapest one
	value int64 // of the node after it
	move  *move
}

// found has the successors of some states, by shard, and the last complete schedule of least cost.
type found struct {
	shard [shards]frontier
	nodes int64
	left  int64 // least bound of the states left out
	cost  int   // math.MaxInt: none
	place int32
	arcs  []uint16
}

func (f *found) clear() {
	for s := range f.shard {
		f.shard[s].cut(0, 0)
	}
	f.nodes, f.left, f.cost = 0, math.MaxInt64, math.MaxInt
}

// run finds what follows some of the states of a moment.
func (x *successors) run(ctx context.Context, now int, from *frontier, first, last int, into *found) {
	into.clear()
	x.now, x.from, x.found, x.below = now, from, into, x.layeredSearch.cutoff
	x.room = int64(maxFrontBytes*partRoom) / int64(4*len(x.relaxation.Graphs)+stateBytes)
	for i := first; i < last; i++ {
		if i%16 == 0 && ctx.Err() != nil {
			into.left = min(into.left, leastBound(from.list[i:last]))
			return
		}
		if from.list[i].bound <= int64(x.below-1)*values.Unit {
			x.expand(int32(i))
		}
	}
}

// expand finds what follows a state.
func (x *successors) expand(place int32) {
	f, n := x.from, len(x.relaxation.Graphs)
	x.place = place
	x.ids = f.ids[int(place)*n : int(place+1)*n]
	x.next, x.arcs = append(x.next[:0], x.ids...), x.arcs[:0]
	x.jobs = x.jobs[:0]
	b := f.list[place]
	x.cost, x.starts, x.open = b.cost, b.starts, 0
	x.dual, x.by = b.dual, x.duals[b.dual]
	x.value = 0
	for j, s := range x.ids {
		x.open |= x.openIn(j, s)
		x.arcs = append(x.arcs, schedule.Stay)
		switch {
		case int32(s) == x.relaxation.Graphs[j].End:
		case x.relaxation.Arrival[j] > x.now:
			x.value += int64(x.by.tables[j].At(x.relaxation.Arrival[j], int32(s)))
		default:
			x.jobs = append(x.jobs, j)
			x.cost++
		}
	}
	x.value += int64(x.cost) * values.Unit
	x.earnings = x.earningsAfter(x.by, x.open, x.now+1)
	x.budget = int64(x.below-1)*values.Unit - b.bound
	if x.fixed {
		x.occupy()
	}
	for q, j := range x.jobs {
		x.options(q, j)
	}
	x.choose(0, 0, x.relaxation.Empty)
}

// options lists the arcs of the q-th job that are cheap enough, the cheapest first.
func (x *successors) options(q, j int) {
	g := x.relaxation.Graphs[j]
	if q == len(x.option) {
		x.option = append(x.option, nil)
	}
	list := x.option[q][:0]
	s := x.ids[j]
	here, row := x.by.tables[j].At(x.now, int32(s)), x.by.tables[j].Row(x.now+1)
	first, priced := x.relaxation.First[j], x.now < len(x.by.prices[0])
	arcs, moves := g.Nodes[s].Arcs, x.moves.of(j, s)
	for a := range arcs {
		arc := &arcs[a]
		slack := int64(row[arc.Next]) + values.Unit - int64(here)
		if priced {
			for _, b := range arc.Buys {
				slack += int64(b.Copies) * int64(x.by.prices[first+int(b.Phase)][x.now])
			}
		}
		if slack > x.budget || x.fixed && !x.mayStart(moves[a].starts) {
			continue
		}
		at := len(list)
		list = append(list, option{})
		for ; at > 0 && list[at-1].slack > slack; at-- {
			list[at] = list[at-1]
		}
		list[at] = option{uint16(a), uint16(arc.Next), slack, int64(row[arc.Next]), &moves[a]}
	}
	x.option[q] = list
}

// choose tries the options of the jobs from the q-th on; slack and held are the excess and the copies of the jobs before.
func (x *successors) choose(q int, slack int64, held *kernel.Set) {
	if q == len(x.jobs) {
		x.leaf(held)
		return
	}
	j := x.jobs[q]
	for i := range x.option[q] {
		o := &x.option[q][i]
		if slack+o.slack > x.budget {
			break
		}
		x.arcs[j], x.next[j] = o.arc, o.next
		x.value += o.value
		switch {
		case !x.fixed:
			if more := x.relaxation.WithAll(held, o.move.items); more != nil {
				x.choose(q+1, slack+o.slack, more)
			}
		case len(o.move.starts) == 0:
			x.choose(q+1, slack+o.slack, held)
		default:
			before := len(x.saved)
			x.saved = append(x.saved, x.rooms.Free...)
			if starts, ok := x.start(o.move.starts); ok {
				x.starts += starts
				x.choose(q+1, slack+o.slack, held)
				x.starts -= starts
			}
			copy(x.rooms.Free, x.saved[before:])
			x.saved = x.saved[:before]
		}
		x.value -= o.value
	}
	x.arcs[j], x.next[j] = schedule.Stay, x.ids[j]
}

// leaf adds the state that the chosen arcs lead to.
func (x *successors) leaf(held *kernel.Set) {
	open, earnings := x.openPhases(x.next), x.earnings
	if open != x.open {
		earnings = x.earningsAfter(x.by, open, x.now+1)
	}
	bound := x.value - earnings
	if bound > int64(x.below-1)*values.Unit || !x.fixed && x.more(held) {
		return
	}
	f := x.found
	f.nodes++
	if open == 0 {
		x.below = int(x.cost)
		f.cost, f.place, f.arcs = int(x.cost), x.place, slices.Clone(x.arcs)
		return
	}
	if f.nodes > x.room {
		f.left = min(f.left, bound)
		return
	}
	f.shard[hash(x.next)%shards].add(x.next, x.arcs, begun{x.cost, x.starts, x.place, x.dual, bound})
}

// more reports whether a useful copy fits beside the set that has been chosen.
func (x *successors) more(held *kernel.Set) bool {
	for _, j := range x.jobs {
		m := &x.moves.of(j, x.ids[j])[x.arcs[j]]
		for _, item := range m.adds {
			if x.relaxation.With(held, item) != nil {
				return true
			}
		}
		for _, r := range m.raises {
			if x.relaxation.With(x.relaxation.Without(held, r.from), r.to) != nil {
				return true
			}
		}
	}
	return false
}
