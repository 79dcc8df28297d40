package values

import (
	"context"
	"slices"
)

// A Market is the jobs of an instance, the servers and what they hold.
type Market struct {
	Graphs  []*Graph
	Arrival []int // by job
	First   []int // by job, its first phase; one more at the end
	Servers []Server
	Limit   []int32  // by phase, copies that the whole cluster runs at most
	apart   []uint64 // by phase, those that never run in the same slot; nil: not known
}

// A Server is what one server, or each of several alike, holds in a slot: the maximal sets of copies, as lists of Buys whose
// phases are of the whole instance.
type Server struct {
	Count int
	Sets  [][]Buy
}

// Conflicts tells the market which phases never run in the same slot: before[k] are the phases of its job that come before k.
func (m *Market) Conflicts(before [][]int) {
	if len(before) > 64 {
		return
	}
	m.apart = make([]uint64, len(before))
	for k, list := range before {
		for _, p := range list {
			m.apart[k] |= 1 << p
			m.apart[p] |= 1 << k
		}
	}
}

// Arcs is the number of arcs of all graphs: a table of all jobs takes time in proportion for every slot.
func (m *Market) Arcs() int {
	n := 0
	for _, g := range m.Graphs {
		n += len(g.next)
	}
	return n
}

// Nodes is the number of nodes of all graphs, the size of a table of all jobs for every moment.
func (m *Market) Nodes() int {
	n := 0
	for _, g := range m.Graphs {
		n += len(g.Nodes)
	}
	return n
}

// Apart reports whether two phases are known never to run in the same slot.
func (m *Market) Apart(a, b int) bool { return m.apart != nil && m.apart[a]>>b&1 == 1 }

// A chooser finds what the servers are worth at the prices of a slot.
type chooser struct {
	*Market
	worth [][]int64 // by server and set
	most  []int64   // by server
	total []int64   // by server, the most that it and those after it are worth, in all
	count []int32   // copies by phase of the sets under consideration
	price []int64   // by phase
	best  int64
	take  []int32 // copies by phase of the best sets
	steps int
}

func newChooser(m *Market) *chooser {
	phases := m.First[len(m.Graphs)]
	c := &chooser{
		Market: m, most: make([]int64, len(m.Servers)), total: make([]int64, len(m.Servers)+1),
		count: make([]int32, phases), take: make([]int32, phases), price: make([]int64, phases),
	}
	for _, s := range m.Servers {
		c.worth = append(c.worth, make([]int64, len(s.Sets)))
	}
	return c
}

// maxChoices bounds the search for sets of all servers together.
const maxChoices = 4_000

// choose returns the most that one set for each server is worth at chooser.price; chooser.take has its copies. Copies beyond a
// phase's limit are worth nothing, and of two phases that never run together only the dearer one counts: a part of the sets does
// as well. Past maxChoices it is the sum of the servers' dearest sets.
func (c *chooser) choose() int64 {
	last := len(c.Servers)
	clear(c.count)
	for i := last - 1; i >= 0; i-- {
		s := &c.Servers[i]
		c.most[i] = -1
		at := 0
		for q, set := range s.Sets {
			sum := int64(0)
			for _, b := range set {
				sum += int64(b.Copies) * c.price[b.Phase]
			}
			if c.worth[i][q] = sum; sum > c.most[i] {
				c.most[i], at = sum, q
			}
		}
		c.total[i] = c.total[i+1] + int64(s.Count)*c.most[i]
		for _, b := range s.Sets[at] {
			c.count[b.Phase] += int32(s.Count) * b.Copies
		}
	}
	c.best, c.steps = -1, maxChoices
	if c.offer(); c.best < c.total[0] {
		clear(c.count)
		c.search(0, 0, 0)
		if c.steps <= 0 {
			return c.total[0]
		}
	}
	return c.best
}

// offer takes the sets whose copies chooser.count has, if they are worth more than the best.
func (c *chooser) offer() {
	sum := int64(0)
	for j := range c.Graphs {
		drop := int64(0)
		for k := c.First[j]; k < c.First[j+1]; k++ {
			n := min(c.count[k], c.Limit[k])
			if n == 0 {
				continue
			}
			here := int64(n) * c.price[k]
			sum += here
			for q := c.First[j]; q < k && c.apart != nil; q++ {
				if c.count[q] > 0 && c.apart[k]>>q&1 == 1 {
					drop = max(drop, min(here, int64(min(c.count[q], c.Limit[q]))*c.price[q]))
				}
			}
		}
		sum -= drop
	}
	if sum > c.best {
		c.best = sum
		for k := range c.take {
			c.take[k] = min(c.count[k], c.Limit[k])
		}
	}
}

// search chooses for the servers from the at-th of class i on.
func (c *chooser) search(i, at int, worth int64) {
	if i < len(c.Servers) && at == c.Servers[i].Count {
		i, at = i+1, 0
	}
	if i == len(c.Servers) {
		c.offer()
		return
	}
	rest := c.total[i] - int64(at+1)*c.most[i]
	for q, set := range c.Servers[i].Sets {
		if worth+c.worth[i][q]+rest <= c.best {
			continue
		}
		if c.steps--; c.steps <= 0 {
			return
		}
		for _, b := range set {
			c.count[b.Phase] += b.Copies
		}
		c.search(i, at+1, worth+c.worth[i][q])
		for _, b := range set {
			c.count[b.Phase] -= b.Copies
		}
	}
}

// Sets lists the maximal sets of copies on a server, by depth-first search; fits says whether one more copy of phase k finds room
// beside the given numbers. It is nil when there are more than limit, the search takes too long, or ctx ends.
func Sets(ctx context.Context, limits []int, limit int, fits func(now []int, k int) bool) [][]Buy {
	var list [][]Buy
	now := make([]int, len(limits))
	steps := 200 * limit
	var try func(k int) bool
	try = func(k int) bool {
		if steps--; steps < 0 || ctx.Err() != nil {
			return false
		}
		if k == len(limits) {
			for q := range limits {
				if now[q] < limits[q] && fits(now, q) {
					return true
				}
			}
			var set []Buy
			for q, n := range now {
				if n > 0 {
					set = append(set, Buy{int32(q), int32(n)})
				}
			}
			list = append(list, set)
			return len(list) <= limit
		}
		for now[k] < limits[k] && fits(now, k) {
			now[k]++
		}
		for ; ; now[k]-- {
			if !try(k + 1) {
				return false
			}
			if now[k] == 0 {
				return true
			}
		}
	}
	if !try(0) {
		return nil
	}
	return slices.Clip(list)
}
