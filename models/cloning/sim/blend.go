package sim

import (
	"cmp"
	"context"
	"math"
)

// candidates are the entries of a group while servers choose among them by Blend, in the queue's order.
type candidates struct {
	list   []candidate
	width  int
	demand []float64 // by candidate and resource; +∞ of those out of the question on the present server
	weight []float64 // what a unit of each resource is worth on the present server
	server int32     // the first on which any has room
}

type candidate struct {
	entry *entry
	next  int32 // first server, from the present one on, that has room
	out   bool  // of the question on the present server
	all   bool  // all servers are looked at, not only those where copies ended
}

// collect finds the entries of the first group behind the cursor that have a server to go to.
func (c *candidates) collect(e *engine, group int) {
	c.width, c.server = len(e.total), math.MaxInt32
	clear(c.list)
	c.list, c.demand = c.list[:0], c.demand[:0]
	for n := range e.queue.after(e.cursor, e.servers.window.root()) {
		if n.group != group {
			break
		}
		if n.fresh {
			n.capped = false
		}
		next := e.find(n, 0, n.fresh)
		if next < 0 {
			e.failed(n)
			continue
		}
		c.list = append(c.list, candidate{entry: n, next: int32(next), all: n.fresh})
		c.demand = append(c.demand, n.demand...)
		c.server = min(c.server, int32(next))
	}
}

// packBlend lets servers choose among the candidates, one server after the other, until nothing fits.
func (e *engine) packBlend(ctx context.Context, group int) error {
	c := &e.cands
	c.collect(e, group)
	e.cursor = behind(group)
	for visit := 1; len(c.list) > 0; visit++ {
		if visit%checkEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		server := int(c.server)
		for {
			i := c.best(e, server)
			if i < 0 {
				break
			}
			n := c.list[i].entry
			id, ok := e.eligible(n, server)
			if ok {
				e.start(n, server, id)
			} else {
				n.capped = true
			}
			if !ok || n.count == 0 {
				c.exclude(i)
			}
			if e.cloneCapacity != nil {
				c.excludeClones(e)
			}
		}
		e.servers.renew(server)
		c.advance(e)
	}
	return nil
}

// exclude takes a candidate out of the question on the present server.
func (c *candidates) exclude(i int) {
	c.list[i].out = true
	c.demand[i*c.width] = math.Inf(1)
}

// excludeClones excludes what the bound on clones forbids.
func (c *candidates) excludeClones(e *engine) {
	for i := range c.list {
		if n := c.list[i].entry; n.copies > 0 && !e.mayClone(n) {
			c.exclude(i)
		}
	}
}

// advance goes on from the present server, on which nothing fits any more, to the next.
func (c *candidates) advance(e *engine) {
	kept, width, done := 0, c.width, c.server
	c.server = math.MaxInt32
	room := e.servers.tree.leaf(int(done) + 1)
	for i := range c.list {
		x := &c.list[i]
		if x.out && x.entry.count == 0 {
			continue
		}
		if x.next <= done && x.all && !x.out && within(c.demand[i*width:(i+1)*width], room) {
			x.next = done + 1
		}
		if x.next <= done {
			next := e.find(x.entry, int(done)+1, x.all)
			if next < 0 {
				e.failed(x.entry)
				continue
			}
			x.next = int32(next)
		}
		c.server = min(c.server, x.next)
		if x.out || kept < i {
			if x.out = false; kept < i {
				c.list[kept] = *x
			}
			copy(c.demand[kept*width:], c.list[kept].entry.demand)
		}
		kept++
	}
	clear(c.list[kept:])
	c.list, c.demand = c.list[:kept], c.demand[:kept*width]
}

// best returns the candidate that a server prefers among those that fit, the first of equals, or −1.
func (c *candidates) best(e *engine, server int) int {
	c.weight = e.servers.weights(server, c.weight)
	room := e.servers.room(server)
	epsilon, longest := c.blend(e)
	best, bestScore := none, math.Inf(-1)
	for i := range c.list {
		d, n := c.demand[i*c.width:(i+1)*c.width], c.list[i].entry
		if !within(d, room) {
			continue
		}
		score := n.weight * fit(d, c.weight)
		if longest > 0 {
			score += epsilon * (1 - n.key/longest)
		}
		if score > bestScore {
			best, bestScore = i, score
		}
	}
	return best
}

// blend returns ε and the greatest key.
func (c *candidates) blend(e *engine) (epsilon, longest float64) {
	n, fits, keys := 0.0, 0.0, 0.0
	for i := range c.list {
		x := c.list[i].entry
		if x.count == 0 {
			continue
		}
		n++
		fits += x.weight * fit(x.demand, c.weight)
		keys += x.key
		longest = max(longest, x.key)
	}
	if e.rules.Epsilon > 0 {
		return e.rules.Epsilon, longest
	}
	// The mean of the fits over the mean of 1 − key/longest; when all keys are alike the second term decides nothing.
	if short := n - keys/cmp.Or(longest, 1); short > 1e-12*n {
		return fits / short, longest
	}
	return 0, longest
}
