package speculation

import (
	"encoding/json"
	"math"
	"slices"

	"schedgap/models"
	"schedgap/models/strict"
)

// instanceFields are an instance file's keys beyond the header.
type instanceFields struct {
	EnergyWeight float64           `json:"energy_weight"`
	Stragglers   []stragglerFields `json:"stragglers"`
	Slots        []slotFields      `json:"slots"`
	CopyTime     copyTimes         `json:"copy_time"`
}

type stragglerFields struct {
	ID       string  `json:"id"`
	Finish   float64 `json:"finish"`
	Power    float64 `json:"power"`
	Progress float64 `json:"progress"`
	Duration float64 `json:"duration"`
}

type slotFields struct {
	ID    string  `json:"id"`
	Start float64 `json:"start"`
	Power float64 `json:"power"`
}

// copyTimes writes the estimates of an instance in file order, missing pairs left out.
type copyTimes struct{ in *Instance }

// MarshalJSON implements json.Marshaler.
func (c copyTimes) MarshalJSON() ([]byte, error) {
	out := []byte{'{'}
	key := func(id string) error {
		if last := out[len(out)-1]; last != '{' {
			out = append(out, ',')
		}
		text, err := json.Marshal(id)
		out = append(append(out, text...), ':')
		return err
	}
	for i := range c.in.Stragglers {
		first := true
		for j, d := range c.in.CopyTime[i] {
			if math.IsNaN(d) {
				continue
			}
			if first {
				if err := key(c.in.Stragglers[i].ID); err != nil {
					return nil, err
				}
				out, first = append(out, '{'), false
			}
			if err := key(c.in.Slots[j].ID); err != nil {
				return nil, err
			}
			number, err := json.Marshal(d)
			if err != nil {
				return nil, err
			}
			out = append(out, number...)
		}
		if !first {
			out = append(out, '}')
		}
	}
	return append(out, '}'), nil
}

func encodeInstance(in *Instance) any {
	f := instanceFields{
		EnergyWeight: in.EnergyWeight, CopyTime: copyTimes{in},
		Stragglers: make([]stragglerFields, len(in.Stragglers)), Slots: make([]slotFields, len(in.Slots)),
	}
	for i, s := range in.Stragglers {
		f.Stragglers[i] = stragglerFields(s)
	}
	for j, v := range in.Slots {
		f.Slots[j] = slotFields(v)
	}
	return f
}

func decodeInstance(f strict.Fields, h models.Header) *Instance {
	in := &Instance{
		Header: h, EnergyWeight: f.Float("energy_weight", strict.AtLeast(0)),
		Stragglers: strict.List(f, "stragglers", decodeStraggler, strict.NotEmpty, strict.Unique),
		Slots:      strict.List(f, "slots", decodeSlot, strict.Unique),
	}
	decodeCopyTimes(f, newIndex(in))
	return in
}

func decodeStraggler(f strict.Fields) Straggler {
	return Straggler{
		ID: f.ID("id"), Finish: f.Float("finish", strict.AtLeast(0)), Power: f.Float("power", strict.AtLeast(0)),
		Progress: f.Float("progress", strict.Above(0).And(strict.Below(1))), Duration: f.Float("duration", strict.Above(0)),
	}
}

func decodeSlot(f strict.Fields) Slot {
	return Slot{ID: f.ID("id"), Start: f.Float("start", strict.AtLeast(0)), Power: f.Float("power", strict.AtLeast(0))}
}

// decodeCopyTimes reads the estimates. Savings must be small enough for every objective to be a number.
func decodeCopyTimes(f strict.Fields, ids *index) {
	in := ids.in
	in.CopyTime = make([][]float64, len(in.Stragglers))
	for i := range in.CopyTime {
		in.CopyTime[i] = slices.Repeat([]float64{math.NaN()}, len(in.Slots))
	}
	var most, mostTime, mostEnergy float64
	for id, row := range f.Map("copy_time") {
		i, ok := ids.stragglers[id]
		if !ok {
			row.Fail("%q is not the id of a straggler", id)
			break
		}
		var rowTime, rowEnergy float64
		for slot, v := range row.Map() {
			j, ok := ids.slots[slot]
			if !ok {
				v.Fail("%q is not the id of a slot", slot)
				break
			}
			in.CopyTime[i][j] = v.Float(strict.Above(0))
			time, energy := in.Gain(i, j)
			rowTime, rowEnergy = max(rowTime, math.Abs(time)), max(rowEnergy, math.Abs(energy))
		}
		mostTime, mostEnergy = mostTime+rowTime, mostEnergy+rowEnergy
		if most = max(mostTime*mostEnergy, in.Scalar(mostTime, mostEnergy)); math.IsInf(most, 0) || math.IsNaN(most) {
			row.Fail("its savings, up to %g of time and %g of energy, make objectives too large for a number", rowTime, rowEnergy)
		}
	}
}

// pointFields is a point of a front in a solution file.
type pointFields struct {
	Time   float64           `json:"time"`
	Energy float64           `json:"energy"`
	Assign map[string]string `json:"assign"`
}

func encodeSolution(in *Instance, s Solution) any {
	if s.Front == nil {
		return struct {
			Assign map[string]string `json:"assign"`
		}{encodeMatching(in, s.Assign)}
	}
	front := make([]pointFields, len(s.Front))
	for k, p := range s.Front {
		front[k] = pointFields{Time: p.Time, Energy: p.Energy, Assign: encodeMatching(in, p.Assign)}
	}
	return struct {
		Front []pointFields `json:"front"`
	}{front}
}

// encodeMatching leaves out stragglers and slots that the instance does not have, which have no name.
func encodeMatching(in *Instance, m Matching) map[string]string {
	assign := map[string]string{}
	for i := range min(len(m), len(in.Stragglers)) {
		if j := m[i]; j >= 0 && j < len(in.Slots) {
			assign[in.Stragglers[i].ID] = in.Slots[j].ID
		}
	}
	return assign
}

func decodeSolution(f strict.Fields, in *Instance) Solution {
	ids := newIndex(in)
	if !f.Has("front") {
		return Solution{Assign: ids.decodeMatching(f)}
	}
	return Solution{Front: strict.List(f, "front", ids.decodePoint)}
}

// index finds the places of an instance's ids.
type index struct {
	in                *Instance
	stragglers, slots map[string]int
}

func newIndex(in *Instance) *index {
	return &index{
		in:         in,
		stragglers: strict.Index(in.Stragglers, func(s *Straggler) string { return s.ID }),
		slots:      strict.Index(in.Slots, func(v *Slot) string { return v.ID }),
	}
}

func (x *index) decodePoint(f strict.Fields) Point {
	return Point{Time: f.Float("time"), Energy: f.Float("energy"), Assign: x.decodeMatching(f)}
}

func (x *index) decodeMatching(f strict.Fields) Matching {
	m := NoCopies(x.in)
	for id, v := range f.Map("assign") {
		i, ok := x.stragglers[id]
		if !ok {
			v.Fail("%q is not the id of a straggler", id)
			break
		}
		slot := v.Text()
		if m[i], ok = x.slots[slot]; !ok {
			v.Fail("%q is not the id of a slot", slot)
		}
	}
	return m
}
