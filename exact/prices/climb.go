package prices

import (
	"context"
	"math"
	"slices"

	"schedgap/models"
)

// Steps is the parameter of bound algorithms that Climb.Steps is of.
var Steps = models.Param{
	Name: "steps", Default: 2000, Min: 1, Max: 1e9,
	Doc: "evaluations of the bound at most; large instances get fewer, in proportion to their size, and from 20000 on the ascent is a " +
		"patient one, with a finer grid, of 5 to 10 times the processor time",
}

// A Climb maximises the smoothed bound by a projected quasi-Newton method (L-BFGS on the variables that are not at 0,
// with a line search along the projection), which the smoothing makes possible: its gradient is an average over columns.
//
// Its variables are the prices, or, where they may not increase, by how much they fall at each grid point; and the
// multipliers of the rows; all in units in which the bound is of the order of 1.
type Climb struct {
	Relaxation *Relaxation
	Steps      int                 // evaluations at most; Ascend stops by itself earlier on large instances
	Coarse     bool                // the grid is never refined
	Bounded    func(bound float64) // is called with better bounds; never nil
	// Violated returns count rows that the columns of the last evaluation violate, on average, by more than slack, as
	// Relaxation.Done tells; nil: there are none.
	Violated func(ctx context.Context, slack float64) []Row

	// Best is the best bound, at Point of the grid At with Rows.
	Best  Value
	Point Point
	At    []float64
	Rows  []Row

	unit     float64 // of the bound
	reported float64 // the last bound that Bounded got
}

// The ascent cools down in rounds, in between which violated rows are added, and refines the grid after some of them. Large
// instances end when the work, counted in columns, is done.
const (
	firstTemperature = 0.3    // of a job's share of the distance between the first bound and a schedule's value
	rowSlack         = 0.01   // of a job: a smaller violation makes no row
	patientSteps     = 20_000 // and more: what is left is worth a patient ascent
)

// A pace is how an ascent spends its steps.
type pace struct {
	rounds, steps        int // in each stage, and in each round
	cooling              float64
	refinements, largest int // of the grid, and its intervals at most where jobs are few: proofs have no more than 1500
	work                 int // columns
}

var (
	quick   = pace{rounds: 5, steps: 80, cooling: 0.65, refinements: 3, largest: 700, work: 1_000_000_000}
	patient = pace{rounds: 12, steps: 200, cooling: 0.8, refinements: 5, largest: 1500, work: 20_000_000_000}
)

// Ascend ascends from the best of some points. The value of a solution says how far there is to go.
func (c *Climb) Ascend(ctx context.Context, from []Point, value float64) {
	r, pace := c.Relaxation, quick
	if c.Steps >= patientSteps {
		pace = patient
	}
	var p Point
	c.Best.Bound, c.reported = math.Inf(-1), math.Inf(-1)
	for _, q := range from {
		if v := r.Evaluate(ctx, q, 0, nil); v.Safe() > c.Best.Safe() {
			c.keep(v, q)
			p = q
		}
	}
	c.unit = value - c.Best.Bound
	if !(c.unit > 1e-12*c.Best.size) || math.IsInf(c.unit, 0) {
		return
	}
	temperature := firstTemperature * c.unit / float64(r.Jobs)
	for stage := 0; ; stage++ {
		for range pace.rounds {
			p = c.climb(ctx, p, temperature, pace.steps)
			if ctx.Err() != nil || c.Steps <= 0 || r.work > pace.work {
				return
			}
			if c.Violated != nil {
				p = r.replace(p, c.Violated(ctx, rowSlack))
			}
			temperature *= pace.cooling
		}
		if c.Coarse || stage == pace.refinements || 2*r.Intervals() > max(pace.largest, 3*r.Jobs) {
			return
		}
		p = r.Refine(p)
	}
}

// keep takes over a better bound.
func (c *Climb) keep(v Value, p Point) {
	c.Best = v
	c.Point = Point{slices.Clone(p.Price), slices.Clone(p.Theta)}
	c.At, c.Rows = c.Relaxation.At, slices.Clone(c.Relaxation.Rows)
	if b := v.Safe(); b > c.reported+1e-4*math.Abs(c.reported) || math.IsInf(c.reported, 0) {
		c.reported = b
		c.Bounded(b)
	}
}

const memory = 24 // pairs that L-BFGS keeps

// A surface is the smoothed bound at a temperature as a function of variables of one size, none negative, which L-BFGS minimises.
type surface struct {
	*Climb
	temperature          float64
	steps                int // evaluations that are left
	priceUnit, thetaUnit float64
	now, grad            Point
}

// decode sets now to what variables stand for: where prices fall with time, each is the sum of its own and all later variables.
func (s *surface) decode(x []float64) {
	k := len(s.now.Price)
	sum := 0.0
	for i := k - 1; i >= 0; i-- {
		if s.Relaxation.Monotone {
			sum += x[i] * s.priceUnit
		} else {
			sum = x[i] * s.priceUnit
		}
		s.now.Price[i] = sum
	}
	for i := range s.now.Theta {
		s.now.Theta[i] = x[k+i] * s.thetaUnit
	}
}

// encode is the inverse of decode.
func (s *surface) encode(p Point) []float64 {
	k := len(p.Price)
	x := make([]float64, k+len(p.Theta))
	for i := range k {
		x[i] = p.Price[i] / s.priceUnit
		if s.Relaxation.Monotone && i+1 < k {
			x[i] = max(0, x[i]-p.Price[i+1]/s.priceUnit)
		}
	}
	for i := range p.Theta {
		x[k+i] = p.Theta[i] / s.thetaUnit
	}
	return x
}

