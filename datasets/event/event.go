// Package event is the common vocabulary of the loaders of all trace formats: one struct for each kind of record, such as
// TaskEvent, and a Sink that takes them. Times are in microseconds of the trace's own clock. Absent values are marked, never
// guessed. Loaders in datasets/formats write these records, and datasets/trace assembles jobs from them.
package event

import (
	"fmt"
	"math"
)

// A Time is a moment of the trace's own clock in microseconds. Google's traces begin at 600 s.
type Time int64

// Special times of Google's traces.
const (
	BeforeWindow Time = 0             // before the trace began, exactly when is not known
	AfterWindow  Time = math.MaxInt64 // after the trace ended
	Never        Time = -1            // did not happen, or was not recorded; no file holds it
)

// Second is one second of a trace's clock.
const Second Time = 1_000_000

// Seconds is t in seconds.
func (t Time) Seconds() float64 { return float64(t) / float64(Second) }

// Inside reports whether t is a moment that the trace has seen, not a special one.
func (t Time) Inside() bool { return t > BeforeWindow && t < AfterWindow }

// At is the moment s seconds into the trace's clock, rounded to a microsecond. Moments beyond the clock's range become
// AfterWindow, those before it BeforeWindow.
func At(s float64) Time {
	switch us := math.Round(s * float64(Second)); {
	case !(us > 0):
		return BeforeWindow
	case us >= math.MaxInt64:
		return AfterWindow
	default:
		return Time(us)
	}
}

// A Kind is a kind of event of a job or a task. The formats number them differently; loaders translate.
type Kind uint8

// The kinds of events, in the order of a life. Queue and Enable exist in the 2019 format only.
const (
	Submit Kind = iota
	Queue
	Enable
	Schedule
	Evict
	Fail
	Finish
	Kill
	Lost
	UpdatePending
	UpdateRunning
	Kinds int = iota
)

var kindNames = [Kinds]string{
	"submit", "queue", "enable", "schedule", "evict", "fail", "finish", "kill", "lost", "update-pending", "update-running",
}

func (k Kind) String() string {
	if int(k) < Kinds {
		return kindNames[k]
	}
	return fmt.Sprintf("kind(%d)", uint8(k))
}

// Ends reports whether k takes a task off its machine or out of the queue. A task may be submitted again afterwards.
func (k Kind) Ends() bool { return k >= Evict && k <= Lost }

// A MachineKind is a kind of event of a machine.
type MachineKind uint8

// The kinds of machine events.
const (
	Add MachineKind = iota
	Remove
	Update
	MachineKinds int = iota
)

func (k MachineKind) String() string {
	if int(k) < MachineKinds {
		return [...]string{"add", "remove", "update"}[k]
	}
	return fmt.Sprintf("kind(%d)", uint8(k))
}

// Fields is a set of fields, used to say which of them a record left empty.
type Fields uint8

// The fields that a trace may leave empty.
const (
	CPU Fields = 1 << iota
	Memory
	Disk
	Machine
	Class
	Priority
	Instances
	Deviation
)

// Has reports whether f contains all of g.
func (f Fields) Has(g Fields) bool { return f&g == g }

// A TaskEvent is one change in a task's life. A resubmitted task keeps its job and index.
type TaskEvent struct {
	Time     Time
	Job      int64
	Index    int32
	Kind     Kind
	Class    int8  // how latency-sensitive: 0 batch … 3 serving
	Priority int16 // larger is more important
	Machine  int64
	CPU      float64 // requested; in units of the largest machine, or the format's own
	Memory   float64
	Disk     float64
	Missing  Fields // fields whose value here means nothing
}

// A JobEvent is one change in a job's life.
type JobEvent struct {
	Time Time
	Job  int64
	Kind Kind
}

// A MachineEvent adds, removes or changes a machine.
type MachineEvent struct {
	Time    Time
	Machine int64
	Kind    MachineKind
	CPU     float64
	Memory  float64
	Missing Fields
}

// A Batch is one task of a format that records tasks as a whole: Instances equal pieces of work, their common start and end.
type Batch struct {
	Job        string
	Node       *Node // nil: outside any DAG
	Instances  int32
	Submit     Time // or Never
	Start, End Time // or Never
	Length     Time // of a task that starts when its parents have ended, with Start and End Never
	Kind       Kind // the last thing known: Finish, Fail, Schedule (it ran) or Submit (it waited)
	CPU        float64
	Memory     float64
	Deviation  float64 // standard deviation of the pieces' durations over their mean
	Missing    Fields

	Deadline, Weight float64 // of the job, as in Listed

	File string // where the record stands
	Line int
}

// A Node is a task's place in the DAG of its job. Unlike the record it is not used again, and records may share it.
type Node struct {
	Number  int32 // by which other tasks of the job refer to it
	Parents []int32
}

// A Volume is a job with known amounts of data, in bytes, and nothing else.
type Volume struct {
	Job                    string
	Submit                 Time
	Input, Shuffle, Output int64
}

// A Listed is a job known by one row of a list: its tasks start together at Submit, and all finish.
type Listed struct {
	Job              string
	Submit           Time
	Durations        []Time  // of its tasks
	CPU, Memory      float64 // requested by each; shares of the largest machine
	Deadline, Weight float64 // seconds after Submit; 0: not given
}

// A Bad is a record that cannot be used. With it the whole of its job cannot.
type Bad struct {
	Reason string // the same words for all records with that fault
	File   string
	Line   int
	Job    string // empty: not known
	Err    error  // names the value, too
}

// A Sink takes the records of a trace as they are read. Nil functions are for tables that need not be read at all. The
// records are reused, so a function must copy them to keep them. An error ends the reading and is returned as it is.
type Sink struct {
	Task    func(*TaskEvent) error
	Job     func(*JobEvent) error
	Machine func(*MachineEvent) error
	Batch   func(*Batch) error
	Volume  func(*Volume) error
	Listed  func(*Listed) error
	Bad     func(*Bad) // nil: the first record that cannot be used ends the reading
}
