package verify

import (
	"bytes"
	"cmp"
	"context"
	"slices"
)

// runsPerState bounds the sets of copies that may start at one moment.
const runsPerState = 5_000_000

// row is a task's running copies by server.
func (sp *CloningSpace) row(placed []uint8, i int) []uint8 {
	return placed[i*len(sp.servers) : (i+1)*len(sp.servers)]
}

func tally(copies []uint8) int {
	n := 0
	for _, c := range copies {
		n += int(c)
	}
	return n
}

// refresh marks the phases that may run after st.At and not before: their job arrives then, or a parent has just ended.
func (sp *CloningSpace) refresh(st *CloningState, ended []bool) {
	for k := range sp.phases {
		st.fresh[k] = sp.jobs[sp.phases[k].job].arrival == st.At
		for _, p := range sp.phases[k].parents {
			st.fresh[k] = st.fresh[k] || ended != nil && ended[p]
		}
	}
}

// A starting tries all sets of copies that may start at a moment of a nonpreemptive schedule.
type starting struct {
	sp    *CloningSpace
	ctx   context.Context
	st    *CloningState
	ripe  []int
	free  []int64 // by server and resource
	move  []uint8 // by task and server
	emit  func(*CloningState)
	found int
	err   error
}

// nextEvents lets every set of copies start that may start now, and run until the next arrival or completion. Schedules of least
// cost, and of these with the least sum of starts, start copies only where an arrival or a completion made that
// possible: else one could start a slot earlier. Of states with one key the least by both is kept, so one of these schedules is left.
func (sp *CloningSpace) nextEvents(ctx context.Context, st *CloningState, emit func(*CloningState)) error {
	s := starting{sp: sp, ctx: ctx, st: st, emit: emit, move: slices.Clone(st.placed)}
	resources := len(sp.in.Resources)
	s.free = make([]int64, len(sp.servers)*resources)
	for v, c := range sp.servers {
		copy(s.free[v*resources:], sp.rooms[c])
	}
	for i, k := range sp.task {
		for v, c := range sp.row(st.placed, i) {
			if c > 0 {
				for r, d := range sp.phases[k].size[sp.servers[v]] {
					s.free[v*resources+r] -= int64(c) * d
				}
			}
		}
		if st.Progress[i] < sp.phases[k].need && sp.ready(st, k) {
			s.ripe = append(s.ripe, i)
		}
	}
	s.task(0)
	return s.err
}

// task begins with the q-th ripe task.
func (s *starting) task(q int) {
	if q < len(s.ripe) {
		s.server(q, 0, tally(s.sp.row(s.st.placed, s.ripe[q])))
		return
	}
	if s.found++; s.found%1024 == 0 {
		s.err = s.ctx.Err()
	}
	if s.found > runsPerState {
		s.err = errPacking
	}
	if child := s.sp.run(s.st, s.move); child != nil && s.err == nil {
		s.emit(child)
	}
}

// server starts copies of the q-th ripe task, of which some run, on servers v and after.
func (s *starting) server(q, v, running int) {
	sp, i := s.sp, s.ripe[q]
	if s.err != nil {
		return
	}
	row := sp.row(s.move, i)
	if v == len(sp.servers) {
		// Of tasks in the same state the first have the larger rows.
		if q == 0 || !sp.alike(s.st, s.ripe[q-1], i) || bytes.Compare(sp.row(s.move, s.ripe[q-1]), row) >= 0 {
			s.task(q + 1)
		}
		return
	}
	s.server(q, v+1, running)
	k := sp.task[i]
	ph := &sp.phases[k]
	size := ph.size[sp.servers[v]]
	if size == nil || !s.st.fresh[k] && !s.blocked(size, v) {
		return
	}
	free := s.free[v*len(size) : (v+1)*len(size)]
	before, added := row[v], 0
	for running+added < len(ph.gain) && int(row[v]) < sp.in.MaxCopiesPerServer && within(size, free) {
		row[v]++
		added++
		for r, d := range size {
			free[r] -= d
		}
		s.server(q, v+1, running+added)
	}
	row[v] = before
	for r, d := range size {
		free[r] += int64(added) * d
	}
}

