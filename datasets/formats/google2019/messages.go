package google2019

import (
	"math"
	"strconv"

	"schedgap/datasets/event"
	"schedgap/models/strict"
)

// A message is one object of a line. Its methods keep the first error, so that a parser reads like the .proto.
type message struct {
	*strict.Object
	err error
}

func (m *message) fail(v *strict.Value, format string, args ...any) {
	if m.err == nil {
		m.err = v.Errorf(format, args...)
	}
}

// integer takes an optional field, as a number or in a string; absent means 0.
func (m *message) integer(name string, least, most int64) int64 {
	field := m.Get(name)
	if field == nil {
		return 0
	}
	text, err := field.Text()
	if err != nil {
		text = field.String() // a number's literal, or what no number looks like
	}
	i, err := strconv.ParseInt(text, 10, 64)
	switch {
	case err != nil:
		m.fail(field, "%v is not an integer", field)
	case i < least || i > most:
		m.fail(field, "%v is not between %d and %d", field, least, most)
	default:
		return i
	}
	return 0
}

// text takes an optional string field; absent means empty.
func (m *message) text(name string) string {
	field := m.Get(name)
	if field == nil {
		return ""
	}
	s, err := field.Text()
	if err != nil && m.err == nil {
		m.err = err
	}
	return s
}

// ignore marks fields of the .proto that nothing is made of.
func (m *message) ignore(names ...string) {
	for _, name := range names {
		m.Get(name)
	}
}

// resources takes a message of type Resources; absent is noted in missing.
func (m *message) resources(name string, missing *event.Fields) (cpu, memory float64) {
	field := m.Get(name)
	if field == nil {
		*missing |= event.CPU | event.Memory
		return 0, 0
	}
	o, err := field.Object()
	if err != nil {
		m.fail(field, "must be an object, not %v", field)
		return 0, 0
	}
	amount := func(name string) float64 {
		v := o.Get(name)
		if v == nil {
			return 0
		}
		f, err := v.Float()
		if err != nil {
			m.fail(v, "%v is not a finite number", v)
		} else if f < 0 {
			m.fail(v, "%v must not be negative", v)
		}
		return f
	}
	cpu, memory = amount("cpus"), amount("memory")
	if err := o.Done(); err != nil && m.err == nil {
		m.err = err
	}
	return cpu, memory
}

// Largest values of the enumerations.
const (
	maxKind           = int64(event.UpdateRunning) // event.Kind has the numbers of this format
	maxMissingType    = 5
	maxClass          = 3
	maxCollectionType = 1
	alloc             = 1 // of collection types
)

// common takes the fields that instances and collections share. It reports whether they are those of a job.
func (m *message) common() (t event.Time, kind event.Kind, job int64, class int8, missing event.Fields, isJob bool) {
	t = event.Time(m.integer("time", 0, math.MaxInt64))
	kind = event.Kind(m.integer("type", 0, maxKind))
	job = m.integer("collection_id", 0, math.MaxInt64)
	class = int8(m.integer("scheduling_class", 0, maxClass))
	if m.integer("missing_type", 0, maxMissingType) != 0 {
		missing = event.Synthesized
	}
	isJob = m.integer("collection_type", 0, maxCollectionType) != alloc
	m.ignore("alloc_collection_id")
	return t, kind, job, class, missing, isJob
}

func instance(m *message, ev *event.TaskEvent) bool {
	var isJob bool
	ev.Time, ev.Kind, ev.Job, ev.Class, ev.Missing, isJob = m.common()
	ev.Priority = int16(m.integer("priority", 0, math.MaxInt16))
	ev.Index = int32(m.integer("instance_index", 0, math.MaxInt32))
	const dedicated = -1
	if ev.Machine = m.integer("machine_id", dedicated, math.MaxInt64); ev.Machine == 0 {
		ev.Missing |= event.Machine
	}
	ev.CPU, ev.Memory = m.resources("resource_request", &ev.Missing)
	ev.Missing |= event.Disk // the format has none
	m.ignore("alloc_instance_index", "constraint")
	return isJob
}

func collection(m *message, ev *event.JobEvent) bool {
	var isJob bool
	ev.Time, ev.Kind, ev.Job, ev.Class, ev.Missing, isJob = m.common()
	ev.User = m.text("user")
	ev.Name = m.text("collection_logical_name")
	m.ignore("priority", "collection_name", "parent_collection_id", "start_after_collection_ids", "max_per_machine",
		"max_per_switch", "vertical_scaling", "scheduler")
	return isJob
}

func machine(m *message, ev *event.MachineEvent) bool {
	ev.Time = event.Time(m.integer("time", 0, math.MaxInt64))
	ev.Machine = m.integer("machine_id", 0, math.MaxInt64)
	kinds := map[int64]event.MachineKind{1: event.Add, 2: event.Remove, 3: event.Update}
	kind, known := kinds[m.integer("type", 0, math.MaxInt64)]
	if !known && m.err == nil {
		m.err = m.typeError()
	}
	ev.Kind = kind
	ev.CPU, ev.Memory = m.resources("capacity", &ev.Missing)
	if m.integer("missing_data_reason", 0, 1) != 0 {
		ev.Missing |= event.Synthesized
	}
	m.ignore("switch_id", "platform_id")
	return true
}

// typeError says that a machine event is none of 1 ADD, 2 REMOVE and 3 UPDATE.
func (m *message) typeError() error {
	field, err := m.Need("type")
	if err != nil {
		return err
	}
	return field.Errorf("%v is not a known event type (1 to 3)", field)
}
