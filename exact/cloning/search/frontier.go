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
	ids    []uint16 // by state and job
	arcs   []uint16 // by state and job, the last slot's
	cost   []int32
	starts []int32 // sum of all copies' starts, to settle ties of nonpreemptive schedules
	parent []int32
	bound  []int64 // in units
	dual   []int32 // the prices that the bound is by
}

// add adds a state.
func (f *frontier) add(ids, arcs []uint16, cost, starts, parent int32, bound int64, dual int32) {
	f.ids, f.arcs = append(f.ids, ids...), append(f.arcs, arcs...)
	f.cost, f.starts = append(f.cost, cost), append(f.starts, starts)
	f.parent, f.bound, f.dual = append(f.parent, parent), append(f.bound, bound), append(f.dual, dual)
}

// cut forgets the states from the k-th on.
func (f *frontier) cut(k, n int) {
	f.ids, f.arcs, f.cost, f.starts = f.ids[:k*n], f.arcs[:k*n], f.cost[:k], f.starts[:k]
	f.parent, f.bound, f.dual = f.parent[:k], f.bound[:k], f.dual[:k]
}

// only is the front of some of the states.
func (f *frontier) only(order []int32, n, threads int) *frontier {
	k := len(order)
	c := &frontier{
		make([]uint16, k*n), make([]uint16, k*n), make([]int32, k), make([]int32, k),
		make([]int32, k), make([]int64, k), make([]int32, k),
	}
	ranges(threads, k, 4096, func(from, to int) {
		for at := from; at < to; at++ {
			i := int(order[at])
			copy(c.ids[at*n:(at+1)*n], f.ids[i*n:])
			copy(c.arcs[at*n:(at+1)*n], f.arcs[i*n:])
			c.cost[at], c.starts[at], c.parent[at], c.bound[at], c.dual[at] = f.cost[i], f.starts[i], f.parent[i], f.bound[i], f.dual[i]
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
	for i := range f.cost {
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
	for i := range o.cost {
		ids := o.ids[i*n : (i+1)*n]
		if k := f.find(ids); k >= 0 {
			f.merge(k, o, i, n)
			continue
		}
		if len(f.cost) >= room {
			f.left = min(f.left, o.bound[i])
			continue
		}
		at := f.place(ids)
		for f.table[at] >= 0 {
			at = (at + 1) & uint64(len(f.table)-1)
		}
		f.table[at] = int32(len(f.cost))
		f.add(ids, o.arcs[i*n:(i+1)*n], o.cost[i], o.starts[i], o.parent[i], o.bound[i], o.dual[i])
		if 2*len(f.cost) > len(f.table) {
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
	bound, known := o.bound[i]-int64(o.cost[i])*values.Unit, f.bound[k]-int64(f.cost[k])*values.Unit
	if bound > known {
		known, f.dual[k] = bound, o.dual[i]
	}
	c := cmp.Or(cmp.Compare(o.cost[i], f.cost[k]), cmp.Compare(o.starts[i], f.starts[k]), cmp.Compare(o.parent[i], f.parent[k]),
		slices.Compare(o.arcs[i*n:(i+1)*n], f.arcs[k*n:(k+1)*n])) // the first of ties, so that what verifies a proof takes the same
	if c < 0 {
		copy(f.arcs[k*n:(k+1)*n], o.arcs[i*n:])
		f.cost[k], f.starts[k], f.parent[k] = o.cost[i], o.starts[i], o.parent[i]
	}
	f.bound[k] = int64(f.cost[k])*values.Unit + known
}

// joined puts the shards of a moment together.
func joined(list []*shard, n int) *frontier {
	k := 0
	for _, s := range list {
		k += len(s.cost)
	}
	f := &frontier{
		make([]uint16, 0, k*n), make([]uint16, 0, k*n), make([]int32, 0, k), make([]int32, 0, k),
		make([]int32, 0, k), make([]int64, 0, k), make([]int32, 0, k),
	}
	for i, s := range list {
		f.ids, f.arcs = append(f.ids, s.ids...), append(f.arcs, s.arcs...)
		f.cost, f.starts = append(f.cost, s.cost...), append(f.starts, s.starts...)
		f.parent, f.bound, f.dual = append(f.parent, s.parent...), append(f.bound, s.bound...), append(f.dual, s.dual...)
		list[i] = nil
	}
	return f
}
