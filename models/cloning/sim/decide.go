package sim

import (
	"context"
	"math"
	"slices"
)

// decide starts copies until nothing that waits fits anywhere.
func (e *engine) decide(ctx context.Context) error {
	sv := e.servers
	if len(sv.dirty) == 0 && e.fresh == 0 {
		return nil
	}
	e.decision++
	e.misfits.clear()
	sv.open()
	for e.again = true; e.again; {
		e.again, e.fresh = false, 0
		e.cursor = beforeAll
		if err := e.serve(ctx); err != nil {
			return err
		}
	}
	e.cursor = beforeAll
	sv.close()
	e.settle()
	return nil
}

// serve goes through the queue once.
func (e *engine) serve(ctx context.Context) error {
	for step := 0; ; step++ {
		if step%checkEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if e.rules.Strict {
			if n := e.queue.next(e.cursor, e.anything); n == nil || !e.fill(n) {
				return nil
			}
			e.rerank()
			continue
		}
		n := e.queue.next(e.cursor, e.servers.window.root())
		if n == nil {
			return nil
		}
		if e.rules.Pack == FirstFit {
			if !e.fill(n) {
				e.cursor = n.place
			}
			e.rerank()
			continue
		}
		if err := e.packFit(ctx, n.group); err != nil {
			return err
		}
		e.rerank()
	}
}

// fill starts copies of an entry on the first servers on which they fit, until its ranks change or it has no more tasks (true) or
// nothing fits (false).
func (e *engine) fill(n *entry) bool {
	fresh, from := n.fresh, 0
	if fresh {
		n.capped = false
	}
	// Where the first in order lets nobody pass, the others were not tried on servers where copies ended meanwhile.
	all := fresh || e.rules.Strict
	for n.count > 0 {
		server := e.find(n, from, all)
		if server < 0 {
			e.failed(n)
			return false
		}
		id, ok := e.eligible(n, server)
		if !ok {
			n.capped = true
			from = server + 1
			continue
		}
		e.start(n, server, id)
		e.servers.renew(server)
		from = server
		if id != none {
			from = 0 // the next task may have no copy where this one had
		}
		if len(e.touched) > 0 {
			return true
		}
	}
	return true
}

// failed marks an entry that fits nowhere.
func (e *engine) failed(n *entry) {
	// What only the bound on clones holds back may go anywhere later.
	e.queue.setFresh(n, n.copies > 0 && !e.mayClone(n))
}

// find returns the first server from one on that has room for an entry's demand, or −1: of all, or of those where copies ended.
func (e *engine) find(n *entry, from int, all bool) int {
	if n.copies > 0 && !e.mayClone(n) {
		return none
	}
	// Room only shrinks during a decision, so a search for the same demand goes on where the last one ended.
	s := &e.jobs[n.job].phases[n.phase]
	if s.decision != e.decision {
		s.decision, s.from = e.decision, 0
	}
	if from > int(s.from) {
		return e.search(n.demand, from, all)
	}
	if all && e.misfits.has(n.demand) {
		s.from = math.MaxInt32
		return none
	}
	server := e.search(n.demand, int(s.from), all)
	s.from = int32(server)
	if server < 0 {
		s.from = math.MaxInt32
	}
	return server
}

func (e *engine) search(demand []float64, from int, all bool) int {
	if all {
		return e.servers.tree.find(from, demand)
	}
	sv := e.servers
	i := 0
	if from > 0 {
		i, _ = slices.BinarySearch(sv.dirty, int32(from))
	}
	i = sv.window.find(i, demand)
	if i < 0 {
		return none
	}
	return int(sv.dirty[i])
}

// last returns the last server that has room for an entry's demand, of all or of those where copies ended, or −1.
func (e *engine) last(n *entry) int {
	sv := e.servers
	if n.fresh {
		return sv.tree.last(len(sv.tree.levels)-1, 0, n.demand)
	}
	if i := sv.window.last(len(sv.window.levels)-1, 0, n.demand); i >= 0 {
		return int(sv.dirty[i])
	}
	return none
}

// mayClone reports whether clones may hold so much more.
func (e *engine) mayClone(n *entry) bool {
	for r := range e.cloneCapacity {
		if e.cloneUse[r]+n.demand[r] > e.cloneCapacity[r] {
			return false
		}
	}
	return true
}

// eligible returns the task of an entry that gets the next copy on a server, none for one that has not started, or false: the
// first that has not as many copies there as it may.
func (e *engine) eligible(n *entry, server int) (int32, bool) {
	if n.copies == 0 {
		return none, true
	}
	most := e.in.MaxCopiesPerServer
	for id := n.first; id != none; id = e.tasks[id].behind {
		if int(n.copies) < most || e.copiesOn(&e.tasks[id], int32(server)) < most {
			return id, true
		}
	}
	return none, false
}

// copiesOn counts the copies of a task on a server.
func (e *engine) copiesOn(t *task, server int32) int {
	there := 0
	for c := &t.last; ; c = &e.copies[c.next] {
		if c.server == server {
			there++
		}
		if c.next == none {
			return there
		}
	}
}
