package verify

import "context"

// nextArcs emits the states after a slot of a preemptive schedule, those from which no job can go further and what it then takes still fits. Under
// prices, what the jobs' arcs cost more than their cheapest ones adds to the bound.
type slotSearch struct {
	sp     *CloningSpace
	ctx    context.Context
	st     *CloningState
	target int
	emit   func(*CloningState)
	jobs   []int // with a choice
	chosen []*jobArc
	child  *CloningState
	budget int64
	sets   []int32 // of what the jobs before each one take
	err    error
	tries  int
}

func (sp *CloningSpace) nextArcs(ctx context.Context, st *CloningState, target int, emit func(*CloningState)) error {
	f := sp.tariff
	s := slotSearch{sp: sp, ctx: ctx, st: st, target: target, emit: emit}
	s.budget = int64(target-1)*tariffUnit - f.bound(st.nodes, st.At, st.Cost)
	if s.budget < 0 {
		return nil
	}
	jobs, next := sp.present(st)
	s.child = &CloningState{At: st.At + 1, Cost: st.Cost + jobs, Progress: make([]int64, len(st.Progress)), nodes: append([]int32{}, st.nodes...)}
	for j, node := range st.nodes {
		if node != sp.graphs[j].end && sp.jobs[j].arrival <= st.At {
			s.jobs = append(s.jobs, j)
		}
	}
	if len(s.jobs) == 0 {
		if next >= 0 {
			if s.child.At, s.child.Cost = next, st.Cost; !s.closed() {
				s.reach()
			}
		}
		return nil
	}
	sp.room.reset()
	s.chosen, s.sets = make([]*jobArc, len(s.jobs)), make([]int32, len(s.jobs)+1)
	s.choose(0, 0)
	if s.err == nil {
		s.err = sp.room.err
	}
	return s.err
}

// choose tries the arcs of the q-th job and those after it. slack is what the ones before cost more than the cheapest.
func (s *slotSearch) choose(q int, slack int64) {
	if s.tries++; s.tries%1024 == 0 && s.err == nil {
		s.err = s.ctx.Err()
	}
	if s.err != nil {
		return
	}
	if q == len(s.jobs) {
		if !s.closed() && !s.further() {
			s.reach()
		}
		return
	}
	sp, j := s.sp, s.jobs[q]
	f, node, now := sp.tariff, s.st.nodes[j], s.st.At
	least := f.value(j, now, node)
	arcs := sp.graphs[j].nodes[node].arcs
	for i := range arcs {
		a := &arcs[i]
		d := f.value(j, now+1, a.next) + tariffUnit - least
		if now < len(f.price[0]) {
			for _, b := range a.buys {
				d += int64(b.copies) * f.price[b.phase][now]
			}
		}
		if slack+d > s.budget {
			continue
		}
		if s.sets[q+1] = s.add(s.sets[q], j, a); s.sets[q+1] >= 0 {
			s.chosen[q], s.child.nodes[j] = a, a.next
			s.choose(q+1, slack+d)
		}
	}
	s.child.nodes[j] = node
}

// add is the number of a set with what an arc of job j takes, −1 where that does not fit.
func (s *slotSearch) add(set int32, j int, a *jobArc) int32 {
	first := s.sp.phases[s.sp.jobs[j].from].from
	for i, r := range a.copies {
		if r > 0 && set >= 0 {
			set = s.sp.room.add(set, s.sp.task[first+i], r)
		}
	}
	return set
}

// further reports whether some job can take an arc to a node where it has done more and nothing less.
func (s *slotSearch) further() bool {
	for q, j := range s.jobs {
		g := s.sp.graphs[j]
		arcs := g.nodes[s.st.nodes[j]].arcs
		for i := range arcs {
			if arcs[i].next == s.chosen[q].next || !ahead(g.nodes[arcs[i].next].progress, g.nodes[s.chosen[q].next].progress) {
				continue
			}
			set := s.add(s.sets[q], j, &arcs[i])
			for p := q + 1; p < len(s.jobs) && set >= 0; p++ {
				set = s.add(set, s.jobs[p], s.chosen[p])
			}
			if set >= 0 {
				return true
			}
		}
	}
	return false
}

func ahead(a, b []int64) bool {
	for i, p := range a {
		if p < b[i] {
			return false
		}
	}
	return true
}

// closed reports whether the child's bound is the target.
func (s *slotSearch) closed() bool {
	return s.sp.tariff.bound(s.child.nodes, s.child.At, s.child.Cost) > int64(s.target-1)*tariffUnit
}

// reach emits the child.
func (s *slotSearch) reach() {
	for j, job := range s.sp.jobs {
		copy(s.child.Progress[s.sp.phases[job.from].from:], s.sp.graphs[j].nodes[s.child.nodes[j]].progress)
	}
	s.emit(s.child)
}
