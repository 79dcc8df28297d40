package flex

import "schedgap/models"

// chart draws a schedule: a lane a job, a bar for every span in which its slots stay the same.
func chart(in *Instance, s Schedule) models.Chart {
	c := models.Chart{Axis: "time"}
	type held struct{ since, slots float64 }
	now := make([]held, len(in.Jobs))
	end := 0.0
	set := func(j int, at, slots float64) {
		if now[j].slots > 0 && at > now[j].since {
			c.Bars = append(c.Bars, models.Bar{
				Lane: in.Jobs[j].ID, Label: "slots", Start: now[j].since, End: at, Amount: now[j].slots,
			})
		}
		now[j] = held{at, slots}
	}
	for _, iv := range s {
		for _, ch := range iv.Changes {
			if ch.Slots != now[ch.Job].slots {
				set(ch.Job, iv.Start, ch.Slots)
			}
		}
		end = iv.End
	}
	for j := range now {
		set(j, end, 0)
	}
	return c
}
