package speculation

import "schedgap/models"

// chart draws a matching: a lane a slot with a copy, a bar from the slot's start to the copy's end. Of a front it draws the
// point with the largest scalar objective.
func chart(in *Instance, s Solution) models.Chart {
	m := s.Assign
	for i, p := range s.Front {
		if i == 0 || in.Value(p.Assign) > in.Value(m) {
			m = p.Assign
		}
	}
	c := models.Chart{Axis: "time"}
	for i, j := range m {
		if i < len(in.Stragglers) && j >= 0 && j < len(in.Slots) && in.Allowed(i, j) {
			start := in.Slots[j].Start
			c.Bars = append(c.Bars, models.Bar{
				Lane: in.Slots[j].ID, Label: "copy of " + in.Stragglers[i].ID, Job: in.Stragglers[i].ID, Start: start,
				End: start + in.CopyTime[i][j], Amount: 1,
			})
		}
	}
	return c
}
