package cloning

import (
	"fmt"

	"schedgap/models"
)

// leastShare is how high a copy is drawn that takes next to nothing.
const leastShare = 0.02

// chart draws a schedule: a lane a server, a bar a copy, as high as the share of the server that it takes, labelled by its job,
// phase, task and copy.
func chart(in *Instance, s Solution) models.Chart {
	c := models.Chart{Axis: "slots"}
	for _, row := range Gantt(in, s) {
		for _, b := range row.Bars {
			label := fmt.Sprintf("%s/%s task %d", b.Job, b.Phase, b.Task)
			if b.Copy > 1 {
				label += fmt.Sprintf(", copy %d", b.Copy)
			}
			c.Bars = append(c.Bars, models.Bar{
				Lane: row.Server, Label: label, Job: b.Job, Start: float64(b.Start), End: float64(b.End),
				Amount: max(b.Share, leastShare), Clone: b.Copy > 1,
			})
		}
	}
	return c
}
