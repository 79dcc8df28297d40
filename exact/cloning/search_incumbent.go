package cloning

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"schedgap/models"
	"schedgap/models/cloning"
	"schedgap/models/cloning/sim"
)

// A rule makes list schedules: at every arrival and completion, jobs in order start the tasks that fit, in up to as many copies as
// the job wants. Copies run until their task completes.
type rule struct {
	order  []int // jobs, the most urgent first
	copies []int // by job
	// fill gives the remaining room to further copies of running tasks, in the same order.
	fill bool
}

// list returns the schedule of a rule and its objective; ok is false when ctx ends or the objective is not below limit.
func (v *preprocessed) list(ctx context.Context, r rule, limit int) (s cloning.Solution, cost int, ok bool) {
	place := make([]int, len(r.order))
	for i, j := range r.order {
		place[j] = i
	}
	policy := &sim.Policy{Policy: models.Policy{Name: "list"}, New: func(*sim.State, models.Values, *rand.Rand) sim.Rules {
		return sim.Rules{MaxCopies: v.in.MaxCopies, Rank: func(job, phase, copies int) (sim.Rank, bool) {
			rank := sim.Rank{Key: float64(place[job])}
			if copies >= r.copies[job] {
				rank.Group = 1
			}
			return rank, copies < v.phases[v.first[job]+phase].most && (r.fill || rank.Group == 0)
		}}
	}}
	value, err := sim.Flowtime(ctx, v.in, policy, nil, nil, float64(limit))
	if err != nil || value >= float64(limit) {
		return s, 0, false
	}
	s, err = sim.Schedule(ctx, v.in, policy, nil, 1, nil)
	s.CapacityFactor = 0
	slices.SortFunc(s.Copies, compareCopies)
	return s, int(value), err == nil
}

func compareCopies(a, b cloning.Copy) int {
	return cmp.Or(cmp.Compare(a.Task.Job, b.Task.Job), cmp.Compare(a.Task.Phase, b.Task.Phase),
		cmp.Compare(a.Task.Index, b.Task.Index), cmp.Compare(a.Start, b.Start), cmp.Compare(a.Server, b.Server))
}

// An incumbent is a feasible nonpreemptive schedule, which both regimes allow.
type incumbent struct {
	solution cloning.Solution
	cost     int
}

// Efforts of the search for an incumbent, in tasks times servers times schedules.
const (
	listEffort = 20_000_000
	maxLists   = 400
)

// incumbent tries orders by critical path, volume and arrival with one to three copies, and improves the best by moving
// jobs and changing their copies. It is nil when the instance is too large for even one schedule, or ctx ends before one.
func (v *preprocessed) incumbent(ctx context.Context) *incumbent {
	size := v.tasks * (len(v.in.Servers) + len(v.phases) + 1)
	lists := min(maxLists, listEffort/max(1, size))
	var best *incumbent
	var bestRule rule
	try := func(r rule) bool {
		if lists == 0 {
			return false
		}
		lists--
		limit := math.MaxInt
		if best != nil {
			limit = best.cost
		}
		s, cost, ok := v.list(ctx, r, limit)
		if ok && cost < limit {
			best, bestRule = &incumbent{s, cost}, r
			return true
		}
		return false
	}
	for _, order := range v.orders() {
		for c := range 3 {
			for _, fill := range []bool{true, false} {
				copies := make([]int, len(v.in.Jobs))
				for j := range copies {
					copies[j] = 1 + c
				}
				try(rule{order, copies, fill})
			}
		}
	}
	for improved := best != nil; improved && lists > 0; {
		improved = false
		for i := range bestRule.order {
			for d := 1; d <= 3 && i+d < len(bestRule.order); d++ {
				r := bestRule
				r.order = slices.Clone(r.order)
				r.order[i], r.order[i+d] = r.order[i+d], r.order[i]
				improved = try(r) || improved
			}
			for c := 1; c <= 3; c++ {
				r := bestRule
				if r.copies[i] != c {
					r.copies = slices.Clone(r.copies)
					r.copies[i] = c
					improved = try(r) || improved
				}
			}
		}
	}
	return best
}

// orders are by earliest end, by remaining path, by volume of the dominant resource, and by arrival.
func (v *preprocessed) orders() [][]int {
	total := v.in.Total()
	volume := make([]float64, len(v.in.Jobs))
	for k := range v.phases {
		ph := &v.phases[k]
		volume[ph.job] += float64(ph.Tasks*ph.alone) * cloning.DominantShare(ph.Demand, total)
	}
	keys := []func(j int) float64{
		func(j int) float64 { return float64(v.earliest(j)) },
		func(j int) float64 { return float64(v.earliest(j) - v.in.Jobs[j].Arrival) },
		func(j int) float64 { return volume[j] },
		func(j int) float64 { return float64(v.in.Jobs[j].Arrival) },
	}
	orders := make([][]int, len(keys))
	for i, key := range keys {
		orders[i] = models.OrderBy(len(v.in.Jobs), key)
	}
	return orders
}
