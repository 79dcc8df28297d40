// Package anneal searches over schedules by simulated annealing. Kirkpatrick, Gelatt and Vecchi, Optimization by Simulated
// Annealing, Science 1983.
package anneal

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"time"
)

// A Schedule is changed by random moves. It draws them itself, so it knows which parts a move leaves unchanged and need not be
// evaluated again.
type Schedule interface {
	// Move undoes the last move unless Keep was called since, makes another one and returns the value after it. If that is larger
	// than limit, any number larger than limit will do.
	Move(random *rand.Rand, limit float64) float64
	// Keep makes the schedule of the last move the start of further moves.
	Keep()
	// Save stores the current schedule. Restore returns to the stored one.
	Save()
	Restore()
}

// A Search looks for a schedule of least value. Its result depends only on the generator, the schedule and the number of
// evaluations.
type Search struct {
	Rand        *rand.Rand
	Evaluations int // the most calls of Move
	Items       int // what moves choose among, such as jobs; the first annealing is longer the more there are
	// First and Last are the temperatures of an annealing at its beginning and end; 0: by what moves lose.
	First, Last float64
	// Hot is the first temperature over the median loss of moves where First is 0, for up to 20 items; 0: 0.3.
	Hot float64
	// Improved is called when the saved schedule is better than all before it. Calls are left out where they would take more than
	// a tenth of the time. Nil means no calls.
	Improved func(value float64)

	used    int
	at      Schedule
	low     float64
	began   time.Time
	telling time.Duration // time spent in Improved
}

// Run improves at, whose value is given, and leaves the best schedule in it, whose value it returns. It is false when ctx ended
// before the evaluations were used up.
//
// Annealings follow each other, each with growth times the evaluations of the one before and from the best schedule so far, so
// that whenever ctx ends, a fair share of the time went into one that came to its end. One that has not the time it needs until
// the deadline of ctx, if that has one, cools down by the clock.
func (s *Search) Run(ctx context.Context, at Schedule, value float64) (best float64, finished bool) {
	s.began, s.at, s.low = time.Now(), at, value
	at.Save()
	finished = true
	const growth = 3
	for length := 50*s.Items + 1000; finished && s.used < s.Evaluations; length *= growth {
		left := s.Evaluations - s.used
		if left < 2*length {
			length = left
		}
		finished = s.anneal(ctx, length)
		at.Restore()
	}
	return s.low, finished
}

// keep has the last move as the schedule that the search is at.
func (s *Search) keep(value float64) {
	s.at.Keep()
	if value >= s.low {
		return
	}
	s.low = value
	s.at.Save()
	if s.Improved == nil || s.telling > time.Since(s.began)/10 {
		return
	}
	began := time.Now()
	s.Improved(value)
	s.telling += time.Since(began)
}

// anneal makes length moves from the best schedule. It is false when ctx ended first.
func (s *Search) anneal(ctx context.Context, length int) bool {
	const (
		samples = 64   // moves that the temperatures are taken from
		cold    = 1e-4 // last temperature over the first
		slack   = 0.05 // share of the time that the clock may be ahead without counting
	)
	// First temperature over the median loss of these; where there is much to move, most of it is worth less than a move
	// drawn at random loses.
	hot := max(0.02, cmp.Or(s.Hot, 0.3)*min(1, 20/float64(s.Items)))
	value, first, last := s.low, s.First, s.Last
	if first == 0 {
		var losses []float64
		for range min(samples, length/4) {
			if ctx.Err() != nil {
				return false
			}
			s.used++
			length--
			if v := s.at.Move(s.Rand, math.Inf(1)); v > value {
				losses = append(losses, v-value)
			} else if v < value {
				s.keep(v)
				value = v
			}
		}
		if len(losses) > 0 {
			slices.Sort(losses)
			first = hot * losses[len(losses)/2]
			last = cold * first
		}
	}
	began, late := time.Now(), 0.
	end, limited := ctx.Deadline()
	for i := range length {
		if ctx.Err() != nil {
			return false
		}
		if limited && i%16 == 0 {
			late = float64(time.Since(began))/float64(end.Sub(began)) - slack
		}
		s.used++
		temperature := first * math.Pow(last/first, max(float64(i)/float64(length), late))
		if first == 0 {
			temperature = 0
		}
		limit := value - temperature*math.Log(1-s.Rand.Float64())
		if v := s.at.Move(s.Rand, limit); v <= limit {
			value = v
			s.keep(v)
		}
	}
	return true
}