// blocked reports whether a copy could not run on a server in the slot before.
func (s *starting) blocked(size []int64, v int) bool {
	for r, d := range size {
		if s.st.used[v*len(size)+r]+d > s.sp.rooms[s.sp.servers[v]][r] {
			return true
		}
	}
	return false
}

// alike reports whether two tasks of a phase are in the same state.
func (sp *CloningSpace) alike(st *CloningState, a, b int) bool {
	return sp.task[a] == sp.task[b] && st.Progress[a] == st.Progress[b] && bytes.Equal(sp.row(st.placed, a), sp.row(st.placed, b))
}

// run lets the copies of a move run until the next event; nil when there is none.
func (sp *CloningSpace) run(st *CloningState, move []uint8) *CloningState {
	next := -1
	for i, k := range sp.task {
		if r := tally(sp.row(move, i)); r > 0 {
			ph := &sp.phases[k]
			if t := st.At + int(slots(ph.need-st.Progress[i], ph.gain[r-1])); next < 0 || t < next {
				next = t
			}
		}
	}
	jobs, arrival := sp.present(st)
	if next < 0 || arrival >= 0 && arrival < next {
		next = arrival
	}
	if next < 0 {
		return nil
	}
	length := next - st.At
	after := &CloningState{
		At: next, Cost: st.Cost + jobs*length, starts: st.starts, Progress: slices.Clone(st.Progress), placed: slices.Clone(move),
		fresh: make([]bool, len(sp.phases)), used: make([]int64, len(st.used)),
	}
	ended := make([]bool, len(sp.phases))
	resources := len(sp.in.Resources)
	for i, k := range sp.task {
		row := sp.row(after.placed, i)
		r := tally(row)
		if r == 0 {
			continue
		}
		ph := &sp.phases[k]
		after.starts += int64(st.At) * int64(r-tally(sp.row(st.placed, i)))
		for v, c := range row {
			if c > 0 {
				for q, d := range ph.size[sp.servers[v]] {
					after.used[v*resources+q] += int64(c) * d
				}
			}
		}
		after.Progress[i] = sp.advance(k, after.Progress[i], min(int64(length), slots(ph.need, ph.gain[r-1]))*ph.gain[r-1])
		if after.Progress[i] == ph.need {
			clear(row)
			ended[k] = true
		}
	}
	sp.refresh(after, ended)
	sp.sortRuns(after)
	return after
}

// sortRuns brings alike tasks and servers into one order: tasks by what they have done and where they run, then servers of equal
// capacity by what runs on them.
func (sp *CloningSpace) sortRuns(st *CloningState) {
	n := len(sp.servers)
	tasks := make([]int, len(sp.task))
	for i := range tasks {
		tasks[i] = i
	}
	old := CloningState{Progress: slices.Clone(st.Progress), placed: slices.Clone(st.placed), used: slices.Clone(st.used)}
	for k := range sp.phases {
		slices.SortStableFunc(tasks[sp.phases[k].from:sp.phases[k].to], func(a, b int) int {
			ra, rb := sp.row(old.placed, a), sp.row(old.placed, b)
			return cmp.Or(cmp.Compare(old.Progress[b], old.Progress[a]), tally(rb)-tally(ra), bytes.Compare(rb, ra))
		})
	}
	// Each class of servers stays on the places that it has.
	from := make([]int, n)
	for v := range from {
		if sp.like[v] != v {
			continue
		}
		var class []int
		for s := v; s < n; s++ {
			if sp.like[s] == v {
				class = append(class, s)
			}
		}
		sorted := slices.Clone(class)
		slices.SortStableFunc(sorted, func(a, b int) int {
			for _, i := range tasks {
				if c := int(old.placed[i*n+b]) - int(old.placed[i*n+a]); c != 0 {
					return c
				}
			}
			return 0
		})
		for i, s := range class {
			from[s] = sorted[i]
		}
	}
	resources := len(sp.in.Resources)
	for to, i := range tasks {
		st.Progress[to] = old.Progress[i]
		for v, s := range from {
			st.placed[to*n+v] = old.placed[i*n+s]
		}
	}
	for v, s := range from {
		copy(st.used[v*resources:(v+1)*resources], old.used[s*resources:(s+1)*resources])
	}
}
