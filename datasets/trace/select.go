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

// Durations returns the durations of the job's records of finished tasks in seconds, ascending, see Task.Duration. A record that
// stands for several tasks says nothing about how their durations differ, so its duration is there once.
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

// Size is the number of the job's tasks, those counted that a record stands for.
func (j *Job) Size() int {
	n := 0
	for i := range j.Tasks {
		n += int(j.Tasks[i].Instances)
	}
	return n
}

// durations is the sample of the durations of the job's finished tasks, in seconds.
func (j *Job) durations() *Sample {
	var s Sample
	for i := range j.Tasks {
		if d, known := j.Tasks[i].Duration(); known {
			s.Add(d, int(j.Tasks[i].Instances))
		}
	}
	return &s
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

// Peak is the largest number of the job's instances that ran at one time. Only the last run of a task is known, so runs that
// were evicted or failed and repeated are missing. Runs that began before the trace count from BeforeWindow; those of active
// tasks do not end.
func (j *Job) Peak() int {
	type step struct {
		at Time
		by int // instances that begin, less those that end
	}
	var steps []step
	for i := range j.Tasks {
		t := &j.Tasks[i]
		if t.Schedule == Never || t.End != Never && t.End < t.Schedule {
			continue // it never ran, or was killed in the queue
		}
		steps = append(steps, step{t.Schedule, int(t.Instances)})
		if t.Outcome != Active {
			steps = append(steps, step{t.End, -int(t.Instances)})
		}
	}
	slices.SortFunc(steps, func(a, b step) int { return cmp.Or(cmp.Compare(a.at, b.at), a.by-b.by) })
	running, peak := 0, 0
	for _, s := range steps {
		running += s.by
		peak = max(peak, running)
	}
	return peak
}
