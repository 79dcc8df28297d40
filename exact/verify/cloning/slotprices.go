package cloning

import (
	"fmt"
	"slices"

	"schedgap/exact/verify/cloning/kernel"
)

// A slot in the units of prices of copies by slot.
const (
	slotBits = 12
	slotUnit = 1 << slotBits
)

// Limits of prices by slot.
const (
	slotCells   = 40_000_000 // of tables at a time
	slotSets    = 20_000     // of copies on servers, all classes together
	slotChoices = 64_000     // of sets for all servers in one slot
	slotDearest = 1 << 23    // price
	mostSlots   = 1 << 13
)

// Tables reports whether jobs of some states in all are verified at prices of some slots.
func Tables(slots, states int) bool {
	return slots <= mostSlots && states <= slotCells/(slots+1)
}

// slotPrices are prices of copies by phase and slot with what follows from them.
type slotPrices struct {
	*statesProof
	price   [][]int64 // by slot and phase
	dearest int64     // the sum of each slot's dearest, and 1
	tables  [][][]int64
	earned  map[uint64][]int64 // by open phases, the servers' earnings after a moment, from the last priced slot on down
}

// price takes prices; an error where they cannot be prices of the instance.
func (m *statesProof) price(price [][]int64) (*slotPrices, error) {
	if len(price) != len(m.Phases) {
		return nil, fmt.Errorf("prices of %d phases, and there are %d", len(price), len(m.Phases))
	}
	slots, sum := len(price[0]), int64(1)
	if slots > mostSlots {
		return nil, fmt.Errorf("prices of %d slots, more than %d", slots, mostSlots)
	}
	dearest, bySlot := make([]int64, slots), make([][]int64, slots)
	for t := range bySlot {
		bySlot[t] = make([]int64, len(price))
	}
	for k, row := range price {
		if len(row) != slots {
			return nil, fmt.Errorf("phase %d has %d prices and phase 0 %d", k, len(row), slots)
		}
		for t, p := range row {
			if p < 0 || p > slotDearest {
				return nil, fmt.Errorf("phase %d in slot %d: %d must be from 0 to %d", k, t, p, slotDearest)
			}
			dearest[t], bySlot[t][k] = max(dearest[t], p), p
		}
	}
	for _, p := range dearest {
		sum += p
	}
	return &slotPrices{statesProof: m, price: bySlot, dearest: sum, earned: map[uint64][]int64{}}, nil
}

// table has a job's least payments by moment and node, computed from the last priced slot down to a moment. After that slot
// everything is free.
func (p *slotPrices) table(j, moment int) [][]int64 {
	g, slots := p.graphs[j], len(p.price)
	if p.tables == nil || p.tables[j] == nil {
		p.cells += (slots + 1) * len(g.Nodes)
		if p.cells > slotCells {
			for _, old := range p.live {
				old.tables = nil
			}
			p.cells, p.live = (slots+1)*len(g.Nodes), nil
		}
		if p.tables == nil {
			p.tables, p.live = make([][][]int64, len(p.graphs)), append(p.live, p)
		}
		last := make([]int64, len(g.Nodes))
		for s := range last {
			last[s] = slotUnit * int64(g.Free[s])
		}
		p.tables[j] = make([][]int64, slots+1)
		p.tables[j][slots] = last
	}
	rows := p.tables[j]
	first := moment
	for rows[first] == nil {
		first++
	}
	for t := first - 1; t >= moment; t-- {
		next, here := rows[t+1], make([]int64, len(g.Nodes))
		for s := range g.Nodes {
			if int32(s) == g.End {
				continue
			}
			best := int64(-1)
			for i := range g.Nodes[s].Arcs {
				if cost := p.pay(j, t, &g.Nodes[s].Arcs[i]) + next[g.Nodes[s].Arcs[i].Next]; best < 0 || cost < best {
					best = cost
				}
			}
			p.Spend(4 * len(g.Nodes[s].Arcs))
			here[s] = best
		}
		rows[t] = here
	}
	return rows
}

// pay is the cost of an arc after moment t: the slot in the system and the price of its copies.
func (p *slotPrices) pay(j, t int, a *kernel.Arc) int64 {
	cost := int64(slotUnit)
	if t < len(p.price) {
		price := p.price[t][p.Jobs[j].From:]
		for _, b := range a.Buys {
			cost += int64(b.Copies) * price[b.Phase]
		}
	}
	return cost
}

// value is the least payment of a job from a moment and node on.
func (p *slotPrices) value(j, now int, node int32) int64 {
	moment := min(max(now, p.Jobs[j].Arrival), len(p.price))
	return p.table(j, moment)[moment][node]
}

// bound is at most the cost of every schedule that goes on from the jobs' nodes, in units.
func (p *slotPrices) bound(nodes []int32, now, cost int) int64 {
	sum, open := int64(cost)*slotUnit, uint64(0)
	for j, s := range nodes {
		sum += p.value(j, now, s)
		open |= p.graphs[j].Nodes[s].Open
	}
	return sum - p.after(open, now)
}

// after bounds the servers' earnings in all slots after a moment from copies of open phases.
func (p *slotPrices) after(open uint64, now int) int64 {
	slots := len(p.price)
	if now >= slots {
		return 0
	}
	list := p.earned[open]
	if list == nil {
		list = []int64{0}
	}
	for t := slots - len(list); t >= now; t-- {
		list = append(list, list[len(list)-1]+p.slot(open, t))
	}
	p.earned[open] = list
	return list[slots-now]
}

// slot bounds the servers' earnings in a slot from copies of open phases.
func (p *slotPrices) slot(open uint64, t int) int64 {
	prices := slices.Clone(p.price[t])
	for k := range prices {
		if len(prices) <= 64 && open>>k&1 == 0 {
			prices[k] = 0
		}
	}
	before := p.patterns.Work
	earned := p.patterns.Earn(prices)
	p.Spend(4 * (p.patterns.Work - before))
	return earned
}
