// Package trace is the view of a cluster trace that does not depend on its format. Open finds the files and the format, and
// Assemble makes a Trace of them: jobs with their tasks, from the events that the loaders stream. Info describes a trace in
// numbers, Lineage its files. The derivers in datasets call it, and the commands of schedgap trace.
package trace

import (
	"schedgap/datasets/event"
)

// The loaders' vocabulary, see package event.
type (
	Time         = event.Time
	TaskEvent    = event.TaskEvent
	JobEvent     = event.JobEvent
	MachineEvent = event.MachineEvent
	Reader       = event.Reader
)

// Special times, see package event.
const (
	BeforeWindow = event.BeforeWindow
	AfterWindow  = event.AfterWindow
	Never        = event.Never
)

// Censoring belongs into every description of instances derived from a trace.
const Censoring = "The trace's window right-censors long jobs, and looking at finished tasks only drops killed and evicted work."

// A Trace is the assembled part of a trace.
type Trace struct {
	Format   string
	From, To Time // the window that was asked for; To AfterWindow: to the end
	// First and Last are the times of the first and the last record of a task that lie inside the trace; Never without any.
	First, Last Time
	Jobs        []Job     // by submission, those submitted at one moment in the order in which the trace names them
	Machines    []Machine // in the cluster at From, by id
	Events      Events    // that were read, in the window or not
	LeftOut     []LeftOut // by first occurrence
}

// Events counts records.
type Events struct {
	Task    [event.Kinds]int64
	Job     [event.Kinds]int64
	Machine [event.MachineKinds]int64
	Batch   int64 // tasks recorded as a whole
	Volume  int64 // jobs recorded by their amounts of data
	Listed  int64 // jobs recorded as a row of a list
}

// A Machine of the cluster. Capacities are in the trace's units: of the largest machine in Google's.
type Machine struct {
	ID      int64
	CPU     float64
	Memory  float64
	Missing event.Fields
}

// A Job is a set of tasks that were submitted together, mostly.
type Job struct {
	ID string
	// Submit is the submission, BeforeWindow if before the trace began; the first start in formats that do not record it;
	// Never if nothing is known.
	Submit Time
	// Whole says that the job was submitted inside the trace with all of its tasks, so that nothing happened unseen.
	Whole bool
	Tasks []Task // by index
	// DAG are the dependencies between the tasks; nil in formats that record none.
	DAG *DAG
	// NoDAG says that there are such dependencies, but that they cannot be used.
	NoDAG bool
	// Volume are the amounts of data of a job whose tasks are not recorded, else nil.
	Volume *Volume
	// Deadline, in seconds after the submission, and Weight are 0 in formats that record none.
	Deadline, Weight float64
}

// A Volume is the bytes that a MapReduce job reads, shuffles and writes.
type Volume struct{ Input, Shuffle, Output int64 }

// A Task is one task over all of its runs, or, in formats that record them together, several equal ones. A task that was evicted,
// failed or killed may be submitted again; Schedule, End and Outcome are of the last run.
type Task struct {
	Index     int32 // in the job, as the trace numbers it
	Instances int32 // equal tasks that the record stands for, at least 1; 1 in Google's formats
	Priority  int16
	Class     int8
	Outcome   Outcome
	Missing   event.Fields // fields that no record of the task has
	Submit    Time         // first submission; BeforeWindow: before the trace began; Never: not recorded
	Schedule  Time         // last start of a run; BeforeWindow: before the trace began; Never: not recorded, or it waits for one
	End       Time         // Never while active
	CPU       float64      // last request, 0 if Missing
	Memory    float64
	Deviation float64 // of the instances' durations over their mean, where that is recorded
}

// Duration is the length of a finished task's last run, from SCHEDULE to FINISH, in seconds. It is not known, false, for
// other tasks and those that started unseen.
func (t *Task) Duration() (seconds float64, known bool) {
	if t.Outcome != Finished || !t.Schedule.Inside() || !t.End.Inside() {
		return 0, false
	}
	return (t.End - t.Schedule).Seconds(), true
}

// An Outcome is how a task's last run ended.
type Outcome uint8

// The outcomes of tasks. An active task waits or runs when the trace ends.
const (
	Active Outcome = iota
	Finished
	Killed
	Failed
	Evicted
	Lost
	Outcomes int = iota
)

func (o Outcome) String() string {
	return [Outcomes]string{"active", "finished", "killed", "failed", "evicted", "lost"}[o]
}

// outcomeOf is the outcome of a task whose last record is k.
func outcomeOf(k event.Kind) Outcome {
	switch k {
	case event.Finish:
		return Finished
	case event.Kill:
		return Killed
	case event.Fail:
		return Failed
	case event.Evict:
		return Evicted
	case event.Lost:
		return Lost
	}
	return Active
}

// A JobOutcome says how a job's tasks ended.
type JobOutcome uint8

// The outcomes of jobs; each job has the first that applies.
const (
	Unknown     JobOutcome = iota // no task is recorded
	Unfinished                    // some task was active when the trace ended
	AllFinished                   // all tasks finished
	PartlyFinished
	AllKilled
	AllFailed
	Aborted         // no task finished, and they were killed, failed, evicted or lost in several ways
	JobOutcomes int = iota
)

func (o JobOutcome) String() string {
	return [JobOutcomes]string{"unknown", "unfinished", "finished", "partly finished", "killed", "failed", "aborted"}[o]
}

// Outcome says how the job's tasks ended.
func (j *Job) Outcome() JobOutcome {
	var n [Outcomes]int
	for i := range j.Tasks {
		n[j.Tasks[i].Outcome]++
	}
	switch all := len(j.Tasks); {
	case all == 0:
		return Unknown
	case n[Active] > 0:
		return Unfinished
	case n[Finished] == all:
		return AllFinished
	case n[Finished] > 0:
		return PartlyFinished
	case n[Killed] == all:
		return AllKilled
	case n[Failed] == all:
		return AllFailed
	}
	return Aborted
}

// End is when the last task ended, or Never if some task is active, or none recorded.
func (j *Job) End() Time {
	end := Never
	for i := range j.Tasks {
		t := &j.Tasks[i]
		if t.Outcome == Active {
			return Never
		}
		end = max(end, t.End)
	}
	return end
}
