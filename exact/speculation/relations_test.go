package speculation_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"schedgap/models/speculation"
)

// altered is a deep copy of an instance with a change.
func altered(in *speculation.Instance, change func(in *speculation.Instance)) *speculation.Instance {
	out := *in
	out.Stragglers, out.Slots = slices.Clone(in.Stragglers), slices.Clone(in.Slots)
	out.CopyTime = slices.Clone(in.CopyTime)
	for i := range out.CopyTime {
		out.CopyTime[i] = slices.Clone(out.CopyTime[i])
	}
	change(&out)
	return &out
}

// timesTimes multiplies all times.
func timesTimes(factor float64) func(in *speculation.Instance) {
	return func(in *speculation.Instance) {
		for i := range in.Stragglers {
			in.Stragglers[i].Finish *= factor
			for j := range in.Slots {
				in.CopyTime[i][j] *= factor
			}
		}
		for j := range in.Slots {
			in.Slots[j].Start *= factor
		}
	}
}

// shuffled renames stragglers and slots: each gets the place and the name of another.
func shuffled(rng *rand.Rand) func(in *speculation.Instance) {
	return func(in *speculation.Instance) {
		was := altered(in, func(*speculation.Instance) {})
		ofStragglers, ofSlots := rng.Perm(len(in.Stragglers)), rng.Perm(len(in.Slots))
		for i, k := range ofStragglers {
			in.Stragglers[i] = was.Stragglers[k]
			in.Stragglers[i].ID = was.Stragglers[i].ID
			for j, l := range ofSlots {
				in.CopyTime[i][j] = was.CopyTime[k][l]
			}
		}
		for j, l := range ofSlots {
			in.Slots[j] = was.Slots[l]
			in.Slots[j].ID = was.Slots[j].ID
		}
	}
}

// anotherSlot adds a slot that may help some stragglers.
func anotherSlot(rng *rand.Rand) func(in *speculation.Instance) {
	return func(in *speculation.Instance) {
		in.Slots = append(in.Slots, speculation.Slot{ID: "another", Power: rng.Float64()})
		for i := range in.CopyTime {
			in.CopyTime[i] = append(in.CopyTime[i], in.Stragglers[i].Finish*(0.01+rng.Float64()))
		}
	}
}

func weighted(weight float64) func(in *speculation.Instance) {
	return func(in *speculation.Instance) { in.EnergyWeight = weight }
}

// What must hold between instances, beyond the sizes that the oracle masters: opt and the front follow units and names, gain by a
// slot, and the front holds the optimum for each weight.
func TestRelations(t *testing.T) {
	onEveryShape(t, 7, func(t *testing.T, _ int, rng *rand.Rand, in *speculation.Instance) {
		opt := func(change func(in *speculation.Instance)) float64 {
			_, v := proven(t, speculation.Opt, "hungarian", altered(in, change))
			return v
		}
		pareto := func(change func(in *speculation.Instance)) ([]speculation.Point, float64) {
			s, v := proven(t, speculation.Pareto, "hungarian", altered(in, change))
			return s.Front, v
		}
		equal := func(what string, got, want float64) {
			t.Helper()
			if !same(got, want) {
				t.Errorf("%s: %v, want %v\n%s", what, got, want, text(in))
			}
		}
		base := opt(func(*speculation.Instance) {})
		front, area := pareto(func(*speculation.Instance) {})

		equal("opt with all times × 8", opt(timesTimes(8)), 8*base)
		_, scaled := pareto(timesTimes(8))
		equal("area with all times × 8", scaled, 64*area)

		shuffle := shuffled(rand.New(rand.NewPCG(rng.Uint64(), 0)))
		equal("opt under other names", opt(shuffle), base)
		renamed, _ := pareto(shuffle)
		if len(renamed) != len(front) {
			t.Fatalf("%d points under other names, %d before\n%s", len(renamed), len(front), text(in))
		}
		for k := range front {
			equal("time under other names", renamed[k].Time, front[k].Time)
			equal("energy under other names", renamed[k].Energy, front[k].Energy)
		}

		add := anotherSlot(rand.New(rand.NewPCG(rng.Uint64(), 0)))
		if more := opt(add); more < base*(1-1e-9) {
			t.Errorf("opt %v with another slot, %v before\n%s", more, base, text(in))
		}
		if _, more := pareto(add); more < area*(1-1e-9) {
			t.Errorf("area %v with another slot, %v before\n%s", more, area, text(in))
		}

		for _, weight := range []float64{0, 0.03, 1, 20, 1e9} {
			best := math.Inf(-1)
			for k := range front {
				best = max(best, front[k].Time+weight*front[k].Energy)
			}
			equal("opt by another weight", opt(weighted(weight)), best)
		}
	})
}

// Fronts beyond the oracle's size do not depend on the order of stragglers and slots, which changes the whole search.
func TestShuffledFronts(t *testing.T) {
	onEveryShape(t, 16, func(t *testing.T, n int, rng *rand.Rand, in *speculation.Instance) {
		if n%4 > 0 {
			return
		}
		front, area := proven(t, speculation.Pareto, "hungarian", in)
		for range 2 {
			again, got := proven(t, speculation.Pareto, "hungarian", altered(in, shuffled(rand.New(rand.NewPCG(rng.Uint64(), 0)))))
			if len(again.Front) != len(front.Front) || !same(got, area) {
				t.Errorf("%d points, area %v, in another order %d, %v\n%s", len(front.Front), area, len(again.Front), got, text(in))
			}
		}
	})
}
