package search

import (
	"cmp"
	"math"
	"slices"

	"schedgap/exact/cloning/values"
	"schedgap/exact/parallel"
)

// A frontier is the partial schedules of a moment.
type frontier struct {
	ids  []uint16 // by state and job
	arcs []uint16 // by state and job, the last slot's
	list []begun  // by state
}

// A begun is what else is known of a partial schedule.
type begun struct {
	cost   int32
	starts int32 // sum of all copies' starts, to settle ties of nonpreemptive schedules
	parent int32
	dual   int32 // the prices that the bound is by
	bound  int64 // in units
}

// add adds a state.
func (f *frontier) add(ids, arcs []uint16, b begun) {
	f.ids, f.arcs, f.list = append(f.ids, ids...), append(f.arcs, arcs...), append(f.list, b)
}

// cut forgets the states from the k-th on.
func (f *frontier) cut(k, n int) { f.ids, f.arcs, f.list = f.ids[:k*n], f.arcs[:k*n], f.list[:k] }

// leastBound is the least bound of states; the largest number of none.
func leastBound(list []begun) int64 {
	least := int64(math.MaxInt64)
	for i := range list {
		least = min(least, list[i].bound)
	}
	return least
}

// only is the front of some of the states.
func (f *frontier) only(order []int32, n, threads int) *frontier {
	k := len(order)
	c := &frontier{make([]uint16, k*n), make([]uint16, k*n), make([]begun, k)}
	ranges(threads, k, 4096, func(from, to int) {
		for at := from; at < to; at++ {
			i := int(order[at])
			copy(c.ids[at*n:(at+1)*n], f.ids[i*n:])
			copy(c.arcs[at*n:(at+1)*n], f.arcs[i*n:])
			c.list[at] = f.list[i]
		}
	})
	return c
}

// ranges calls work for the numbers below n, in parts of some width, on several threads.
func ranges(threads, n, width int, work func(from, to int)) {
	parallel.Each(threads, (n+width-1)/width, func(_, part int) { work(part*width, min(n, (part+1)*width)) })
}

// A shard holds the distinct states of a slot whose hash falls into it.
type shard struct {
	frontier
	left  int64   // least bound of those that there was no room for
	table []int32 // hash table of places, −1: free
}

// shards is the number of parts of a moment's states. They are put together in order, however many threads fill them.
const shards = 8

func newShard() *shard { return &shard{left: math.MaxInt64, table: slices.Repeat([]int32{-1}, 64)} }

func hash(ids []uint16) uint64 {
	h := uint64(14695981039346656037)
	for _, x := range ids {
		h = (h ^ uint64(x)) * 1099511628211
	}
	return h ^ h>>29
}

// place is where a search in the table begins.
func (f *shard) place(ids []uint16) uint64 { return hash(ids) / shards & uint64(len(f.table)-1) }

func (f *shard) grow(n int) {
	old := len(f.table)
	f.table = slices.Repeat([]int32{-1}, 2*old)
	for i := range f.list {
		at := f.place(f.ids[i*n : (i+1)*n])
		for f.table[at] >= 0 {
			at = (at + 1) & uint64(len(f.table)-1)
		}
		f.table[at] = int32(i)
	}
}

// take adds the states of another frontier, n jobs each, unless the same one is there at no more cost, or there are as many
// as room.
func (f *shard) take(o *frontier, n, room int) {
	for i := range o.list {
		ids := o.ids[i*n : (i+1)*n]
		if k := f.find(ids); k >= 0 {
			f.merge(k, o, i, n)
			continue
		}
		if len(f.list) >= room {
			f.left = min(f.left, o.list[i].bound)
			continue
		}
		at := f.place(ids)
		for f.table[at] >= 0 {
			at = (at + 1) & uint64(len(f.table)-1)
		}
		f.table[at] = int32(len(f.list))
		f.add(ids, o.arcs[i*n:(i+1)*n], o.list[i])
		if 2*len(f.list) > len(f.table) {
			f.grow(n)
		}
	}
}

func (f *shard) find(ids []uint16) int {
	n := len(ids)
	for at := f.place(ids); f.table[at] >= 0; at = (at + 1) & uint64(len(f.table)-1) {
		if i := int(f.table[at]); slices.Equal(f.ids[i*n:(i+1)*n], ids) {
			return i
		}
	}
	return -1
}

// merge takes state i of another frontier, which is the same as state k: the better beginning, and the better bound on the states
// still to come, which costs the same.
func (f *shard) merge(k int, o *frontier, i, n int) {
	old, now := &f.list[k], o.list[i]
	known := old.bound - int64(old.cost)*values.Unit
	if bound := now.bound - int64(now.cost)*values.Unit; bound > known {
		known, old.dual = bound, now.dual
	}
	c := cmp.Or(cmp.Compare(now.cost, old.cost), cmp.Compare(now.starts, old.starts), cmp.Compare(now.parent, old.parent),
		slices.Compare(o.arcs[i*n:(i+1)*n], f.arcs[k*n:(k+1)*n])) // the first of ties, so that what verifies a proof takes the same
	if c < 0 {
		copy(f.arcs[k*n:(k+1)*n], o.arcs[i*n:])
		old.cost, old.starts, old.parent = now.cost, now.starts, now.parent
	}
	old.bound = int64(old.cost)*values.Unit + known
}

// joined puts the shards of a moment together.
func joined(list []*shard, n int) *frontier {
	k := 0
	for _, s := range list {
		k += len(s.list)
	}
	f := &frontier{make([]uint16, 0, k*n), make([]uint16, 0, k*n), make([]begun, 0, k)}
	for i, s := range list {
		f.ids, f.arcs, f.list = append(f.ids, s.ids...), append(f.arcs, s.arcs...), append(f.list, s.list...)
		list[i] = nil
	}
	return f
}
