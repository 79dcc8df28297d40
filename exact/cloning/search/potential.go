package search

import (
	"sync"

	"schedgap/exact/cloning/values"
)

// A potential is prices with the values that they give to the nodes of the jobs' graphs and to the servers' time. Threads
// share it.
type potential struct {
	prices   values.Prices
	tables   []*values.Table
	from     int      // moment from which it holds
	earnings sync.Map // by open phases, the servers' worth to them in all slots after each moment
}

func (sp *layeredSearch) potential(prices values.Prices, from int) *potential {
	return &potential{prices: prices, tables: sp.relaxation.Tables(prices, from), from: from}
}

// earningsAfter is the servers' worth to the open phases in all slots after a moment.
func (sp *layeredSearch) earningsAfter(o *potential, open uint64, now int) int64 {
	list, known := o.earnings.Load(open)
	if !known {
		var allow func(k int) bool
		if len(sp.v.Phases) <= 64 {
			allow = func(k int) bool { return open>>k&1 == 1 }
		}
		list, _ = o.earnings.LoadOrStore(open, sp.relaxation.Worth(o.prices, o.from, allow))
	}
	after := list.([]int64)
	return after[min(now, len(after)-1)]
}

// openIn are the phases of a job, modulo 64, that are not done in a node.
func (sp *layeredSearch) openIn(j int, node uint16) uint64 { return sp.open[j][node] }

// openPhases returns the open phases of all jobs, one bit each.
func (sp *layeredSearch) openPhases(ids []uint16) uint64 {
	open := uint64(0)
	for j, s := range ids {
		open |= sp.openIn(j, s)
	}
	return open
}

// remaining is a bound on what jobs still cost, in units.
func (sp *layeredSearch) remaining(o *potential, ids []uint16, now int) int64 {
	sum := int64(0)
	for j, s := range ids {
		sum += int64(o.tables[j].At(max(now, sp.relaxation.Arrival[j]), int32(s)))
	}
	return sum - sp.earningsAfter(o, sp.openPhases(ids), now)
}
