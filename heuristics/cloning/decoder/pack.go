package decoder

// A packing puts the copies of one slot on servers, first fit.
type packing struct {
	*model
	free   []int64 // by server and resource
	most   []int64 // of free, by block and resource
	top    []int64 // of free, by class and resource
	placed []placement
	slot   int32
	marks  []mark // by phase
}

// A placement is copies of a phase on a server.
type placement struct {
	phase, server, copies int32
	before                int32 // the phase's placement before, −1: none
}

// A mark is how far a phase is in the slot of that number.
type mark struct {
	slot   int32
	from   int32 // no server before has room
	last   int32 // placement
	copies int32
}

func newPacking(m *model) packing {
	return packing{
		model: m, free: make([]int64, len(m.room)), most: make([]int64, len(m.blocks)*m.width), top: make([]int64, len(m.scales)),
		marks: make([]mark, len(m.phases)),
	}
}

// open begins a slot.
func (p *packing) open() {
	copy(p.free, p.room)
	p.placed = p.placed[:0]
	p.slot++
	for b := range p.blocks {
		p.measureBlock(b)
	}
	p.measureTop()
}

func (p *packing) measureBlock(b int) {
	w := p.width
	most := p.most[b*w : (b+1)*w]
	clear(most)
	for at := int(p.blocks[b].from) * w; at < int(p.blocks[b].to)*w; at += w {
		for r, f := range p.free[at : at+w] {
			most[r] = max(most[r], f)
		}
	}
}

func (p *packing) measureTop() {
	w := p.width
	clear(p.top)
	for b := range p.blocks {
		top := p.top[int(p.blocks[b].class)*w:]
		for r, f := range p.most[b*w : (b+1)*w] {
			top[r] = max(top[r], f)
		}
	}
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

// put places up to want further copies of a phase of which n tasks are left, and returns how many.
func (p *packing) put(k int32, want, n int) int {
	f := &p.phases[k]
	if !p.anywhere(f) {
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
	for v := p.next(f, int(m.from)); v < len(p.servers) && done < want; v = p.next(f, v+1) {
		b := int(p.blockOf[v])
		free, sizes := p.free[v*w:(v+1)*w], f.sizes[int(p.blocks[b].class)*w:]
		fits := p.fitting(free, sizes, want-done)
		room := fits
		if capped {
			fits = min(fits, perServer-p.on(m, int32(v)))
		}
		if leading && (fits < room || done+fits == want) {
			m.from, leading = int32(v), false
		}
		if fits == 0 {
			continue
		}
		done += fits
		for r := range free {
			free[r] -= int64(fits) * sizes[r]
		}
		p.measureBlock(b)
		p.placed = append(p.placed, placement{k, int32(v), int32(fits), m.last})
		m.last = int32(len(p.placed) - 1)
	}
	if leading {
		m.from = int32(len(p.servers))
	}
	m.copies += int32(done)
	if done > 0 {
		p.measureTop()
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

// next is the first server from one on with room for a phase's demand, or their number.
func (p *packing) next(f *phase, v int) int {
	w := p.width
	for v < len(p.servers) {
		b := int(p.blockOf[v])
		sizes := f.sizes[int(p.blocks[b].class)*w:]
		to := int(p.blocks[b].to)
		if p.within(sizes, p.most[b*w:]) {
			for ; v < to; v++ {
				if p.within(sizes, p.free[v*w:]) {
					return v
				}
			}
		}
		v = to
	}
	return v
}
