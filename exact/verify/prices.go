package verify

import (
	"errors"
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

// readPrices reads the lines before line `to`: prices for a number of jobs, and counts of them by id.
func readPrices(r *reader, to, jobs int, id func(j int) string) (*relaxation, error) {
	var m proof.Multipliers
	if err := r.read(&m); err != nil {
		return nil, err
	}
	if err := checkPrices(m.Grid, m.Price, jobs); err != nil {
		return nil, err
	}
	if m.Grid[0] != 0 {
		return nil, errors.New("grid must begin with 0")
	}
	index := make(map[string]int, jobs)
	for j := range jobs {
		index[id(j)] = j
	}
	s := &relaxation{grid: m.Grid, price: m.Price, pay: make([][]float64, jobs)}
	for r.next < to {
		var c proof.Counts
		if err := r.read(&c); err != nil {
			return nil, err
		}
		if err := s.count(&c, index); err != nil {
			return nil, err
		}
		if most := gridPoints + 16*jobs; len(s.counts) > most {
			return nil, fmt.Errorf("there are more than %d counts", most)
		}
	}
	// Whoever completes in interval k does so strictly before each later point.
	for _, c := range s.counts {
		for _, j := range c.set {
			if s.pay[j] == nil {
				s.pay[j] = make([]float64, len(s.grid))
			}
			s.pay[j][c.point-1] = below(s.pay[j][c.point-1], c.theta)
		}
	}
	for _, pay := range s.pay {
		for k := len(pay) - 2; k >= 0; k-- {
			pay[k] = max(pay[k+1], below(pay[k], pay[k+1]))
		}
	}
	return s, nil
}

// count takes the counts of a line.
func (r *relaxation) count(c *proof.Counts, index map[string]int) error {
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
		if len(c.Proofs) > 0 {
			row.proof = &c.Proofs[i]
		}
		r.counts = append(r.counts, row)
	}
	return nil
}

// checkPrices checks that prices are ≥ 0 in the intervals of a grid.
func checkPrices(grid, price []float64, jobs int) error {
	if len(grid) < 1 || len(price) != len(grid)-1 {
		return fmt.Errorf("%d prices for %d grid points; there must be one fewer", len(price), len(grid))
	}
	if most := gridPoints + 4*jobs; len(grid) > most {
		return fmt.Errorf("grid: it has %d points; at most %d are read for %d jobs", len(grid), most, jobs)
	}
	for i, t := range grid {
		if math.IsInf(t, 0) || i > 0 && !(t > grid[i-1]) {
			return fmt.Errorf("grid: point %d, %v, is not after the one before it", i, t)
		}
	}
	if err := multipliers(price); err != nil {
		return fmt.Errorf("price: %w", err)
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

// paid is the least payment of job j for early completion if it completes in interval k.
func (r *relaxation) paid(j, k int) float64 {
	if r.pay[j] == nil {
		return 0
	}
	return r.pay[j][k]
}

// worth is an upper bound on the worth of capacity at prices by interval of a grid.
func worth(grid, price []float64, capacity int) float64 {
	sum := 0.0
	for i, v := range price {
		length := point(grid[i+1]).minus(point(grid[i]))
		sum = above(sum, point(v).times(length).times(integer(capacity)).hi)
	}
	return sum
}

// worth is an upper bound on the worth of the capacity and the count rows.
func (r *relaxation) worth(capacity int) float64 {
	sum := worth(r.grid, r.price, capacity)
	for _, c := range r.counts {
		sum = above(sum, point(c.theta).times(integer(c.most)).hi)
	}
	return sum
}
