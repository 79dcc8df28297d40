package verify

import (
	"fmt"
	"math"

	"schedgap/models/proof"
)

// A relaxation is a proof by prices that was read: the jobs' payments for early completions are summed up.
type relaxation struct {
	grid, price []float64
	pay         [][]float64 // by job: pay[k] for completing in [grid[k], grid[k+1]), from below
	counts      []count
}

// A count is one row.
type count struct {
	set   []int
	point int
	theta float64
	most  int
	proof *proof.CountProof
}

// A grid has at most gridPoints points and 4 more for each job; of counts gridPoints and 16 more for each job are read: more than
// is ever written.
const gridPoints = 1500

// readPrices reads the lines of a proof for jobs of the given ids.
func readPrices(p *proof.Proof, ids []string) (*relaxation, error) {
	if len(p.Lines) == 0 {
		return nil, refused("the proof has no prices")
	}
	var m proof.Multipliers
	if err := proof.Decode(p.Lines[0], &m); err != nil {
		return nil, refused("line 2: %v", err)
	}
	if err := ascending(m.Grid, len(ids)); err != nil {
		return nil, refused("line 2: grid: %v", err)
	}
	if len(m.Price) != len(m.Grid)-1 {
		return nil, refused("line 2: %d prices for %d grid points; there must be one fewer", len(m.Price), len(m.Grid))
	}
	if err := multipliers(m.Price); err != nil {
		return nil, refused("line 2: price: %v", err)
	}
	r := &relaxation{grid: m.Grid, price: m.Price, pay: make([][]float64, len(ids))}
	index := make(map[string]int, len(ids))
	for j, id := range ids {
		index[id] = j
	}
	for i, line := range p.Lines[1:] {
		if err := r.read(line, index); err != nil {
			return nil, refused("line %d: %v", i+3, err)
		}
		if most := gridPoints + 16*len(ids); len(r.counts) > most {
			return nil, refused("line %d: there are more than %d counts", i+3, most)
		}
	}
	// Whoever completes in interval k does so strictly before each later point.
	for _, c := range r.counts {
		for _, j := range c.set {
			if r.pay[j] == nil {
				r.pay[j] = make([]float64, len(r.grid))
			}
			r.pay[j][c.point-1] = below(r.pay[j][c.point-1], c.theta)
		}
	}
	for _, pay := range r.pay {
		for k := len(pay) - 2; k >= 0; k-- {
			pay[k] = max(pay[k+1], below(pay[k], pay[k+1]))
		}
	}
	return r, nil
}

func (r *relaxation) read(line []byte, index map[string]int) error {
	var c proof.Counts
	if err := proof.Decode(line, &c); err != nil {
		return err
	}
	if len(c.Theta) != len(c.Points) || len(c.Most) != len(c.Points) || len(c.Proofs) != 0 && len(c.Proofs) != len(c.Points) {
		return fmt.Errorf("%d points, %d multipliers, %d counts, %d proofs", len(c.Points), len(c.Theta), len(c.Most), len(c.Proofs))
	}
	if err := multipliers(c.Theta); err != nil {
		return fmt.Errorf("theta: %w", err)
	}
	var set []int
	seen := map[int]bool{}
	for _, id := range c.Jobs {
		j, ok := index[id]
		if !ok || seen[j] {
			return fmt.Errorf("jobs: %q is no job, or comes twice", id)
		}
		seen[j] = true
		set = append(set, j)
	}
	for i, k := range c.Points {
		if k < 1 || k >= len(r.grid) {
			return fmt.Errorf("points: %d is not between 1 and %d", k, len(r.grid)-1)
		}
		row := count{set: set, point: k, theta: c.Theta[i], most: c.Most[i]}
		if c.Proofs != nil {
			row.proof = &c.Proofs[i]
		}
		r.counts = append(r.counts, row)
	}
	return nil
}

// ascending checks a grid for a number of jobs.
func ascending(grid []float64, jobs int) error {
	if len(grid) == 0 || grid[0] != 0 {
		return fmt.Errorf("it must begin with 0")
	}
	if most := gridPoints + 4*jobs; len(grid) > most {
		return fmt.Errorf("it has %d points; at most %d are read for %d jobs", len(grid), most, jobs)
	}
	for i, t := range grid {
		if math.IsInf(t, 0) || i > 0 && t <= grid[i-1] {
			return fmt.Errorf("point %d, %v, is not after the one before it", i, t)
		}
	}
	return nil
}

func multipliers(list []float64) error {
	for i, v := range list {
		if !(v >= 0) || math.IsInf(v, 0) {
			return fmt.Errorf("number %d, %v, is negative", i, v)
		}
	}
	return nil
}

// paid is what job j pays at least when it completes in interval k.
func (r *relaxation) paid(j, k int) float64 {
	if r.pay[j] == nil {
		return 0
	}
	return r.pay[j][k]
}

// worth is what the capacity and the count rows are worth, from above.
func (r *relaxation) worth(capacity int) float64 {
	sum := 0.0
	for i, v := range r.price {
		length := point(r.grid[i+1]).minus(point(r.grid[i]))
		sum = above(sum, point(v).times(length).times(integer(capacity)).hi)
	}
	for _, c := range r.counts {
		sum = above(sum, point(c.theta).times(integer(c.most)).hi)
	}
	return sum
}

// conclude compares a claimed bound with what the prices, or the leaves of a tree, prove.
func conclude(claimed, proven float64, by string) error {
	if !(claimed <= proven) {
		return refused("the %s prove %v, not %v", by, proven, claimed)
	}
	return nil
}
