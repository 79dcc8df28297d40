package prices

import "schedgap/models/proof"

// A Chain is a family of nested sets of jobs, Q_0 ⊆ Q_1 ⊆ …
type Chain struct {
	First []int // by job: the first set that has it; Sets when none has
	Sets  int
}

// A Row says that in any schedule at most Most of its jobs complete strictly before the grid point Point ≥ 1. They are those of
// set Set of chain Chain, or Jobs where that is not nil.
type Row struct {
	Chain, Set, Point int
	Jobs              []int
	Most              float64
	Proof             *proof.CountProof // what proves it, where the instance does not say
}

// payments fills pay: a job of the sets s, s+1, … that completes in interval k pays Σ_{t ≥ s} Σ_{i > k} θ_t(i).
func (r *Relaxation) payments(theta []float64) {
	if len(r.pay) != len(r.Chains) {
		r.pay = make([][]float64, len(r.Chains))
	}
	r.theta, r.listed = theta, make([][]int, r.Jobs)
	points := len(r.At)
	for c, chain := range r.Chains {
		r.pay[c] = grow(r.pay[c], (chain.Sets+1)*points)
		clear(r.pay[c])
	}
	for i, t := range theta {
		row := r.Rows[i]
		if row.Jobs == nil {
			r.pay[row.Chain][row.Set*points+row.Point-1] += t
		}
		for _, j := range row.Jobs {
			r.listed[j] = append(r.listed[j], i)
		}
	}
	for c, chain := range r.Chains {
		for s := chain.Sets - 1; s >= 0; s-- {
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
	if len(r.Chains) == 1 && len(r.listed[j]) == 0 {
		s := r.Chains[0].First[j]
		return r.pay[0][s*points : (s+1)*points]
	}
	clear(row)
	for _, i := range r.listed[j] {
		row[r.Rows[i].Point-1] += r.theta[i]
	}
	for k := points - 2; k >= 0 && len(r.listed[j]) > 0; k-- {
		row[k] += row[k+1]
	}
	for c, chain := range r.Chains {
		s := chain.First[j]
		for k, p := range r.pay[c][s*points : (s+1)*points] {
			row[k] += p
		}
	}
	return row
}

func (r *Relaxation) clearCounts() {
	r.done = grow(r.done, r.Jobs*len(r.At))
	clear(r.done)
	if len(r.count) != len(r.Chains) {
		r.count = make([][]float64, len(r.Chains))
	}
	for c, chain := range r.Chains {
		r.count[c] = grow(r.count[c], (chain.Sets+1)*len(r.At))
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

// Done is how much of job j completes strictly before a grid point, as last evaluated with a gradient.
func (r *Relaxation) Done(j, point int) float64 { return r.done[j*len(r.At)+point-1] }

// counted is how many jobs of a row complete strictly before its point.
func (r *Relaxation) counted(row Row) float64 {
	if row.Jobs == nil {
		return r.Counted(row.Chain, row.Set, row.Point)
	}
	sum := 0.0
	for _, j := range row.Jobs {
		sum += r.Done(j, row.Point)
	}
	return sum
}

// Counted is how many jobs of a set complete strictly before a grid point, as last evaluated with a gradient; under a
// temperature, on average over columns.
func (r *Relaxation) Counted(chain, set, point int) float64 {
	return r.count[chain][set*len(r.At)+point-1]
}

// replace drops the rows that the columns of the last evaluation keep and whose multiplier in p is 0, adds those of list that are
// not there yet, and returns p for the rows that there are then.
func (r *Relaxation) replace(p Point, list []Row) Point {
	type place struct{ chain, set, point int }
	have := map[place]bool{}
	rows, theta := r.Rows[:0], []float64{}
	for i, row := range r.Rows {
		if p.Theta[i] > 0 || r.counted(row) > row.Most {
			rows, theta = append(rows, row), append(theta, p.Theta[i])
			have[place{row.Chain, row.Set, row.Point}] = row.Jobs == nil
		}
	}
	for _, row := range list {
		if at := (place{row.Chain, row.Set, row.Point}); row.Jobs != nil || !have[at] {
			rows, theta = append(rows, row), append(theta, 0)
			have[at] = row.Jobs == nil
		}
	}
	r.Rows = rows
	return Point{p.Price, theta}
}
