package sim

import (
	"context"
	"fmt"

	"schedgap/models"
	"schedgap/models/pocd"
)

// A Policy decides on the extra attempts. Without Copies and Clones every task has the one it starts with.
type Policy struct {
	models.Policy

	// Copies decides at a check: extra attempts of the tasks of in, by in's order. in's jobs are the running ones in the order
	// of their starts, with their unfinished tasks; its capacity is for them and the copies. in is valid during the
	// call only, and the result may depend on nothing else. Runs may call it concurrently.
	Copies func(ctx context.Context, in *pocd.Instance) pocd.Copies
	// Checks says when Copies is asked.
	Checks When
	// KeepFastest has a check kill all attempts of a task but the fastest before new ones start (Algorithm 1); otherwise running
	// copies count among those that Copies asks for.
	KeepFastest bool
	// KillLate has a check kill jobs past their deadlines, waiting ones too (Algorithm 1, line 2); otherwise they run on.
	KillLate bool
	// Resume has new attempts go on from the progress of the task's fastest attempt (section V), not from zero.
	Resume bool
	// EstimateBeta has Copies reckon with the shape of eq. (14), not with the workload's.
	EstimateBeta bool
	// ByMeanTime has those be stragglers whose estimated remaining time is more than the mean time of the job's completed tasks,
	// that is, a copy would probably end first (Hadoop's and LATE's rule, which knows no deadlines); otherwise they are the tasks
	// whose estimated ends lie after the deadline. Instances of policies that know no deadlines have one deadline for all jobs, at
	// which none is hopeless.
	ByMeanTime bool
	// AllTasks lets Copies give copies to others than the detected stragglers.
	AllTasks bool

	// Clones decides when a job starts: the extra attempts of each of its tasks that start with the first ones. When the VMs
	// do not suffice for all of them there are none.
	Clones func(s Start) int
	// Baseline names the policy whose PoCD Start tells of.
	Baseline string

	// Clairvoyant runs only the attempt of each task that takes least time among the first and max_copies others, and drops jobs
	// that miss their deadlines even so when it is their turn to start. Others know what progress tells.
	Clairvoyant bool
}

// When says which events make a policy check; the values can be combined.
type When uint8

// The events.
const (
	AtStart    When = 1 << iota // a job arrives or starts
	AtProgress                  // a job's progress reaches ξ; until then its tasks are no stragglers
	Periodic                    // θ seconds have passed since the last check
)

// A Start is the argument of Clones.
type Start struct {
	Tasks     int
	MaxCopies int
	LogPoCD   float64 // ln of the share of jobs that meet their deadlines under Baseline
}

// checkCopies returns the fault of a policy's decision, if any.
func checkCopies(in *pocd.Instance, copies pocd.Copies, all bool) error {
	used := in.BaseLoad()
	if len(copies) != len(in.Jobs) {
		return fmt.Errorf("copies of %d jobs, not %d", len(copies), len(in.Jobs))
	}
	for j := range in.Jobs {
		job := &in.Jobs[j]
		if len(copies[j]) != len(job.Tasks) {
			return fmt.Errorf("copies of %d tasks of job %s, not %d", len(copies[j]), job.ID, len(job.Tasks))
		}
		for i, r := range copies[j] {
			if r < 0 || r > in.MaxCopies {
				return fmt.Errorf("%d copies of task %s of job %s, not between 0 and %d", r, job.Tasks[i].ID, job.ID, in.MaxCopies)
			}
			if r > 0 && !all && !job.Tasks[i].Straggler {
				return fmt.Errorf("%d copies of task %s of job %s, which is no straggler", r, job.Tasks[i].ID, job.ID)
			}
			used += r
		}
	}
	if used > in.Capacity {
		return fmt.Errorf("%d attempts and masters for %d VMs", used, in.Capacity)
	}
	return nil
}
