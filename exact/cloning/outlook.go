package cloning

import (
	"sync"
	"sync/atomic"

	"schedgap/exact/cloning/values"
)

// An outlook is prices with what follows from them. Threads share it.
type outlook struct {
	prices values.Prices
	tables []*values.Table
	from   int // moment from which it holds
	worths worths
}

func (sp *sweep) outlook(prices values.Prices, from int) *outlook {
	o := &outlook{prices: prices, tables: sp.market.Tables(prices, from), from: from}
	o.worths.table.Store(&[]atomic.Pointer[worth]{{}, {}, {}, {}})
	return o
}

// worthAfter is what the servers are worth after a moment to the open phases.
func (sp *sweep) worthAfter(o *outlook, open uint64, now int) int64 {
	w := o.worths.find(open)
	if w == nil {
		var allow func(k int) bool
		if len(sp.v.phases) <= 64 {
			allow = func(k int) bool { return open>>k&1 == 1 }
		}
		w = o.worths.add(&worth{open, sp.market.Worth(o.prices, o.from, allow)})
	}
	return w.after[min(now, len(w.after)-1)]
}

// openIn are the phases of a job, modulo 64, that are not done in a node.
func (sp *sweep) openIn(j int, node uint16) uint64 { return sp.market.Graphs[j].Nodes[node].Open }

// rest is a bound on what jobs still cost, in units.
func (sp *sweep) rest(o *outlook, ids []uint16, now int) int64 {
	sum, open := int64(0), uint64(0)
	for j, s := range ids {
		sum += int64(o.tables[j].At(max(now, sp.market.Arrival[j]), int32(s)))
		open |= sp.openIn(j, s)
	}
	return sum - sp.worthAfter(o, open, now)
}

// A worth is what the servers are worth to some open phases, by moment in all slots after it.
type worth struct {
	open  uint64
	after []int64
}

// worths are a hash table that threads read without waiting for each other. A place once filled stays.
type worths struct {
	table atomic.Pointer[[]atomic.Pointer[worth]]
	sync.Mutex
	n int
}

func placeIn(table []atomic.Pointer[worth], open uint64) (at int, w *worth) {
	mask := len(table) - 1
	for at = int(open*0x9e3779b97f4a7c15>>40) & mask; ; at = (at + 1) & mask {
		if w = table[at].Load(); w == nil || w.open == open {
			return at, w
		}
	}
}

func (t *worths) find(open uint64) *worth {
	_, w := placeIn(*t.table.Load(), open)
	return w
}

// add returns w, or what another thread has added for the same phases.
func (t *worths) add(w *worth) *worth {
	t.Lock()
	defer t.Unlock()
	table := *t.table.Load()
	at, known := placeIn(table, w.open)
	if known != nil {
		return known
	}
	table[at].Store(w)
	if t.n++; 2*t.n > len(table) {
		larger := make([]atomic.Pointer[worth], 2*len(table))
		for i := range table {
			if w := table[i].Load(); w != nil {
				at, _ := placeIn(larger, w.open)
				larger[at].Store(w)
			}
		}
		t.table.Store(&larger)
	}
	return w
}
