package speculation

import (
	"math"
	"slices"

	"schedgap/models"
	"schedgap/models/speculation"
)

// alike is by how much times that count as one may differ, in units: by rounding.
const alike = 4e-15

// decompose takes savings of time as a straggler's part plus a slot's part, as far as possible, and returns by pair what is left
// over, in units. Where only the straggler's finish and the slot's speed count, but for some pairs with local input, that takes
// few values. The parts are chosen such that many pairs have nothing left over, in turn for stragglers and slots.
func (s *searcher) decompose() []float64 {
	rows, columns := make([][]int32, len(s.in.Stragglers)), make([][]int32, len(s.in.Slots))
	for k := range s.time {
		rows[s.straggler[k]] = append(rows[s.straggler[k]], int32(k))
		columns[s.slot[k]] = append(columns[s.slot[k]], int32(k))
	}
	a, b := make([]float64, len(rows)), make([]float64, len(columns))
	known := make([]bool, len(columns))
	order := models.OrderBy(len(rows), func(i int) int { return -len(rows[i]) })
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
	residual := make([]float64, len(s.time))
	for k := range residual {
		residual[k] = s.time[k] - a[s.straggler[k]] - b[s.slot[k]]
	}
	return residual
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

// residualOf is the straggler whose pairs in two matchings have different residuals and differ most in savings, with the first
// one's residual. It has to be a straggler with few different residuals.
func (q *boxSearch) residualOf(n *node, a, b speculation.Matching) (straggler int32, residual float64, ok bool) {
	many := q.manyResiduals(n)
	most := -1.0
	for i := range a {
		if a[i] == speculation.None || b[i] == speculation.None || many[i] {
			continue
		}
		k, l := q.at[i*len(q.in.Slots)+a[i]]-1, q.at[i*len(q.in.Slots)+b[i]]-1
		if math.Abs(q.residual[k]-q.residual[l]) <= 4*alike {
			continue
		}
		if d := math.Abs(q.time[k]-q.time[l]) + math.Abs(q.energy[k]-q.energy[l]); d > most {
			straggler, residual, most, ok = int32(i), q.residual[k], d, true
		}
	}
	return straggler, residual, ok
}

// manyResiduals tells the stragglers whose pairs in a node leave over more than a few different times.
func (q *boxSearch) manyResiduals(n *node) []bool {
	const few = 4
	many := make([]bool, len(q.in.Stragglers))
	var residuals [few]float64
	count, last := 0, int32(-1)
	for _, cell := range n.cells {
		if i := q.straggler[cell]; i != last {
			count, last = 0, i
		}
		residual := q.residual[cell]
		if many[last] || slices.ContainsFunc(residuals[:count], func(r float64) bool { return math.Abs(r-residual) <= 4*alike }) {
			continue
		}
		if many[last] = count == few; !many[last] {
			residuals[count] = residual
			count++
		}
	}
	return many
}