// at is the value at x, with its gradient in g; false: there are no steps left, or ctx ended.
func (s *surface) at(ctx context.Context, x, g []float64) (float64, bool) {
	c, r := s.Climb, s.Relaxation
	if c.Steps <= 0 || s.steps <= 0 {
		return 0, false
	}
	c.Steps--
	s.steps--
	s.decode(x)
	v := r.Evaluate(ctx, s.now, s.temperature, &s.grad)
	if math.IsInf(v.Bound, -1) {
		return 0, false
	}
	if v.Safe() > c.Best.Safe() {
		c.keep(v, s.now)
	}
	sum := 0.0
	for i, d := range s.grad.Price {
		sum += d
		if r.Monotone {
			d = sum
		}
		g[i] = -d * s.priceUnit / c.unit
	}
	for i, d := range s.grad.Theta {
		g[len(s.grad.Price)+i] = -d * s.thetaUnit / c.unit
	}
	return -v.Smooth / c.unit, true
}

// climb goes up from p at a temperature, for at most steps evaluations, and returns where it has come to.
func (c *Climb) climb(ctx context.Context, p Point, temperature float64, steps int) Point {
	r := c.Relaxation
	k, rows := r.Intervals(), len(r.Rows)
	n := k + rows
	s := surface{
		Climb: c, temperature: temperature, steps: steps,
		priceUnit: c.unit / (r.Capacity * r.At[k]), thetaUnit: c.unit / float64(r.Jobs),
		now: Point{make([]float64, k), make([]float64, rows)}, grad: Point{make([]float64, k), make([]float64, rows)},
	}
	x, g := s.encode(p), make([]float64, n)
	f, ok := s.at(ctx, x, g)
	y, gy, dir := make([]float64, n), make([]float64, n), make([]float64, n)
	free := make([]bool, n)
	var past []pair
	steepest := func() (slope float64) {
		for i := range dir {
			free[i] = x[i] > 0 || g[i] < 0
			dir[i] = 0
			if free[i] {
				dir[i] = -g[i]
				slope -= g[i] * g[i]
			}
		}
		return slope
	}
	for ok {
		slope := steepest()
		if slope > -1e-16 {
			break
		}
		step := 1.0
		if downhill := quasiNewton(past, dir, g, free); downhill < 0 {
			slope = downhill
		} else {
			past = past[:0]
			steepest()
		}
		if len(past) == 0 {
			step = 0.1 / math.Sqrt(-slope) / math.Sqrt(float64(n))
		}
		better := false
		var fy float64
		for try := 0; try < 12; try++ {
			along := 0.0
			for i := range x {
				y[i] = max(0, x[i]+step*dir[i])
				along += g[i] * (y[i] - x[i])
			}
			fy, ok = s.at(ctx, y, gy)
			if !ok {
				break
			}
			if fy <= f+1e-4*along && along < 0 {
				better = true
				break
			}
			step /= 3
		}
		if !better {
			if !ok || len(past) == 0 {
				break
			}
			past = past[:0]
			continue
		}
		past = remember(past, x, y, g, gy)
		gain := f - fy
		x, y, g, gy, f = y, x, gy, g, fy
		if gain < 1e-7*math.Abs(f) && len(past) > 5 {
			break
		}
	}
	s.decode(x)
	return Point{slices.Clone(s.now.Price), slices.Clone(s.now.Theta)}
}

// A pair is a step with the change of the gradient along it.
type pair struct {
	s, y []float64
	sy   float64
}

func remember(past []pair, x, next, g, after []float64) []pair {
	var p pair
	if len(past) == memory {
		p = past[0]
		past = append(past[:0], past[1:]...)
	} else {
		p = pair{s: make([]float64, len(x)), y: make([]float64, len(x))}
	}
	p.sy = 0
	yy, ss := 0.0, 0.0
	for i := range x {
		p.s[i], p.y[i] = next[i]-x[i], after[i]-g[i]
		p.sy += p.s[i] * p.y[i]
		yy += p.y[i] * p.y[i]
		ss += p.s[i] * p.s[i]
	}
	if p.sy <= 1e-12*math.Sqrt(yy*ss) {
		return past
	}
	return append(past, p)
}

// quasiNewton turns dir, the steepest descent in the free variables, into the quasi-Newton direction in them, and returns its
// slope; 0 or more when it is none.
func quasiNewton(past []pair, dir, g []float64, free []bool) float64 {
	dot := func(a, b []float64) float64 {
		s := 0.0
		for i, v := range a {
			if free[i] {
				s += v * b[i]
			}
		}
		return s
	}
	alpha := make([]float64, len(past))
	sy := make([]float64, len(past))
	for i := len(past) - 1; i >= 0; i-- {
		sy[i] = dot(past[i].s, past[i].y)
		if sy[i] <= 1e-14*dot(past[i].y, past[i].y) {
			continue
		}
		alpha[i] = dot(past[i].s, dir) / sy[i]
		for k, v := range past[i].y {
			if free[k] {
				dir[k] -= alpha[i] * v
			}
		}
	}
	for i := len(past) - 1; i >= 0; i-- {
		if yy := dot(past[i].y, past[i].y); sy[i] > 1e-14*yy && yy > 0 {
			for k := range dir {
				dir[k] *= sy[i] / yy
			}
			break
		}
	}
	for i := range past {
		if sy[i] <= 1e-14*dot(past[i].y, past[i].y) {
			continue
		}
		beta := dot(past[i].y, dir) / sy[i]
		for k, v := range past[i].s {
			if free[k] {
				dir[k] += (alpha[i] - beta) * v
			}
		}
	}
	return dot(g, dir)
}
