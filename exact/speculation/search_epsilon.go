package speculation

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"schedgap/exact"
	"schedgap/exact/milp"
	"schedgap/models"
	"schedgap/models/speculation"
)

// epsilonConstraint is the front by a MILP solver: from the greatest ΣΔt down, each point has the greatest ΣΔt among the
// matchings with more ΣΔE than the last (ε), and in a second stage the greatest ΣΔE among those with that ΣΔt, so that it is
// dominated by none. Savings are real numbers, so "more" needs a step, small at first and doubled while a solver's tolerance lets
// the last point through; a step may leave out a point, and a solver may wrongly find nothing left. So in the end the boxes
// between the points are searched as hungarian does, which proves the front, or completes it.
func epsilonConstraint(solver milp.Solver) *exact.Method[*speculation.Instance, speculation.Solution] {
	return &exact.Method[*speculation.Instance, speculation.Solution]{
		Name: solver.Name(),
		Doc:  "ε-constraint over the assignment model",
		Solve: func(ctx context.Context, p *speculation.Pass, start *speculation.Solution) (speculation.Outcome, error) {
			pairs := newPairs(ctx, p.Instance)
			if pairs == nil {
				return unfinished(p, nil, start, math.Inf(1)), nil
			}
			e := &epsilon{ctx: ctx, pass: p, solver: solver, pairs: pairs, ceiling: math.Inf(1)}
			return e.run(start)
		},
	}
}

const (
	// The step, as a share of the greatest ΣΔE.
	leastStep, greatestStep = 1e-7, 1e-4
	// sameTime is the share of the greatest ΣΔt that the second stage may lose.
	sameTime = 1e-9
	// rowSize is the size of the largest coefficient of a row of savings, so that a solver's absolute tolerances are small
	// beside it.
	rowSize = 1024
)

// epsilon is the state of one run.
type epsilon struct {
	ctx     context.Context
	pass    *speculation.Pass
	solver  milp.Solver
	pairs   *pairs
	points  []speculation.Point // by descending time
	ceiling float64             // the greatest ΣΔE
	stats   models.Stats
	models  int
}

// errLimit says that a stage ended at a limit.
var errLimit = errors.New("limit reached")

func (e *epsilon) run(start *speculation.Solution) (speculation.Outcome, error) {
	e.stats = models.Stats{SolverVersion: e.solver.Version(), Model: assignment.Name}
	err := e.sweep()
	points := sortedFront(e.points)
	var boxes *front
	if err == nil {
		boxes = newFront(e.ctx, e.pairs, points)
	} else if !errors.Is(err, errLimit) {
		return speculation.Outcome{}, err
	}
	var out speculation.Outcome
	if boxes != nil {
		out = boxes.solve(e.ctx, e.pass, start)
	} else {
		out = unfinished(e.pass, points, start, e.bound())
	}
	e.stats.Raw = fmt.Sprintf("%d points by %d models, %d more in the boxes between them",
		len(points), e.models, max(0, len(out.Solution.Front)-len(points)))
	out.Stats = e.stats
	return out, nil
}

// sweep fills points.
func (e *epsilon) sweep() error {
	best, _, err := e.stage(byEnergy, nil)
	if err != nil {
		return err
	}
	e.ceiling = best.Energy
	step := leastStep
	for {
		var rows []milp.Row
		if n := len(e.points); n > 0 {
			if e.points[n-1].Energy >= e.ceiling*(1-step) {
				return nil
			}
			rows = []milp.Row{e.atLeast("epsilon", byEnergy, e.points[n-1].Energy+step*e.ceiling)}
		}
		first, ok, err := e.stage(byTime, rows)
		if err == nil && !ok {
			return nil
		}
		if n := len(e.points); n > 0 && step < greatestStep && !errors.Is(err, errLimit) &&
			(err != nil || first.Energy <= e.points[n-1].Energy) {
			// A binary may miss 0 or 1 by the solver's tolerance: rounded, the point may be the last one, or be refused.
			step *= 2
			continue
		}
		if err != nil {
			return err
		}
		point, ok, err := e.stage(byEnergy, []milp.Row{e.atLeast("time", byTime, first.Time*(1-sameTime))})
		if errors.Is(err, errLimit) {
			return err
		}
		if err != nil || !ok || point.Energy < first.Energy {
			point = first // for the same reason; what dominates it is found next, and drops it
		}
		if n := len(e.points); n > 0 && point.Energy <= e.points[n-1].Energy {
			return nil // the solver's tolerance does not tell matchings apart whose energy differs by step
		}
		step = leastStep
		e.points = append(e.points, point)
		e.pass.Improved(speculation.Solution{Front: sortedFront(e.points)})
		e.pass.Bounded(e.bound())
	}
}

