package redundancy

import "schedgap/models"

// chart draws a schedule: a lane a job, a bar an allocation, as thick as the machines that it takes.
func chart(in *Instance, s Solution) models.Chart {
	c := models.Chart{Axis: "time"}
	last := map[int]int{} // a job's last bar, which an equal allocation lengthens
	for _, iv := range s.Intervals {
		for _, a := range iv.Alloc {
			amount := float64(a.Copies) * a.Share
			if i, ok := last[a.Job]; ok && c.Bars[i].End == iv.Start && c.Bars[i].Amount == amount {
				c.Bars[i].End = iv.End
				continue
			}
			last[a.Job] = len(c.Bars)
			c.Bars = append(c.Bars, models.Bar{
				Lane: in.Jobs[a.Job].ID, Label: "machines", Start: iv.Start, End: iv.End, Amount: amount,
			})
		}
	}
	return c
}
