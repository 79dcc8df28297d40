package cloning

import (
	"cmp"
	"fmt"
	"slices"

	"schedgap/models"
)

// leastShare is how high a copy is drawn that takes next to nothing.
const leastShare = 0.02

// chart draws a schedule: a lane a server in file order, a bar a copy by its start, as high as the share of the server that it
// takes, labelled by its job, phase, task and copy. The number of a copy is the least that no other copy of the task holds when
// it starts; clones have more than 1. Copies of tasks or on servers that in does not have are left out.
func chart(in *Instance, s Solution) models.Chart {
	order := make([]int, 0, len(s.Copies))
	for i := range s.Copies {
		if in.has(&s.Copies[i]) {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(s.Copies[a].Start, s.Copies[b].Start), cmp.Compare(a, b))
	})
	ends := map[Task][]int{} // of the copy that holds each number
	lanes := make([][]models.Bar, len(in.Servers))
	for _, i := range order {
		c := &s.Copies[i]
		held := ends[c.Task]
		n := slices.IndexFunc(held, func(end int) bool { return end <= c.Start })
		if n < 0 {
			n, held = len(held), append(held, 0)
		}
		held[n] = c.End
		ends[c.Task] = held
		job := &in.Jobs[c.Task.Job]
		phase, server := &job.Phases[c.Task.Phase], &in.Servers[c.Server]
		label := fmt.Sprintf("%s/%s task %d", job.ID, phase.ID, c.Task.Index)
		if n > 0 {
			label += fmt.Sprintf(", copy %d", n+1)
		}
		lanes[c.Server] = append(lanes[c.Server], models.Bar{
			Lane: server.ID, Label: label, Job: job.ID, Start: float64(c.Start), End: float64(c.End),
			Amount: max(share(phase.Demand, server.Capacity), leastShare), Clone: n > 0,
		})
	}
	return models.Chart{Axis: "slots", Bars: slices.Concat(lanes...)}
}

// share is the largest share of a capacity that a demand takes.
func share(demand, capacity []float64) (most float64) {
	for r, d := range demand {
		if d > 0 {
			most = max(most, min(d/capacity[r], 1)) // 1 where there is no capacity
		}
	}
	return most
}
