package pocd

import "schedgap/models"

// chart draws where the extra copies go: a lane a job, on it the copies of one task after those of another. There is no time
// on it, since all copies start at the moment of the decision.
func chart(in *Instance, s Copies) models.Chart {
	c := models.Chart{Axis: "extra copies"}
	for j := range min(len(s), len(in.Jobs)) {
		at := 0.0
		for i := range min(len(s[j]), len(in.Jobs[j].Tasks)) {
			if r := float64(s[j][i]); r > 0 {
				c.Bars = append(c.Bars, models.Bar{
					Lane: in.Jobs[j].ID, Label: "task " + in.Jobs[j].Tasks[i].ID, Start: at, End: at + r, Amount: 1,
				})
				at += r
			}
		}
	}
	return c
}
