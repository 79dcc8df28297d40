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
	last  int
	rows  [][]int32 // by moment 0 … last, then node
	order []int32   // nodes as they are reached
	cost  []int32   // by purchase, in a slot, the slot included
}

// never is dearer than anything that counts.
const never = math.MaxInt32 / 4

// NewTable makes a table for moments up to the last priced slot.
func NewTable(g *Graph, slots int) *Table {
	t := &Table{last: slots}
	cells := make([]int32, (slots+1)*len(g.Nodes))
	for range slots + 1 {
		t.rows = append(t.rows, cells[:len(g.Nodes):len(g.Nodes)])
		cells = cells[len(g.Nodes):]
	}
	for s, f := range g.Free {
		t.rows[slots][s] = min(never, Unit*f)
	}
	return t
}

// At is the value of a node at a moment, which is after the job's arrival.
func (t *Table) At(now int, s int32) int32 { return t.rows[min(now, t.last)][s] }

// Row holds the values at a moment by node.
func (t *Table) Row(now int) []int32 { return t.rows[min(now, t.last)] }

// fill computes the table from prices of the job's phases back to moment from, for the nodes that are reached by then: after[s] is
// the least number of slots in which node s is reached from where the job is at moment from.
func (t *Table) fill(g *Graph, prices Prices, from int, after []int32) {
	t.order = t.order[:0]
	for s, n := range after {
		if n < far {
			t.order = append(t.order, int32(s))
		}
	}
	slices.SortFunc(t.order, func(a, b int32) int { return int(after[a] - after[b]) })
	if t.cost == nil {
		t.cost = make([]int32, len(g.buys))
	}
	count := len(t.order)
	for now := t.last - 1; now >= from; now-- {
		for count > 0 && int(after[t.order[count-1]]) > now-from {
			count--
		}
		for i, buys := range g.buys {
			t.cost[i] = Unit
			for _, b := range buys {
				t.cost[i] += b.Copies * prices[b.Phase][now]
			}
		}
		next, here := t.rows[now+1], t.rows[now]
		for _, s := range t.order[:count] {
			best := int32(never)
			first, last := g.from[s], g.from[s+1]
			buy := g.buy[first:last]
			for i, to := range g.next[first:last] {
				best = min(best, next[to]+t.cost[buy[i]])
			}
			here[s] = best
		}
		here[g.End] = 0
	}
}

// path walks a cheapest way from node s at moment now, and calls buy with what it takes; it returns the job's last slot.
func (t *Table) path(g *Graph, prices Prices, s int32, now int, buy func(slot int, b Buy)) int {
	for s != g.End {
		if now >= t.last {
			return now + int(g.Free[s])
		}
		for i := range g.Nodes[s].Arcs {
			a := &g.Nodes[s].Arcs[i]
			cost := t.rows[now+1][a.Next] + Unit
			for _, b := range a.Buys {
				cost += b.Copies * prices[b.Phase][now]
			}
			if cost == t.rows[now][s] {
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
