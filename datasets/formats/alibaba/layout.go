package alibaba

import (
	"fmt"
	"math"
	"path"
	"strconv"
	"strings"

	"schedgap/datasets/event"
	"schedgap/datasets/table"
)

// The columns of the published tables. Lines of ERDOS may have more of them; what those behind the times mean differs by origin
// and is not documented, but CPU and memory are plain to see.
var (
	v2017 = [][]string{{"create time", "end time", "job id", "task id", "instances", "status", "CPU", "memory"}}
	v2018 = [][]string{{
		"task_name", "instance_num", "job_name", "task_type", "status", "start_time", "end_time", "plan_cpu", "plan_mem",
	}}
	erdos = [][]string{
		{"source_file", "task_name", "job_name", "instance_num", "status", "start_time_s", "end_time_s", "8", "CPU", "memory"},
		{
			"source_file", "task_name", "job_name", "instance_num", "status", "start_time_s", "end_time_s", "8", "9", "CPU", "11",
			"memory", "13",
		},
	}
)

// layoutOf finds out the columns of a table by its first line, and whether that is a header. An unknown one has none.
func layoutOf(first string) (columns [][]string, header bool) {
	switch cells := strings.Count(first, ",") + 1; {
	case strings.HasPrefix(first, "task_create_time,"):
		return v2017, true
	case strings.HasPrefix(first, "source_file,"):
		return erdos, true
	case cells == len(v2017[0]):
		return v2017, false
	case cells == len(v2018[0]):
		return v2018, false
	}
	return nil, false
}

// names keeps names that repeat, and nothing of the lines that they are from: that of the last job, and those of tasks with what
// they say of dependencies. Those that say nothing are hardly ever there twice.
type names struct {
	job   string
	tasks map[string]task
}

const mostNames = 1 << 16

type task struct {
	name    string
	number  int32
	parents []int32
	dag     bool
}

func (k *names) setJob(b *event.Batch, origin string, job []byte) {
	if n := len(origin); len(k.job) != n+1+len(job) || k.job[:n] != origin || k.job[n+1:] != string(job) {
		k.job = origin + "/" + string(job)
	}
	b.Job = k.job
}

func (k *names) setTask(b *event.Batch, name []byte) {
	t, known := k.tasks[string(name)]
	if !known {
		t.name = string(name)
		t.number, t.parents, t.dag = dependencies(t.name)
		if t.dag && len(k.tasks) < mostNames {
			k.tasks[t.name] = t
		}
	}
	b.Task, b.Number, b.Parents, b.DAG = t.name, t.number, t.parents, t.dag
}

// parse takes a row. A job's name begins with that of its file, or with the origin that the row names.
func parse(r *table.Row, k *names) event.Batch {
	b := event.Batch{Submit: event.Never, Start: event.Never, Missing: event.Class | event.Priority | event.Disk}
	origin, _, _ := strings.Cut(path.Base(r.File), ".")
	var job []byte
	for _, column := range r.Columns {
		switch column {
		case "source_file":
			origin = strings.TrimSuffix(string(r.Name()), ".pkl")
		case "job id", "job_name":
			job = r.Name()
		case "task id":
			b.Task, b.Number = string(r.Name()), -1
		case "task_name":
			k.setTask(&b, r.Name())
		case "instances":
			b.Instances = int32(r.Need(math.MaxInt32))
		case "instance_num":
			b.Instances = instances(r)
		case "status":
			b.Kind = status(r)
		case "create time":
			b.Submit = seconds(r)
		case "start_time", "start_time_s":
			b.Start = seconds(r)
		case "end time", "end_time", "end_time_s":
			b.End = seconds(r)
		case "CPU", "plan_cpu":
			b.CPU = r.Amount(event.CPU)
		case "memory", "plan_mem":
			b.Memory = r.Amount(event.Memory)
		default:
			r.Text()
		}
	}
	k.setJob(&b, origin, job)
	b.Missing |= r.Missing
	// An end is none of a task that has not ended, where the column holds the last change, and before the start, as a row of v2017
	// has it.
	if !b.Kind.Ends() || b.End < max(b.Submit, b.Start) {
		b.End = event.Never
	}
	return b
}

// seconds takes a time. 0 stands for one that is not recorded, negative ones lie before the trace.
func seconds(r *table.Row) event.Time {
	const most = math.MaxInt64 / int64(event.Second) / 2
	t, err := strconv.ParseInt(string(r.Text()), 10, 64)
	switch {
	case err != nil:
		r.Fail("is not an integer")
	case t < -most || t > most:
		r.Fail(fmt.Sprintf("is not between %d and %d", -most, most))
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

// status takes what a task was last seen doing.
func status(r *table.Row) event.Kind {
	kind, known := statuses[string(r.Text())]
	if !known {
		r.Fail("is not a known status (Ready, Waiting, Running, Terminated, Failed, Cancelled)")
	}
	return kind
}
