package schedule

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"schedgap/exact/cloning/bounds"
	"schedgap/models"
	"schedgap/models/cloning"
	"schedgap/models/cloning/sim"
)

// A Rule makes list schedules: at every arrival and completion, jobs in order start the tasks that fit, in up to as many copies as
// the job wants. Copies run until their task completes.
type Rule struct {
	Order  []int // jobs, the most urgent first
	Copies []int // by job
	// Fill gives the remaining room to further copies of running tasks, in the same order.
	Fill bool
}

// List returns the schedule of a rule and its objective; ok is false when ctx ends or the objective is not below limit.
func List(ctx context.Context, v *bounds.Outlook, r Rule, limit int) (s cloning.Solution, cost int, ok bool) {
	place := make([]int, len(r.Order))
	for i, j := range r.Order {
		place[j] = i
	}
	policy := &sim.Policy{Policy: models.Policy{Name: "list"}, New: func(*sim.State, models.Values, *rand.Rand) sim.Rules {
		return sim.Rules{MaxCopies: v.In.MaxCopies, Rank: func(job, phase, copies int) (sim.Rank, bool) {
			rank := sim.Rank{Key: float64(place[job])}
			if copies >= r.Copies[job] {
				rank.Group = 1
			}
			return rank, copies < v.Phases[v.First[job]+phase].Most && (r.Fill || rank.Group == 0)
		}}
	}}
	value, err := sim.Flowtime(ctx, v.In, policy, nil, nil, float64(limit))
	if err != nil || value >= float64(limit) {
		return s, 0, false
	}
	s, err = sim.Schedule(ctx, v.In, policy, nil, 1, nil)
	s.CapacityFactor = 0
	slices.SortFunc(s.Copies, cloning.Copy.Compare)
	return s, int(value), err == nil
}

// An Incumbent is a feasible nonpreemptive schedule, which both regimes allow.
type Incumbent struct {
	Solution cloning.Solution
	Cost     int
}

// Efforts of the search for an incumbent, in tasks times servers times schedules.
const (
	listEffort = 20_000_000
	maxLists   = 400
)

// First tries orders by critical path, volume and arrival with one to three copies, and improves the best by moving
// jobs and changing their copies. It is nil when the instance is too large for even one schedule, or ctx ends before one.
func First(ctx context.Context, v *bounds.Outlook) *Incumbent {
	size := v.Tasks * (len(v.In.Servers) + len(v.Phases) + 1)
	lists := min(maxLists, listEffort/max(1, size))
	var best *Incumbent
	var bestRule Rule
	try := func(r Rule) bool {
		if lists == 0 {
			return false
		}
		lists--
		limit := math.MaxInt
		if best != nil {
			limit = best.Cost
		}
		s, cost, ok := List(ctx, v, r, limit)
		if ok && cost < limit {
			best, bestRule = &Incumbent{s, cost}, r
			return true
		}
		return false
	}
	for _, order := range orders(v) {
		for c := range 3 {
			for _, fill := range []bool{true, false} {
				copies := make([]int, len(v.In.Jobs))
				for j := range copies {
					copies[j] = 1 + c
				}
				try(Rule{order, copies, fill})
			}
		}
	}
	for improved := best != nil; improved && lists > 0; {
		improved = false
		for i := range bestRule.Order {
			for d := 1; d <= 3 && i+d < len(bestRule.Order); d++ {
				r := bestRule
				r.Order = slices.Clone(r.Order)
				r.Order[i], r.Order[i+d] = r.Order[i+d], r.Order[i]
				improved = try(r) || improved
			}
			for c := 1; c <= 3; c++ {
				r := bestRule
				if r.Copies[i] != c {
					r.Copies = slices.Clone(r.Copies)
					r.Copies[i] = c
					improved = try(r) || improved
				}
			}
		}
	}
	return best
}

// orders are by earliest end, by remaining path, by volume of the dominant resource, and by arrival.
func orders(v *bounds.Outlook) [][]int {
	total := v.In.Total()
	volume := make([]float64, len(v.In.Jobs))
	for k := range v.Phases {
		ph := &v.Phases[k]
		volume[ph.Job] += float64(ph.Tasks*ph.Alone) * cloning.DominantShare(ph.Demand, total)
	}
	keys := []func(j int) float64{
		func(j int) float64 { return float64(v.Earliest(j)) },
		func(j int) float64 { return float64(v.Earliest(j) - v.In.Jobs[j].Arrival) },
		func(j int) float64 { return volume[j] },
		func(j int) float64 { return float64(v.In.Jobs[j].Arrival) },
	}
	list := make([][]int, len(keys))
	for i, key := range keys {
		list[i] = models.OrderBy(len(v.In.Jobs), key)
	}
	return list
}
