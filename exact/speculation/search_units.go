package speculation

import (
	"context"
	"math"

	"schedgap/models/speculation"
)

// A searcher finds single points of a front by branch and bound. Savings are in units of the greatest ΣΔt and ΣΔE, so that
// both run from 0 to 1.
type searcher struct {
	in                   *speculation.Instance
	pairs                *pairs
	timeUnit, energyUnit float64
	straggler, slot      []int32 // by pair
	time, energy         []float64
	// by straggler, then slot: the pair's place in the list of pairs, from 1; 0 where it does not help
	at          []int32
	group       []int     // by straggler: see groups
	residual    []float64 // by pair: see decompose
	relaxed     *relaxation
	relaxations int64 // so far
	searched    int   // boxes, so far
	interrupted bool
	marks       []int // by pair, see has
	stamp       int
}

// newSearcher finds the units. Some pair has to save something. It returns nil when the context ends first.
func newSearcher(ctx context.Context, pairs *pairs) *searcher {
	in, n := pairs.in, len(pairs.list)
	s := &searcher{
		in: in, pairs: pairs, timeUnit: 1, energyUnit: 1, straggler: make([]int32, n), slot: make([]int32, n),
		time: make([]float64, n), energy: make([]float64, n), at: make([]int32, len(in.Stragglers)*len(in.Slots)),
		relaxed: newRelaxation(len(in.Stragglers), len(in.Slots), n), marks: make([]int, n),
	}
	for k, p := range pairs.list {
		s.at[p.straggler*len(in.Slots)+p.slot] = int32(k + 1)
		s.straggler[k], s.slot[k], s.time[k], s.energy[k] = int32(p.straggler), int32(p.slot), p.time, p.energy
	}
	all := s.root()
	time, ok := s.relax(ctx, 1, 0, all)
	if !ok {
		return nil
	}
	energy, ok := s.relax(ctx, 0, 1, all)
	if !ok {
		return nil
	}
	s.timeUnit, s.energyUnit = above(time.level), above(energy.level)
	for k := range n {
		s.time[k], s.energy[k] = s.time[k]/s.timeUnit, s.energy[k]/s.energyUnit
	}
	s.group, s.residual = s.groups(ctx), s.decompose()
	if ctx.Err() != nil {
		return nil
	}
	return s
}

// groups finds stragglers whose savings differ by the same on all slots that help both, as those of one job that draw the same.
// It names the first of each group. It stops early when the context ends.
func (s *searcher) groups(ctx context.Context) []int {
	group := make([]int, len(s.in.Stragglers))
	for i := range group {
		if ctx.Err() != nil {
			break
		}
		group[i] = i
		for k := range i {
			if group[k] == k && s.parallel(i, k) {
				group[i] = k
				break
			}
		}
	}
	return group
}

func (s *searcher) parallel(i, k int) bool {
	const alike = 1e-9 // groups only guide the search
	first := true
	var time, energy float64
	for j := range s.in.Slots {
		p, q := s.at[i*len(s.in.Slots)+j]-1, s.at[k*len(s.in.Slots)+j]-1
		if p < 0 || q < 0 {
			continue
		}
		if first {
			time, energy, first = s.time[p]-s.time[q], s.energy[p]-s.energy[q], false
		}
		if math.Abs(s.time[p]-s.time[q]-time) > alike || math.Abs(s.energy[p]-s.energy[q]-energy) > alike {
			return false
		}
	}
	return !first
}
