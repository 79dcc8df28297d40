package flex

import (
	"slices"

	"schedgap/datasets/trace"
)

// A remainder is the part of a job that is left at an instant: its recorded tasks that were submitted by then and finished later.
type remainder struct {
	job      *trace.Job
	age      trace.Time // since the submission
	work     trace.Time // summed remaining durations of the tasks, a slot's time
	tasks    int
	peak     int          // most of the tasks that ran at one time
	ends     []trace.Time // from the instant until each record of a task ended, ascending
	priority int16        // the highest of the tasks; 0 when not recorded
}

// last is how long the job still took in the trace.
func (r *remainder) last() trace.Time { return r.ends[len(r.ends)-1] }

// countable reports whether a task's last run finished and is known. If a run began before the trace did, its duration is not
// known, but its remaining time at any instant of the trace is.
func countable(k *trace.Task) bool {
	return k.Outcome == trace.Finished && k.End.Inside() && k.Schedule != trace.Never
}

// remainderOf looks at job j at t. A task that runs then has its remaining time left; one that waits, or that runs in vain
// because it will be evicted and start again, has the whole of its last run left. It is false when nothing is left.
func remainderOf(j *trace.Job, t trace.Time) (remainder, bool) {
	r := remainder{job: j, age: t - j.Submit}
	var left trace.Job
	for i := range j.Tasks {
		k := &j.Tasks[i]
		if !countable(k) || k.Submit > t || k.End <= max(t, k.Schedule) {
			continue
		}
		rest := *k
		rest.Schedule = max(t, k.Schedule)
		left.Tasks = append(left.Tasks, rest)
		r.work += (rest.End - rest.Schedule) * trace.Time(rest.Instances)
		r.tasks += int(rest.Instances)
		r.ends = append(r.ends, rest.End-t)
		r.priority = max(r.priority, rest.Priority)
	}
	slices.Sort(r.ends)
	r.peak = left.Peak()
	return r, r.tasks > 0
}

// snapshot returns the remainders at t of the jobs that were active then and have at least minTasks tasks left, in the trace's
// order.
func snapshot(jobs []*trace.Job, t trace.Time, minTasks int) []remainder {
	var rs []remainder
	for _, j := range jobs {
		if j.Submit > t {
			break // the trace is in order of submission
		}
		if r, ok := remainderOf(j, t); ok && r.tasks >= minTasks {
			rs = append(rs, r)
		}
	}
	return rs
}
