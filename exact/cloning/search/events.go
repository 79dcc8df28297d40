package search

import (
	"bytes"
	"cmp"
	"context"
	"slices"

	"schedgap/exact/cloning/schedule"
	"schedgap/exact/verify/cloning/kernel"
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
	like    []int // by server, its class: those of equal capacity
}

func newNonpreemptive(st *states) *nonpreemptive {
	sp := &nonpreemptive{states: st, servers: len(st.v.In.Servers), empty: cloning.NewLoads(st.v.In.Servers...)}
	_, sp.like = kernel.Group(st.v.In.Servers)
	return sp
}

func (sp *nonpreemptive) root() *node {
	s := state{
		progress: make([]int64, len(sp.phase)), placed: make([]uint8, len(sp.phase)*sp.servers),
		fresh: make([]bool, len(sp.v.Phases)), used: sp.empty,
	}
	sp.refresh(&s, nil, 0)
	return sp.finish(&node{state: s})
}

// refresh marks the phases that may run after now but not before: their job arrives now, or a parent has just ended.
func (sp *nonpreemptive) refresh(s *state, ended []bool, now int) {
	for k := range sp.v.Phases {
		ph := &sp.v.Phases[k]
		s.fresh[k] = sp.v.In.Jobs[ph.Job].Arrival == now
		for _, p := range ph.Preds {
			s.fresh[k] = s.fresh[k] || ended != nil && ended[p]
		}
	}
}

// copies is the row of a task's running copies by server.
func (sp *nonpreemptive) copies(placed []uint8, i int) []uint8 {
	return placed[i*sp.servers : (i+1)*sp.servers]
}

// expand tries all sets of copies that may start now, and runs each until the next event. It reports whether it has tried all.
func (sp *nonpreemptive) expand(ctx context.Context, n *node, limit int, emit func(*node)) bool {
	p := &placing{
		nonpreemptive: sp, ctx: ctx, n: n, limit: limit, emit: emit, loads: sp.empty.Empty(), move: slices.Clone(n.placed), whole: true,
	}
	for i, k := range sp.phase {
		for s, c := range sp.copies(n.placed, i) {
			p.loads.Add(s, sp.v.Phases[k].Demand, int(c))
		}
		if n.progress[i] < sp.need[k] && sp.ready(n.progress, n.now, k) {
			p.ripe = append(p.ripe, i)
		}
	}
	p.task(0)
	return p.whole
}

// A placing adds copies to what runs, task by task and server by server.
type placing struct {
	*nonpreemptive
	ctx   context.Context
	n     *node
	limit int // sets of copies at most
	emit  func(*node)

	ripe    []int         // tasks that may have copies now
	loads   cloning.Loads // of servers with the copies of move
	move    []uint8       // copies by task and server
	emitted int
	whole   bool // no set was left out
}

// task places copies of the q-th ripe task; behind the last one the set is emitted.
func (p *placing) task(q int) {
	if p.stopped() {
		return
	}
	if q == len(p.ripe) {
		if next := p.step(p.n, p.move); next != nil {
			p.emitted++
			p.emit(next)
		}
		return
	}
	p.server(q, 0, kernel.Tally(p.copies(p.n.placed, p.ripe[q])))
}

// stopped reports whether sets are left out from now on.
func (p *placing) stopped() bool {
	p.whole = p.whole && p.emitted < p.limit && p.ctx.Err() == nil
	return !p.whole
}

// server places copies of the q-th ripe task, of which so many run, on the servers from s on.
func (p *placing) server(q, s, running int) {
	if p.stopped() {
		return
	}
	i := p.ripe[q]
	row := p.copies(p.move, i)
	if s == p.servers {
		// Tasks in the same state have their copies in falling order.
		if q > 0 && p.alike(p.n, p.ripe[q-1], i) && bytes.Compare(p.copies(p.move, p.ripe[q-1]), row) < 0 {
			return
		}
		p.task(q + 1)
		return
	}
	p.server(q, s+1, running)
	k := p.phase[i]
	ph := &p.v.Phases[k]
	if !p.n.fresh[k] && p.n.used.Fit(s, ph.Demand, 1) {
		return
	}
	before, added := row[s], 0
	for running+added < ph.Most && int(row[s]) < p.v.In.MaxCopiesPerServer && p.loads.Fit(s, ph.Demand, 1) {
		row[s]++
		added++
		p.loads.Add(s, ph.Demand, 1)
		p.server(q, s+1, running+added)
	}
	row[s] = before
	p.loads.Add(s, ph.Demand, -added)
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
		if r := kernel.Tally(sp.copies(move, i)); r > 0 {
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
	ended := make([]bool, len(sp.v.Phases))
	for i, k := range sp.phase {
		row := sp.copies(after.placed, i)
		r := kernel.Tally(row)
		if r == 0 {
			continue
		}
		for v, c := range row {
			after.used.Add(v, sp.v.Phases[k].Demand, int(c))
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
	for k := range sp.v.Phases {
		slices.SortStableFunc(tasks[sp.from[k]:sp.from[k+1]], func(a, b int) int {
			ra, rb := sp.copies(old.placed, a), sp.copies(old.placed, b)
			return cmp.Or(cmp.Compare(old.progress[b], old.progress[a]), kernel.Tally(rb)-kernel.Tally(ra), bytes.Compare(rb, ra))
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
	var rec schedule.Recorder
	now := 0
	for _, m := range n.moves() {
		for i := range tasks {
			for v, c := range sp.copies(m.move, i) {
				for range c {
					rec.Add(sp.task(tasks[i]), servers[v])
				}
			}
		}
		rec.Until(now, m.now)
		s = sp.run(s, m.move, m.now-now, m.now)
		now = m.now
		fromTask, fromServer := sp.sort(&s)
		tasks, servers = permuted(tasks, fromTask), permuted(servers, fromServer)
	}
	return cloning.Solution{Copies: rec.Finish(), Regime: cloning.Nonpreemptive}
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
