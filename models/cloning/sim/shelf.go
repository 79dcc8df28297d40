package sim

import (
	"cmp"
	"math"
	"slices"
)

// A shelf holds entries by demand, so that the one with the best resource fit is found without a look at each: in blocks of
// entries of like demands, which know the least and the most that any of theirs demands.
type shelf struct {
	width     int
	items     []item
	live      int       // items that were not dropped
	demand    []float64 // by item and resource; +∞ of those that are out
	low, high []float64 // by block and resource, of those that are not out; +∞ and 0 without any
}

type item struct {
	entry *entry // nil: dropped
	order int32  // in the queue
	next  int32  // no server before it has room
}

// shelfBlock is the number of items in a block.
const shelfBlock = 8

func (s *shelf) reset(width int) {
	clear(s.items)
	s.width, s.items, s.live = width, s.items[:0], 0
}

// arrange sorts the items, large demands first: by the first resource into strips, these by the second one.
func (s *shelf) arrange() {
	if n := len(s.items); n > 2*shelfBlock {
		by := func(r int) func(a, b item) int {
			return func(a, b item) int { return cmp.Compare(b.entry.demand[r], a.entry.demand[r]) }
		}
		slices.SortFunc(s.items, by(0))
		if s.width > 1 {
			strip := shelfBlock * int(math.Ceil(math.Sqrt(float64(n)/shelfBlock)))
			for part := range slices.Chunk(s.items, strip) {
				slices.SortFunc(part, by(1))
			}
		}
	}
	s.index()
}

// index makes the blocks. No item is out.
func (s *shelf) index() {
	s.live, s.demand = len(s.items), s.demand[:0]
	for i := range s.items {
		s.demand = append(s.demand, s.items[i].entry.demand...)
	}
	blocks := (s.live + shelfBlock - 1) / shelfBlock
	s.low = slices.Grow(s.low[:0], blocks*s.width)[:blocks*s.width]
	s.high = slices.Grow(s.high[:0], blocks*s.width)[:blocks*s.width]
	for b := range blocks {
		s.pull(b)
	}
}

// pull renews a block.
func (s *shelf) pull(b int) {
	w := s.width
	low, high := s.low[b*w:(b+1)*w], s.high[b*w:(b+1)*w]
	for r := range low {
		low[r], high[r] = math.Inf(1), 0
	}
	d := s.demand[b*shelfBlock*w : min(len(s.demand), (b+1)*shelfBlock*w)]
	for ; len(d) > 0; d = d[w:] {
		if math.IsInf(d[0], 1) {
			continue
		}
		for r := range low {
			low[r], high[r] = min(low[r], d[r]), max(high[r], d[r])
		}
	}
}

// exclude puts an item out.
func (s *shelf) exclude(i int) {
	s.demand[i*s.width] = math.Inf(1)
	s.pull(i / shelfBlock)
}

func (s *shelf) out(i int) bool { return math.IsInf(s.demand[i*s.width], 1) }

// restore takes back exclude.
func (s *shelf) restore(i int) {
	s.demand[i*s.width] = s.items[i].entry.demand[0]
	s.pull(i / shelfBlock)
}

// drop puts an item out for good.
func (s *shelf) drop(i int) {
	s.items[i].entry = nil
	s.live--
	s.exclude(i)
}

// compact removes what was dropped if it is most of the shelf. No other item is out.
func (s *shelf) compact() {
	if len(s.items) >= 2*shelfBlock && s.live <= len(s.items)/2 {
		s.items = slices.DeleteFunc(s.items, func(x item) bool { return x.entry == nil })
		s.index()
	}
}

// least returns the least that any item demands of each resource, in the given slice if it is large enough.
func (s *shelf) least(demand []float64) []float64 {
	demand = append(demand[:0], s.low[:s.width]...)
	for low := s.low[s.width:]; len(low) > 0; low = low[s.width:] {
		for r := range demand {
			demand[r] = min(demand[r], low[r])
		}
	}
	return demand
}

// A pick is the best found so far.
type pick struct {
	shelf *shelf // nil: nothing
	item  int
	order int32
	fit   float64
}

// best improves a pick among the items that are within room: by fit, then by the queue's order.
func (s *shelf) best(p *pick, room, weights []float64) {
	if s.width == 2 { // most instances
		s.bestOfTwo(p, room, weights)
		return
	}
	w := s.width
	for b := 0; b*w < len(s.low); b++ {
		low, high := s.low[b*w:(b+1)*w], s.high[b*w:(b+1)*w]
		bound := 0.0
		for r, d := range high {
			bound += d * max(0, weights[r])
		}
		if bound < p.fit || !within(low, room) {
			continue
		}
		for i := b * shelfBlock; i < min(len(s.items), (b+1)*shelfBlock); i++ {
			s.consider(p, i, room, weights)
		}
	}
}

// bestOfTwo is best with two resources.
func (s *shelf) bestOfTwo(p *pick, room, weights []float64) {
	r0, r1, w0, w1 := room[0], room[1], weights[0], weights[1]
	low, high := s.low, s.high[:len(s.low)]
	b0, b1 := max(0, w0), max(0, w1) // rounding may leave a little less than nothing free
	for b := 0; b+1 < len(low); b += 2 {
		if low[b] > r0 || low[b+1] > r1 || high[b]*b0+high[b+1]*b1 < p.fit {
			continue
		}
		d := s.demand[b*shelfBlock : min(len(s.demand), (b+2)*shelfBlock)]
		for i := 0; i+1 < len(d); i += 2 {
			if d0, d1 := d[i], d[i+1]; d0 <= r0 && d1 <= r1 {
				if f := d0*w0 + d1*w1; f >= p.fit {
					s.offer(p, (b*shelfBlock+i)/2, f)
				}
			}
		}
	}
}

// consider is best of one item.
func (s *shelf) consider(p *pick, i int, room, weights []float64) {
	if d := s.demand[i*s.width : (i+1)*s.width]; within(d, room) {
		s.offer(p, i, fit(d, weights))
	}
}

func (s *shelf) offer(p *pick, i int, fit float64) {
	if order := s.items[i].order; fit > p.fit || fit == p.fit && order < p.order {
		*p = pick{s, i, order, fit}
	}
}
