// Package anneal searches over priority orders, and options where a schedule needs more than an order, by simulated annealing.
// Kirkpatrick, Gelatt and Vecchi, Optimization by Simulated Annealing, Science 1983.
package anneal

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"time"
)

// A Point is what a schedule is built from.
type Point struct {
	Order  []int // every job once, the first in priority first
	Option []int // what else there is to choose, 0 ≤ Option[i] < Search.Options; nil: nothing
}

func (p Point) clone() Point { return Point{slices.Clone(p.Order), slices.Clone(p.Option)} }

func (p Point) set(q Point) {
	copy(p.Order, q.Order)
	copy(p.Option, q.Option)
}

// A Search is for a point of least value. The generator, the points and the number of evaluations determine what it finds.
type Search struct {
	Rand        *rand.Rand
	Evaluations int // the most calls of Value, those of Starts included; every start is evaluated
	Options     int // number of options of each choice
	// Value is the value of p. If it is larger than limit, any number larger than limit will do.
	Value func(p Point, limit float64) float64
	// Improved is called with points that are better than all before them, of all of them unless that would take more than a tenth
	// of the time; nil: nobody is. It must not keep p.
	Improved func(p Point, value float64)

	used    int
	best    Point
	low     float64
	began   time.Time
	telling time.Duration // time spent in Improved
}

// Run returns the best point and its value. It is false when ctx ended before the evaluations were used up.
//
// Annealings follow each other, each with growth times the evaluations of the one before and from the best point so far, so
// that whenever ctx ends, a fair share of the time went into one that came to its end.
func (s *Search) Run(ctx context.Context, starts ...Point) (best Point, value float64, finished bool) {
	s.began, s.low = time.Now(), math.Inf(1)
	for i, p := range starts {
		s.used++
		if v := s.Value(p, math.Inf(1)); i == 0 || v < s.low {
			s.keep(p, v)
		}
	}
	n := len(s.best.Order)
	if n < 2 && s.Options < 2 {
		return s.best, s.low, true
	}
	const growth = 3
	for length := 50*n + 1000; s.used < s.Evaluations; length *= growth {
		left := s.Evaluations - s.used
		if left < 2*length {
			length = left
		}
		if !s.anneal(ctx, length) {
			return s.best, s.low, false
		}
	}
	return s.best, s.low, true
}

func (s *Search) keep(p Point, v float64) {
	s.low = v
	if s.best.Order == nil {
		s.best = p.clone()
	} else {
		s.best.set(p)
	}
	if s.Improved == nil || s.telling > time.Since(s.began)/10 {
		return
	}
	at := time.Now()
	s.Improved(p, v)
	s.telling += time.Since(at)
}

// anneal makes length evaluations from the best point. It is false when ctx ended first.
func (s *Search) anneal(ctx context.Context, length int) bool {
	const (
		samples = 64   // moves that the temperatures are taken from
		hot     = 0.3  // first temperature over the median loss of these
		cold    = 1e-4 // last temperature over the first
	)
	at := s.best.clone()
	value := s.low
	var losses []float64
	for range min(samples, length/4) {
		if ctx.Err() != nil {
			return false
		}
		m := s.draw(at)
		m.do(at)
		s.used++
		length--
		v := s.Value(at, math.Inf(1))
		if v < s.low {
			s.keep(at, v)
		}
		if v > value {
			losses = append(losses, v-value)
		}
		m.undo(at)
	}
	temperature := 0.0
	if len(losses) > 0 {
		slices.Sort(losses)
		temperature = hot * losses[len(losses)/2]
	}
	at.set(s.best)
	value = s.low
	cooling := math.Pow(cold, 1/float64(max(1, length)))
	for range length {
		if ctx.Err() != nil {
			return false
		}
		m := s.draw(at)
		m.do(at)
		s.used++
		limit := value - temperature*math.Log(1-s.Rand.Float64())
		v := s.Value(at, limit)
		if v <= limit {
			value = v
			if v < s.low {
				s.keep(at, v)
			}
		} else {
			m.undo(at)
		}
		temperature *= cooling
	}
	return true
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

func (s *Search) draw(p Point) move {
	n := len(p.Order)
	kind := s.Rand.IntN(10)
	if s.Options > 1 && (kind < 3 || n < 2) {
		return move{kind: choose, from: s.Rand.IntN(len(p.Option)), by: 1 + s.Rand.IntN(s.Options-1), to: s.Options}
	}
	// Lengths are spread evenly over their logarithm: short moves refine, long ones explore.
	span := min(n, 2+int(math.Expm1(s.Rand.Float64()*math.Log(float64(n)))))
	from := s.Rand.IntN(n - span + 1)
	m := move{from: from, to: from + span}
	switch s.Rand.IntN(5) {
	case 0, 1:
		m.kind = swap
	case 2:
		m.kind, m.by = turn, 1
	case 3:
		m.kind, m.by = turn, span-1
	default:
		m.kind, m.by = turn, 1+s.Rand.IntN(span-1)
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
