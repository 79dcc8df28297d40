package anneal

import (
	"math"
	"math/rand/v2"
	"slices"
)

// A Point determines a schedule.
type Point struct {
	Order  []int // every job once, the first in priority first
	Option []int // what else there is to choose, 0 ≤ Option[i] < Listed.Options; nil: nothing
}

func (p Point) clone() Point { return Point{slices.Clone(p.Order), slices.Clone(p.Option)} }

func (p Point) set(q Point) {
	copy(p.Order, q.Order)
	copy(p.Option, q.Option)
}

// Listed is a Schedule that is built again from a priority order after each move.
type Listed struct {
	At      Point
	Options int // number of options of each choice
	// Value is the value of p, or if it is larger than limit any number larger than limit.
	Value func(p Point, limit float64) float64
	Focus []int // positions in the order; half of the moves begin or end at one of them. Nil: at any position
	From  int   // the first position that the last move changed

	saved   Point
	last    move
	pending bool // the last move was not kept
}

// Best is the listed schedule of the best of the points, and its value.
func Best(options int, value func(Point, float64) float64, points ...Point) (*Listed, float64) {
	l, low := &Listed{Options: options, Value: value}, math.Inf(1)
	for i, p := range points {
		if v := value(p, math.Inf(1)); i == 0 || v < low {
			l.At, low = p, v
		}
	}
	l.At = l.At.clone()
	return l, low
}

func (l *Listed) Keep() { l.pending = false }

func (l *Listed) Save() { l.saved = l.At.clone() }

func (l *Listed) Restore() {
	l.pending, l.From = false, 0
	l.At.set(l.saved)
}

func (l *Listed) Move(random *rand.Rand, limit float64) float64 {
	if l.pending {
		l.last.undo(l.At)
	}
	l.last, l.pending = l.draw(random), true
	l.last.do(l.At)
	l.From = l.last.from
	return l.Value(l.At, limit)
}

// A move changes a point: it swaps the jobs at positions from and to−1, turns the stretch of the order between them by by
// positions to the left, or gives a job another option.
type move struct {
	kind     moveKind
	from, to int
	by       int
}

type moveKind int8

const (
	swap moveKind = iota
	turn
	choose
)

func (l *Listed) draw(random *rand.Rand) move {
	n := len(l.At.Order)
	kind := random.IntN(10)
	if l.Options > 1 && (kind < 3 || n < 2) {
		return move{kind: choose, from: random.IntN(len(l.At.Option)), by: 1 + random.IntN(l.Options-1), to: l.Options}
	}
	// Lengths are spread evenly over their logarithm: short moves refine, long ones explore.
	span := min(n, 2+int(math.Expm1(random.Float64()*math.Log(float64(n)))))
	from := random.IntN(n - span + 1)
	if len(l.Focus) > 0 && random.IntN(2) == 0 {
		from = l.Focus[random.IntN(len(l.Focus))]
		if random.IntN(3) > 0 {
			from -= span - 1
		}
		from = min(max(from, 0), n-span)
	}
	m := move{from: from, to: from + span}
	switch random.IntN(5) {
	case 0, 1:
		m.kind = swap
	case 2:
		m.kind, m.by = turn, 1
	case 3:
		m.kind, m.by = turn, span-1
	default:
		m.kind, m.by = turn, 1+random.IntN(span-1)
	}
	return m
}

func (m move) do(p Point) {
	switch m.kind {
	case swap:
		p.Order[m.from], p.Order[m.to-1] = p.Order[m.to-1], p.Order[m.from]
	case turn:
		rotate(p.Order[m.from:m.to], m.by)
	case choose:
		p.Option[m.from] = (p.Option[m.from] + m.by) % m.to
	}
}

func (m move) undo(p Point) {
	switch m.kind {
	case turn:
		m.by = m.to - m.from - m.by
	case choose:
		m.by = m.to - m.by
	}
	m.do(p)
}

// rotate moves the first by elements behind the others.
func rotate(list []int, by int) {
	switch by {
	case 1:
		first := list[0]
		copy(list, list[1:])
		list[len(list)-1] = first
	case len(list) - 1:
		last := list[by]
		copy(list[1:], list)
		list[0] = last
	default:
		slices.Reverse(list[:by])
		slices.Reverse(list[by:])
		slices.Reverse(list)
	}
}
