package kernel

import (
	"cmp"
	"encoding/binary"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
)

// Packings find out which sets of copies fit on the servers in one slot. Each set is made when it comes up, so that to add a
// task is mostly to follow a pointer. Threads share them.
type Packings struct {
	Steps        int  // after which a search for a packing gives up
	GaveUp, Full bool // a search did, or there are too many sets: what does not fit is not known for certain any more
	Empty        *Set // the set without copies

	sp   *Space
	rank []int // of phases, the largest first
	item []int // by phase, its first item
	of   []Copies
	mu   sync.Mutex // guards what follows
	at   map[string]*Set
	free [][]int64
	left int
}

// Copies are a number of copies of one task in a slot, by the phase of the task.
type Copies struct{ Phase, N int }

// A Set is tasks in some copies each, as items in order; by item, the set with it, and by the item's place, the one without it.
type Set struct {
	items []int32
	next  links
	less  []atomic.Pointer[Set]
}

// links are sets by item, in chunks that are made when they are needed: of many items a set is mostly joined by few.
type links []atomic.Pointer[[chunk]atomic.Pointer[Set]]

const chunk = 64

func (l links) get(item int32) *Set {
	if c := l[item/chunk].Load(); c != nil {
		return c[item%chunk].Load()
	}
	return nil
}

func (l links) put(item int32, s *Set) {
	if l[item/chunk].Load() == nil {
		l[item/chunk].Store(new([chunk]atomic.Pointer[Set]))
	}
	l[item/chunk].Load()[item%chunk].Store(s)
}

// none is the set of copies that do not fit.
var none = &Set{}

// Limits of one search, and of sets times items.
const (
	packingSteps = 2_000_000
	mostItems    = 20_000_000
)

func (p *Packings) begin(sp *Space) {
	p.sp, p.Steps, p.at = sp, packingSteps, map[string]*Set{}
	share, order := make([]float64, len(sp.Phases)), make([]int, len(sp.Phases))
	p.rank = make([]int, len(sp.Phases))
	for k := range sp.Phases {
		order[k] = k
		p.item = append(p.item, len(p.of))
		for r := range sp.Phases[k].Gain {
			p.of = append(p.of, Copies{k, r + 1})
		}
		for c, size := range sp.Phases[k].size {
			if size == nil {
				share[k]++
			}
			for i, d := range size {
				share[k] = max(share[k], float64(d)/float64(max(1, sp.Classes[c].room[i])))
			}
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(share[b], share[a]) })
	for i, k := range order {
		p.rank[k] = i
	}
	for range sp.Servers {
		p.free = append(p.free, make([]int64, len(sp.In.Resources)))
	}
	p.Empty = p.set(nil)
}

// Err is why what does not fit is not known.
func (p *Packings) Err() error {
	if p.GaveUp || p.Full {
		return errors.New("whether copies fit on the servers takes too long to find out")
	}
	return nil
}

// Item names a task of a phase in n copies.
func (p *Packings) Item(phase, n int) int32 { return int32(p.item[phase] + n - 1) }

// set is the set of some items, for which others are locked out.
func (p *Packings) set(items []int32) *Set {
	key := make([]byte, 0, 64)
	for _, i := range items {
		key = binary.LittleEndian.AppendUint32(key, uint32(i))
	}
	s, ok := p.at[string(key)]
	if !ok {
		list := make([]Copies, len(items))
		for q, i := range items {
			list[q] = p.of[i]
		}
		s = none
		if p.place(list, nil) {
			s = &Set{items, make(links, len(p.of)/chunk+1), make([]atomic.Pointer[Set], len(items))}
		}
		p.at[string(key)] = s
	}
	return s
}

// With is a set with one more item, nil if that does not fit or there was no set.
func (p *Packings) With(s *Set, item int32) *Set {
	if s == nil || s == none {
		return nil
	}
	next := s.next.get(item)
	if next == nil {
		next = p.find(s, item)
	}
	if next == none {
		return nil
	}
	return next
}

func (p *Packings) find(s *Set, item int32) *Set {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.at)*len(p.of) > mostItems {
		p.Full = true
		return none
	}
	i, _ := slices.BinarySearch(s.items, item)
	next := p.set(slices.Insert(slices.Clone(s.items), i, item))
	s.next.put(item, next)
	return next
}

// WithAll is a set with more items.
func (p *Packings) WithAll(s *Set, items []int32) *Set {
	for _, i := range items {
		s = p.With(s, i)
		if s == nil {
			break
		}
	}
	return s
}

// Without is a set without one of an item that it holds.
func (p *Packings) Without(s *Set, item int32) *Set {
	i, _ := slices.BinarySearch(s.items, item)
	less := s.less[i].Load()
	if less == nil {
		p.mu.Lock()
		defer p.mu.Unlock()
		less = p.set(slices.Delete(slices.Clone(s.items), i, i+1))
		s.less[i].Store(less)
	}
	return less
}

// Place calls put with the place in the list and the server of every copy, and reports whether all fit.
func (p *Packings) Place(list []Copies, put func(i, server int)) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.place(list, put)
}

