package prices

import (
	"cmp"
	"slices"
)

// A Chain is a family of nested sets of jobs, Q_0 ⊆ Q_1 ⊆ …, each with what any schedule completes of it in time.
type Chain struct {
	First []int // by job: the first set that has it; the number of sets when none has
	// Most[s][k] bounds from above how many jobs of set s complete strictly before at[k], in any schedule. It does not
	// decrease with k.
	Most [][]float64
}

// A Row is a count row: set Set of chain Chain at the grid point Point ≥ 1.
type Row struct{ Chain, Set, Point int }

// payments fills pay: a job of the sets s, s+1, … that completes in interval k pays Σ_{t ≥ s} Σ_{i > k} θ_t(i).
func (r *Relaxation) payments(theta []float64) {
	if len(r.pay) != len(r.Chains) {
		r.pay = make([][]float64, len(r.Chains))
	}
	points := len(r.At)
	for c, chain := range r.Chains {
		r.pay[c] = grow(r.pay[c], (len(chain.Most)+1)*points)
		clear(r.pay[c])
	}
	for i, t := range theta {
		row := r.Rows[i]
		r.pay[row.Chain][row.Set*points+row.Point-1] += t
	}
	for c, chain := range r.Chains {
		for s := len(chain.Most) - 1; s >= 0; s-- {
			row, next := r.pay[c][s*points:(s+1)*points], r.pay[c][(s+1)*points:(s+2)*points]
			sum := 0.0
			for k := points - 1; k >= 0; k-- {
				sum += row[k]
				row[k] = sum + next[k]
			}
		}
	}
}

// paymentsOf is what job j pays for completing in each interval; nil: nothing in any. It may use row.
func (r *Relaxation) paymentsOf(j int, row []float64) []float64 {
	if len(r.Rows) == 0 {
		return nil
	}
	points := len(r.At)
	if len(r.Chains) == 1 {
		s := r.Chains[0].First[j]
		return r.pay[0][s*points : (s+1)*points]
	}
	clear(row)
	for c, chain := range r.Chains {
		s := chain.First[j]
		for k, p := range r.pay[c][s*points : (s+1)*points] {
			row[k] += p
		}
	}
	return row
}

func (r *Relaxation) clearCounts() {
	if len(r.count) != len(r.Chains) {
		r.count = make([][]float64, len(r.Chains))
	}
	for c, chain := range r.Chains {
		r.count[c] = grow(r.count[c], (len(chain.Most)+1)*len(r.At))
		clear(r.count[c])
	}
}

// accumulate turns how many jobs with first set s complete in interval k into how many jobs of set s complete by its end.
func accumulate(table []float64, points int) {
	for at := 0; at < len(table); at += points {
		row := table[at : at+points]
		sum := 0.0
		for k := range row {
			sum += row[k]
			row[k] = sum
			if at > 0 {
				row[k] += table[at-points+k]
			}
		}
	}
}

// counted is how many jobs of the row's set complete strictly before its point, as last evaluated.
func (r *Relaxation) counted(row Row) float64 {
	return r.count[row.Chain][row.Set*len(r.At)+row.Point-1]
}

// most is how many can.
func (r *Relaxation) most(row Row) float64 { return r.Chains[row.Chain].Most[row.Set][row.Point] }

// Separate adds the count rows that the columns of the last evaluation with a gradient violate by more than slack, the most
// violated first, up to limit rows in all, after it has dropped those that they keep and whose multiplier in p is next to 0. It
// returns p for the rows that there are then.
func (r *Relaxation) Separate(p Point, slack float64, limit int) Point {
	type violated struct {
		row Row
		by  float64
	}
	have := map[Row]bool{}
	rows, theta := r.Rows[:0], []float64{}
	excess := func(row Row) float64 { return r.counted(row) - r.most(row) }
	for i, row := range r.Rows {
		if p.Theta[i] > 0 || excess(row) > 0 {
			rows, theta = append(rows, row), append(theta, p.Theta[i])
			have[row] = true
		}
	}
	var found []violated
	for c, chain := range r.Chains {
		for s := range chain.Most {
			for k := 1; k < len(r.At); k++ {
				row := Row{c, s, k}
				if by := excess(row); by > slack && !have[row] {
					found = append(found, violated{row, by})
				}
			}
		}
	}
	slices.SortStableFunc(found, func(a, b violated) int { return cmp.Compare(b.by, a.by) })
	for _, v := range found[:max(0, min(len(found), limit-len(rows)))] {
		rows, theta = append(rows, v.row), append(theta, 0)
	}
	r.Rows = rows
	return Point{p.Price, theta}
}
