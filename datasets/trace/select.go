package trace

import (
	"cmp"
	"slices"
)

// Select returns the jobs for which keep is true, in the trace's order. They are the trace's own, not copies.
func (tr *Trace) Select(keep func(*Job) bool) []*Job {
	var jobs []*Job
	for i := range tr.Jobs {
		if keep(&tr.Jobs[i]) {
			jobs = append(jobs, &tr.Jobs[i])
		}
	}
	return jobs
}

// FinishedJobs returns the jobs that lie inside the trace from their submission on and all of whose tasks finished.
func (tr *Trace) FinishedJobs() []*Job {
	return tr.Select(func(j *Job) bool { return j.Whole && j.Outcome() == AllFinished })
}

// Durations returns the durations of the job's finished tasks in seconds, ascending, see Task.Duration.
func (j *Job) Durations() []float64 {
	var ds []float64
	for i := range j.Tasks {
		if d, known := j.Tasks[i].Duration(); known {
			ds = append(ds, d)
		}
	}
	slices.Sort(ds)
	return ds
}

// Work is the sum of the durations of the job's finished tasks in slot-seconds. A task that stands for many instances counts
// its duration, the time from the first start to the last end, for each of them: for formats that record tasks as a whole
// the sum is an upper bound on the work.
func (j *Job) Work() float64 {
	work := 0.0
	for i := range j.Tasks {
		if d, known := j.Tasks[i].Duration(); known {
			work += d * float64(j.Tasks[i].Instances)
		}
	}
	return work
}

// A Level is how many instances of a job's tasks run from At until the next level begins.
type Level struct {
	At      Time
	Running int
}

// Concurrency is the number of the job's running instances over time. Only the last run of a task is known, so runs that were
// evicted or failed and repeated are missing. Runs that began before the trace count from BeforeWindow; those of active tasks
// do not end. The first level is the first start; no two adjacent levels are equal.
func (j *Job) Concurrency() []Level {
	var steps []Level // changes at first
	for i := range j.Tasks {
		t := &j.Tasks[i]
		if t.Schedule == Never || t.End != Never && t.End < t.Schedule {
			continue // it never ran, or was killed in the queue
		}
		steps = append(steps, Level{t.Schedule, int(t.Instances)})
		if t.Outcome != Active {
			steps = append(steps, Level{t.End, -int(t.Instances)})
		}
	}
	slices.SortFunc(steps, func(a, b Level) int { return cmp.Compare(a.At, b.At) })
	var levels []Level
	running := 0
	for i, s := range steps {
		running += s.Running
		if i+1 < len(steps) && steps[i+1].At == s.At {
			continue
		}
		if before := len(levels); before == 0 && running > 0 || before > 0 && levels[before-1].Running != running {
			levels = append(levels, Level{s.At, running})
		}
	}
	return levels
}

// Peak is the largest number of the job's instances that ran at one time, see Concurrency.
func (j *Job) Peak() int {
	peak := 0
	for _, l := range j.Concurrency() {
		peak = max(peak, l.Running)
	}
	return peak
}
