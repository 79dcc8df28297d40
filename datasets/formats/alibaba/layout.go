package alibaba

import (
	"math"
	"strconv"
	"strings"

	"schedgap/datasets/event"
	"schedgap/datasets/table"
)

// A layout names the columns of a table and the fields that are read from them.
type layout struct {
	columns []string
	fields  []field
	wide    *layout // of rows that are longer; nil: there are none
}

type field uint8

const (
	noField field = iota
	sourceField
	jobField
	nameField // of a task, with its dependencies
	idField   // of a task
	countField
	statusField
	createField
	startField
	endField
	cpuField
	memoryField
)

var fields = map[string]field{
	"source_file": sourceField, "job id": jobField, "job_name": jobField, "task_name": nameField, "task id": idField,
	"instances": countField, "instance_num": countField, "status": statusField, "create time": createField,
	"start_time": startField, "start_time_s": startField, "end time": endField, "end_time": endField, "end_time_s": endField,
	"CPU": cpuField, "plan_cpu": cpuField, "memory": memoryField, "plan_mem": memoryField,
}

func columns(names ...string) layout {
	l := layout{columns: names}
	for _, name := range names {
		l.fields = append(l.fields, fields[name])
	}
	return l
}

// The columns of the published tables. Lines of ERDOS may have more of them; what those behind the times mean differs by origin
// and is not documented, but CPU and memory are plain to see.
var (
	v2017 = columns("create time", "end time", "job id", "task id", "instances", "status", "CPU", "memory")
	v2018 = columns("task_name", "instance_num", "job_name", "task_type", "status", "start_time", "end_time", "plan_cpu",
		"plan_mem")
	erdos = columns("source_file", "task_name", "job_name", "instance_num", "status", "start_time_s", "end_time_s", "8", "CPU",
		"memory")
	wide = columns("source_file", "task_name", "job_name", "instance_num", "status", "start_time_s", "end_time_s", "8", "9", "CPU",
		"11", "memory", "13")
)

// layoutOf finds out the columns of a table by its first line, and whether that is a header. An unknown one has none.
func layoutOf(first string) (l layout, header bool) {
	switch cells := strings.Split(first, ","); {
	case strings.HasPrefix(first, "task_create_time,"):
		return v2017, true
	case cells[0] == "source_file":
		l = erdos
		l.wide = &wide
		return l, true
	case strings.Contains(first, "task_name") && strings.Contains(first, "job_name"): // v2018, in any order
		for i := range cells {
			cells[i] = strings.ToLower(strings.TrimSpace(cells[i]))
		}
		return columns(cells...), true
	case len(cells) == len(v2017.columns):
		return v2017, false
	case len(cells) == len(v2018.columns):
		return v2018, false
	}
	return layout{}, false
}

// mostNodes bounds the names of tasks that are kept: those that say something of dependencies repeat.
const mostNodes = 1 << 16

func (t *taker) node(name []byte) *event.Node {
	node, known := t.nodes[string(name)]
	if !known {
		if number, parents, dag := dependencies(string(name)); dag {
			node = &event.Node{Number: number, Parents: parents}
			if len(t.nodes) < mostNodes {
				t.nodes[string(name)] = node
			}
		}
	}
	return node
}

// seconds takes a time. 0 stands for one that is not recorded, negative ones lie before the trace.
func seconds(r *table.Row) event.Time {
	const most = math.MaxInt64 / int64(event.Second) / 2
	text := r.Text()
	if len(text) > 0 && len(text) < 10 { // nearly all
		t := event.Time(0)
		for _, c := range text {
			c -= '0'
			if c > 9 {
				t = -1
				break
			}
			t = t*10 + event.Time(c)
		}
		if t > 0 {
			return t * event.Second
		}
	}
	t, err := strconv.ParseInt(string(text), 10, 64)
	switch {
	case err != nil:
		r.Fail("is not an integer")
	case t < -most || t > most:
		r.Fail("is beyond the clock of a trace")
	case t > 0:
		return event.Time(t) * event.Second
	case t < 0:
		return event.BeforeWindow
	}
	return event.Never
}

// instances takes a whole number, which ERDOS writes with a decimal point.
func instances(r *table.Row) int32 {
	n := r.Amount(event.Instances)
	if n != math.Trunc(n) || n > math.MaxInt32 {
		r.Fail("is not a number of instances")
		return 0
	}
	return int32(n)
}

var statuses = map[string]event.Kind{
	"Ready": event.Submit, "Waiting": event.Submit, "Running": event.Schedule, "Terminated": event.Finish, "Failed": event.Fail,
	"Cancelled": event.Kill,
}

// status reads the last known state of a task.
func status(r *table.Row) event.Kind {
	if text := r.Text(); string(text) == "Terminated" { // nearly all
		return event.Finish
	} else if kind, known := statuses[string(text)]; known {
		return kind
	}
	r.Fail("is not a known status (Ready, Waiting, Running, Terminated, Failed, Cancelled)")
	return 0
}
