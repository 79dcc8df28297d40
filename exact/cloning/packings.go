package cloning

import (
	"encoding/binary"
	"slices"

	"schedgap/exact/cloning/values"
)

// packings are the sets of copies that the cluster holds in a slot, numbered as they come up. Set 0 is empty.
type packings struct {
	*packer
	st     *states
	market *values.Market
	item   []int32 // by phase, its first item
	of     []demand
	sets   [][]int32 // by set, its items in order
	at     map[string]int32
	next   []int32    // by set and item: the set with it, none, or unknown
	less   []int32    // by set and item: the set without one of it, or unknown
	known  [][][]move // by job and node
	list   []demand
}

// maxSetCells bounds sets times items.
const maxSetCells = 40_000_000

// An item is a task of a phase in some copies.
const (
	noSet   = -1
	unknown = -2
)

// A move is what an arc runs, and what else would bring the job further.
type move struct {
	items  []int32
	adds   []int32
	raises []raise
}

// A raise is a task in more copies.
type raise struct{ from, to int32 }

func newPackings(st *states, m *values.Market) *packings {
	p := &packings{packer: newPacker(st.v, st.gauges), st: st, market: m, at: map[string]int32{}}
	for k := range st.v.phases {
		p.item = append(p.item, int32(len(p.of)))
		for r := range st.v.phases[k].most {
			p.of = append(p.of, demand{k, r + 1})
		}
	}
	for _, g := range m.Graphs {
		p.known = append(p.known, make([][]move, len(g.Nodes)))
	}
	p.number(nil)
	return p
}

func (p *packings) number(items []int32) int32 {
	key := make([]byte, 0, 64)
	for _, i := range items {
		key = binary.LittleEndian.AppendUint32(key, uint32(i))
	}
	id, ok := p.at[string(key)]
	if !ok {
		id = int32(len(p.sets))
		p.at[string(key)] = id
		p.sets = append(p.sets, items)
		for range p.of {
			p.next, p.less = append(p.next, unknown), append(p.less, unknown)
		}
	}
	return id
}

// add returns a set with one more item, noSet if the cluster does not hold it or set is noSet itself.
func (p *packings) add(set, item int32) int32 {
	if set < 0 {
		return noSet
	}
	at := int(set)*len(p.of) + int(item)
	if p.next[at] == unknown {
		if len(p.next) > maxSetCells {
			p.gaveUp = true
			return noSet
		}
		items := slices.Clone(p.sets[set])
		i, _ := slices.BinarySearch(items, item)
		items = slices.Insert(items, i, item)
		p.list = p.list[:0]
		for _, i := range items {
			p.list = append(p.list, p.of[i])
		}
		next := int32(noSet)
		if p.fits(p.list) {
			next = p.number(items)
		}
		p.next[at] = next
	}
	return p.next[at]
}

func (p *packings) addAll(set int32, items []int32) int32 {
	for _, i := range items {
		if set = p.add(set, i); set < 0 {
			break
		}
	}
	return set
}

// swap returns a set without one of an item that it holds.
func (p *packings) swap(set, item int32) int32 {
	at := int(set)*len(p.of) + int(item)
	if p.less[at] == unknown {
		items := slices.Clone(p.sets[set])
		i, _ := slices.BinarySearch(items, item)
		less := p.number(slices.Delete(items, i, i+1))
		p.less[at] = less
	}
	return p.less[at]
}

// moves are the moves of a node's arcs.
func (p *packings) moves(j int, node uint16) []move {
	if list := p.known[j][node]; list != nil {
		return list
	}
	g := p.market.Graphs[j]
	arcs := g.Nodes[node].Arcs
	list := make([]move, len(arcs))
	for a := range arcs {
		m := &list[a]
		for i, r := range arcs[a].Copies {
			if r > 0 && g.Servers == 1 {
				m.items = append(m.items, p.itemOf(j, g.Phase[i], r))
			}
		}
		for b := range arcs {
			if g.Servers > 1 || !ahead(g, arcs[b].Next, arcs[a].Next) || arcs[a].Next == arcs[b].Next {
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
	p.known[j][node] = list
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
