package pocd

import (
	"fmt"

	"schedgap/models"
	"schedgap/models/pocd"
)

// Moves take pocd instances apart. The fairness α stays as it is.
var Moves = &models.Moves[*pocd.Instance]{
	Parts: parts, Mend: mend,
	Start: map[string]any{"tasks": 3}, Jobs: "jobs",
}

// The values worth trying.
const (
	mostSeconds  = 1e4
	mostBeta     = 10
	mostCapacity = 100
	mostCopies   = 10
)

func parts(in *pocd.Instance) models.Parts {
	jobs := models.ListOf("jobs", "jobs", "j", &in.Jobs)
	jobs.Merge = func(i, j int) {
		tasks := listOf("", &in.Jobs[i])
		for _, t := range in.Jobs[j].Tasks {
			tasks.Copy(len(in.Jobs[i].Tasks) - 1)
			last := &in.Jobs[i].Tasks[len(in.Jobs[i].Tasks)-1]
			t.ID = last.ID
			*last = t
		}
		jobs.Drop(j)
	}
	p := models.Parts{Lists: []models.List{jobs}}
	p.Numbers = append(p.Numbers,
		models.NumberOf("capacity", "capacity", "", &in.Capacity, float64(in.BaseLoad()), mostCapacity),
		models.NumberOf("max_copies", "max_copies", "", &in.MaxCopies, 0, mostCopies))
	for j := range in.Jobs {
		job, at := &in.Jobs[j], fmt.Sprintf("jobs[%d].", j)
		p.Lists = append(p.Lists, listOf(at, job))
		p.Numbers = append(p.Numbers,
			models.NumberOf(at+"deadline", "deadline", "time", &job.Deadline, 0, mostSeconds),
			models.NumberOf(at+"elapsed", "elapsed", "time", &job.Elapsed, 0, mostSeconds))
		for i := range job.Tasks {
			t, at := &job.Tasks[i], fmt.Sprintf("%stasks[%d].", at, i)
			p.Numbers = append(p.Numbers,
				models.NumberOf(at+"progress", "progress", "", &t.Progress, 0, 0.999),
				models.NumberOf(at+"t_min", "t_min", "time", &t.TMin, 1e-2, mostSeconds),
				models.NumberOf(at+"beta", "beta", "", &t.Beta, 0.1, mostBeta),
				straggler(at, t))
		}
	}
	return p
}

func listOf(at string, job *pocd.Job) models.List {
	return models.ListOf(at+"tasks", "tasks", "t", &job.Tasks)
}

// straggler is whether a task straggles, as a number.
func straggler(at string, t *pocd.Task) models.Number {
	return models.Number{
		Path: at + "straggler", Kind: "straggler", Least: 0, Most: 1, Integer: true,
		Get: func() float64 {
			if t.Straggler {
				return 1
			}
			return 0
		},
		Set: func(v float64) { t.Straggler = v >= 0.5 },
	}.Or(0)
}

// mend gives every task and every job's master its machine.
func mend(in *pocd.Instance) { in.Capacity = max(in.Capacity, in.BaseLoad()) }
