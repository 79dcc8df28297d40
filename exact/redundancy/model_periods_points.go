package redundancy

import (
	"cmp"
	"slices"

	"schedgap/exact/milp"
	"schedgap/models/redundancy"
)

// decode runs the point's copies in its order of completions and arrivals until all jobs have arrived.
func (b *periodBuilder) decode(x []float64) (redundancy.Solution, error) {
	return b.follow(x, func(k, end int) int { return milp.Chosen(x, b.choose[end][k]) })
}

// mostly runs a relaxation's order of completions and arrivals with its mean numbers of copies, rounded.
func (b *periodBuilder) mostly(x []float64) (redundancy.Solution, error) {
	n := len(b.order)
	copies := make([][]int, n+len(b.begins)) // by end and job
	for _, p := range b.pieces {
		if length := x[p.length]; length > 0 && copies[p.end] == nil {
			copies[p.end] = b.rounded(x, p)
		}
	}
	return b.follow(x, func(k, end int) int {
		if copies[end] == nil {
			return 0
		}
		return copies[end][k]
	})
}

// rounded are the copies of each job in a piece: their means, rounded down, and then one more for those that lose most.
func (b *periodBuilder) rounded(x []float64, p span) []int {
	free, copies, lost := b.in.Machines, make([]int, len(b.order)), make([]float64, len(b.order))
	give := func(j, more int) {
		copies[j], lost[j], free = copies[j]+more, lost[j]-float64(more), free-more
	}
	if p.end < len(b.order) {
		give(p.end, 1)
	}
	for j, hold := range p.hold {
		for r, tau := range hold {
			lost[j] += float64(r) * max(0, x[tau]) / x[p.length]
		}
		give(j, max(0, min(free, int(lost[j]+1e-6))))
	}
	for free > 0 && slices.Max(lost) > 1e-6 {
		give(slices.Index(lost, slices.Max(lost)), 1)
	}
	return copies
}

// follow runs copies, by job and the end of a piece, in a point's order of completions and arrivals.
func (b *periodBuilder) follow(x []float64, chosen func(k, end int) int) (redundancy.Solution, error) {
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
	for k := range b.begins {
		for j := range n {
			if b.first[j] == k {
				events = append(events, event{true, j})
			}
		}
		from := len(events)
		for j := range n {
			if k+1 < len(b.begins) && b.first[j] <= k && b.isThere(x, j, k) && !b.isThere(x, j, k+1) {
				events = append(events, event{false, j})
			}
		}
		slices.SortFunc(events[from:], func(a, c event) int { return cmp.Compare(place[a.k], place[c.k]) })
	}
	return b.runEvents(events, func(k, p int) int {
		next := events[p+1]
		end := next.k
		if next.arrival {
			end = n + b.first[next.k] - 1
		}
		return chosen(k, end)
	})
}

func (b *periodBuilder) isThere(x []float64, j, k int) bool {
	return k <= b.first[j] || k < len(b.begins) && x[b.there[j][k]] > 0.5
}

func (b *periodBuilder) encode(sol redundancy.Solution) ([]float64, error) {
	list, err := b.instants(sol)
	if err != nil {
		return nil, err
	}
	n := len(b.order)
	x := b.m.Point()
	k, active, done := 0, make([]bool, n), make([]bool, n)
	for p, e := range list {
		active[e.k] = e.arrival
		if e.arrival {
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
	alloc := b.allocations(sol, e, next)
	p := b.pieces[slices.IndexFunc(b.pieces, func(p span) bool { return p.period == k && p.end == end })]
	x[p.length] = length
	for j := range b.order {
		if !active[j] {
			continue
		}
		copies := alloc[j].Copies
		x[p.hold[j][copies]] = length
		if choose := b.choose[end][j]; choose != nil && !b.last(p) {
			x[choose[copies]] = 1
		}
	}
}
