package cloning

import (
	"cmp"
	"slices"
)

// A Row is the schedule of one server, for Gantt charts.
type Row struct {
	Server string `json:"server"`
	Bars   []Bar  `json:"bars"` // by start
}

// A Bar is one copy of a task on its server in slots Start+1..End.
type Bar struct {
	Job   string `json:"job"`
	Phase string `json:"phase"`
	Task  int    `json:"task"` // from 0
	// Copy is 1 for the original and more for clones: the least number that no other copy of the task holds when this one
	// starts.
	Copy  int     `json:"copy"`
	Share float64 `json:"share"` // of the server's resource of which it takes most
	Start int     `json:"start"`
	End   int     `json:"end"`
}

// Gantt returns what every server of in does under s, in file order. Copies of tasks or on servers that in does not have are
// left out.
func Gantt(in *Instance, s Solution) []Row {
	rows := make([]Row, len(in.Servers))
	for i := range rows {
		rows[i].Server = in.Servers[i].ID
	}
	order := make([]int, 0, len(s.Copies))
	for i := range s.Copies {
		if in.has(&s.Copies[i]) {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(s.Copies[a].Start, s.Copies[b].Start), a-b) })
	ends := map[Task][]int{} // of the copy that holds each number
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
		rows[c.Server].Bars = append(rows[c.Server].Bars, Bar{
			Job: job.ID, Phase: job.Phases[c.Task.Phase].ID, Task: c.Task.Index, Copy: n + 1, Start: c.Start, End: c.End,
			Share: share(job.Phases[c.Task.Phase].Demand, in.Servers[c.Server].Capacity),
		})
	}
	return rows
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
