package cloning

import (
	"slices"

	"schedgap/exact/verify/cloning/kernel"
)

// A successors search lists the states that follow a state after a slot. For each feasible schedule through the state that costs less than
// the target, the list has the next state of a schedule that is as good. The excess of the jobs' arcs over their cheapest ones adds to the
// bound.
type successors struct {
	*statesProof
	by     *slotPrices
	st     *state
	jobs   []int // with a choice
	chosen []*kernel.Arc
	child  *state
	budget int64
	sets   []*kernel.Set // preemptive: the copies of the jobs before each one
	free   kernel.Rooms  // nonpreemptive
	err    error
}

// succeed takes all states that follow a state.
func (m *statesProof) succeed(st *state) error {
	s := successors{statesProof: m, by: m.prices[st.prices], st: st}
	s.budget = int64(m.target-1)*slotUnit - s.by.bound(st.nodes, st.at, st.cost)
	s.child = &state{at: st.at + 1, cost: st.cost, prices: st.prices, nodes: slices.Clone(st.nodes), starts: st.starts}
	arrival := -1
	for j, job := range m.Jobs {
		if job.Arrival > st.at {
			if arrival < 0 || job.Arrival < arrival {
				arrival = job.Arrival
			}
		} else if st.nodes[j] != m.graphs[j].End {
			s.jobs = append(s.jobs, j)
		}
	}
	s.child.cost += len(s.jobs)
	s.chosen, s.sets = make([]*kernel.Arc, len(s.jobs)), make([]*kernel.Set, len(s.jobs)+1)
	s.sets[0] = m.Empty
	if m.Fixed {
		s.free = m.Rooms()
		for j, node := range st.nodes {
			s.free.Hold(j, m.graphs[j], m.graphs[j].Nodes[node].Running)
		}
	}
	if len(s.jobs) == 0 {
		s.child.at = arrival
	}
	s.choose(0, 0)
	if s.err == nil {
		s.err = m.Err()
	}
	return s.err
}

func (m *statesProof) phaseOf(j, task int) int { return m.Jobs[j].From + m.graphs[j].Phase[task] }

// choose tries the arcs of the q-th job and of all later jobs. slack is the excess of the chosen arcs over the cheapest ones.
func (s *successors) choose(q int, slack int64) {
	s.Spend(64)
	s.spendTries()
	if s.err == nil {
		s.err = s.Spent()
	}
	if s.err != nil {
		return
	}
	if q == len(s.jobs) {
		if s.by.bound(s.child.nodes, s.child.at, s.child.cost) <= int64(s.target-1)*slotUnit && (s.Fixed || !s.further()) {
			s.reach()
		}
		return
	}
	j := s.jobs[q]
	node, now := s.st.nodes[j], s.st.at
	least := s.by.value(j, now, node)
	arcs := s.graphs[j].Nodes[node].Arcs
	for i := range arcs {
		a := &arcs[i]
		more := s.by.value(j, now+1, a.Next) + s.by.pay(j, now, a) - least
		if slack+more > s.budget {
			continue
		}
		s.chosen[q], s.child.nodes[j] = a, a.Next
		if !s.Fixed {
			s.sets[q+1] = s.with(s.sets[q], j, a)
			if s.sets[q+1] != nil {
				s.choose(q+1, slack+more)
			}
			continue
		}
		before, starts := s.free, s.child.starts
		if s.start(j, node, a) {
			s.choose(q+1, slack+more)
		}
		s.free, s.child.starts = before, starts
	}
	s.child.nodes[j] = node
}

// with adds the copies of an arc of job j to a set; nil if they do not fit.
func (s *successors) with(set *kernel.Set, j int, a *kernel.Arc) *kernel.Set {
	for i, r := range a.Copies {
		if r > 0 {
			set = s.With(set, s.Item(s.phaseOf(j, i), int(r)))
		}
	}
	return set
}

// further reports whether some job can take an arc to a node where it has done more and nothing less: more progress never hurts,
// as copies need not go on.
func (s *successors) further() bool {
	for q, j := range s.jobs {
		arcs := s.graphs[j].Nodes[s.st.nodes[j]].Arcs
		for i := range arcs {
			s.Spend(8)
			if arcs[i].Next == s.chosen[q].Next || !s.graphs[j].Ahead(arcs[i].Next, s.chosen[q].Next) {
				continue
			}
			set := s.with(s.sets[q], j, &arcs[i])
			for p := q + 1; p < len(s.jobs) && set != nil; p++ {
				set = s.with(set, s.jobs[p], s.chosen[p])
			}
			if set != nil {
				return true
			}
		}
	}
	return false
}

// start takes the room of copies of a nonpreemptive job that do not run yet. Take a schedule of least cost and, among these, of the least
// sum of starts. In such a schedule a copy starts when its phase becomes ready, or when it did not fit one slot earlier; else it
// could start then.
func (s *successors) start(j int, node int32, a *kernel.Arc) bool {
	running, servers, changed := s.graphs[j].Nodes[node].Running, len(s.Servers), false
	free := s.free // copied before it changes
	for c, r := range a.Copies {
		n := int(r) - int(running[c])
		if n <= 0 {
			continue
		}
		if !changed {
			free, changed = free.Clone(), true
		}
		k, v := s.phaseOf(j, c/servers), c%servers
		if !s.st.fresh[k] && s.st.free.Fit(k, v, 1) || !free.Fit(k, v, n) {
			return false
		}
		free.Take(k, v, n)
		s.child.starts += int64(n) * int64(s.st.at)
	}
	s.free = free
	return true
}

// reach accounts for the child.
func (s *successors) reach() {
	if !s.Fixed {
		s.err = s.take(s.child)
		return
	}
	child := *s.child
	child.nodes = slices.Clone(s.child.nodes)
	child.free = s.free
	if len(s.jobs) == 0 {
		child.free = s.Rooms()
	}
	child.fresh = s.mayBegin(&child, s.st)
	s.err = s.take(&child)
}

// mayBegin are the phases that may run from a moment on and not before: their job arrives then, or a parent has just ended.
func (m *statesProof) mayBegin(st, before *state) []bool {
	fresh := make([]bool, len(m.Phases))
	for k := range m.Phases {
		ended, j := uint64(0), m.Phases[k].Job
		if before != nil {
			ended = m.graphs[j].Nodes[before.nodes[j]].Open &^ m.graphs[j].Nodes[st.nodes[j]].Open
		}
		fresh[k] = m.Fresh(k, st.at, ended)
	}
	return fresh
}
