package speculation

import (
	"fmt"

	"schedgap/models"
)

// check recomputes feasibility and objective from the definition in docs/problems/speculation.md#constraints: each straggler gets
// at most one slot and each slot at most one straggler, by pairs with an estimate, Δt > 0 and ΔE > 0 alone.
func check(in *Instance, s Solution) (r models.Report) {
	m, value := s.Assign, in.Value(s.Assign)
	r.Objective = &value
	if extra := len(m) - len(in.Stragglers); extra > 0 {
		r.Violate("straggler", "stragglers that the instance does not have", float64(extra))
	}
	users := make([]int, len(in.Slots))
	for i := range min(len(m), len(in.Stragglers)) {
		j, id := m[i], in.Stragglers[i].ID
		if j == None {
			continue
		}
		if j < 0 || j >= len(in.Slots) {
			r.Violate("slot", fmt.Sprintf("assign[%s]: a slot that the instance does not have", id), 1)
			continue
		}
		users[j]++
		where := func(what string) string {
			return fmt.Sprintf("assign[%s]: %s on %s", id, what, in.Slots[j].ID)
		}
		if !in.Allowed(i, j) {
			r.Violate("pair", where("no copy"), 1)
			continue
		}
		time, energy := in.Gain(i, j)
		r.Rounding += models.Unit * in.terms(i, j)
		if !(time > 0) {
			r.Violate("pair", where("time saved"), 0-time) // never −0
		}
		if !(energy > 0) {
			r.Violate("pair", where("energy saved"), 0-energy)
		}
	}
	for j, n := range users {
		if n > 1 {
			r.Violate("slot", fmt.Sprintf("slots[%s]", in.Slots[j].ID), float64(n-1))
		}
	}
	return r
}

// terms is the sum of the absolute values of the terms of what a copy of i on j adds to the objective. Dates make it far more than
// what is saved.
func (in *Instance) terms(i, j int) float64 {
	s, v, copyTime := &in.Stragglers[i], &in.Slots[j], in.CopyTime[i][j]
	span := s.Finish + v.Start + copyTime
	return span + in.EnergyWeight*(s.Power*span+v.Power*copyTime)
}
