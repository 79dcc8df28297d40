package google2019

import (
	"math"
	"strconv"
	"strings"

	"schedgap/datasets/event"
	"schedgap/models/strict"
)

// The messages of the .proto. Fields that are 0 are absent, or null.

// common are the fields that instances and collections share.
type common struct {
	Time            integer `json:"time,omitempty" is:">=0"`
	Type            integer `json:"type,omitempty" is:"0..10"` // event.Kind has the numbers of this format
	CollectionID    integer `json:"collection_id,omitempty" is:">=0"`
	SchedulingClass integer `json:"scheduling_class,omitempty" is:"0..3"`
	MissingType     integer `json:"missing_type,omitempty" is:"0..5"`
	CollectionType  integer `json:"collection_type,omitempty" is:"0..1"`
	AllocCollection ignored `json:"alloc_collection_id,omitempty"`
}

// isJob says that the collection is no alloc set.
func (c *common) isJob() bool { return c.CollectionType == 0 }

// resources is a message of type Resources; nil: it is not there.
type resources struct {
	CPUs   decimal `json:"cpus,omitempty" is:">=0"`
	Memory decimal `json:"memory,omitempty" is:">=0"`
}

func (r *resources) amounts(missing *event.Fields) (cpu, memory float64) {
	if r == nil {
		*missing |= event.CPU | event.Memory
		return 0, 0
	}
	return float64(r.CPUs), float64(r.Memory)
}

type instanceEvent struct {
	common
	Priority      integer    `json:"priority,omitempty" is:"0..32767"`
	InstanceIndex integer    `json:"instance_index,omitempty" is:"0..2147483647"`
	MachineID     integer    `json:"machine_id,omitempty" is:">=-1"` // -1: dedicated
	Request       *resources `json:"resource_request,omitempty"`
	AllocIndex    ignored    `json:"alloc_instance_index,omitempty"`
	Constraint    ignored    `json:"constraint,omitempty"`
}

func (m *instanceEvent) event() (event.TaskEvent, bool) {
	ev := event.TaskEvent{
		Time: event.Time(m.Time), Kind: event.Kind(m.Type), Job: int64(m.CollectionID), Class: int8(m.SchedulingClass),
		Missing:  event.Disk, // the format has none
		Priority: int16(m.Priority), Index: int32(m.InstanceIndex), Machine: int64(m.MachineID),
	}
	if ev.Machine == 0 {
		ev.Missing |= event.Machine
	}
	ev.CPU, ev.Memory = m.Request.amounts(&ev.Missing)
	return ev, m.isJob()
}

type collectionEvent struct {
	common
	User         string  `json:"user,omitempty"`
	LogicalName  string  `json:"collection_logical_name,omitempty"`
	Priority     ignored `json:"priority,omitempty"`
	Name         ignored `json:"collection_name,omitempty"`
	Parent       ignored `json:"parent_collection_id,omitempty"`
	StartAfter   ignored `json:"start_after_collection_ids,omitempty"`
	MaxMachine   ignored `json:"max_per_machine,omitempty"`
	MaxSwitch    ignored `json:"max_per_switch,omitempty"`
	VerticalMode ignored `json:"vertical_scaling,omitempty"`
	Scheduler    ignored `json:"scheduler,omitempty"`
}

func (m *collectionEvent) event() (event.JobEvent, bool) {
	return event.JobEvent{Time: event.Time(m.Time), Kind: event.Kind(m.Type), Job: int64(m.CollectionID)}, m.isJob()
}

type machineEvent struct {
	Time      integer    `json:"time,omitempty" is:">=0"`
	MachineID integer    `json:"machine_id,omitempty" is:">=0"`
	Type      integer    `json:"type" is:"1..3"` // ADD, REMOVE, UPDATE
	Capacity  *resources `json:"capacity,omitempty"`
	Reason    integer    `json:"missing_data_reason,omitempty" is:"0..1"`
	Switch    ignored    `json:"switch_id,omitempty"`
	Platform  ignored    `json:"platform_id,omitempty"`
}

func (m *machineEvent) event() (event.MachineEvent, bool) {
	kinds := map[integer]event.MachineKind{1: event.Add, 2: event.Remove, 3: event.Update}
	ev := event.MachineEvent{
		Time: event.Time(m.Time), Machine: int64(m.MachineID), Kind: kinds[m.Type],
	}
	if m.Reason != 0 { // the record is made up
		ev.Missing = event.CPU | event.Memory
	}
	ev.CPU, ev.Memory = m.Capacity.amounts(&ev.Missing)
	return ev, true
}

// An integer stands as a number or in a string.
type integer int64

// ReadValue implements strict.Reader.
func (i *integer) ReadValue(v *strict.Value) error {
	text, err := v.Text()
	if err != nil {
		text = v.String() // a number's literal, or what no number looks like
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return v.Errorf("%s is not an integer", v)
	}
	*i = integer(n)
	return nil
}

// A decimal stands as a number or in a string.
type decimal float64

// ReadValue implements strict.Reader.
func (d *decimal) ReadValue(v *strict.Value) error {
	text, err := v.Text()
	if err != nil {
		x, err := v.Float()
		*d = decimal(x)
		return err
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsInf(x, 0) || math.IsNaN(x) || strings.ContainsAny(text, "xX_") {
		return v.Errorf("%s is not a finite number", v)
	}
	*d = decimal(x)
	return nil
}

// ignored is a field that nothing is made of.
type ignored struct{}

// ReadValue implements strict.Reader.
func (ignored) ReadValue(*strict.Value) error { return nil }
