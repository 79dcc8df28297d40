package verify

import (
	"cmp"
	"encoding/binary"
	"errors"
	"slices"
)

// errPacking ends a proof: whether copies fit could not be found out.
var errPacking = errors.New("whether copies fit on the servers takes too long to find out")

// Limits of the search for one packing, and of the sets that are kept.
const (
	packingSteps = 2_000_000
	packedSets   = 1 << 20
)

// A spaceRoom decides which sets of copies fit on the servers in one slot. Sets that do are numbered, 0 being the empty one, so that to
// add a task is mostly to look up a number.
type spaceRoom struct {
	sp    *CloningSpace
	rank  []int // of phases, the largest first
	item  []int // by phase, the place of one copy of a task among all additions
	items int
	sets  []packedSet
	at    map[string]int32
	free  [][]int64
	list  []packing // that is being placed
	steps int
	err   error
}

// A packedSet is a set of copies that fits.
type packedSet struct {
	list []packing
	with []int32 // by addition, the number of the set with it: −1 if that does not fit, 0 if it is not known
}

// A packing is a task's copies in a slot. Where a server may hold all copies of a task, those of a phase are one.
type packing struct{ phase, copies int }

func newSpaceRoom(sp *CloningSpace) *spaceRoom {
	r := &spaceRoom{sp: sp, rank: make([]int, len(sp.phases))}
	share := make([]float64, len(sp.phases))
	order := make([]int, len(sp.phases))
	for k := range sp.phases {
		order[k] = k
		r.item = append(r.item, r.items)
		r.items += len(sp.phases[k].gain)
		for c, size := range sp.phases[k].size {
			if size == nil {
				share[k]++
				continue
			}
			for i, d := range size {
				share[k] = max(share[k], float64(d)/float64(max(1, sp.rooms[c][i])))
			}
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(share[b], share[a]) })
	for i, k := range order {
		r.rank[k] = i
	}
	for range sp.servers {
		r.free = append(r.free, make([]int64, len(sp.in.Resources)))
	}
	r.reset()
	return r
}

// reset forgets the sets, all numbers but 0 with them, once there are many.
func (r *spaceRoom) reset() {
	if r.sets == nil || len(r.sets)*(r.items+20) > 20*packedSets {
		r.sets, r.at = []packedSet{{with: make([]int32, r.items)}}, map[string]int32{}
	}
}

// add is the number of a set with a task of phase k in so many copies, or −1 where that does not fit. After an err it means nothing.
func (r *spaceRoom) add(set int32, k int, copies uint8) int32 {
	at := r.item[k] + int(copies) - 1
	if known := r.sets[set].with[at]; known != 0 {
		return known
	}
	list := slices.Clone(r.sets[set].list)
	pooled := -1
	if r.sp.in.MaxCopiesPerServer >= len(r.sp.phases[k].gain) {
		pooled = slices.IndexFunc(list, func(p packing) bool { return p.phase == k })
	}
	if pooled >= 0 {
		list[pooled].copies += int(copies)
	} else {
		list = append(list, packing{k, int(copies)})
	}
	slices.SortFunc(list, func(a, b packing) int { return cmp.Or(r.rank[a.phase]-r.rank[b.phase], b.copies-a.copies) })
	key := make([]byte, 0, 8*len(list))
	for _, p := range list {
		key = binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(key, uint32(p.phase)), uint32(p.copies))
	}
	number, ok := r.at[string(key)]
	if !ok {
		number = -1
		if r.list = list; r.fit() {
			number = int32(len(r.sets))
			r.sets = append(r.sets, packedSet{list, make([]int32, r.items)})
		}
		r.at[string(key)] = number
	}
	r.sets[set].with[at] = number
	return number
}

// fits reports whether the tasks, by phase, can run in so many copies in one slot. After an err it means nothing.
func (r *spaceRoom) fits(phases []int, copies []uint8) bool {
	r.reset()
	set := int32(0)
	for q, n := range copies {
		if n > 0 {
			if set = r.add(set, phases[q], n); set < 0 {
				return false
			}
		}
	}
	return true
}

// fit searches servers for the list.
func (r *spaceRoom) fit() bool {
	for _, g := range r.sp.gauges {
		sum := int64(0)
		for _, p := range r.list {
			sum += g.weight[p.phase] * int64(p.copies)
		}
		if sum > g.capacity {
			return false
		}
	}
	for s := range r.free {
		copy(r.free[s], r.sp.rooms[r.sp.servers[s]])
	}
	r.steps = packingSteps
	return r.place(0, 0, 0, 0)
}

// place puts copy n of packing i and all after it on servers from the given one on, which holds so many copies of i already.
func (r *spaceRoom) place(i, n, from, here int) bool {
	if i == len(r.list) {
		return true
	}
	p := r.list[i]
	if n == p.copies {
		return r.place(i+1, 0, 0, 0)
	}
	if r.steps--; r.steps < 0 {
		r.err = errPacking
		return false
	}
	sp := r.sp
	ph := &sp.phases[p.phase]
	apart := sp.in.MaxCopiesPerServer < len(ph.gain)
	for s := from; s < len(r.free); s++ {
		already := 0
		if s == from {
			already = here
		}
		size := ph.size[sp.servers[s]]
		if size == nil || apart && already == sp.in.MaxCopiesPerServer || !within(size, r.free[s]) || r.twin(from, s, here) {
			continue
		}
		for q, d := range size {
			r.free[s][q] -= d
		}
		if r.place(i, n+1, s, already+1) {
			return true
		}
		for q, d := range size {
			r.free[s][q] += d
		}
	}
	return false
}

// twin reports whether a server from the given one on, in which as much is free, was tried before s. The given one counts only
// when it holds no copy of the same task.
func (r *spaceRoom) twin(from, s, here int) bool {
	for q := from; q < s; q++ {
		if (q > from || here == 0) && r.sp.servers[q] == r.sp.servers[s] && slices.Equal(r.free[q], r.free[s]) {
			return true
		}
	}
	return false
}

func within(size, free []int64) bool {
	for r, d := range size {
		if d > free[r] {
			return false
		}
	}
	return true
}
