package cloning

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"schedgap/datasets/derive"
	"schedgap/datasets/formats/alibaba"
	"schedgap/datasets/trace"
	"schedgap/models"
	"schedgap/models/cloning"
	"schedgap/models/cloning/sim"
)

// recordedCV is the standard deviation over the mean of phases that are recorded as a whole.
const recordedCV = 1

// workloadFromTrace takes the jobs that were submitted in the window and whose tasks all finished inside the trace, with a
// positive duration and recorded requests. Phases makes the phases: a record of alibaba with its parents, all tasks of a job
// elsewhere. Tasks that are recorded one by one keep their durations, from which their clones draw (section 6.3). Where only the
// phase is recorded, its duration is the mean and the deviation, and an upper bound on the durations of its instances.
//
// The cluster are the trace's machines at the window's start that have a known capacity. Where it records none they are, for
// alibaba, the about 4,000 of 96 cores of 2018 (2017 records no durations), and else Google's of 2011. Jobs with a task that no
// machine could hold are left out. A weight is the trace's (csv), or 1. The first job arrives at time 0. At most r.N jobs are
// taken unless that is 0; neither r.Seed nor r.Params matter. trace.Censoring applies: long jobs and those with killed tasks are
// missing, so that the load is far below the trace's; the simulator's option servers raises it.
func workloadFromTrace(ctx context.Context, r models.DeriveRequest) (*sim.Workload, error) {
	r.Graph = true
	w := &sim.Workload{}
	jobs, err := derive.Workload(ctx, r, "job with known durations and requests",
		func(tr *trace.Trace, j *trace.Job, arrival float64) (sim.Job, bool) {
			if w.Cluster == nil {
				w.Cluster = traceCluster(tr)
			}
			phases, ok := Phases(tr, j, 0, recordedCV)
			if !ok {
				return sim.Job{}, false
			}
			job := sim.Job{ID: j.ID, Arrival: arrival, Weight: cmp.Or(j.Weight, 1), Phases: tracePhases(phases)}
			if tr.Events.Batch == 0 {
				job.Phases[0].Durations = durationsOf(j)
			}
			return job, sim.Fit(w.Cluster, job.Phases)
		})
	if err != nil {
		return nil, err
	}
	w.Workload = *jobs
	if err := w.Validate(); err != nil {
		return nil, fmt.Errorf("%s: %w", r.Dir, err)
	}
	return w, nil
}

// tracePhases puts parents before children.
func tracePhases(phases []cloning.Phase) []sim.Phase {
	order := (&cloning.Job{Phases: phases}).Order()
	place := make([]int, len(order))
	list := make([]sim.Phase, len(order))
	for i, k := range order {
		place[k] = i
		p := &phases[k]
		list[i] = sim.Phase{Tasks: p.Tasks, CPU: p.Demand[0], Mem: p.Demand[1], Mean: p.Mean, SD: p.SD}
		for _, parent := range p.Parents {
			list[i].Parents = append(list[i].Parents, place[parent])
		}
		slices.Sort(list[i].Parents)
	}
	return list
}

// durationsOf are the durations of a job's tasks by index, in seconds, of no more tasks than a workload may list.
func durationsOf(j *trace.Job) []float64 {
	list := make([]float64, min(len(j.Tasks), sim.MaxDurations))
	for i := range list {
		list[i], _ = j.Tasks[i].Duration() // Phases made sure that it is known
	}
	return list
}

// traceCluster are the machines of a trace.
func traceCluster(tr *trace.Trace) []sim.Servers {
	var known []cloning.Server
	for _, m := range tr.Machines {
		if m.Missing == 0 && m.CPU > 0 && m.Memory > 0 {
			known = append(known, cloning.Server{Capacity: []float64{m.CPU, m.Memory}})
		}
	}
	switch {
	case len(known) > 0:
		return kinds(known)
	case tr.Format == alibaba.Format:
		return []sim.Servers{{Count: 4000, CPU: 9600, Mem: 100}} // hundredths of a core, percent
	}
	mix := make([]sim.Servers, len(googleMix))
	for i, kind := range googleMix {
		mix[i] = sim.Servers{Count: kind.machines, CPU: kind.capacity[0], Mem: kind.capacity[1]}
	}
	return mix
}
