package speculation

import (
	"cmp"
	"math"
	"slices"
)

// parted are savings of time as a straggler's part plus a slot's part, as far as possible: ΣΔt of a matching is the sum of the
// parts of whom it has, and of what is left over for its pairs. Where most pairs have nothing left over, as when only the
// straggler's finish and the slot's speed count, but for some pairs with local input, matchings of the same stragglers and slots
// save only few different times.
type parted struct {
	bySlot []float64 // in units
	rest   []float64 // by pair: what is left over
}

// alike is by how much times that count as one may differ, in units: by rounding.
const alike = 4e-15

// decompose chooses the parts such that many pairs have nothing left over, in turn for stragglers and slots.
func (s *searcher) decompose() parted {
	rows, columns := make([][]int32, len(s.in.Stragglers)), make([][]int32, len(s.in.Slots))
	for k := range s.time {
		rows[s.straggler[k]] = append(rows[s.straggler[k]], int32(k))
		columns[s.slot[k]] = append(columns[s.slot[k]], int32(k))
	}
	a, b := make([]float64, len(rows)), make([]float64, len(columns))
	known := make([]bool, len(columns))
	order := make([]int, len(rows))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(len(rows[y]), len(rows[x])) })
	var values []float64
	for _, i := range order {
		values = values[:0]
		for _, k := range rows[i] {
			if known[s.slot[k]] {
				values = append(values, s.time[k]-b[s.slot[k]])
			}
		}
		a[i] = commonest(values)
		for _, k := range rows[i] {
			if j := s.slot[k]; !known[j] {
				known[j], b[j] = true, s.time[k]-a[i]
			}
		}
	}
	for range 3 {
		for j, list := range columns {
			values = values[:0]
			for _, k := range list {
				values = append(values, s.time[k]-a[s.straggler[k]])
			}
			b[j] = commonest(values)
		}
		for i, list := range rows {
			values = values[:0]
			for _, k := range list {
				values = append(values, s.time[k]-b[s.slot[k]])
			}
			a[i] = commonest(values)
		}
	}
	p := parted{bySlot: b, rest: make([]float64, len(s.time))}
	for k := range p.rest {
		p.rest[k] = s.time[k] - a[s.straggler[k]] - b[s.slot[k]]
	}
	return p
}

// commonest is the value that occurs most often, the least of several, 0 of none.
func commonest(values []float64) float64 {
	slices.Sort(values)
	best, times := 0.0, 0
	for k := 0; k < len(values); {
		l := k
		for l < len(values) && values[l] <= values[k]+alike {
			l++
		}
		if l-k > times {
			best, times = values[k], l-k
		}
		k = l
	}
	return best
}

// merge appends what two ascending lists have, in order, but for values that count as one with the one before.
func merge(to, a, b []float64) []float64 {
	for len(a)+len(b) > 0 {
		var v float64
		if len(b) == 0 || len(a) > 0 && a[0] <= b[0] {
			v, a = a[0], a[1:]
		} else {
			v, b = b[0], b[1:]
		}
		if len(to) == 0 || v > to[len(to)-1]+alike {
			to = append(to, v)
		}
	}
	return to
}

// reachable is a time that every matching of a node saves that saves more than from, and less than to: the least of the sums
// of what its stragglers and slots may contribute. It is from where there are too many sums, +Inf where there is none.
func (q *boxSearch) reachable(n *node, from, to float64) float64 {
	const mostValues, mostSums = 6, 300
	base := 0.0
	var sets [][]float64
	used := make([]bool, len(n.use))
	for c := 0; c < len(n.cells); {
		i := q.straggler[n.cells[c]]
		var values [mostValues + 1]float64
		count := 0
		if !n.must[i] {
			count++
		}
		for ; c < len(n.cells) && q.straggler[n.cells[c]] == i; c++ {
			k := n.cells[c]
			used[q.slot[k]] = true
			v := q.time[k] - q.parts.bySlot[q.slot[k]]
			if slices.ContainsFunc(values[:count], func(u float64) bool { return math.Abs(u-v) <= alike }) {
				continue
			}
			if count == mostValues {
				return from
			}
			values[count] = v
			count++
		}
		if count == 1 {
			base += values[0]
			continue
		}
		slices.Sort(values[:count])
		sets = append(sets, slices.Clone(values[:count]))
	}
	for j, used := range used {
		switch v := q.parts.bySlot[j]; {
		case !used:
		case n.use[j]:
			base += v
		default:
			sets = append(sets, []float64{min(0, v), max(0, v)})
		}
	}
	slices.SortStableFunc(sets, func(x, y []float64) int { return cmp.Compare(len(x), len(y)) })
	least, most := make([]float64, len(sets)+1), make([]float64, len(sets)+1) // of the sets from one on
	for k := len(sets) - 1; k >= 0; k-- {
		least[k], most[k] = least[k+1]+sets[k][0], most[k+1]+sets[k][len(sets[k])-1]
	}
	// What counts as one is counted as some of it: all sums may be off by slack.
	slack := 2 * alike * float64(len(n.must)+2*len(n.use)+mostValues*len(sets))
	sums := []float64{base}
	var next, spare, merged []float64
	for k, values := range sets {
		next = next[:0]
		for _, v := range values {
			spare = spare[:0]
			for _, sum := range sums {
				if x := sum + v; x+most[k+1] > from-slack && x+least[k+1] < to+slack {
					spare = append(spare, x)
				}
			}
			merged, next = next, merge(merged[:0], next, spare)
		}
		if len(next) > mostSums {
			return from
		}
		sums, next = next, sums
	}
	for _, x := range sums {
		if x > from-slack && x < to+slack {
			return max(from, x-slack)
		}
	}
	return math.Inf(1)
}
