package cloning

import (
	"sync"
	"sync/atomic"

	"schedgap/exact/cloning/values"
)

// A potential is prices with the values that they give to the nodes of the jobs' graphs and to the servers' time. Threads
// share it.
type potential struct {
	prices   values.Prices
	tables   []*values.Table
	from     int // moment from which it holds
	earnings earningsTable
}

func (sp *sweep) potential(prices values.Prices, from int) *potential {
	o := &potential{prices: prices, tables: sp.relaxation.Tables(prices, from), from: from}
	o.earnings.table.Store(&[]atomic.Pointer[earnings]{{}, {}, {}, {}})
	return o
}

// earningsAfter is what the servers are worth after a moment to the open phases.
func (sp *sweep) earningsAfter(o *potential, open uint64, now int) int64 {
	w := o.earnings.find(open)
	if w == nil {
		var allow func(k int) bool
		if len(sp.v.phases) <= 64 {
			allow = func(k int) bool { return open>>k&1 == 1 }
		}
		w = o.earnings.add(&earnings{open, sp.relaxation.Worth(o.prices, o.from, allow)})
	}
	return w.after[min(now, len(w.after)-1)]
}

// openIn are the phases of a job, modulo 64, that are not done in a node.
func (sp *sweep) openIn(j int, node uint16) uint64 { return sp.open[j][node] }

// openPhases returns the open phases of all jobs, one bit each.
func (sp *sweep) openPhases(ids []uint16) uint64 {
	open := uint64(0)
	for j, s := range ids {
		open |= sp.openIn(j, s)
	}
	return open
}

// rest is a bound on what jobs still cost, in units.
func (sp *sweep) rest(o *potential, ids []uint16, now int) int64 {
	sum := int64(0)
	for j, s := range ids {
		sum += int64(o.tables[j].At(max(now, sp.relaxation.Arrival[j]), int32(s)))
	}
	return sum - sp.earningsAfter(o, sp.openPhases(ids), now)
}

// Earnings are what the servers are worth to some open phases, by moment in all slots after it.
type earnings struct {
	open  uint64
	after []int64
}

// earnings are a hash table that threads read without waiting for each other. A place once filled stays.
type earningsTable struct {
	table atomic.Pointer[[]atomic.Pointer[earnings]]
	sync.Mutex
	n int
}

func placeIn(table []atomic.Pointer[earnings], open uint64) (at int, w *earnings) {
	mask := len(table) - 1
	for at = int(open*0x9e3779b97f4a7c15>>40) & mask; ; at = (at + 1) & mask {
		if w = table[at].Load(); w == nil || w.open == open {
			return at, w
		}
	}
}

func (t *earningsTable) find(open uint64) *earnings {
	_, w := placeIn(*t.table.Load(), open)
	return w
}

// add returns w, or what another thread has added for the same phases.
func (t *earningsTable) add(w *earnings) *earnings {
	t.Lock()
	defer t.Unlock()
	table := *t.table.Load()
	at, known := placeIn(table, w.open)
	if known != nil {
		return known
	}
	table[at].Store(w)
	if t.n++; 2*t.n > len(table) {
		larger := make([]atomic.Pointer[earnings], 2*len(table))
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
