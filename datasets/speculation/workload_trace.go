package speculation

import (
	"context"
	"math"

	"schedgap/datasets/derive"
	"schedgap/datasets/formats/swim"
	"schedgap/datasets/trace"
	"schedgap/models"
	"schedgap/models/speculation/sim"
)

// A task that takes more than stragglerFactor times its job's median straggles: Mantri's definition (Ananthanarayanan et al.,
// OSDI 2010), and the simulator's threshold.
const stragglerFactor = 1.5

// workloadFromTrace takes the jobs that were submitted in the window; the first arrives at time 0. At most r.N jobs are taken
// unless that is 0; neither r.Seed nor r.Params matter.
//
// In a trace of tasks these are the jobs whose tasks all finished inside it. A job has as many tasks as there. Mean and spread
// of the sizes come from its tasks that do not straggle, as the simulator adds stragglers of its own. The trace's durations
// contain the effects of its machines and its contention, and the simulator adds its own: its times are longer throughout. Input
// and memory are the generator's. trace.Censoring applies: long jobs and those with killed tasks are missing.
//
// A SWIM trace has amounts of data: a job has a task of 30 s for each block of 128 MB that it reads.
func workloadFromTrace(ctx context.Context, r models.DeriveRequest) (*sim.Workload, error) {
	source, err := trace.Open(r.Dir, r.Format)
	if err != nil {
		return nil, err
	}
	r.Format = source.Format()
	if r.Format == swim.Format {
		return volumes(ctx, r)
	}
	return derive.Workload(ctx, r, "job whose tasks took time", regular)
}

// regular sums up the tasks of a job; it is false when they took no time or are too many.
func regular(_ *trace.Trace, j *trace.Job, arrival float64) (sim.Job, bool) {
	durations := j.Durations()
	if len(durations) == 0 {
		return sim.Job{}, false
	}
	limit := stragglerFactor * durations[(len(durations)-1)/2]
	tasks, n, sum, squares := 0, 0.0, 0.0, 0.0
	for i := range j.Tasks {
		d, known := j.Tasks[i].Duration()
		if !known {
			continue
		}
		k := float64(j.Tasks[i].Instances)
		tasks += int(j.Tasks[i].Instances)
		if d <= limit {
			n, sum, squares = n+k, sum+k*d, squares+k*d*d
		}
	}
	mean := sum / n
	if !(mean >= sim.MinSeconds && mean <= sim.MaxMean) || tasks > sim.MaxTasks {
		return sim.Job{}, false
	}
	cv := min(sim.MaxCV, math.Sqrt(max(0, squares/n-mean*mean))/mean)
	return sim.Job{
		ID: j.ID, Arrival: arrival, Tasks: tasks, Mean: derive.RoundTo(mean, 6), CV: derive.RoundTo(cv, 6),
		Input: blockMB, Memory: memoryRate,
	}, true
}

// volumes makes the jobs of a SWIM trace.
func volumes(ctx context.Context, r models.DeriveRequest) (*sim.Workload, error) {
	f, err := derive.Load(ctx, r)
	if err != nil {
		return nil, err
	}
	var jobs []sim.Job
	start := trace.Never
	for i := range f.Trace.Jobs {
		j := &f.Trace.Jobs[i]
		if j.Volume == nil || j.Submit < f.Trace.From {
			continue
		}
		if r.N > 0 && len(jobs) == r.N {
			break
		}
		if start == trace.Never {
			start = j.Submit
		}
		mb := float64(j.Volume.Input) / (1 << 20)
		tasks := min(sim.MaxTasks, max(1, math.Ceil(mb/blockMB)))
		jobs = append(jobs, sim.Job{
			ID: j.ID, Arrival: (j.Submit - start).Seconds(), Tasks: int(tasks), Mean: meanSize,
			Input: min(sim.MaxInput, derive.RoundTo(mb/tasks, 6)), Memory: memoryRate,
		})
	}
	if len(jobs) == 0 {
		return nil, f.Nothing("job")
	}
	return derive.Valid(r, jobs)
}
