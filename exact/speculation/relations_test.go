package speculation_test

import (
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

// What must hold between instances, beyond the sizes that the oracle masters: opt follows units and names, and gains by a slot.
func TestRelations(t *testing.T) {
	onEveryShape(t, 12, func(t *testing.T, _ int, rng *rand.Rand, in *speculation.Instance) {
		opt := func(change func(in *speculation.Instance)) float64 {
			_, v := proven(t, "hungarian", altered(in, change))
			return v
		}
		base := opt(func(*speculation.Instance) {})
		if got := opt(timesTimes(8)); !same(got, 8*base) {
			t.Errorf("opt with all times × 8: %v, want %v\n%s", got, 8*base, text(in))
		}
		if got := opt(shuffled(rand.New(rand.NewPCG(rng.Uint64(), 0)))); !same(got, base) {
			t.Errorf("opt under other names: %v, want %v\n%s", got, base, text(in))
		}
		if more := opt(anotherSlot(rand.New(rand.NewPCG(rng.Uint64(), 0)))); more < base*(1-1e-9) {
			t.Errorf("opt %v with another slot, %v before\n%s", more, base, text(in))
		}
	})
}
