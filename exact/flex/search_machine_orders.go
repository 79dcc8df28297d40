package flex

import (
	"context"
	"slices"
)

// offer takes an order after it was improved.
func (s *machineSearch) offer(order []int) {
	order = slices.Clone(order)
	if v := s.improve(order); v < s.cost {
		s.cost, s.order, s.target = v, order, s.goal(order)
	}
}

// worth is the cost of an order.
func (s *machineSearch) worth(order []int) (v int64) {
	t := 0
	for _, j := range order {
		t += s.p.Work[j]
		v += s.p.Cost[j][t]
	}
	return v
}

// improve moves jobs of an order while that makes it cheaper, and returns its cost.
func (s *machineSearch) improve(order []int) int64 {
	cost := s.worth(order)
	for better := true; better; {
		better = false
		for i := range order {
			if saved := s.move(order, i); saved > 0 {
				cost, better = cost-saved, true
			}
		}
	}
	return cost
}

// swapReach is how far apart jobs are that change places.
const swapReach = 40

// move takes the job at i to the place where the order costs least, or has it change places with a later one where that is better. It
// returns how much is saved.
func (s *machineSearch) move(order []int, i int) (saved int64) {
	p, j, place := s.p, order[i], i
	starts := make([]int, len(order)+1)
	for k, o := range order {
		starts[k+1] = starts[k] + p.Work[o]
	}
	end := starts[i+1]
	change := int64(0) // of the jobs that j passes
	for k := i + 1; k < len(order); k++ {
		o := order[k]
		change += p.Cost[o][starts[k+1]-p.Work[j]] - p.Cost[o][starts[k+1]]
		if v := p.Cost[j][end] - p.Cost[j][starts[k+1]] - change; v > saved {
			saved, place = v, k
		}
	}
	change = 0
	for k := i - 1; k >= 0; k-- {
		o := order[k]
		change += p.Cost[o][starts[k+1]+p.Work[j]] - p.Cost[o][starts[k+1]]
		if v := p.Cost[j][end] - p.Cost[j][starts[k]+p.Work[j]] - change; v > saved {
			saved, place = v, k
		}
	}
	swap := -1
	for k := i + 2; k < min(len(order), i+swapReach); k++ {
		o := order[k]
		shift := p.Work[o] - p.Work[j]
		v := p.Cost[j][end] + p.Cost[o][starts[k+1]] - p.Cost[o][starts[i]+p.Work[o]] - p.Cost[j][starts[k+1]]
		for m := i + 1; m < k; m++ {
			v += p.Cost[order[m]][starts[m+1]] - p.Cost[order[m]][starts[m+1]+shift]
		}
		if v > saved {
			saved, swap = v, k
		}
	}
	switch {
	case saved == 0:
	case swap >= 0:
		order[i], order[swap] = order[swap], order[i]
	default:
		copy(order, slices.Insert(slices.Delete(slices.Clone(order), i, i+1), place, j))
	}
	return saved
}

// shake improves the best order after some swaps, so many times.
func (s *machineSearch) shake(ctx context.Context, times int) {
	n := len(s.order)
	for range times {
		if ctx.Err() != nil || s.bound >= s.target || n < 3 {
			return
		}
		order := slices.Clone(s.order)
		for range 2 + s.random.IntN(4) {
			i := s.random.IntN(n)
			k := min(n-1, max(0, i+s.random.IntN(17)-8))
			order[i], order[k] = order[k], order[i]
		}
		s.offer(order)
	}
}

// completed is the order of the first visits of a path. The other jobs have the places that they have in the best order.
func (s *machineSearch) completed(path []int) (order []int) {
	seen := make([]bool, len(s.p.Work))
	for _, j := range path {
		if !seen[j] {
			seen[j] = true
			order = append(order, j)
		}
	}
	for i, j := range s.order {
		if !seen[j] {
			order = slices.Insert(order, min(i, len(order)), j)
		}
	}
	return order
}
