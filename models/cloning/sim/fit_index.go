package sim

import (
	"cmp"
	"math"
	"slices"
)

// A fitIndex holds entries by demand, so that the one with the best resource fit is found without a look at each: in strips of
// entries that demand about as much of the first resource, in which the demand of the second one falls.
type fitIndex struct {
	width     int
	blend     *blend // nil: the best fit alone
	items     []item
	live      int       // items that were not dropped
	demand    []float64 // by item and resource; +∞ for the first one of those that are out
	sorted    int       // items at the last arrange
	ends      []int     // of the strips, in items
	low, high []float64 // by strip and resource, the least and the most that any item demands or did
	heavy     []float64 // by strip, the greatest weight of any item
	soon      []float64 // by strip, the least key
}

type item struct {
	entry *entry // nil: dropped
	order int32  // in the queue
	next  int32  // no server before it has room
}

// The least numbers of items in a strip, and of about the same weight and key.
const (
	leastStrip = 8
	leastPart  = 64
)

func (s *fitIndex) reset(width int, blend *blend) {
	clear(s.items)
	s.width, s.blend, s.items, s.live = width, blend, s.items[:0], 0
}

// arrange makes the strips, each of about four times as many items as there are strips. Under Blend they are of items of about
// the same weight and key. No item is out.
func (s *fitIndex) arrange() {
	n := len(s.items)
	s.sorted, s.ends = n, s.ends[:0]
	part := max(1, n)
	if s.blend != nil {
		slices.SortFunc(s.items, func(a, b item) int { return cmp.Or(falling(a.entry.weight, b.entry.weight), int(a.order-b.order)) })
		part = max(leastPart, int(2*math.Pow(float64(n), 2./3)))
	}
	for alike := range slices.Chunk(s.items, part) {
		s.sort(alike, 0)
		for strip := range slices.Chunk(alike, max(leastStrip, int(2*math.Sqrt(float64(len(alike)))))) {
			s.sort(strip, min(1, s.width-1))
			s.ends = append(s.ends, len(strip))
			if last := len(s.ends) - 1; last > 0 {
				s.ends[last] += s.ends[last-1]
			}
		}
	}
	s.measure()
}

// measure takes the demands of the items as they are arranged, less those that were dropped. No other item is out.
func (s *fitIndex) measure() {
	items, ends := s.items, s.ends
	s.items, s.ends, s.low, s.high, s.demand = items[:0], ends[:0], s.low[:0], s.high[:0], s.demand[:0]
	s.heavy, s.soon = s.heavy[:0], s.soon[:0]
	from := 0
	for _, end := range ends {
		at, heavy, soon := len(s.demand), 0.0, math.Inf(1)
		for _, x := range items[from:end] {
			if n := x.entry; n != nil {
				s.items, s.demand = append(s.items, x), append(s.demand, n.demand...)
				heavy, soon = max(heavy, n.weight), min(soon, n.key)
			}
		}
		from = end
		if at == len(s.demand) {
			continue
		}
		last := len(s.low)
		first := s.demand[at : at+s.width]
		s.ends, s.low, s.high = append(s.ends, len(s.items)), append(s.low, first...), append(s.high, first...)
		s.heavy, s.soon = append(s.heavy, heavy), append(s.soon, soon)
		for i, d := range s.demand[at:] {
			r := last + i%s.width
			s.low[r], s.high[r] = min(s.low[r], d), max(s.high[r], d)
		}
	}
	clear(items[len(s.items):])
	s.live = len(s.items)
}

// sort has the demand of a resource fall.
func (s *fitIndex) sort(items []item, r int) {
	slices.SortFunc(items, func(a, b item) int { return falling(a.entry.demand[r], b.entry.demand[r]) })
}

// falling compares for descending order. There are no NaNs here, which cmp.Compare would look for.
func falling(a, b float64) int {
	if a > b {
		return -1
	}
	if a < b {
		return 1
	}
	return 0
}

