package core

import (
	"errors"
	"fmt"
	"math"

	"schedgap/models/proof"
)

// A Relaxation is a proof by prices that was read: the jobs' payments for early completions are summed up. Price[i] is of a unit of
// capacity for a unit of time from Grid[i] to Grid[i+1].
type Relaxation struct {
	Grid, Price []float64
	pay         [][]float64 // by job: pay[k] for completing in [grid[k], grid[k+1]), from below
	Counts      []Count
}

// A Count says that at most Most jobs of Set complete before a point of the grid; theta is its multiplier.
type Count struct {
	Set   []int
	Point int
	theta float64
	Most  int
	Proof *proof.CountProof
}

// A grid has at most GridPoints points and 4 more for each job; of counts GridPoints and 16 more for each job are read: more than
// is ever written.
const GridPoints = 1500

// ReadRelaxation reads the lines before line `to`: prices for a number of jobs, and counts of them by id.
func ReadRelaxation(r *Reader, to, jobs int, id func(j int) string) (*Relaxation, error) {
	var m proof.Multipliers
	if err := r.Read(&m); err != nil {
		return nil, err
	}
	if err := CheckPrices(m.Grid, m.Price, jobs); err != nil {
		return nil, err
	}
	if m.Grid[0] != 0 {
		return nil, errors.New("grid must begin with 0")
	}
	index := make(map[string]int, jobs)
	for j := range jobs {
		index[id(j)] = j
	}
	s := &Relaxation{Grid: m.Grid, Price: m.Price, pay: make([][]float64, jobs)}
	for r.Next < to {
		var c proof.Counts
		if err := r.Read(&c); err != nil {
			return nil, err
		}
		if err := s.count(&c, index); err != nil {
			return nil, err
		}
		if most := GridPoints + 16*jobs; len(s.Counts) > most {
			return nil, fmt.Errorf("there are more than %d counts", most)
		}
	}
	// Whoever completes in interval k does so strictly before each later point.
	for _, c := range s.Counts {
		for _, j := range c.Set {
			if s.pay[j] == nil {
				s.pay[j] = make([]float64, len(s.Grid))
			}
			s.pay[j][c.Point-1] = Below(s.pay[j][c.Point-1], c.theta)
		}
	}
	for _, pay := range s.pay {
		for k := len(pay) - 2; k >= 0; k-- {
			pay[k] = max(pay[k+1], Below(pay[k], pay[k+1]))
		}
	}
	return s, nil
}

// count takes the counts of a line.
func (r *Relaxation) count(c *proof.Counts, index map[string]int) error {
	if len(c.Theta) != len(c.Points) || len(c.Most) != len(c.Points) || len(c.Proofs) != 0 && len(c.Proofs) != len(c.Points) {
		return fmt.Errorf("%d points, %d multipliers, %d counts, %d proofs", len(c.Points), len(c.Theta), len(c.Most), len(c.Proofs))
	}
	if err := Multipliers(c.Theta); err != nil {
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
		if k < 1 || k >= len(r.Grid) {
			return fmt.Errorf("points: %d is not between 1 and %d", k, len(r.Grid)-1)
		}
		row := Count{Set: set, Point: k, theta: c.Theta[i], Most: c.Most[i]}
		if len(c.Proofs) > 0 {
			row.Proof = &c.Proofs[i]
		}
		r.Counts = append(r.Counts, row)
	}
	return nil
}

// CheckPrices checks that prices are ≥ 0 in the intervals of a grid.
func CheckPrices(grid, price []float64, jobs int) error {
	if len(grid) < 1 || len(price) != len(grid)-1 {
		return fmt.Errorf("%d prices for %d grid points; there must be one fewer", len(price), len(grid))
	}
	if most := GridPoints + 4*jobs; len(grid) > most {
		return fmt.Errorf("grid: it has %d points; at most %d are read for %d jobs", len(grid), most, jobs)
	}
	for i, t := range grid {
		if math.IsInf(t, 0) || i > 0 && !(t > grid[i-1]) {
			return fmt.Errorf("grid: point %d, %v, is not after the one before it", i, t)
		}
	}
	if err := Multipliers(price); err != nil {
		return fmt.Errorf("price: %w", err)
	}
	return nil
}

// Multipliers are finite numbers from 0 on. An error names one that is not.
func Multipliers(list []float64) error {
	for i, v := range list {
		if !(v >= 0) || math.IsInf(v, 0) {
			return fmt.Errorf("number %d, %v, is negative", i, v)
		}
	}
	return nil
}

// Paid is the least payment of job j for early completion if it completes in interval k.
func (r *Relaxation) Paid(j, k int) float64 {
	if r.pay[j] == nil {
		return 0
	}
	return r.pay[j][k]
}

// Worth is an upper bound on the worth of capacity at prices by interval of a grid.
func Worth(grid, price []float64, capacity int) float64 {
	sum := 0.0
	for i, v := range price {
		length := Point(grid[i+1]).Minus(Point(grid[i]))
		sum = Above(sum, Point(v).Times(length).Times(Integer(capacity)).Hi)
	}
	return sum
}

// Worth is an upper bound on the worth of the capacity and the count rows.
func (r *Relaxation) Worth(capacity int) float64 {
	sum := Worth(r.Grid, r.Price, capacity)
	for _, c := range r.Counts {
		sum = Above(sum, Point(c.theta).Times(Integer(c.Most)).Hi)
	}
	return sum
}
