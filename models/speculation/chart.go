package speculation

import "schedgap/models"

// chart draws a matching: a lane a slot with a copy, a bar from the slot's start to the copy's end.
func chart(in *Instance, s Solution) models.Chart {
	c := models.Chart{Axis: "time"}
	for i, j := range s.Assign {
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
