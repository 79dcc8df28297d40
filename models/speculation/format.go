package speculation

import (
	"encoding/json"
	"math"

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

func decodeInstance(o *strict.Object, h models.Header) (*Instance, error) {
	in := &Instance{Header: h}
	var err error
	if in.EnergyWeight, err = atLeastZero(o, "energy_weight"); err != nil {
		return nil, err
	}
	stragglers, err := o.Array("stragglers")
	if err != nil {
		return nil, err
	}
	if stragglers.Len() == 0 {
		return nil, o.Get("stragglers").Errorf("the list of stragglers must not be empty")
	}
	slots, err := o.Array("slots")
	if err != nil {
		return nil, err
	}
	var ofStragglers, ofSlots map[string]int
	if in.Stragglers, ofStragglers, err = decodeList("stragglers", stragglers, decodeStraggler); err != nil {
		return nil, err
	}
	if in.Slots, ofSlots, err = decodeList("slots", slots, decodeSlot); err != nil {
		return nil, err
	}
	times, err := o.Object("copy_time")
	if err != nil {
		return nil, err
	}
	return in, decodeCopyTimes(times, in, ofStragglers, ofSlots)
}

// decodeList reads a list of things with ids and returns them with their indices.
func decodeList[T any](
	name string, list *strict.Array, decode func(*strict.Object) (T, string, error),
) (things []T, index map[string]int, err error) {
	things, index = make([]T, list.Len()), make(map[string]int)
	for k, v := range list.All() {
		o, err := v.Object()
		if err != nil {
			return nil, nil, err
		}
		var id string
		if things[k], id, err = decode(o); err != nil {
			return nil, nil, err
		}
		if first, twice := index[id]; twice {
			return nil, nil, o.Get("id").Errorf("%q is also the id of %s[%d]", id, name, first)
		}
		index[id] = k
	}
	return things, index, nil
}

func decodeStraggler(o *strict.Object) (s Straggler, id string, err error) {
	if s.ID, err = o.ID("id"); err != nil {
		return s, "", err
	}
	if s.Finish, err = atLeastZero(o, "finish"); err != nil {
		return s, "", err
	}
	if s.Power, err = atLeastZero(o, "power"); err != nil {
		return s, "", err
	}
	if s.Progress, err = o.Float("progress"); err != nil {
		return s, "", err
	}
	if s.Progress <= 0 || s.Progress >= 1 {
		return s, "", o.Get("progress").Errorf("%v must be greater than 0 and less than 1", s.Progress)
	}
	if s.Duration, err = o.Float("duration"); err != nil {
		return s, "", err
	}
	if s.Duration <= 0 {
		return s, "", o.Get("duration").Errorf("%v must be greater than 0", s.Duration)
	}
	return s, s.ID, o.Done()
}

func decodeSlot(o *strict.Object) (v Slot, id string, err error) {
	if v.ID, err = o.ID("id"); err != nil {
		return v, "", err
	}
	if v.Start, err = atLeastZero(o, "start"); err != nil {
		return v, "", err
	}
	if v.Power, err = atLeastZero(o, "power"); err != nil {
		return v, "", err
	}
	return v, v.ID, o.Done()
}

func atLeastZero(o *strict.Object, key string) (float64, error) {
	f, err := o.Float(key)
	if err == nil && f < 0 {
		err = o.Get(key).Errorf("%v must be at least 0", f)
	}
	return f, err
}

// decodeCopyTimes reads the estimates. Savings must be small enough for every objective to be a number.
func decodeCopyTimes(o *strict.Object, in *Instance, stragglers, slots map[string]int) error {
	in.CopyTime = make([][]float64, len(in.Stragglers))
	for i := range in.CopyTime {
		in.CopyTime[i] = make([]float64, len(in.Slots))
		for j := range in.CopyTime[i] {
			in.CopyTime[i][j] = math.NaN()
		}
	}
	var most, mostTime, mostEnergy float64
	for _, id := range o.Keys() {
		i, ok := stragglers[id]
		if !ok {
			return o.Get(id).Errorf("%q is not the id of a straggler", id)
		}
		row, err := o.Object(id)
		if err != nil {
			return err
		}
		var rowTime, rowEnergy float64
		for _, slot := range row.Keys() {
			j, ok := slots[slot]
			if !ok {
				return row.Get(slot).Errorf("%q is not the id of a slot", slot)
			}
			if in.CopyTime[i][j], err = row.Float(slot); err != nil {
				return err
			}
			if in.CopyTime[i][j] <= 0 {
				return row.Get(slot).Errorf("%v must be greater than 0", in.CopyTime[i][j])
			}
			time, energy := in.Gain(i, j)
			rowTime, rowEnergy = max(rowTime, math.Abs(time)), max(rowEnergy, math.Abs(energy))
		}
		mostTime, mostEnergy = mostTime+rowTime, mostEnergy+rowEnergy
		if most = max(mostTime*mostEnergy, in.Scalar(mostTime, mostEnergy)); math.IsInf(most, 0) || math.IsNaN(most) {
			return o.Get(id).Errorf("its savings, up to %g of time and %g of energy, make objectives too large for a number",
				rowTime, rowEnergy)
		}
	}
	return nil
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

func decodeSolution(o *strict.Object, in *Instance) (s Solution, err error) {
	ids := newIndex(in)
	v := o.Get("front")
	if v == nil {
		assign, err := o.Object("assign")
		if err != nil {
			return s, err
		}
		s.Assign, err = ids.decodeMatching(assign)
		return s, err
	}
	points, err := v.Array()
	if err != nil {
		return s, err
	}
	s.Front = make([]Point, points.Len())
	for k, v := range points.All() {
		po, err := v.Object()
		if err != nil {
			return s, err
		}
		if s.Front[k], err = ids.decodePoint(po); err != nil {
			return s, err
		}
	}
	return s, nil
}

// index finds the places of an instance's ids.
type index struct {
	in                *Instance
	stragglers, slots map[string]int
}

func newIndex(in *Instance) *index {
	x := &index{in: in, stragglers: make(map[string]int, len(in.Stragglers)), slots: make(map[string]int, len(in.Slots))}
	for i := range in.Stragglers {
		x.stragglers[in.Stragglers[i].ID] = i
	}
	for j := range in.Slots {
		x.slots[in.Slots[j].ID] = j
	}
	return x
}

func (x *index) decodePoint(o *strict.Object) (p Point, err error) {
	if p.Time, err = o.Float("time"); err != nil {
		return p, err
	}
	if p.Energy, err = o.Float("energy"); err != nil {
		return p, err
	}
	assign, err := o.Object("assign")
	if err != nil {
		return p, err
	}
	if p.Assign, err = x.decodeMatching(assign); err != nil {
		return p, err
	}
	return p, o.Done()
}

func (x *index) decodeMatching(o *strict.Object) (Matching, error) {
	m := NoCopies(x.in)
	for _, id := range o.Keys() {
		i, ok := x.stragglers[id]
		if !ok {
			return nil, o.Get(id).Errorf("%q is not the id of a straggler", id)
		}
		slot, err := o.Text(id)
		if err != nil {
			return nil, err
		}
		if m[i], ok = x.slots[slot]; !ok {
			return nil, o.Get(id).Errorf("%q is not the id of a slot", slot)
		}
	}
	return m, nil
}
