package cloning

import (
	"bytes"
	"cmp"
	"context"
	"slices"

	"schedgap/exact/verify/jobgraph"
	"schedgap/models"
	"schedgap/models/cloning"
)

// nonpreemptive is the space of nonpreemptive schedules, from event to event. docs/design/cloning.md#when-copies-start proves
// that copies need to start only where an arrival or a completion made that possible, and why ties of cost go to the least sum
// of starts.
type nonpreemptive struct {
	*states
	servers int
	empty   cloning.Loads
	like    []int // by server, the first one of equal capacity
}

func newNonpreemptive(st *states) *nonpreemptive {
	sp := &nonpreemptive{states: st, servers: len(st.v.in.Servers), empty: cloning.NewLoads(st.v.in.Servers...)}
	for s := range sp.servers {
		first := s
		for q := s - 1; q >= 0; q-- {
			if same(st.v.in.Servers[q].Capacity, st.v.in.Servers[s].Capacity) {
				first = sp.like[q]
				break
			}
		}
		sp.like = append(sp.like, first)
	}
	return sp
}

func (sp *nonpreemptive) root() *node {
	s := state{
		progress: make([]int64, len(sp.phase)), placed: make([]uint8, len(sp.phase)*sp.servers),
		fresh: make([]bool, len(sp.v.phases)), used: sp.empty,
	}
	sp.refresh(&s, nil, 0)
	return sp.finish(&node{state: s})
}

// refresh marks the phases that may run after now but not before: their job arrives now, or a parent has just ended.
func (sp *nonpreemptive) refresh(s *state, ended []bool, now int) {
	for k := range sp.v.phases {
		ph := &sp.v.phases[k]
		s.fresh[k] = sp.v.in.Jobs[ph.job].Arrival == now
		for _, p := range ph.parents {
			s.fresh[k] = s.fresh[k] || ended != nil && ended[p]
		}
	}
}

// copies is the row of a task's running copies by server.
func (sp *nonpreemptive) copies(placed []uint8, i int) []uint8 {
	return placed[i*sp.servers : (i+1)*sp.servers]
}

// expand tries all sets of copies that may start now, and runs each until the next event.
func (sp *nonpreemptive) expand(ctx context.Context, n *node, limit int, emit func(*node)) bool {
	in := sp.v.in
	loads := sp.empty.Empty()
	var ripe []int
	for i, k := range sp.phase {
		for s, c := range sp.copies(n.placed, i) {
			loads.Add(s, sp.v.phases[k].Demand, int(c))
		}
		if n.progress[i] < sp.need[k] && sp.ready(n.progress, n.now, k) {
			ripe = append(ripe, i)
		}
	}
	move := slices.Clone(n.placed)
	emitted, whole := 0, true
	var try func(q, s, running int)
	try = func(q, s, running int) {
		if !whole || emitted >= limit || ctx.Err() != nil {
			whole = false
			return
		}
		if q == len(ripe) {
			if next := sp.step(n, move); next != nil {
				emitted++
				emit(next)
			}
			return
		}
		i := ripe[q]
		k := sp.phase[i]
		ph := &sp.v.phases[k]
		row := sp.copies(move, i)
		if s == sp.servers {
			if q > 0 && sp.alike(n, ripe[q-1], i) && bytes.Compare(sp.copies(move, ripe[q-1]), row) < 0 {
				return
			}
			running = 0
			if q+1 < len(ripe) {
				running = jobgraph.Tally(sp.copies(n.placed, ripe[q+1]))
			}
			try(q+1, 0, running)
			return
		}
		try(q, s+1, running)
		if !n.fresh[k] && n.used.Fit(s, ph.Demand, 1) {
			return
		}
		before, added := row[s], 0
		for running+added < ph.most && int(row[s]) < in.MaxCopiesPerServer && loads.Fit(s, ph.Demand, 1) {
			row[s]++
			added++
			loads.Add(s, ph.Demand, 1)
			try(q, s+1, running+added)
		}
		row[s] = before
		loads.Add(s, ph.Demand, -added)
	}
	first := 0
	if len(ripe) > 0 {
		first = jobgraph.Tally(sp.copies(n.placed, ripe[0]))
	}
	try(0, 0, first)
	return whole
}

// alike reports whether two tasks of a phase are in the same state.
func (sp *nonpreemptive) alike(n *node, a, b int) bool {
	return sp.phase[a] == sp.phase[b] && n.progress[a] == n.progress[b] &&
		bytes.Equal(sp.copies(n.placed, a), sp.copies(n.placed, b))
}