func byTime(time, _ float64) float64     { return time }
func byEnergy(_, energy float64) float64 { return energy }

// stage maximises a saving over the assignment model with further rows; false: there is no matching.
func (e *epsilon) stage(saving func(time, energy float64) float64, rows []milp.Row) (speculation.Point, bool, error) {
	began := time.Now()
	in := e.pass.Instance
	m := e.pairs.model(in.Name+"-"+assignment.Name, saving, rows != nil)
	m.Rows = append(m.Rows, rows...)
	e.models++
	columns, rowCount, nonzeros := int64(len(m.Cols)), int64(len(m.Rows)), int64(m.Nonzeros())
	e.stats.Columns, e.stats.Rows, e.stats.Nonzeros = &columns, &rowCount, &nonzeros
	add(&e.stats.BuildSeconds, time.Since(began).Seconds())
	r, err := e.solver.Solve(e.ctx, m, milp.Options{Threads: e.pass.Threads, Seed: int64(e.pass.Seed)})
	if err != nil {
		return speculation.Point{}, false, fmt.Errorf("model %s by %s: %w", assignment.Name, e.solver.Name(), err)
	}
	add(&e.stats.SolverSeconds, r.Seconds)
	if r.Nodes >= 0 {
		add(&e.stats.Nodes, r.Nodes)
	}
	switch r.Status {
	case milp.Optimal:
		return in.Point(e.pairs.decode(r.X)), true, nil
	case milp.Infeasible:
		return speculation.Point{}, false, nil
	case milp.Limit:
		return speculation.Point{}, false, errLimit
	}
	return speculation.Point{}, false, fmt.Errorf("model %s by %s: unexpected end %v (%s)",
		assignment.Name, e.solver.Name(), r.Status, r.Raw)
}

// add adds to a sum that is nil while it has no terms.
func add[T int64 | float64](sum **T, x T) {
	if *sum == nil {
		*sum = new(T)
	}
	**sum += x
}

// atLeast is the row that keeps a saving at a level.
func (e *epsilon) atLeast(name string, saving func(time, energy float64) float64, level float64) milp.Row {
	largest := 0.0
	for _, p := range e.pairs.list {
		largest = max(largest, saving(p.time, p.energy))
	}
	scale := 1.0
	if largest > 0 {
		_, exp := math.Frexp(largest)
		scale = math.Ldexp(rowSize, -exp)
	}
	row := milp.Row{Name: name, Lo: level * scale, Hi: milp.Inf}
	for col, p := range e.pairs.list {
		row.Terms = append(row.Terms, milp.Term{Col: col, Coef: saving(p.time, p.energy) * scale})
	}
	return row
}

// bound is an upper bound on the hypervolume of the whole front: points that are not found yet save no more time than the last
// one found and no more energy than the greatest.
func (e *epsilon) bound() float64 {
	ceiling := min(e.ceiling, e.pairs.most(byEnergy))
	if len(e.points) == 0 {
		return above(e.pairs.most(byTime) * ceiling)
	}
	last := &e.points[len(e.points)-1]
	room := last.Time * max(0, ceiling-last.Energy)
	// The steps leave out points that are better by no more than them.
	slack := greatestStep * e.points[0].Time * ceiling
	return above(speculation.Hypervolume(e.points) + room + slack)
}
