// Package oracle solves tiny redundancy instances by trying every decision in exact rational arithmetic, for the tests of
// other packages only.
//
// It is written from the definition of the problem and shares no code with the packages under test except the types of an
// instance.
package oracle

import (
	"cmp"
	"math"
	"math/big"
	"slices"

	"schedgap/models/redundancy"
)

// Opt is the least sum of flowtimes at speed 1, over all schedules whose allocations change at arrivals and completions
// only. With multitasking it is the infimum, in which a job may hold a share of nothing.
func Opt(in *redundancy.Instance) float64 {
	best := new(big.Rat)
	if in.Multitasking {
		best = newShares(in).opt()
	} else {
		best = newWhole(in).opt()
	}
	for j := range in.Jobs {
		best.Sub(best, rat(in.Jobs[j].Arrival))
	}
	v, _ := best.Float64()
	return v
}

// OptWhere is the same on whole machines, over the schedules whose completion times are kept; infinite: there are none.
func OptWhere(in *redundancy.Instance, keep func(done []*big.Rat) bool) float64 {
	w := newWhole(in)
	w.keep = keep
	best := w.opt()
	if best == nil {
		return math.Inf(1)
	}
	for j := range in.Jobs {
		best.Sub(best, rat(in.Jobs[j].Arrival))
	}
	v, _ := best.Float64()
	return v
}

func rat(v float64) *big.Rat { return new(big.Rat).SetFloat64(v) }

func speedups(in *redundancy.Instance) []*big.Rat {
	h := []*big.Rat{new(big.Rat)}
	for _, v := range in.Speedup {
		h = append(h, rat(v))
	}
	return h
}

// byArrival lists the jobs as they arrive.
func byArrival(in *redundancy.Instance) []int {
	order := make([]int, len(in.Jobs))
	for j := range order {
		order[j] = j
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(in.Jobs[i].Arrival, in.Jobs[j].Arrival) })
	return order
}

// whole tries all vectors of copies for the active jobs at every event; they fix the time of the next one.
type whole struct {
	in      *redundancy.Instance
	h       []*big.Rat
	arrival []*big.Rat
	order   []int
	best    *big.Rat // sum of completion times, nil: none yet
	done    []*big.Rat
	keep    func(done []*big.Rat) bool // nil: all
}

func newWhole(in *redundancy.Instance) *whole {
	w := &whole{in: in, h: speedups(in), order: byArrival(in), done: make([]*big.Rat, len(in.Jobs))}
	for j := range in.Jobs {
		w.arrival = append(w.arrival, rat(in.Jobs[j].Arrival))
	}
	return w
}

func (w *whole) opt() *big.Rat {
	w.event(new(big.Rat), make([]*big.Rat, len(w.in.Jobs)), 0, new(big.Rat))
	return w.best
}

// event is at time t: left is the remaining work of the active jobs, nil for others, the first arrived jobs of the order
// are known, sum adds up the completion times so far.
func (w *whole) event(t *big.Rat, left []*big.Rat, arrived int, sum *big.Rat) {
	for arrived < len(w.order) && w.arrival[w.order[arrived]].Cmp(t) <= 0 {
		j := w.order[arrived]
		left[j] = rat(w.in.Jobs[j].Work)
		arrived++
	}
	var active []int
	for j := range left {
		if left[j] != nil {
			active = append(active, j)
		}
	}
	unfinished := int64(len(active) + len(w.order) - arrived)
	if unfinished == 0 {
		if (w.best == nil || sum.Cmp(w.best) < 0) && (w.keep == nil || w.keep(w.done)) {
			w.best = sum
		}
		return
	}
	// All others complete at t or later.
	if least := new(big.Rat).SetInt64(unfinished); w.best != nil && least.Mul(least, t).Add(least, sum).Cmp(w.best) >= 0 {
		return
	}
	copies := make([]int, len(active))
	var try func(k, machines int)
	try = func(k, machines int) {
		if k < len(active) {
			for r := range machines + 1 {
				copies[k] = r
				try(k+1, machines-r)
			}
			return
		}
		w.interval(t, left, active, copies, arrived, sum)
	}
	try(0, w.in.Machines)
}

// interval lasts until the next arrival or completion, if there is one.
func (w *whole) interval(t *big.Rat, left []*big.Rat, active, copies []int, arrived int, sum *big.Rat) {
	var length *big.Rat
	if arrived < len(w.order) {
		length = new(big.Rat).Sub(w.arrival[w.order[arrived]], t)
	}
	for k, j := range active {
		if copies[k] > 0 {
			if d := new(big.Rat).Quo(left[j], w.h[copies[k]]); length == nil || d.Cmp(length) < 0 {
				length = d
			}
		}
	}
	if length == nil {
		return
	}
	end, after, total := new(big.Rat).Add(t, length), slices.Clone(left), new(big.Rat).Set(sum)
	for k, j := range active {
		done := new(big.Rat).Mul(w.h[copies[k]], length)
		after[j] = new(big.Rat).Sub(left[j], done)
		if after[j].Sign() == 0 {
			after[j], w.done[j] = nil, end
			total.Add(total, end)
		}
	}
	w.event(end, after, arrived, total)
}
