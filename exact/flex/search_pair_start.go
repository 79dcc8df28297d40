package flex

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"schedgap/models/flex"
)

// pack packs an order and keeps the schedule if it is the best so far.
func (s *pairSearch) pack(order []int) {
	if v := s.in.Value(s.packer.Completions(order)); v < s.Best {
		s.Keep(s.packer.Pack(order), v)
	}
}

// ordered keeps the best schedule of a completion order if it is the best so far, and returns a bound on all of the order.
func (s *pairSearch) ordered(ctx context.Context, order []int) float64 {
	o := s.all.clone()
	for i, j := range order[1:] {
		s.order(o, order[i], j)
	}
	s.solve(ctx, o, orderRounds)
	if o.verdict == met {
		s.take(s.timesOf(o))
	}
	return o.bound
}

// settle solves a whole order again, whose linear program should have been exact but whose times could not be met, through
// rounding on the long way down to it. If that fails again, the node's schedules are unknown, and the bound remains open.
func (s *pairSearch) settle(ctx context.Context, o *pairNode) float64 {
	if s.proves == nil {
		return max(o.bound, s.ordered(ctx, s.orderOf(o.times)))
	}
	return o.bound
}

// bestInOrder is an optimal schedule among those in which jobs complete in the given order, for sum objectives with convex
// penalties.
func bestInOrder(in *flex.Instance, order []int) (flex.Schedule, error) {
	s, _ := newPairSearch(newIncumbent(in, nil), nil)
	s.ordered(context.Background(), order)
	if s.Plan == nil {
		ids := make([]string, len(order))
		for i, j := range order {
			ids[i] = in.Jobs[j].ID
		}
		return nil, fmt.Errorf("no schedule was found in which the jobs complete in the order %s", strings.Join(ids, ", "))
	}
	return s.Plan, nil
}

// timesOf are the times of o's program in the instance's units.
func (s *pairSearch) timesOf(o *pairNode) []float64 {
	times := slices.Clone(o.times)
	for j := range times {
		times[j] *= s.program.unit
	}
	return times
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
				if v := s.in.Value(s.packer.Completions(trial)); v < value-1e-10*s.program.size {
					value, improved = v, true
					copy(order, trial)
				}
			}
		}
	}
	s.pack(order)
	_ = s.ordered(ctx, s.orderOf(s.packer.Completions(order))) // the packed schedule is there if this one is not
}
