package prices

import (
	"context"
	"math"
	"slices"
)

// An Oracle is a problem's answer to prices. At most one goroutine uses it.
type Oracle interface {
	// SetPrices makes price[i] ≥ 0 the price of a unit of capacity from at[i] to at[i+1]; from the last point of at on it is 0.
	// The slices stay as they are until the next call.
	SetPrices(at, price []float64)
	// Columns appends to list columns of job j that complete in w: a cheapest one and some that cost at most margin more; others
	// may be among them. To complete in [at[k], at[k+1]) costs pay[k] more; pay does not increase and ends with 0, or it is nil.
	Columns(j int, w Window, pay []float64, margin float64, list []Column) []Column
	// Use adds to used[i] the capacity, times time, that job j buys from at[i] to at[i+1] when it takes each column of the list
	// that Columns returned last for it by its weight.
	Use(j int, list []Column, used []float64)
	// Magnitude bounds the numbers whose rounding errors are in the columns' costs, over all jobs: the bound is lowered by a
	// multiple of it.
	Magnitude() float64
}

// A Window is a range of completion times.
type Window struct{ From, To float64 }

// Always is the window of all times.
var Always = Window{0, math.Inf(1)}

// A Column is a way to complete a job.
type Column struct {
	Cost     float64 // its penalty and all payments
	Interval int     // in which it completes: at[Interval] ≤ C < at[Interval+1]; the last one never ends
	End      float64 // C, or the oracle's name for it
	Turn     float64 // what else the oracle knows it by
	Weight   float64 // how much of it is taken, in [0, 1]
}

// A Relaxation is the bound as a function of the prices and of the multipliers of some count rows.
type Relaxation struct {
	Oracle   Oracle
	Jobs     int
	At       []float64 // the grid, increasing; prices are 0 from its last point on
	Capacity float64   // at any time
	Monotone bool      // prices may not increase with time: at others, what Oracle's columns cost is no bound
	Rows     []Row
	Windows  []Window // of the jobs' completions; nil: any time

	theta  []float64
	listed [][]int   // by job: the rows that list it
	done   []float64 // by job: how much of it completes by the end of each interval
	used   []float64
	row    []float64
	list   []Column
	work   int // columns looked at so far, a measure of time
}

// A Point is a choice of multipliers.
type Point struct {
	Price []float64 // by interval of the grid, ≥ 0
	Theta []float64 // by row, ≥ 0
}

// Intervals is the number of prices.
func (r *Relaxation) Intervals() int { return len(r.At) - 1 }

// A Value is the bound at a point.
type Value struct {
	Bound  float64 // as exact as floating-point sums are; see Safe
	Smooth float64 // the bound with each job's least cost c* replaced by −τ·ln Σ exp(−c/τ) over its columns, which is less
	size   float64 // sum of the magnitudes of its terms
}

// Safe is the bound less what rounding may have added to it.
func (v Value) Safe() float64 { return v.Bound - roundingTolerance*v.size }

// roundingTolerance bounds the relative rounding error of a bound, by the magnitude of its terms.
const roundingTolerance = 1e-12

// Evaluate returns the bound at p; with a temperature τ > 0 it is smoothed. Into grad, unless nil, it writes the gradient of
// the smoothed bound, at temperature 0 a supergradient of the bound. When ctx ends, or at multipliers that prove nothing, the
// bound is −∞.
func (r *Relaxation) Evaluate(ctx context.Context, p Point, temperature float64, grad *Point) Value {
	if !r.proves(p) {
		return nothing
	}
	if grad != nil {
		r.used = slices.Grow(r.used[:0], r.Intervals())[:r.Intervals()]
		clear(r.used)
		r.done = slices.Grow(r.done[:0], r.Jobs*len(r.At))[:r.Jobs*len(r.At)]
		clear(r.done)
	}
	var sum, smooth Sum
	worth, size, ok := r.columns(p, negligible*temperature, func(j, best int) bool {
		if j%16 == 15 && ctx.Err() != nil {
			return false
		}
		r.work += len(r.list)
		least := r.list[best].Cost
		sum.Add(least)
		if temperature == 0 {
			r.list[best].Weight = 1
		} else {
			total := 0.0
			for i := range r.list {
				if d := (r.list[i].Cost - least) / temperature; d < negligible {
					r.list[i].Weight = math.Exp(-d)
					total += r.list[i].Weight
				}
			}
			for i := range r.list {
				r.list[i].Weight /= total
			}
			smooth.Add(least - temperature*math.Log(total))
		}
		if grad != nil {
			r.take(j)
		}
		return true
	})
	if !ok {
		return nothing
	}
	if grad != nil {
		for i := range p.Price {
			grad.Price[i] = r.used[i] - r.Capacity*(r.At[i+1]-r.At[i])
		}
		for i := range p.Theta {
			grad.Theta[i] = r.counted(r.Rows[i]) - r.Rows[i].Most
		}
	}
	sum.Add(-worth)
	smooth.Add(-worth)
	v := Value{Bound: sum.Value(), Smooth: smooth.Value(), size: size}
	if temperature == 0 {
		v.Smooth = v.Bound
	}
	return v
}

