package sim

import (
	"context"
	"math"
	"slices"
)

// fits are the entries of a group while servers choose among them by BestFit.
type fits struct {
	fresh  fitIndex // entries that may fit on any server
	known  fitIndex // entries that may fit only on servers where copies ended
	outs   []pick
	next   int          // no server before it has room for any of fresh
	at     int          // the first of the servers where copies ended that was not passed
	least  [2][]float64 // at most what any of fresh demands, and any of known
	weight []float64    // of a unit of each resource on the present server
	blend  *blend       // nil: the best fit alone
}

// packFit lets servers choose among the entries of the first group behind the cursor, one server after the other, until
// nothing fits.
func (e *engine) packFit(ctx context.Context, group int) error {
	c := &e.fits
	c.collect(e, group)
	e.cursor = behind(group)
	server := c.seek(e, 0)
	for visit := 1; server >= 0; visit++ {
		if visit%checkEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		// Where something fits on one server, it often does on the next.
		server++
		if !c.serve(e, server-1) || server == len(e.servers.kind) {
			server = c.seek(e, server)
		}
	}
	for i := range c.known.items {
		if n := c.known.items[i].entry; n != nil {
			c.exhausted(e, n)
		}
	}
	return nil
}

// collect finds the entries of the group that may have a server to go to.
func (c *fits) collect(e *engine, group int) {
	width, order := len(e.total), int32(0)
	c.blend = nil
	if e.rules.Pack == Blend {
		c.blend = &e.blend
		c.blend.begin(width, e.rules.Epsilon)
	}
	c.fresh.reset(width, c.blend)
	c.known.reset(width, c.blend)
	for n := range e.queue.after(e.cursor, e.servers.window.root()) {
		if n.group != group {
			break
		}
		if n.fresh {
			n.capped = false
			if s := e.phase(n); s.from == math.MaxInt32 && s.decision >= e.decision-1 {
				e.queue.setFresh(n, false) // no server had room for another entry of the phase, at the last decision or now
			}
		}
		if e.misfits.has(n.demand) {
			e.noRoom(n)
			e.failed(n)
			continue
		}
		if n.copies > 0 && !e.mayClone(n) {
			e.failed(n)
			continue
		}
		if c.blend != nil {
			last := e.last(n)
			if last < 0 {
				e.failed(n)
				continue
			}
			c.blend.add(n, last)
		}
		s := &c.known
		if n.fresh {
			s = &c.fresh
		}
		s.items = append(s.items, item{entry: n, order: order, next: none})
		order++
	}
	c.fresh.arrange()
	c.known.arrange()
	if c.blend != nil {
		slices.Sort(c.blend.leaving)
	}
	c.next, c.at = none, 0
	c.least[0], c.least[1] = c.fresh.least(c.least[0]), c.known.least(c.least[1])
}

// phase is the phase of an entry.
func (e *engine) phase(n *entry) *phaseState { return &e.jobs[n.job].phases[n.phase] }

// noRoom notes that no server has room for an entry's demand.
func (e *engine) noRoom(n *entry) {
	s := e.phase(n)
	s.decision, s.from = e.decision, math.MaxInt32
}

// exhausted notes that no server has room for what found none, unless something else held it back.
func (c *fits) exhausted(e *engine, n *entry) {
	if !n.capped && (n.copies == 0 || e.mayClone(n)) {
		e.noRoom(n)
		e.misfits.add(n.demand)
	}
}

// serve lets a server choose until nothing fits on it any more, and reports whether anything did.
func (c *fits) serve(e *engine, server int) bool {
	dirty, chose := e.servers.isDirty(server), false
	room := e.servers.tree.leaf(server)
	if !within(c.least[0], room) && !(dirty && within(c.least[1], room)) {
		return false
	}
	if c.blend != nil {
		c.blend.reach(server)
	}
	for {
		p := pick{fit: math.Inf(-1)}
		c.weight = e.servers.weights(server, c.weight)
		if c.blend != nil {
			c.blend.renew(c.weight)
		}
		c.fresh.best(&p, room, c.weight)
		if dirty {
			c.known.best(&p, room, c.weight)
		}
		if p.index == nil {
			break
		}
		chose = true
		n := p.index.items[p.item].entry
		id, ok := e.eligible(n, server)
		if ok {
			e.start(n, server, id)
			room = e.servers.room(server)
		} else {
			n.capped = true
		}
		if !ok || n.count == 0 {
			c.exclude(p.index, p.item)
		}
		if c.blend != nil && n.count == 0 {
			c.blend.remove(int(p.order))
		}
		if e.cloneCapacity != nil && n.copies > 0 {
			c.excludeClones(e, &c.fresh)
			c.excludeClones(e, &c.known)
		}
	}
	if chose {
		c.leave(e, server)
	}
	return chose
}

// exclude takes an item out of the question on the present server.
func (c *fits) exclude(s *fitIndex, i int) {
	s.exclude(i)
	c.outs = append(c.outs, pick{index: s, item: i})
}

// excludeClones excludes the entries that the bound on clones forbids.
func (c *fits) excludeClones(e *engine, s *fitIndex) {
	for i := range s.items {
		if n := s.items[i].entry; n != nil && n.copies > 0 && !s.out(i) && !e.mayClone(n) {
			c.exclude(s, i)
		}
	}
}

// leave notes what room is left on a server and prepares for the next.
func (c *fits) leave(e *engine, server int) {
	e.servers.renew(server)
	for _, x := range c.outs {
		n := x.index.items[x.item].entry
		switch {
		case n.count == 0:
			x.index.drop(x.item)
		case n.copies > 0 && !e.mayClone(n):
			e.failed(n)
			x.index.drop(x.item)
		default:
			x.index.restore(x.item)
		}
	}
	c.outs = c.outs[:0]
	for i, s := range [...]*fitIndex{&c.fresh, &c.known} {
		if s.compact() {
			c.least[i] = s.least(c.least[i])
		}
	}
}

// seek returns the first server from one on that may have room for an entry, or −1.
func (c *fits) seek(e *engine, from int) int {
	first := math.MaxInt
	if c.fresh.live > 0 {
		first = c.seekFresh(e, from)
	}
	if c.known.live > 0 {
		first = min(first, c.seekKnown(e.servers, from))
	}
	if first == math.MaxInt {
		return none
	}
	return first
}

// seekFresh is seek for fresh entries.
func (c *fits) seekFresh(e *engine, from int) int {
	if c.next >= from {
		return c.next
	}
	c.next = math.MaxInt
	for i := range c.fresh.items {
		x := &c.fresh.items[i]
		if x.entry == nil {
			continue
		}
		if int(x.next) < from {
			x.next = int32(e.find(x.entry, from, true))
			if x.next < 0 {
				c.exhausted(e, x.entry)
				e.failed(x.entry)
				c.fresh.drop(i)
				continue
			}
		}
		c.next = min(c.next, int(x.next))
	}
	return c.next
}

// seekKnown is seek for the others.
func (c *fits) seekKnown(sv *servers, from int) int {
	for c.at < len(sv.dirty) && int(sv.dirty[c.at]) < from {
		c.at++
	}
	c.at = sv.window.find(c.at, c.least[1])
	if c.at < 0 {
		c.at = len(sv.dirty)
		return math.MaxInt
	}
	return int(sv.dirty[c.at])
}
