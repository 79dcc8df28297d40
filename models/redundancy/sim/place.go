package sim

import "slices"

// place gives the jobs the machines that an allotment says. touched are the jobs that may have begun or ceased to be served.
func (e *engine) place(a Allotment, touched []int32) {
	e.each, e.saves.dropped = a.perMachine(), e.saves.dropped[:0]
	first := e.order.First()
	for _, j := range touched {
		if !e.order.Serves(j) {
			e.withdraw(j, 0)
		}
	}
	for _, j := range e.multi {
		if e.order.Serves(j) {
			e.withdraw(j, a.copies(j == first))
		}
	}
	e.evict()
	room := 0 // no machine before has room
	for _, j := range e.homeless {
		room = e.grow(j, 1, room)
	}
	for _, j := range touched {
		if e.order.Serves(j) {
			room = e.grow(j, 1, room)
		}
	}
	e.multi = e.multi[:0]
	if a.Others > 1 {
		e.multi = append(e.multi, e.order.Served()...)
	} else if a.First > 1 {
		e.multi = append(e.multi, first)
	}
	for _, j := range e.multi {
		room = e.grow(j, a.copies(j == first), room)
	}
}

// copies is the number that a served job gets.
func (a Allotment) copies(first bool) int {
	if first {
		return a.First
	}
	return a.Others
}

// evict makes the machines with too many copies lose those that came last.
func (e *engine) evict() {
	e.homeless = e.homeless[:0]
	for i := range e.machines {
		m := &e.machines[i]
		for len(m.copies) > e.each {
			j := m.copies[len(m.copies)-1].job
			e.remove(j, int32(i))
			e.homeless = append(e.homeless, j)
		}
	}
}

// grow starts copies of a job until it has n, on machines from room on, and returns from where on there is room then.
func (e *engine) grow(j int32, n, room int) int {
	for len(e.states[j].on) < n {
		for len(e.machines[room].copies) >= e.each {
			room++
		}
		i := room
		if e.machines[i].find(j) >= 0 {
			i = e.makeRoom(j, room)
		}
		e.add(j, int32(i))
	}
	return room
}

// makeRoom returns a machine with room and without a copy of job j; the machine room has both. Where it has to, it moves
// a copy. Machines are shared then, and no job but j has more than one copy.
func (e *engine) makeRoom(j int32, room int) int {
	i := 0
	for e.machines[i].find(j) >= 0 {
		i++
	}
	if m := &e.machines[i]; len(m.copies) >= e.each {
		moved := m.copies[len(m.copies)-1].job
		e.remove(moved, int32(i))
		e.add(moved, int32(room))
	}
	return i
}

// withdraw leaves a job n copies at most, those it got first.
func (e *engine) withdraw(j int32, n int) {
	for s := &e.states[j]; len(s.on) > n; {
		e.remove(j, s.on[len(s.on)-1])
	}
}

func (e *engine) remove(j, i int32) {
	s, m := &e.states[j], &e.machines[i]
	k, last := m.find(j), len(m.copies)-1
	if left := m.copies[k].target - m.clock; e.saves.atEvents {
		s.remaining = left
	} else {
		e.saves.dropped = append(e.saves.dropped, dropped{j, i, left})
	}
	m.copies = slices.Delete(m.copies, k, k+1) // in the order in which they came
	if m.next == k {
		m.findNext()
	} else if m.next > k {
		m.next--
	}
	k = slices.Index(s.on, i)
	s.on = slices.Delete(s.on, k, k+1)
	e.stopped(last == 0, len(s.on) == 0)
}

func (e *engine) add(j, i int32) {
	s, m := &e.states[j], &e.machines[i]
	left := e.startsWith(j, i)
	if len(m.copies) == 0 {
		m.clock = 0 // so that sums over long times do not cost digits
	}
	m.copies = append(m.copies, replica{m.clock + left, j})
	if last := len(m.copies) - 1; m.copies[last].target < m.copies[m.next].target || last == 0 {
		m.next = last
	}
	s.on = append(s.on, i)
	e.started(len(m.copies) == 1, len(s.on) == 1)
}
