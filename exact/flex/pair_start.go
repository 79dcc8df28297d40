package flex

import (
	"context"
	"slices"

	"schedgap/models/flex"
)

// offer packs an order and keeps the schedule if it is the best so far.
func (s *pairSearch) offer(order []int) {
	if v := s.in.Value(s.packer.Completions(order)); v < s.best {
		s.keep(s.packer.Pack(order), v)
	}
}

func (s *pairSearch) keep(plan flex.Schedule, value float64) {
	s.best, s.bestPlan = value, plan
	s.incumbents.Found(value, plan)
}

// take keeps the schedule that meets times, in units, if there is one and it is the best so far.
func (s *pairSearch) take(units []float64) {
	times := slices.Clone(units)
	for j := range times {
		times[j] *= s.relax.unit
	}
	if plan, v, ok := realize(s.in, s.exact, times); ok && v < s.best {
		s.keep(plan, v)
	}
}

// ordered keeps the best schedule of a completion order if it is the best so far, and returns a bound on all of the order.
func (s *pairSearch) ordered(ctx context.Context, order []int) (bound float64, err error) {
	plan, bound, err := solveOrder(ctx, s.in, order)
	if err == nil {
		if r := flex.Problem.Check(s.in, plan); r.Feasible(nil) && r.Objective != nil && *r.Objective < s.best {
			s.keep(plan, *r.Objective)
		}
	}
	return bound, err
}

// settle solves a whole order again, whose linear program should have been exact but whose times could not be met, through
// rounding on the long way down to it. If that fails again, what is there is unknown, and the bound remains open.
func (s *pairSearch) settle(ctx context.Context, order []int, bound float64) {
	if fresh, err := s.ordered(ctx, order); err == nil {
		bound = max(bound, fresh)
	}
	if bound < s.threshold() {
		s.open = min(s.open, bound)
	}
}

// polish packs order after moving single jobs in it while that improves the schedule, and keeps the best schedule of the order in
// which jobs then complete.
func (s *pairSearch) polish(ctx context.Context, order []int) {
	value := s.in.Value(s.packer.Completions(order))
	trial := slices.Clone(order)
	for improved := true; improved; {
		improved = false
		for i := range order {
			if ctx.Err() != nil {
				return
			}
			for k := range order {
				trial = append(trial[:0], order...)
				u := trial[i]
				trial = slices.Insert(slices.Delete(trial, i, i+1), k, u)
				if v := s.in.Value(s.packer.Completions(trial)); v < value-1e-10*s.relax.worth {
					value, improved = v, true
					copy(order, trial)
				}
			}
		}
	}
	s.offer(order)
	_, _ = s.ordered(ctx, s.orderOf(s.packer.Completions(order))) // the packed schedule is there if this one is not
}
