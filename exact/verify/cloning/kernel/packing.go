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
		if size == nil || list[i].apart && already == sp.In.MaxCopiesPerServer || !within(size, p.free[s], 1) || p.twin(from, s, here) {
			continue
		}
		add(p.free[s], size, -1)
		*servers = append(*servers, s)
		if p.try(list, i, n+1, s, already+1, servers) {
			return true
		}
		*servers = (*servers)[:len(*servers)-1]
		add(p.free[s], size, 1)
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

// within reports whether n copies fit into the free amounts.
func within(size, free []int64, n int64) bool {
	for r, d := range size {
		if d > free[r]/n {
			return false
		}
	}
	return true
}

// add adds n times the size of a copy.
func add(to, size []int64, n int64) {
	for r, d := range size {
		to[r] += n * d
	}
}

// Sets lists the maximal sets of copies that a server of a class holds in a slot, of phases that may run together; nil where
// there are more than limit, or to find them takes long.
func (sp *Space) Sets(class, limit int) [][]Buy {
	m := maximal{free: slices.Clone(sp.Classes[class].room), apart: sp.Apart, limit: limit, steps: 200 * limit}
	for k := range sp.Phases {
		ph := &sp.Phases[k]
		m.size = append(m.size, ph.size[class])
		m.most = append(m.most, ph.Tasks()*min(sp.In.MaxCopiesPerServer, len(ph.Gain)))
	}
	if !m.find() {
		return nil
	}
	list := make([][]Buy, len(m.list))
	for i, counts := range m.list {
		for k, n := range counts {
			if n > 0 {
				list[i] = append(list[i], Buy{int32(k), int32(n)})
			}
		}
	}
	return list
}

// Patterns lists the maximal numbers of copies of demands that a server of the class holds, at most so many of each; nil where there are
// more than limit, or to find them takes long.
func (c *Class) Patterns(demands [][]float64, most []int, limit int) [][]int {
	m := maximal{free: slices.Clone(c.room), most: most, limit: limit, steps: 100 * limit}
	for _, d := range demands {
		m.size = append(m.size, sizesOn(d, c.Capacity))
	}
	if !m.find() {
		return nil
	}
	return m.list
}

// maximal finds the maximal numbers of copies of some kinds that a server holds.
type maximal struct {
	size         [][]int64 // by kind; nil: none fits
	most         []int     // by kind
	free         []int64
	apart        []uint64 // by kind, those of up to 64 that it is never with; nil: all may be together
	limit, steps int      // at most
	now          []int
	list         [][]int
}

// find reports whether the list is whole.
func (m *maximal) find() bool {
	m.now = make([]int, len(m.size))
	return m.try(0) && len(m.list) <= m.limit
}

// further is how many more copies of kind k there may be.
func (m *maximal) further(k int) int {
	n := m.most[k] - m.now[k]
	if m.size[k] == nil {
		return 0
	}
	for q, other := range m.now {
		if m.apart != nil && other > 0 && m.apart[k]>>q&1 == 1 {
			return 0
		}
	}
	for r, d := range m.size[k] {
		if d > 0 {
			n = int(min(int64(n), m.free[r]/d))
		}
	}
	return n
}

func (m *maximal) put(k, n int) {
	m.now[k] += n
	add(m.free, m.size[k], -int64(n))
}

// try chooses the numbers of the kinds from k on.
func (m *maximal) try(k int) bool {
	m.steps--
	if m.steps < 0 || len(m.list) > m.limit {
		return false
	}
	if k == len(m.now) {
		for q := range m.now {
			if m.further(q) > 0 {
				return true
			}
		}
		m.list = append(m.list, slices.Clone(m.now))
		return true
	}
	m.put(k, m.further(k))
	for {
		if !m.try(k + 1) {
			return false
		}
		if m.now[k] == 0 {
			return true
		}
		m.put(k, -1)
	}
}