// columns has each job's columns at p in list, which those of the next job replace, and calls each with the cheapest one of them,
// until that returns false. It returns the worth of the capacity and the rows, and the magnitudes of all terms.
func (r *Relaxation) columns(p Point, margin float64, each func(j, best int) bool) (worth, size float64, ok bool) {
	r.Oracle.SetPrices(r.At, p.Price)
	r.payments(p.Theta)
	r.row = slices.Grow(r.row[:0], len(r.At))[:len(r.At)]
	size = r.Oracle.Magnitude()
	for j := range r.Jobs {
		w := Always
		if r.Windows != nil {
			w = r.Windows[j]
		}
		r.list = r.Oracle.Columns(j, w, r.paymentsOf(j, r.row), margin, r.list[:0])
		best := 0
		for i := range r.list {
			if r.list[i].Cost < r.list[best].Cost {
				best = i
			}
		}
		size += math.Abs(r.list[best].Cost)
		if !each(j, best) {
			return 0, 0, false
		}
	}
	var sum Sum
	for i, price := range p.Price {
		sum.Add(price * r.Capacity * (r.At[i+1] - r.At[i]))
	}
	for i, t := range p.Theta {
		sum.Add(t * r.Rows[i].Most)
	}
	return sum.Value(), size + sum.Value(), true
}

// Priced calls each with every job's columns at p that cost at most over more than its least, which are valid until it returns, and
// returns the worth of the capacity and the rows: the bound is the jobs' least payments less worth, and margin covers the rounding of
// these sums.
func (r *Relaxation) Priced(p Point, over float64, each func(j int, list []Column)) (worth, margin float64) {
	worth, size, _ := r.columns(p, over, func(j, _ int) bool {
		each(j, r.list)
		return true
	})
	return worth, roundingTolerance * size
}

// nothing is a bound that says nothing.
var nothing = Value{Bound: math.Inf(-1), Smooth: math.Inf(-1)}

// proves reports whether p is a point of the relaxation: no multiplier negative or infinite, and no price that rises where that
// is not allowed.
func (r *Relaxation) proves(p Point) bool {
	if len(p.Price) != r.Intervals() || len(p.Theta) != len(r.Rows) {
		return false
	}
	for i, v := range p.Price {
		if !(v >= 0) || math.IsInf(v, 1) || r.Monotone && i > 0 && v > p.Price[i-1] {
			return false
		}
	}
	return !slices.ContainsFunc(p.Theta, func(v float64) bool { return !(v >= 0) || math.IsInf(v, 1) })
}

// negligible is the number of temperatures above the least cost from which on a column's weight is taken as 0.
const negligible = 18

// take counts job j's columns by their weights.
func (r *Relaxation) take(j int) {
	r.Oracle.Use(j, r.list, r.used)
	done := r.done[j*len(r.At) : (j+1)*len(r.At)]
	for _, c := range r.list {
		done[c.Interval] += c.Weight
	}
	for k := range done[1:] {
		done[k+1] += done[k]
	}
}

// Refine halves the intervals of the grid and returns p for the new one; the bound stays the same.
func (r *Relaxation) Refine(p Point) Point {
	k := r.Intervals()
	at, price := make([]float64, 0, 2*k+1), make([]float64, 0, 2*k)
	for i := range k {
		at = append(at, r.At[i], r.At[i]+(r.At[i+1]-r.At[i])/2)
		price = append(price, p.Price[i], p.Price[i])
	}
	r.At = append(at, r.At[k])
	for i := range r.Rows {
		r.Rows[i].Point *= 2
	}
	return Point{price, p.Theta}
}

// A Sum adds floating-point numbers and keeps what each addition rounds away (Neumaier's summation).
type Sum struct{ sum, lost float64 }

// Add adds v.
func (s *Sum) Add(v float64) {
	t := s.sum + v
	if math.Abs(s.sum) >= math.Abs(v) {
		s.lost += (s.sum - t) + v
	} else {
		s.lost += (v - t) + s.sum
	}
	s.sum = t
}

// Value is the sum.
func (s *Sum) Value() float64 { return s.sum + s.lost }
