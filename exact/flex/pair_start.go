package flex

import (
	"context"
	"slices"

	"schedgap/models/flex"
)

// pack packs an order and keeps the schedule if it is the best so far.
func (s *pairSearch) pack(order []int) {
	if v := s.in.Value(s.packer.Completions(order)); v < s.best {
		s.keep(s.packer.Pack(order), v)
	}
}

// ordered keeps the best schedule of a completion order if it is the best so far, and returns a bound on all of the order.
func (s *pairSearch) ordered(ctx context.Context, order []int) (bound float64, err error) {
	plan, bound, err := solveOrder(ctx, s.in, order)
	if err == nil {
		if r := flex.Problem.Check(s.in, plan); r.Feasible(nil) && r.Objective != nil {
			s.keep(plan, *r.Objective)
		}
	}
	return bound, err
}

// settle solves a whole order again, whose linear program should have been exact but whose times could not be met, through
// rounding on the long way down to it. If that fails again, what is there is unknown, and the bound remains open.
func (s *pairSearch) settle(ctx context.Context, o *pairNode) float64 {
	if s.proves == nil {
		if fresh, err := s.ordered(ctx, s.orderOf(o.times)); err == nil {
			return max(o.bound, fresh)
		}
	}
	return o.bound
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
				if v := s.in.Value(s.packer.Completions(trial)); v < value-1e-10*s.program.worth {
					value, improved = v, true
					copy(order, trial)
				}
			}
		}
	}
	s.pack(order)
	_, _ = s.ordered(ctx, s.orderOf(s.packer.Completions(order))) // the packed schedule is there if this one is not
}
