package redundancy

import (
	"context"
	"math"
	"slices"

	"schedgap/exact"
	"schedgap/exact/milp"
	"schedgap/exact/prices"
	"schedgap/models/redundancy"
)

// completions are the times and orders of completions that prices leave to schedules worth at most some value. Jobs are numbered as they
// arrive.
type completions struct {
	windows []prices.Window // from the first arrival on
	first   [][]bool        // first[i][j]: job i may complete before job j, or at the same time
}

// A narrowing excludes completions by prices of machine time (docs/design/redundancy.md#completions-that-prices-exclude).
type narrowing struct {
	in    *redundancy.Instance
	env   *envelope
	climb *prices.Climb // at the best prices without windows
}

// newNarrowing ascends prices; nil: ctx has ended before there were any.
func newNarrowing(ctx context.Context, in *redundancy.Instance) *narrowing {
	c := priceBound(ctx, in, prices.Steps.Default.(int), func(float64) {})
	if c == nil || c.Point.Price == nil {
		return nil
	}
	return &narrowing{in, newEnvelope(ctx, in, len(in.Jobs)), c}
}

// Prices ascend again for the windows that the last ones left, as long as these shrink to shrunk of their width, at most so many times.
const (
	mostAscents = 4
	shrunk      = 0.9
)

// left are the completions of schedules whose sum of flowtimes is at most value; nil: there is no such schedule.
func (n *narrowing) left(ctx context.Context, value float64) (left *completions) {
	c, width := n.climb, math.Inf(1)
	for range mostAscents {
		left = excluding(c, value)
		if left == nil {
			return nil
		}
		sum := 0.0
		for _, w := range left.windows {
			sum += min(w.To, c.At[len(c.At)-1]) - w.From
		}
		if sum > shrunk*width {
			return left
		}
		width = sum
		next := newClimb(n.in, newSubproblem(n.env, c.At, append(slices.Clone(c.Point.Price), 0)), c.At, prices.Steps.Default.(int))
		next.Coarse = true
		next.Relaxation.Rows, next.Relaxation.Windows = slices.Clone(c.Rows), left.windows
		next.Ascend(ctx, []prices.Point{c.Point}, value)
		if next.Point.Price == nil {
			return left // ctx has ended
		}
		c = next
	}
	return left
}

// excludeTolerance of the value is added to what a schedule may cost, and of the last price's time to the ends of windows.
const excludeTolerance = 1e-9

// excluding are the completions at which the prices of an ascent do not make each schedule cost more than value; nil: they always do.
func excluding(c *prices.Climb, value float64) *completions {
	r, bound := c.Relaxation, c.Best.Safe()
	r.At, r.Rows = c.At, c.Rows
	over := value - bound + (c.Best.Bound - bound) + excludeTolerance*value
	if over < 0 {
		return nil
	}
	intervals := len(r.At)
	excess := make([][]float64, r.Jobs) // by job and interval: what it pays above its least
	left := &completions{windows: make([]prices.Window, r.Jobs), first: make([][]bool, r.Jobs)}
	r.Priced(c.Point, over, func(j int, columns []prices.Column) {
		least := math.Inf(1)
		for _, col := range columns {
			least = min(least, col.Cost)
		}
		excess[j] = slices.Repeat([]float64{math.Inf(1)}, intervals)
		w, slack := prices.Window{From: math.Inf(1)}, excludeTolerance*r.At[intervals-1]
		for _, col := range columns {
			k := col.Interval
			if col.Cost-least > over {
				continue
			}
			excess[j][k] = min(excess[j][k], col.Cost-least)
			w.From, w.To = min(w.From, r.At[k]-slack), math.Inf(1)
			if k+1 < intervals {
				w.To = r.At[k+1] + slack
			}
		}
		left.windows[j] = w
	})
	for i := range excess {
		left.first[i] = make([]bool, r.Jobs)
		for j := range excess {
			sooner := math.Inf(1)
			for k := range intervals {
				sooner = min(sooner, excess[i][k])
				left.first[i][j] = left.first[i][j] || sooner+excess[j][k] <= over
			}
		}
	}
	return left
}

// narrowPeriods leaves the model the completions that prices do not exclude for a schedule's value: the start's, or that of a schedule
// that the solver's points lead to.
func narrowPeriods(
	ctx context.Context, in *redundancy.Instance, start *redundancy.Solution, solve func(*milp.Model) (*milp.Result, error),
) (*exact.BuiltModel[redundancy.Solution], *redundancy.Solution, error) {
	n := newNarrowing(ctx, in)
	if n == nil {
		return nil, start, nil
	}
	if start == nil {
		var err error
		start, err = n.found(ctx, solve)
		if start == nil || err != nil {
			return nil, nil, err
		}
	}
	value := n.value(*start)
	left := n.left(ctx, value+roundedBy(in, value))
	if left == nil { // by rounding only: the schedule itself is left
		return nil, start, nil
	}
	return periodsWithin(in, left), start, nil
}

// shares above the bound are the values whose schedules are tried first.
var shares = []float64{0.01, 0.03, 0.1, math.Inf(1)}

// found is a schedule that the solver's points lead to: from the first stage on the completions that some value leaves, the least at which
// there is a point. Nil: the solver ended too soon.
func (n *narrowing) found(ctx context.Context, solve func(*milp.Model) (*milp.Result, error)) (*redundancy.Solution, error) {
	for _, share := range shares {
		var left *completions
		if !math.IsInf(share, 1) {
			left = n.left(ctx, n.climb.Best.Safe()*(1+share))
			if left == nil {
				continue
			}
		}
		b := newPeriodBuilder(n.in, left)
		b.relaxed()
		r, err := solve(b.m)
		if err != nil {
			return nil, err
		}
		switch {
		case r.X != nil:
			s, err := n.schedule(b, r.X, solve)
			if s != nil || err != nil {
				return s, err
			}
		case r.Status != milp.Infeasible:
			return nil, nil
		}
	}
	return nil, nil
}

// schedule is the better one of two: by the model with the integers of a point of the first stage, and by the point's order and its mean
// copies, rounded. Nil: neither is a schedule.
func (n *narrowing) schedule(
	b *periodBuilder, x []float64, solve func(*milp.Model) (*milp.Result, error),
) (best *redundancy.Solution, err error) {
	least := math.Inf(1)
	keep := func(s redundancy.Solution, err error) {
		if err != nil {
			return
		}
		if v := n.value(s); v < least {
			best, least = &s, v
		}
	}
	keep(b.mostly(x))
	built := periodsWithin(n.in, nil)
	r, err := solve(exact.With(built.Model, b.m.Cols, x))
	if err == nil && r.X != nil {
		keep(built.Decode(r.X))
	}
	return best, err
}

// roundedBy bounds the error of a schedule's value by the rounding of times: near a date a completion is off by a few units in the last
// place for each event before it.
func roundedBy(in *redundancy.Instance, value float64) float64 {
	last, n := value, float64(len(in.Jobs))
	for _, j := range in.Jobs {
		last = max(last, j.Arrival+value)
	}
	return 4 * n * n * (math.Nextafter(last, math.Inf(1)) - last)
}

// value is the checker's. It is infinite where the checker refuses the schedule, or the speed is not 1.
func (n *narrowing) value(s redundancy.Solution) float64 {
	if rep := redundancy.Problem.Check(n.in, s); rep.Feasible(nil) && rep.Objective != nil && (s.Speed == 0 || s.Speed == 1) {
		return *rep.Objective
	}
	return math.Inf(1)
}
