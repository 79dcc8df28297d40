package speculation

import (
	"math"
	"slices"

	"schedgap/models"
	"schedgap/models/strict"
)

// instanceFields are an instance file's keys beyond the header.
type instanceFields struct {
	Instance
	Times copyTimes `json:"copy_time" is:">0" doc:"t_ij by straggler and slot; a pair that is missing is not allowed"`
}

type copyTimes = strict.Map[strict.Map[float64]]

func encodeInstance(in *Instance) any {
	f := instanceFields{Instance: *in, Times: copyTimes{}}
	f.Slots = append([]Slot{}, in.Slots...) // a list, and no null
	for i, s := range in.Stragglers {
		var row strict.Map[float64]
		for j, d := range in.CopyTime[i] {
			if !math.IsNaN(d) {
				row = append(row, strict.Entry[float64]{Key: in.Slots[j].ID, Value: d})
			}
		}
		if row != nil {
			f.Times = append(f.Times, strict.Entry[strict.Map[float64]]{Key: s.ID, Value: row})
		}
	}
	return f
}

// decodeInstance wants savings small enough for every objective to be a number.
func decodeInstance(f *strict.File, h models.Header) *Instance {
	var file instanceFields
	if !f.Read(&file) {
		return nil
	}
	in := new(Instance)
	*in = file.Instance // and nothing else of the file is kept
	in.Header, in.CopyTime = h, make([][]float64, len(in.Stragglers))
	for i := range in.CopyTime {
		in.CopyTime[i] = slices.Repeat([]float64{math.NaN()}, len(in.Slots))
	}
	ids := newIndex(in)
	var most, mostTime, mostEnergy float64
	for _, row := range file.Times {
		id := row.Key
		i, _ := f.Find(ids.stragglers, id, "a straggler", "copy_time", id)
		var rowTime, rowEnergy float64
		for _, e := range row.Value {
			j, ok := f.Find(ids.slots, e.Key, "a slot", "copy_time", id, e.Key)
			if !ok {
				break
			}
			in.CopyTime[i][j] = e.Value
			time, energy := in.Gain(i, j)
			rowTime, rowEnergy = max(rowTime, math.Abs(time)), max(rowEnergy, math.Abs(energy))
		}
		mostTime, mostEnergy = mostTime+rowTime, mostEnergy+rowEnergy
		most = max(mostTime*mostEnergy, in.Scalar(mostTime, mostEnergy))
		if math.IsInf(most, 0) || math.IsNaN(most) {
			f.Fail(strict.At("copy_time", id), "its savings, up to %g of time and %g of energy, make objectives too large for a number",
				rowTime, rowEnergy)
		}
	}
	return in
}

// solutionFields are a solution file's keys beyond its head.
type solutionFields struct {
	Assign strict.Map[string] `json:"assign" doc:"slot by straggler"`
}

func encodeSolution(in *Instance, s Solution) any {
	return solutionFields{encodeMatching(in, s.Assign)}
}

// encodeMatching leaves out stragglers and slots that the instance does not have, which have no name.
func encodeMatching(in *Instance, m Matching) strict.Map[string] {
	assign := map[string]string{}
	for i := range min(len(m), len(in.Stragglers)) {
		if j := m[i]; j >= 0 && j < len(in.Slots) {
			assign[in.Stragglers[i].ID] = in.Slots[j].ID
		}
	}
	return append(strict.Map[string]{}, strict.MapOf(assign)...) // an object, and not nothing
}

func decodeSolution(f *strict.File, in *Instance) Solution {
	var file solutionFields
	f.Read(&file)
	m, ids := NoCopies(in), newIndex(in)
	for _, e := range file.Assign {
		i, ok := f.Find(ids.stragglers, e.Key, "a straggler", "assign", e.Key)
		if !ok {
			break
		}
		m[i], _ = f.Find(ids.slots, e.Value, "a slot", "assign", e.Key)
	}
	return Solution{m}
}

// index finds the places of an instance's ids.
type index struct{ stragglers, slots map[string]int }

func newIndex(in *Instance) *index {
	return &index{
		stragglers: strict.Index(in.Stragglers, func(s *Straggler) string { return s.ID }),
		slots:      strict.Index(in.Slots, func(v *Slot) string { return v.ID }),
	}
}
