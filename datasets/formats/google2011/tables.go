package google2011

import (
	"math"

	"schedgap/datasets/event"
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

func (f *fields) task(ev *event.TaskEvent) event.Time {
	ev.Time = event.Time(f.need(math.MaxInt64))
	f.missingInfo()
	ev.Job = f.need(math.MaxInt64)
	ev.Index = int32(f.need(math.MaxInt32))
	ev.Machine = f.optional(math.MaxInt64, event.Machine)
	ev.Kind = f.kind()
	f.text() // user
	ev.Class = int8(f.optional(maxClass, event.Class))
	ev.Priority = int16(f.need(maxPriority))
	ev.CPU = f.amount(event.CPU)
	ev.Memory = f.amount(event.Memory)
	ev.Disk = f.amount(event.Disk)
	f.optional(1, 0) // different machines restriction
	ev.Missing = f.missing
	return ev.Time
}

func (f *fields) job(ev *event.JobEvent) event.Time {
	ev.Time = event.Time(f.need(math.MaxInt64))
	f.missingInfo()
	ev.Job = f.need(math.MaxInt64)
	ev.Kind = f.kind()
	ev.User = string(f.text())
	ev.Class = int8(f.optional(maxClass, event.Class))
	f.text() // job name, unique to each run
	ev.Name = string(f.text())
	ev.Missing = f.missing
	return ev.Time
}

func (f *fields) machine(ev *event.MachineEvent) event.Time {
	ev.Time = event.Time(f.need(math.MaxInt64))
	ev.Machine = f.need(math.MaxInt64)
	col, start := f.col, f.at
	kind := f.need(math.MaxInt64)
	if kind < int64(len(machineKinds)) {
		ev.Kind = machineKinds[kind]
	} else {
		f.fail(col, start, "is not a known event type (0 to 2)")
	}
	f.text() // platform ID
	ev.CPU = f.amount(event.CPU)
	ev.Memory = f.amount(event.Memory)
	ev.Missing = f.missing
	return ev.Time
}

// kind takes the event type of a task or a job.
func (f *fields) kind() event.Kind {
	col, start := f.col, f.at
	kind := f.need(math.MaxInt64)
	if kind >= int64(len(kinds)) {
		f.fail(col, start, "is not a known event type (0 to 8)")
		return 0
	}
	return kinds[kind]
}

// missingInfo takes the column that is filled when Google made the record up.
func (f *fields) missingInfo() {
	start := f.at
	f.optional(maxMissingInfo, 0)
	if f.at > start+1 {
		f.missing |= event.Synthesized
	}
}
