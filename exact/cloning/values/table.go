package values

import (
	"math"
	"slices"
)

// Unit is a slot in the whole numbers that prices and values are.
const Unit = 1 << 12

// Prices are of a copy in a slot, by phase and slot: Prices[k][t] is of slot t+1. Past the last slot everything is free.
type Prices [][]int32

func (p Prices) clone() Prices {
	c := make(Prices, len(p))
	for k, row := range p {
		c[k] = slices.Clone(row)
	}
	return c
}

// A Table holds what completing a job costs from each moment and node on: its slots in the system and its copies, in units.
type Table struct {
	from, last int     // moments
	nodes      int     // of the graph
	cells      []int32 // by moment, then node
}

// At is the value of a node at a moment, which is after the job's arrival.
func (t *Table) At(now int, s int32) int32 { return t.Row(now)[s] }

// Row holds the values at a moment by node.
func (t *Table) Row(now int) []int32 {
	at := (min(now, t.last) - t.from) * t.nodes
	return t.cells[at : at+t.nodes]
}

// columns are the values of a table node by node, the order in which they are computed: those of one node follow from those of
// the nodes after it by loops over consecutive numbers.
type columns struct {
	last  int
	cells []int32 // by node, then moment 0 … last
	cost  []int32 // by purchase and slot, the slot included
}

// never is dearer than anything that counts, Dearest the highest price.
const (
	never   = math.MaxInt32 / 4
	Dearest = never / 64
)

// newColumns makes columns for moments up to the last priced slot.
func newColumns(g *Graph, slots int) *columns {
	c := &columns{last: slots, cells: make([]int32, (slots+1)*len(g.Nodes)), cost: make([]int32, slots*len(g.buys))}
	for s, f := range g.Free {
		c.cells[s*(slots+1)+slots] = min(never, Unit*f)
	}
	return c
}

// at is the value of a node at a moment.
func (c *columns) at(now int, s int32) int32 { return c.cells[int(s)*(c.last+1)+min(now, c.last)] }

// fill computes the values at the prices of the job's phases back to moment from, for the nodes that are reached by then:
// after[s] is the least number of slots in which node s is reached from where the job is at moment from.
func (c *columns) fill(g *Graph, prices Prices, from int, after []int32) {
	if from >= c.last {
		return
	}
	for i, buys := range g.buys {
		row := c.cost[i*c.last+from : (i+1)*c.last]
		for t := range row {
			row[t] = Unit
		}
		for _, b := range buys {
			of := prices[b.Phase][from:][:len(row)]
			for t, p := range of {
				row[t] += b.Copies * p
			}
		}
	}
	width := c.last + 1
	for _, s := range g.order {
		begin := from + int(after[s])
		if s == g.End {
			begin = from
		}
		if begin >= c.last {
			continue
		}
		here := c.cells[int(s)*width+begin : int(s)*width+c.last]
		if s == g.End {
			clear(here)
			continue
		}
		n := len(here)
		arcs, buys := g.next[g.from[s]:g.from[s+1]], g.buy[g.from[s]:g.from[s+1]]
		buys = buys[:len(arcs)]
		for t := range here {
			here[t] = never
		}
		i := g.waits[s]
		for ; i+1 < len(arcs); i += 2 {
			a, pa := c.cells[int(arcs[i])*width+begin+1:][:n], c.cost[int(buys[i])*c.last+begin:][:n]
			b, pb := c.cells[int(arcs[i+1])*width+begin+1:][:n], c.cost[int(buys[i+1])*c.last+begin:][:n]
			for t := range here {
				here[t] = min(here[t], a[t]+pa[t], b[t]+pb[t])
			}
		}
		if i < len(arcs) {
			a, pa := c.cells[int(arcs[i])*width+begin+1:][:n], c.cost[int(buys[i])*c.last+begin:][:n]
			for t := range here {
				here[t] = min(here[t], a[t]+pa[t])
			}
		}
		for _, buy := range buys[:g.waits[s]] {
			pay := c.cost[int(buy)*c.last+begin:][:n]
			next := c.cells[int(s)*width+c.last]
			for t := n - 1; t >= 0; t-- {
				next = min(here[t], next+pay[t])
				here[t] = next
			}
		}
	}
}

// table copies the values from a moment on.
func (c *columns) table(g *Graph, from int) *Table {
	from = min(from, c.last)
	t := &Table{from: from, last: c.last, nodes: len(g.Nodes), cells: make([]int32, (c.last-from+1)*len(g.Nodes))}
	for s := range g.Nodes {
		for i, x := range c.cells[s*(c.last+1)+from : (s+1)*(c.last+1)] {
			t.cells[i*t.nodes+s] = x
		}
	}
	return t
}

// path walks a cheapest way from node s at moment now, and calls buy with its copies; it returns the job's last slot.
func (c *columns) path(g *Graph, prices Prices, s int32, now int, buy func(slot int, b Buy)) int {
	for s != g.End {
		if now >= c.last {
			return now + int(g.Free[s])
		}
		here := c.at(now, s)
		for i := range g.Nodes[s].Arcs {
			a := &g.Nodes[s].Arcs[i]
			cost := c.at(now+1, a.Next) + Unit
			for _, b := range a.Buys {
				cost += b.Copies * prices[b.Phase][now]
			}
			if cost == here {
				for _, b := range a.Buys {
					buy(now, b)
				}
				s = a.Next
				break
			}
		}
		now++
	}
	return now
}

// Tables are the tables of prices from a moment on.
func (m *Relaxation) Tables(prices Prices, from int) []*Table {
	var list []*Table
	for j, g := range m.Graphs {
		c := newColumns(g, len(prices[0]))
		begin, after := m.Arrival[j], g.Earlier
		if from > begin {
			begin, after = from, make([]int32, len(g.Nodes))
		}
		c.fill(g, prices[m.First[j]:m.First[j+1]], begin, after)
		list = append(list, c.table(g, begin))
	}
	return list
}
