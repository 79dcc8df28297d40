package decoder

// A packing puts the copies of one slot on servers, first fit.
type packing struct {
	*Model
	free   []int64 // by server and resource
	most   []int64 // free on any server, at most, by block and resource
	top    []int64 // the same by class and resource
	placed []placement
	full   []int32 // phases that found no room for further copies: demands that are no less find none either
	slot   int32
	marks  []mark // by phase
}

// A placement is copies of a phase on a server.
type placement struct {
	phase, server, copies int32
	before                int32 // the phase's placement before, −1: none
}

// A cursor is a server, and the place of its kind in the order of a phase.
type cursor struct{ kind, server int32 }

// A mark is how far a phase is in the slot of that number.
type mark struct {
	slot   int32
	from   cursor // no server before has room
	last   int32  // placement
	copies int32
}

func newPacking(m *Model) packing {
	return packing{
		Model: m, free: make([]int64, len(m.room)), most: make([]int64, len(m.blocks)*m.width), top: make([]int64, len(m.scales)),
		marks: make([]mark, len(m.phases)),
	}
}

// open begins a slot.
func (p *packing) open() {
	copy(p.free, p.room)
	copy(p.most, p.roomiest)
	copy(p.top, p.largest)
	p.placed, p.full = p.placed[:0], p.full[:0]
	p.slot++
}

func (p *packing) within(sizes, room []int64) bool {
	for r, s := range sizes[:p.width] {
		if s > room[r] {
			return false
		}
	}
	return true
}

// anywhere reports whether some server may have room for a phase's demand.
func (p *packing) anywhere(f *phase) bool {
	for c := 0; c < len(p.top); c += p.width {
		if p.within(f.sizes[c:], p.top[c:]) {
			return true
		}
	}
	return false
}

// hopeless reports whether it is known that a demand finds no room.
func (p *packing) hopeless(demand []float64) bool {
next:
	for _, k := range p.full {
		for r, d := range p.phases[k].Demand {
			if d > demand[r] {
				continue next
			}
		}
		return true
	}
	return false
}

// put places up to want further copies of a phase with n tasks left, and returns their number.
func (p *packing) put(k int32, want, n int) int {
	f := &p.phases[k]
	if p.hopeless(f.Demand) {
		return 0
	}
	if !p.anywhere(f) {
		p.full = append(p.full, k)
		return 0
	}
	m := &p.marks[k]
	if m.slot != p.slot {
		*m = mark{slot: p.slot, last: -1}
	}
	perServer := n * p.in.MaxCopiesPerServer
	capped := perServer < min(f.crowded, n*int(f.copies))
	done, w := 0, p.width
	leading := true // all servers so far are full
	for c, ok := p.next(f, m.from); ok && done < want; c, ok = p.next(f, cursor{c.kind, c.server + 1}) {
		v := int(c.server)
		free, sizes := p.free[v*w:(v+1)*w], f.sizes[int(p.blocks[p.blockOf[v]].class)*w:]
		fits := p.fitting(free, sizes, want-done)
		room := fits
		if capped {
			fits = min(fits, perServer-p.on(m, c.server))
		}
		if leading && (fits < room || done+fits == want) {
			m.from, leading = c, false
		}
		if fits == 0 {
			continue
		}
		done += fits
		for r := range free {
			free[r] -= int64(fits) * sizes[r]
		}
		p.placed = append(p.placed, placement{k, c.server, int32(fits), m.last})
		m.last = int32(len(p.placed) - 1)
	}
	m.copies += int32(done)
	if leading && done < want {
		p.full = append(p.full, k)
		highest(p.Model, p.most, p.top)
	}
	return done
}

// on counts the copies of a phase on a server.
func (p *packing) on(m *mark, server int32) int {
	n := 0
	for i := m.last; i >= 0; i = p.placed[i].before {
		if p.placed[i].server == server {
			n += int(p.placed[i].copies)
		}
	}
	return n
}

// next is the first server from a cursor on with room for a phase's demand.
func (p *packing) next(f *phase, c cursor) (at cursor, ok bool) {
	w, v := p.width, int(c.server)
	for i := int(c.kind); i < len(f.kinds); i++ {
		kind := f.kinds[i]
		v = max(v, int(p.kinds[kind]))
		sizes := f.sizes[int(p.blocks[p.blockOf[p.kinds[kind]]].class)*w:]
		for until := int(p.kinds[kind+1]); v < until; {
			b := int(p.blockOf[v])
			to := min(int(p.blocks[b].to), until)
			if p.within(sizes, p.most[b*w:]) {
				for ; v < to; v++ {
					if p.within(sizes, p.free[v*w:]) {
						return cursor{int32(i), int32(v)}, true
					}
				}
				p.roomIn(b, p.free, p.most)
			}
			v = to
		}
		v = 0
	}
	return c, false
}
