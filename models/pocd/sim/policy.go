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
	// of their starts, with their unfinished tasks; its capacity is what they and the copies may hold. in is valid during the
	// call only, and the result may depend on nothing else. Runs may call it concurrently.
	Copies func(ctx context.Context, in *pocd.Instance) pocd.Copies
	// Checks says when Copies is asked.
	Checks When
	// OnCheck says what happens to a task's attempts before new ones start.
	OnCheck OnCheck
	// Late says what happens at a check to jobs past their deadlines, waiting ones too.
	Late Late
	// Begin says where new attempts begin.
	Begin Begin
	// Beta says whose β Copies gets.
	Beta Beta
	// Detect says what a straggler is. Instances of policies that know no deadlines have one deadline for all jobs, at which
	// none is hopeless.
	Detect Detect
	// Of says which tasks Copies may give copies to.
	Of Tasks

	// Clones decides when a job starts: the extra attempts of each of its tasks that start with the first ones. When the VMs
	// do not suffice for all of them there are none.
	Clones func(s Start) int
	// Baseline names the policy whose PoCD Start tells of.
	Baseline string

	// Mode is what the engine knows of the times of attempts.
	Mode Mode
}

// When says which events make a policy check; the values can be combined.
type When uint8

// The events.
const (
	AtStart    When = 1 << iota // a job arrives or starts
	AtProgress                  // a job's progress reaches ξ; until then its tasks are no stragglers
	Periodic                    // θ seconds have passed since the last check
)

// OnCheck is what a check does to the attempts of a task.
type OnCheck uint8

// KeepAll has a task's running copies count among those that Copies asks for; KeepFastest kills all but the fastest (Algorithm
// 1).
const (
	KeepAll OnCheck = iota
	KeepFastest
)

// Late is what a check does to jobs past their deadlines.
type Late uint8

// RunOn lets them end, KillLate kills them (Algorithm 1, line 2).
const (
	RunOn Late = iota
	KillLate
)

// Begin is where new attempts begin.
type Begin uint8

// FromZero is at no progress, Resumed at that of the task's fastest attempt (section V).
const (
	FromZero Begin = iota
	Resumed
)

// Beta is whose shape of the times of attempts a policy reckons with.
type Beta uint8

// OfWorkload is the workload's, Estimated that of eq. (14).
const (
	OfWorkload Beta = iota
	Estimated
)

// Detect is how stragglers are found.
type Detect uint8

// ByDeadline are tasks whose estimated ends lie after the deadline; ByMeanTime those whose estimated remaining time is more than
// the mean time of the job's completed tasks, that is, a copy would probably end first (Hadoop's and LATE's rule, which knows no
// deadlines).
const (
	ByDeadline Detect = iota
	ByMeanTime
)

// Tasks are those that may get copies.
type Tasks uint8

// Stragglers are the detected ones, AllTasks others as well.
const (
	Stragglers Tasks = iota
	AllTasks
)

// Mode is what the engine knows.
type Mode uint8

// Online is what progress tells. Clairvoyant runs only the attempt of each task that takes least time among the first and
// max_copies others, and drops jobs that miss their deadlines even so when it is their turn to start.
const (
	Online Mode = iota
	Clairvoyant
)

// A Start is what Clones gets.
type Start struct {
	Tasks     int
	MaxCopies int
	LogPoCD   float64 // ln of the share of jobs that meet their deadlines under Baseline
}

// checkCopies says what is wrong with a policy's decision.
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