// exclude puts an item out.
func (s *fitIndex) exclude(i int) { s.demand[i*s.width] = math.Inf(1) }

func (s *fitIndex) out(i int) bool { return math.IsInf(s.demand[i*s.width], 1) }

// restore takes back exclude.
func (s *fitIndex) restore(i int) { s.demand[i*s.width] = s.items[i].entry.demand[0] }

// drop removes an item.
func (s *fitIndex) drop(i int) {
	s.items[i].entry = nil
	s.live--
	s.exclude(i)
}

// compact removes dropped items if that pays, and reports whether it did. No other item may be taken out at the time.
func (s *fitIndex) compact() bool {
	if s.live == len(s.items) || s.live > len(s.items)*7/8 {
		return false
	}
	s.measure()
	if s.live <= s.sorted/2 {
		s.arrange()
	}
	return true
}

// least returns no more than any item demands of each resource, +∞ without any, in the given slice if it is large enough.
func (s *fitIndex) least(demand []float64) []float64 {
	demand = slices.Grow(demand[:0], s.width)[:s.width]
	for r := range demand {
		demand[r] = math.Inf(1)
	}
	for low := s.low; len(low) > 0; low = low[s.width:] {
		for r := range demand {
			demand[r] = min(demand[r], low[r])
		}
	}
	return demand
}

// A pick is the best found so far.
type pick struct {
	index *fitIndex // nil: nothing
	item  int
	order int32
	fit   float64
}

// best improves a pick among the items that are within room: by fit, or the sum of Blend, then by the queue's order.
func (s *fitIndex) best(p *pick, room, weights []float64) {
	if s.width != 2 { // few instances
		for i := range s.items {
			s.consider(p, i, room, weights)
		}
		return
	}
	r0, r1, w0, w1 := room[0], room[1], weights[0], weights[1]
	b0, b1 := max(0, w0), max(0, w1) // rounding may leave a little less than nothing free
	from := 0
	for x, end := range s.ends {
		low, high := s.low[2*x:2*x+2], s.high[2*x:2*x+2]
		d, at := s.demand[2*from:2*end], from
		from = end
		if low[0] > r0 || low[1] > r1 {
			continue
		}
		weight, second := s.blended(x)
		most := min(high[0], r0) * b0
		if weight*(most+min(high[1], r1)*b1)+second < p.fit {
			continue
		}
		for i := 0; i+1 < len(d); i += 2 {
			d0, d1 := d[i], d[i+1]
			if weight*(most+d1*b1)+second < p.fit {
				break // so it is with later ones
			}
			if noneNegative(r0-d0, r1-d1, weight*(d0*b0+d1*b1)+second-p.fit) {
				s.offer(p, at+i/2, d0*w0+d1*w1)
			}
		}
	}
}

// blended returns the greatest weight and second term of any item of a strip.
func (s *fitIndex) blended(strip int) (weight, second float64) {
	if s.blend == nil {
		return 1, 0
	}
	return s.heavy[strip], max(0, s.blend.prefer(s.soon[strip]))
}

// noneNegative reports whether no argument is less than 0, with one branch rather than three that the processor cannot foresee.
// Others may be NaN when one is.
func noneNegative(a, b, c float64) bool {
	return int64(math.Float64bits(a)|math.Float64bits(b)|math.Float64bits(c)) >= 0
}

// consider is best of one item.
func (s *fitIndex) consider(p *pick, i int, room, weights []float64) {
	if d := s.demand[i*s.width : (i+1)*s.width]; within(d, room) {
		s.offer(p, i, fit(d, weights))
	}
}

func (s *fitIndex) offer(p *pick, i int, fit float64) {
	x := &s.items[i]
	if s.blend != nil {
		fit = x.entry.weight*fit + s.blend.prefer(x.entry.key)
	}
	if fit > p.fit || fit == p.fit && x.order < p.order {
		*p = pick{s, i, x.order, fit}
	}
}
