package google2011

import (
	"math"

	"schedgap/datasets/event"
	"schedgap/datasets/table"
)

// The columns of the tables, as in the schema that Google published with the trace.
var (
	taskColumns = []string{
		"time", "missing info", "job ID", "task index", "machine ID", "event type", "user", "scheduling class", "priority",
		"CPU request", "memory request", "disk space request", "different machines restriction",
	}
	jobColumns = []string{
		"time", "missing info", "job ID", "event type", "user", "scheduling class", "job name", "logical job name",
	}
	machineColumns = []string{"time", "machine ID", "event type", "platform ID", "CPUs", "Memory"}
)

// The largest values that the format's description allows.
const (
	maxMissingInfo = 5
	maxClass       = 3
	maxPriority    = 11
)

// kinds translates event types, which are numbered from 0 without the later format's QUEUE and ENABLE.
var kinds = [...]event.Kind{
	event.Submit, event.Schedule, event.Evict, event.Fail, event.Finish, event.Kill, event.Lost,
	event.UpdatePending, event.UpdateRunning,
}

var machineKinds = [...]event.MachineKind{event.Add, event.Remove, event.Update}

func task(r *table.Row, ev *event.TaskEvent) event.Time {
	ev.Time = event.Time(r.Need(math.MaxInt64))
	r.Optional(maxMissingInfo, 0) // filled when Google made the record up
	ev.Job = r.Need(math.MaxInt64)
	ev.Index = int32(r.Need(math.MaxInt32))
	ev.Machine = r.Optional(math.MaxInt64, event.Machine)
	ev.Kind = kind(r)
	r.Text() // user
	ev.Class = int8(r.Optional(maxClass, event.Class))
	ev.Priority = int16(r.Need(maxPriority))
	ev.CPU = r.Amount(event.CPU)
	ev.Memory = r.Amount(event.Memory)
	ev.Disk = r.Amount(event.Disk)
	r.Optional(1, 0) // different machines restriction
	ev.Missing = r.Missing
	return ev.Time
}

func job(r *table.Row, ev *event.JobEvent) event.Time {
	ev.Time = event.Time(r.Need(math.MaxInt64))
	r.Optional(maxMissingInfo, 0) // filled when Google made the record up
	ev.Job = r.Need(math.MaxInt64)
	ev.Kind = kind(r)
	r.Text() // user
	r.Optional(maxClass, 0)
	r.Text() // job name, unique to each run
	r.Text() // logical job name
	return ev.Time
}

func machine(r *table.Row, ev *event.MachineEvent) event.Time {
	ev.Time = event.Time(r.Need(math.MaxInt64))
	ev.Machine = r.Need(math.MaxInt64)
	if kind := r.Need(math.MaxInt64); kind < int64(len(machineKinds)) {
		ev.Kind = machineKinds[kind]
	} else {
		r.Fail("is not a known event type (0 to 2)")
	}
	r.Text() // platform ID
	ev.CPU = r.Amount(event.CPU)
	ev.Memory = r.Amount(event.Memory)
	ev.Missing = r.Missing
	return ev.Time
}

// kind takes the event type of a task or a job.
func kind(r *table.Row) event.Kind {
	kind := r.Need(math.MaxInt64)
	if kind >= int64(len(kinds)) {
		r.Fail("is not a known event type (0 to 8)")
		return 0
	}
	return kinds[kind]
}
