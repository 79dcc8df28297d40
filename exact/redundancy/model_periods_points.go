package redundancy

import (
	"cmp"
	"fmt"
	"slices"

	"schedgap/models/redundancy"
)

// decode runs the point's copies in its order of completions and arrivals until all jobs have arrived.
func (b *periodBuilder) decode(x []float64) (redundancy.Solution, error) {
	n := len(b.order)
	place := make([]int, n) // in the order of completions
	for i := range n {
		for j := i + 1; j < n; j++ {
			if x[b.ahead[i][j]] > 0.5 {
				place[j]++
			} else {
				place[i]++
			}
		}
	}
	var events []event
	var ends []int
	for k := range b.begins {
		for j := range n {
			if b.first[j] == k {
				events, ends = append(events, event{true, j}), append(ends, n+k-1)
			}
		}
		from := len(events)
		for j := range n {
			if k+1 < len(b.begins) && b.first[j] <= k && b.isThere(x, j, k) && !b.isThere(x, j, k+1) {
				events, ends = append(events, event{false, j}), append(ends, j)
			}
		}
		slices.SortFunc(events[from:], func(a, c event) int { return cmp.Compare(place[a.k], place[c.k]) })
		slices.SortFunc(ends[from:], func(a, c int) int { return cmp.Compare(place[a], place[c]) })
	}
	return runEvents(b.in, b.order, events, func(k, p int) int {
		for r, l := range b.choose[ends[p+1]][k] {
			if l >= 0 && x[l] > 0.5 {
				return r
			}
		}
		return 0
	})
}

func (b *periodBuilder) isThere(x []float64, j, k int) bool {
	return k <= b.first[j] || k < len(b.begins) && x[b.there[j][k]] > 0.5
}

// encode refuses what eventBuilder's refuses.
func (b *periodBuilder) encode(sol redundancy.Solution) ([]float64, error) {
	list, err := instants(b.in, b.order, sol, func(t float64) float64 { return (t - b.zero) / b.unit })
	if err != nil {
		return nil, err
	}
	n := len(b.order)
	x := make([]float64, len(b.m.Cols))
	for col, c := range b.m.Cols {
		if c.Lo == c.Hi {
			x[col] = c.Lo
		}
	}
	k, active, done := 0, make([]bool, n), make([]bool, n)
	for p, e := range list {
		if e.t > b.top {
			return nil, fmt.Errorf("redundancy: job %s completes after the model's horizon", b.id(e.k))
		}
		if active[e.k] = e.arrival; e.arrival {
			if b.first[e.k] > k {
				k++
				for j := range n {
					if active[j] && j != e.k && b.first[j] < k {
						x[b.there[j][k]] = 1
					}
				}
			}
		} else {
			x[b.end[e.k]] = e.t
			done[e.k] = true
			for j := e.k + 1; j < n; j++ {
				if !done[j] {
					x[b.ahead[e.k][j]] = 1
				}
			}
		}
		if p+1 < len(list) {
			b.encodePiece(x, sol, k, active, e, list[p+1])
		}
	}
	return x, nil
}

// encodePiece fills in the piece of period k from one instant to the next.
func (b *periodBuilder) encodePiece(x []float64, sol redundancy.Solution, k int, active []bool, e, next instant) {
	end, length := next.k, next.t-e.t
	if next.arrival {
		end = len(b.order) + k
	}
	if next.arrival && b.first[next.k] == k { // together with the one before
		return
	}
	alloc := allocations(sol, b.zero+b.unit*(e.t+next.t)/2)
	for _, p := range b.pieces {
		if p.period != k || p.end != end {
			continue
		}
		x[p.length] = length
		for j := range b.order {
			if !active[j] {
				continue
			}
			copies := alloc[b.order[j]].Copies
			if length <= tieTolerance {
				copies = 0
			}
			if copies == 0 && j == end { // it completes after no time
				copies = 1
			}
			x[p.hold[j][copies]] = length
			if choose := b.choose[end][j]; choose != nil && !b.last(p) {
				x[choose[copies]] = 1
			}
		}
	}
}
