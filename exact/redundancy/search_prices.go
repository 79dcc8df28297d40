package redundancy

import (
	"context"
	"math"
	"slices"

	"schedgap/exact/prices"
	"schedgap/models/proof"
	"schedgap/models/redundancy"
)

// Prices are ascended again, in nodeSteps steps a job, in nodes whose linear program would have more than fewSets sets, from manyJobs
// jobs on more than fewerSets, and where the windows have shrunk to narrowed of their width at the last ascent, on a grid of at least
// nodePoints points a job if the root's has as many. A mixture counts from leastMixed on.
const (
	nodeSteps  = 3
	nodePoints = 6
	fewSets    = 800
	manyJobs   = 30
	fewerSets  = 150
	narrowed   = 0.3
	leastMixed = 0.02
)

// An ascent is where the prices of a node have come to.
type ascent struct {
	at    []float64
	rows  []prices.Row
	point prices.Point
	width int // of the windows then
}

// coarse is the point of a root's ascent for nodes: on some points of the grid, with those at which jobs arrive and those of the
// counts that matter. It proves a little less.
func (p *masterProblem) coarse(c *prices.Climb) *ascent {
	kept := map[int]int{} // old points to new ones
	counts := make([]bool, len(c.At))
	for i, r := range c.Rows {
		counts[r.Point] = counts[r.Point] || c.Point.Theta[i] > 0
	}
	a, k, each := &ascent{width: math.MaxInt}, 0, max(1, len(c.At)/(nodePoints*len(p.in.Jobs)))
	for i, t := range c.At {
		arrives := false
		for ; k < len(p.begin) && p.begin[k]-p.begin[0] <= t; k++ {
			arrives = true
		}
		if i%each == 0 || arrives || counts[i] || i == len(c.At)-1 {
			kept[i] = len(a.at)
			a.at = append(a.at, t)
		}
		if n := len(a.at); n > len(a.point.Price) && i < len(c.Point.Price) {
			a.point.Price = append(a.point.Price, 0)
		}
		if i < len(c.Point.Price) {
			a.point.Price[len(a.at)-1] += c.Point.Price[i] * (c.At[i+1] - t)
		}
	}
	for i := range a.point.Price {
		a.point.Price[i] /= a.at[i+1] - a.at[i]
	}
	for i, r := range c.Rows {
		if c.Point.Theta[i] > 0 {
			r.Point = kept[r.Point]
			a.rows, a.point.Theta = append(a.rows, r), append(a.point.Theta, c.Point.Theta[i])
		}
	}
	return a
}

// width is the number of moments at which windows of v can be parted.
func (v *vertex) width() (sum int) {
	for j := range v.Lo {
		sum += v.Hi[j] - v.Lo[j]
	}
	return sum
}

// few reports whether a linear program of v is worth its time. Its bound is less than that of prices until most windows are narrow. Where
// the tree can end that does not matter; of many jobs it is only the bound that counts.
func (s *search) few(v *vertex) bool {
	sum, most := 0, fewSets
	if len(v.Lo) >= manyJobs {
		most = fewerSets
	}
	for k := range s.begin {
		sets, err := v.Sets(k)
		sum += len(sets)
		if err != nil || sum > most {
			return false
		}
	}
	return true
}

// ascend finds better prices for the windows of v, by which it is judged from then on, and the window to branch on; nil: there is
// none.
func (s *search) ascend(ctx context.Context, v *vertex) *branching {
	from, steps := v.prices, nodeSteps*len(v.Lo)
	c := newClimb(s.in, newSubproblem(s.env, from.at, append(slices.Clone(from.point.Price), 0)), from.at, steps)
	c.Coarse = true
	r := c.Relaxation
	r.Rows, r.Windows = slices.Clone(from.rows), make([]prices.Window, len(v.Lo))
	arriving := redundancy.ByArrival(s.in)
	for i, j := range arriving {
		r.Windows[i] = prices.Window{From: s.begin[v.Lo[j]] - s.begin[0], To: math.Inf(1)}
		if next := v.Hi[j] + 1; next < len(s.begin) {
			r.Windows[i].To = s.begin[next] - s.begin[0]
		}
	}
	c.Ascend(ctx, []prices.Point{from.point}, s.Threshold())
	if c.Point.Price == nil || ctx.Err() != nil {
		return nil
	}
	v.prices = &ascent{c.At, c.Rows, c.Point, v.width()}
	if c.Best.Safe() > v.Least() {
		lines := c.Claim(ids(s.in)).Lines
		if p, err := s.judges.Prices(lines); err == nil {
			v.Node = v.Priced(p)
			if v.record != nil {
				*v.record = record{prices: lines, open: true, less: &record{}}
				v.record = v.record.less
			}
			if v.Closed(s.Threshold()) {
				return nil
			}
		}
	}
	if c.Steps == steps { // no columns
		return nil
	}
	return s.mixed(v, r)
}

// mixed is the branching on the window of the job that the average columns complete at the most different times.
func (s *search) mixed(v *vertex, r *prices.Relaxation) (q *branching) {
	best, last := 0.0, len(r.At)-1
	for i, j := range redundancy.ByArrival(s.in) {
		done, mass := make([]float64, last+2), make([]float64, last+2) // before each grid point: how much, and times the time
		for k := 1; k <= last+1; k++ {
			done[k] = 1
			if k <= last {
				done[k] = r.Done(i, k)
			}
			mass[k] = mass[k-1] + (done[k]-done[k-1])*r.At[min(k, last)]
		}
		k := 0
		for m := v.Lo[j] + 1; m <= v.Hi[j]; m++ {
			for k < last && r.At[k+1] <= (s.begin[m]-s.begin[0])*(1+1e-12) {
				k++
			}
			p := done[k]
			if score := p*(mass[last+1]-mass[k]) - (1-p)*mass[k]; p > leastMixed && p < 1-leastMixed && score > best {
				best, q = score, &branching{proof.TreeNode{Window: []int{j, m}}, p > 0.5}
			}
		}
	}
	return q
}
