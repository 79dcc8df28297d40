package sim

import (
	"math"
	"slices"
)

// An entry is the tasks of a phase that have so many running copies, if there are any and they may have another.
type entry struct {
	place
	weight      float64
	demand      []float64
	count       int32
	first, last int32 // of the started tasks, in the order in which they came here
	queued      bool
	// fresh entries were not tried on all servers yet. The others can fit only on servers where copies ended.
	fresh bool
	// capped entries did not fit on some server with room for them, because their tasks had as many copies there as they may.
	capped bool
}

// A place says where an entry stands in the queue: by the rank, then the file's order.
type place struct {
	group              int
	key                float64
	job, phase, copies int32
}

// before reports whether p is before q.
func (p *place) before(q *place) bool {
	// One after the other: searches of the queue do little else.
	if p.group != q.group {
		return p.group < q.group
	}
	if p.key != q.key {
		return p.key < q.key
	}
	if p.job != q.job {
		return p.job < q.job
	}
	if p.phase != q.phase {
		return p.phase < q.phase
	}
	return p.copies < q.copies
}

// beforeAll is before the place of any entry.
var beforeAll = place{group: math.MinInt}

// behind is behind the places of a group.
func behind(group int) place { return place{group: group, key: math.Inf(1), job: math.MaxInt32} }

// A queue holds entries in order, in blocks that know the least demand in them, so that what cannot fit is skipped.
type queue struct {
	width  int
	blocks []*block
}

const blockSize = 64

type block struct {
	entries []*entry
	least   []float64 // by resource; −∞ when an entry is fresh
	stale   bool      // least is to be found again
}

func (b *block) renew() {
	if !b.stale {
		return
	}
	b.stale = false
	for r := range b.least {
		b.least[r] = math.Inf(1)
	}
	for _, e := range b.entries {
		b.include(e)
	}
}

func (b *block) include(e *entry) {
	for r, d := range e.demand {
		if e.fresh {
			d = math.Inf(-1)
		}
		b.least[r] = min(b.least[r], d)
	}
}

// find returns the block and the place in it of the first entry that is not before p.
func (q *queue) find(p *place) (b, i int) {
	// By hand: these two searches are a good part of a simulation.
	b, high := 0, len(q.blocks)
	for b < high {
		mid := int(uint(b+high) / 2)
		entries := q.blocks[mid].entries
		if entries[len(entries)-1].before(p) {
			b = mid + 1
		} else {
			high = mid
		}
	}
	if b == len(q.blocks) {
		return b, 0
	}
	entries := q.blocks[b].entries
	for high = len(entries); i < high; {
		mid := int(uint(i+high) / 2)
		if entries[mid].before(p) {
			i = mid + 1
		} else {
			high = mid
		}
	}
	return b, i
}

func (q *queue) insert(e *entry) {
	b, i := q.find(&e.place)
	if b == len(q.blocks) {
		if b == 0 {
			q.blocks = append(q.blocks, q.newBlock(nil))
		} else {
			b--
		}
		i = len(q.blocks[b].entries)
		if len(q.blocks) == 1 {
			b = 0
		}
	}
	blk := q.blocks[b]
	blk.entries = slices.Insert(blk.entries, i, e)
	blk.include(e)
	e.queued = true
	if n := len(blk.entries); n == blockSize {
		q.blocks = slices.Insert(q.blocks, b+1, q.newBlock(blk.entries[n/2:]))
		clear(blk.entries[n/2:])
		blk.entries, blk.stale = blk.entries[:n/2], true
	}
}

func (q *queue) newBlock(entries []*entry) *block {
	b := &block{entries: append(make([]*entry, 0, blockSize), entries...), least: make([]float64, q.width), stale: true}
	b.renew()
	return b
}

func (q *queue) remove(e *entry) {
	b, i := q.find(&e.place)
	blk := q.blocks[b]
	blk.entries = slices.Delete(blk.entries, i, i+1)
	blk.stale, e.queued = true, false
	if len(blk.entries) == 0 {
		q.blocks = slices.Delete(q.blocks, b, b+1)
	}
}

// setFresh changes whether e, which is queued, is to be tried on all servers.
func (q *queue) setFresh(e *entry, fresh bool) {
	if e.fresh != fresh {
		e.fresh = fresh
		b, _ := q.find(&e.place)
		q.blocks[b].stale = true
	}
}

// after yields the entries behind p that are fresh or whose demand is within room. The queue is not to change meanwhile.
func (q *queue) after(p place, room []float64) func(yield func(*entry) bool) {
	return func(yield func(*entry) bool) {
		b, i := q.find(&p)
		for ; b < len(q.blocks); b, i = b+1, 0 {
			blk := q.blocks[b]
			blk.renew()
			if !within(blk.least, room) {
				continue
			}
			for _, e := range blk.entries[i:] {
				if (e.fresh || within(e.demand, room)) && e.place != p && !yield(e) {
					return
				}
			}
		}
	}
}

// next returns the first of after, or nil.
func (q *queue) next(p place, room []float64) *entry {
	for e := range q.after(p, room) {
		return e
	}
	return nil
}
