package cloning

import (
	"encoding/binary"
	"slices"
	"sync"
	"sync/atomic"

	"schedgap/exact/cloning/values"
)

// packings are the sets of copies that the cluster holds in a slot, each made when it comes up. Threads share them.
type packings struct {
	st     *states
	market *values.Market
	item   []int32 // by phase, its first item
	of     []demand
	empty  *set
	known  [][]atomic.Pointer[[]move] // by job and node

	sync.Mutex // guards what follows
	*packer
	at       map[string]*set
	list     []demand
	overflow bool // there were too many sets
}

// A set is items in order, and by item the set with it, noSet if the cluster does not hold that, and the set without one of it; nil: not
// known.
type set struct {
	items      []int32
	next, less []atomic.Pointer[set]
}

var noSet = &set{}

// maxSetCells bounds sets times items.
const maxSetCells = 20_000_000

// A move is what an arc runs, and what else would bring the job further.
type move struct {
	starts []start // nonpreemptive
	items  []int32 // a task of a phase in some copies, each
	adds   []int32
	raises []raise
}

// A raise is a task in more copies.
type raise struct{ from, to int32 }

func newPackings(st *states, m *values.Market) *packings {
	p := &packings{packer: newPacker(st.v, st.gauges), st: st, market: m, at: map[string]*set{}}
	for k := range st.v.phases {
		p.item = append(p.item, int32(len(p.of)))
		for r := range st.v.phases[k].most {
			p.of = append(p.of, demand{k, r + 1})
		}
	}
	for _, g := range m.Graphs {
		p.known = append(p.known, make([]atomic.Pointer[[]move], len(g.Nodes)))
	}
	p.empty = p.setOf(nil)
	return p
}

// setOf is the set of some items, which the caller has locked out others for.
func (p *packings) setOf(items []int32) *set {
	key := make([]byte, 0, 64)
	for _, i := range items {
		key = binary.LittleEndian.AppendUint32(key, uint32(i))
	}
	s, ok := p.at[string(key)]
	if !ok {
		s = &set{items, make([]atomic.Pointer[set], len(p.of)), make([]atomic.Pointer[set], len(p.of))}
		p.at[string(key)] = s
	}
	return s
}

// add returns a set with one more item, nil if the cluster does not hold it or there was none before.
func (p *packings) add(s *set, item int32) *set {
	if s == nil {
		return nil
	}
	next := s.next[item].Load()
	if next == nil {
		next = p.find(s, item)
	}
	if next == noSet {
		return nil
	}
	return next
}

func (p *packings) find(s *set, item int32) *set {
	p.Lock()
	defer p.Unlock()
	if len(p.at)*len(p.of) > maxSetCells {
		p.overflow = true
		return noSet
	}
	i, _ := slices.BinarySearch(s.items, item)
	items := slices.Insert(slices.Clone(s.items), i, item)
	p.list = p.list[:0]
	for _, i := range items {
		p.list = append(p.list, p.of[i])
	}
	next := noSet
	if p.fits(p.list) {
		next = p.setOf(items)
	}
	s.next[item].Store(next)
	return next
}

func (p *packings) addAll(s *set, items []int32) *set {
	for _, i := range items {
		if s = p.add(s, i); s == nil {
			break
		}
	}
	return s
}

// swap returns a set without one of an item that it holds.
func (p *packings) swap(s *set, item int32) *set {
	less := s.less[item].Load()
	if less == nil {
		p.Lock()
		defer p.Unlock()
		i, _ := slices.BinarySearch(s.items, item)
		less = p.setOf(slices.Delete(slices.Clone(s.items), i, i+1))
		s.less[item].Store(less)
	}
	return less
}

// moves are the moves of a node's arcs.
func (p *packings) moves(j int, node uint16) []move {
	if list := p.known[j][node].Load(); list != nil {
		return *list
	}
	g := p.market.Graphs[j]
	arcs := g.Nodes[node].Arcs
	list := make([]move, len(arcs))
	for a := range arcs {
		m := &list[a]
		if g.Nodes[node].Running != nil {
			m.starts = startsOf(p.market.First[j], g.Servers, g.Phase, g.Nodes[node].Running, arcs[a].Copies)
			continue
		}
		for i, r := range arcs[a].Copies {
			if r > 0 {
				m.items = append(m.items, p.itemOf(j, g.Phase[i], r))
			}
		}
		for b := range arcs {
			if !ahead(g, arcs[b].Next, arcs[a].Next) || arcs[a].Next == arcs[b].Next {
				continue
			}
			// A task in more copies, all others as they are.
			task := -1
			for i, r := range arcs[b].Copies {
				if was := arcs[a].Copies[i]; r < was || r > was && task >= 0 {
					task = -1
					break
				} else if r > was {
					task = i
				}
			}
			if task < 0 {
				continue
			}
			to := p.itemOf(j, g.Phase[task], arcs[b].Copies[task])
			if was := arcs[a].Copies[task]; was == 0 {
				m.adds = append(m.adds, to)
			} else {
				m.raises = append(m.raises, raise{p.itemOf(j, g.Phase[task], was), to})
			}
		}
	}
	p.known[j][node].Store(&list)
	return list
}

func (p *packings) itemOf(j, phase int, copies uint8) int32 {
	return p.item[p.market.First[j]+phase] + int32(copies) - 1
}

// ahead reports whether every task is as advanced in a node as in another.
func ahead(g *values.Graph, a, b int32) bool {
	pa, pb := g.Nodes[a].Progress, g.Nodes[b].Progress
	for i := range pa {
		if pa[i] < pb[i] {
			return false
		}
	}
	return true
}