// step lets the copies of a move run until the next event; nil when there is none.
func (sp *nonpreemptive) step(n *node, move []uint8) *node {
	next := -1
	for i, k := range sp.phase {
		if r := jobgraph.Tally(sp.copies(move, i)); r > 0 {
			gain := sp.gain[k][r-1]
			if t := n.now + int((sp.need[k]-n.progress[i]+gain-1)/gain); next < 0 || t < next {
				next = t
			}
		}
	}
	jobs, arrival := sp.present(n.progress, n.now)
	if next < 0 || arrival >= 0 && arrival < next {
		next = arrival
	}
	if next < 0 {
		return nil
	}
	child := &node{parent: n, move: slices.Clone(move), now: next, cost: n.cost + jobs*(next-n.now), starts: n.starts}
	for c := range move {
		child.starts += n.now * int(move[c]-n.placed[c])
	}
	child.state = sp.run(n.state, move, next-n.now, next)
	sp.sort(&child.state)
	return sp.finish(child)
}

// run is the state after some slots with the copies of a move.
func (sp *nonpreemptive) run(s state, move []uint8, slots, now int) state {
	after := state{
		progress: slices.Clone(s.progress), placed: slices.Clone(move),
		fresh: make([]bool, len(s.fresh)), used: sp.empty.Empty(),
	}
	ended := make([]bool, len(sp.v.phases))
	for i, k := range sp.phase {
		row := sp.copies(after.placed, i)
		r := jobgraph.Tally(row)
		if r == 0 {
			continue
		}
		for v, c := range row {
			after.used.Add(v, sp.v.phases[k].Demand, int(c))
		}
		after.progress[i] = min(sp.need[k], after.progress[i]+int64(slots)*sp.gain[k][r-1])
		if after.progress[i] == sp.need[k] {
			clear(row)
			ended[k] = true
		}
	}
	sp.refresh(&after, ended, now)
	return after
}

// sort brings alike tasks and servers into one order, tasks by what they have done and where they run, then servers of equal
// capacity by what runs on them. It returns where each task and server came from.
func (sp *nonpreemptive) sort(s *state) (tasks, servers []int) {
	tasks, servers = inOrder(len(sp.phase)), inOrder(sp.servers)
	old := state{progress: slices.Clone(s.progress), placed: slices.Clone(s.placed), used: s.used}
	s.used = sp.empty.Empty()
	for k := range sp.v.phases {
		slices.SortStableFunc(tasks[sp.from[k]:sp.from[k+1]], func(a, b int) int {
			ra, rb := sp.copies(old.placed, a), sp.copies(old.placed, b)
			return cmp.Or(cmp.Compare(old.progress[b], old.progress[a]), jobgraph.Tally(rb)-jobgraph.Tally(ra), bytes.Compare(rb, ra))
		})
	}
	slices.SortStableFunc(servers, func(a, b int) int {
		if c := cmp.Compare(sp.like[a], sp.like[b]); c != 0 {
			return c
		}
		for _, i := range tasks {
			if c := int(old.placed[i*sp.servers+b]) - int(old.placed[i*sp.servers+a]); c != 0 {
				return c
			}
		}
		return 0
	})
	// Sorting puts each class of servers together; it goes back to the places that the class holds.
	servers = sp.spread(servers)
	for to, i := range tasks {
		s.progress[to] = old.progress[i]
		for at, v := range servers {
			s.placed[to*sp.servers+at] = old.placed[i*sp.servers+v]
		}
	}
	for at, v := range servers {
		copy(s.used.On(at), old.used.On(v))
	}
	return tasks, servers
}

func (sp *nonpreemptive) spread(sorted []int) []int {
	next := map[int]int{} // class → its next in sorted
	for q, v := range sorted {
		if _, ok := next[sp.like[v]]; !ok {
			next[sp.like[v]] = q
		}
	}
	spread := make([]int, len(sorted))
	for at := range spread {
		class := sp.like[at]
		spread[at] = sorted[next[class]]
		next[class]++
	}
	return spread
}

// solution replays the moves with tasks and servers that keep their names.
func (sp *nonpreemptive) solution(n *node) cloning.Solution {
	tasks, servers := inOrder(len(sp.phase)), inOrder(sp.servers)
	s := sp.root().state
	var rec recorder
	now := 0
	for _, m := range n.moves() {
		for i := range tasks {
			for v, c := range sp.copies(m.move, i) {
				for range c {
					rec.add(sp.task(tasks[i]), servers[v])
				}
			}
		}
		rec.until(now, m.now)
		s = sp.run(s, m.move, m.now-now, m.now)
		now = m.now
		fromTask, fromServer := sp.sort(&s)
		tasks, servers = permuted(tasks, fromTask), permuted(servers, fromServer)
	}
	return cloning.Solution{Copies: rec.finish(), Regime: cloning.Nonpreemptive}
}

// inOrder are the numbers below n.
func inOrder(n int) []int { return models.OrderBy(n, func(i int) int { return i }) }

func permuted(names, from []int) []int {
	list := make([]int, len(from))
	for to, f := range from {
		list[to] = names[f]
	}
	return list
}
