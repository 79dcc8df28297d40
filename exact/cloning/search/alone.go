package search

import (
	"cmp"
	"context"
	"slices"

	"schedgap/exact/cloning/bounds"
	"schedgap/exact/cumulative"
	"schedgap/models"
	"schedgap/models/cloning"
)

// maxAloneTasks is the most tasks of a job that is searched as one of tasks on resources.
const maxAloneTasks = 1000

// A loneJob is an instance of one job on one server whose tasks gain nothing from clones, with time from its arrival on. In the
// nonpreemptive regime it is a resource-constrained project: its flowtime is the length of the schedule.
type loneJob struct {
	v     *bounds.Outlook
	first []int // a phase's first task
	tasks []cloning.Task
	ends  []int // of tasks, less their starts
	work  *cumulative.Search
}

// newLoneJob is nil where an instance is none, and in the preemptive regime.
func newLoneJob(v *bounds.Outlook, fixed bool) *loneJob {
	if !fixed || len(v.In.Jobs) != 1 || v.In.Jobs[0].Arrival > 0 || len(v.In.Servers) != 1 || v.Tasks > maxAloneTasks {
		return nil
	}
	l, p := &loneJob{v: v}, &cumulative.Problem{}
	for k := range v.Phases {
		ph := &v.Phases[k]
		if ph.Most > 1 || ph.Alone > maxSearchMean {
			return nil
		}
		l.first = append(l.first, len(l.tasks))
		for i := range ph.Tasks {
			l.tasks = append(l.tasks, cloning.Task{Phase: k, Index: i})
			p.Durations = append(p.Durations, ph.Alone)
			p.Same = append(p.Same, len(l.tasks)-2)
		}
		p.Same[l.first[k]] = -1
	}
	l.first = append(l.first, len(l.tasks))
	p.Before = make([][]int, len(l.tasks))
	for k := range v.Phases {
		for _, parent := range v.Phases[k].Preds {
			for i := l.first[parent]; i < l.first[parent+1]; i++ {
				for j := l.first[k]; j < l.first[k+1]; j++ {
					p.Before[i] = append(p.Before[i], j)
				}
			}
		}
	}
	for r, capacity := range v.In.Servers[0].Capacity {
		scale := cloning.NewScale(capacity)
		resource := cumulative.Resource{Room: scale.Room}
		for _, t := range l.tasks {
			size := scale.Size(v.Phases[t.Phase].Demand[r])
			if size > scale.Room {
				return nil
			}
			resource.Demands = append(resource.Demands, size)
		}
		p.Resources = append(p.Resources, resource)
	}
	l.ends, l.work = p.Durations, cumulative.New(p)
	return l
}

// firstDeadEnds is after how many of them the search from slot to slot has its turn, which merges equal states and so ends soon
// where resources are full all the time.
const firstDeadEnds = 10_000

// search looks for schedules that cost less than cost, and reports whether there is none left; it ends after so many dead ends, too. A
// flowtime is the end of its schedule.
func (l *loneJob) search(ctx context.Context, cost int, deadEnds int64, bounded func(int), improved func(cloning.Solution)) (proven bool) {
	cost = min(cost, l.v.Serial()+1)
	proven = l.work.Run(ctx, cost, deadEnds, func(starts []int) {
		var s cloning.Solution
		cost = 0
		for i, start := range starts {
			end := start + l.ends[i]
			s.Copies = append(s.Copies, cloning.Copy{Task: l.tasks[i], Start: start, End: end})
			cost = max(cost, end)
		}
		slices.SortStableFunc(s.Copies, func(a, b cloning.Copy) int { return cmp.Compare(a.Start, b.Start) })
		improved(s)
	})
	if proven {
		bounded(cost)
	}
	return proven
}

func (l *loneJob) end(ctx context.Context) models.End {
	deadEnds := l.work.DeadEnds()
	return models.Ended(ctx, "", models.Stats{Work: models.Work{Nodes: &deadEnds}})
}