// A group is copies that need not be told apart: those of a phase, where a server may hold all copies of a task, otherwise those
// of a task.
type group struct {
	phase int
	apart bool
	of    []int // by copy, its place in the list
}

// place searches servers for all copies, the largest first, always in the same order.
func (p *Packings) place(list []Copies, put func(i, server int)) bool {
	var groups []group
	for i, c := range list {
		apart := p.sp.In.MaxCopiesPerServer < max(c.N, len(p.sp.Phases[c.Phase].Gain))
		at := slices.IndexFunc(groups, func(g group) bool { return g.phase == c.Phase && !apart })
		if at < 0 {
			at = len(groups)
			groups = append(groups, group{phase: c.Phase, apart: apart})
		}
		for range c.N {
			groups[at].of = append(groups[at].of, i)
		}
	}
	slices.SortStableFunc(groups, func(a, b group) int { return cmp.Or(p.rank[a.phase]-p.rank[b.phase], len(b.of)-len(a.of)) })
	for s := range p.free {
		copy(p.free[s], p.sp.Classes[p.sp.Servers[s]].room)
	}
	p.left = p.Steps
	var servers []int // by copy
	fits := p.try(groups, 0, 0, 0, 0, &servers)
	p.sp.Tries += p.Steps - p.left
	if !fits {
		return false
	}
	for _, g := range groups {
		for n, i := range g.of {
			if put != nil {
				put(i, servers[n])
			}
		}
		servers = servers[len(g.of):]
	}
	return true
}

// try puts copy n of group i and all after it on servers from the given one on, which holds so many copies of the group already.
func (p *Packings) try(list []group, i, n, from, here int, servers *[]int) bool {
	if i == len(list) {
		return true
	}
	if n == len(list[i].of) {
		return p.try(list, i+1, 0, 0, 0, servers)
	}
	p.left--
	if p.left < 0 {
		p.GaveUp = true
		return false
	}
	sp := p.sp
	for s := from; s < len(p.free); s++ {
		already := 0
		if s == from {
			already = here
		}
		size := sp.Phases[list[i].phase].size[sp.Servers[s]]
		if size == nil || list[i].apart && already == sp.In.MaxCopiesPerServer || !Within(size, p.free[s], 1) || p.twin(from, s, here) {
			continue
		}
		Add(p.free[s], size, -1)
		*servers = append(*servers, s)
		if p.try(list, i, n+1, s, already+1, servers) {
			return true
		}
		*servers = (*servers)[:len(*servers)-1]
		Add(p.free[s], size, 1)
	}
	return false
}

// twin reports whether a server from the given one on, in which as much is free, was tried before s. The given one counts only
// when it holds no copy of the same group.
func (p *Packings) twin(from, s, here int) bool {
	for q := from; q < s; q++ {
		if (q > from || here == 0) && p.sp.Servers[q] == p.sp.Servers[s] && slices.Equal(p.free[q], p.free[s]) {
			return true
		}
	}
	return false
}

// Within reports whether n copies fit into the free amounts.
func Within(size, free []int64, n int64) bool {
	for r, d := range size {
		if d > free[r]/n {
			return false
		}
	}
	return true
}

// Add adds n times the size of a copy.
func Add(to, size []int64, n int64) {
	for r, d := range size {
		to[r] += n * d
	}
}

// Sets lists the maximal sets of copies that a server of a class holds in a slot, of phases that may run together; nil where
// there are more than limit, or to find them takes long.
func (sp *Space) Sets(class, limit int) [][]Buy {
	var list [][]Buy
	now, free, steps := make([]int, len(sp.Phases)), slices.Clone(sp.Classes[class].room), 200*limit
	more := func(k int) bool {
		ph := &sp.Phases[k]
		most := ph.Tasks() * min(sp.In.MaxCopiesPerServer, len(ph.Gain))
		if size := ph.size[class]; size == nil || now[k] >= most || !Within(size, free, 1) {
			return false
		}
		for q, n := range now {
			if n > 0 && sp.Apart[k]>>q&1 == 1 {
				return false
			}
		}
		return true
	}
	put := func(k, n int) {
		now[k] += n
		Add(free, sp.Phases[k].size[class], -int64(n))
	}
	var try func(k int) bool
	try = func(k int) bool {
		steps--
		if steps < 0 || len(list) > limit {
			return false
		}
		if k == len(now) {
			var set []Buy
			for q, n := range now {
				if more(q) {
					return true
				}
				if n > 0 {
					set = append(set, Buy{int32(q), int32(n)})
				}
			}
			list = append(list, set)
			return true
		}
		for more(k) {
			put(k, 1)
		}
		for ; ; put(k, -1) {
			if !try(k + 1) {
				return false
			}
			if now[k] == 0 {
				return true
			}
		}
	}
	if !try(0) || len(list) > limit {
		return nil
	}
	return list
}

// Room is a server's capacity by resource.
func (sp *Space) Room(server int) []int64 { return slices.Clone(sp.Classes[sp.Servers[server]].room) }

// Size is the amount that a copy takes on a server; nil if it does not fit.
func (sp *Space) Size(phase, server int) []int64 { return sp.Phases[phase].size[sp.Servers[server]] }
