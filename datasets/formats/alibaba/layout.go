package alibaba

import (
	"math"
	"slices"
	"strings"

	"schedgap/datasets/event"
	"schedgap/datasets/table"
)

// A layout is one of the published tables.
type layout struct {
	columns []string
	wide    []string // of lines with more columns; nil: there are none
	parse   func(r *table.Row, b *event.Batch, k *names, stem string)
}

var (
	v2017 = layout{
		columns: []string{"create time", "end time", "job id", "task id", "instances", "status", "CPU", "memory"},
		parse:   parse2017,
	}
	v2018 = layout{
		columns: []string{
			"task_name", "instance_num", "job_name", "task_type", "status", "start_time", "end_time", "plan_cpu", "plan_mem",
		},
		parse: parse2018,
	}
	// What the columns behind the times mean differs by origin and is not documented, but CPU and memory are plain to see.
	erdos = layout{
		columns: []string{
			"source_file", "task_name", "job_name", "instance_num", "status", "start_time_s", "end_time_s", "8", "CPU", "memory",
		},
		wide: []string{
			"source_file", "task_name", "job_name", "instance_num", "status", "start_time_s", "end_time_s", "8", "9", "CPU", "11",
			"memory", "13",
		},
		parse: parseERDOS,
	}
)

// layoutOf finds out the layout of a table by its first line, and whether that is a header. An unknown one has no parse.
func layoutOf(first string) (l layout, header bool) {
	switch cells := strings.Count(first, ",") + 1; {
	case strings.HasPrefix(first, "task_create_time,"):
		return v2017, true
	case strings.HasPrefix(first, "source_file,"):
		return erdos, true
	case cells == len(v2017.columns):
		return v2017, false
	case cells == len(v2018.columns):
		return v2018, false
	}
	return layout{}, false
}

// split cuts a line into the columns of the layout.
func (l *layout) split(r *table.Row, n int, line string) error {
	columns := l.columns
	if strings.Count(line, ",")+1 == len(l.wide) {
		columns = l.wide
	}
	return r.Split(n, line, ",", columns)
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

func (k *names) setJob(b *event.Batch, origin, job string) {
	if n := len(origin); len(k.job) != n+1+len(job) || k.job[:n] != origin || k.job[n+1:] != job {
		k.job = origin + "/" + job
	}
	b.Job = k.job
}

func (k *names) setTask(b *event.Batch, name string) {
	t, known := k.tasks[name]
	if !known {
		t.name = strings.Clone(name)
		t.number, t.parents, t.dag = dependencies(t.name)
		if t.dag && len(k.tasks) < mostNames {
			k.tasks[t.name] = t
		}
	}
	b.Task, b.Number, b.Parents, b.DAG = t.name, t.number, t.parents, t.dag
}

func parse2017(r *table.Row, b *event.Batch, k *names, stem string) {
	k.setJob(b, stem, r.Text(2))
	b.Task, b.Number = strings.Clone(r.Text(3)), -1
	b.Instances, b.Kind = int32(r.Integer(4, 0, math.MaxInt32)), status(r, 5)
	b.Submit, b.Start, b.End = seconds(r, 0), event.Never, seconds(r, 1)
	b.CPU = amount(r, 6, b, event.CPU)
	b.Memory = amount(r, 7, b, event.Memory)
}

func parse2018(r *table.Row, b *event.Batch, k *names, stem string) {
	k.setJob(b, stem, r.Text(2))
	k.setTask(b, r.Text(0))
	b.Kind = status(r, 4)
	b.Submit, b.Start, b.End = event.Never, seconds(r, 5), seconds(r, 6)
	b.Instances = instances(r, 1, b)
	b.CPU = amount(r, 7, b, event.CPU)
	b.Memory = amount(r, 8, b, event.Memory)
}

func parseERDOS(r *table.Row, b *event.Batch, k *names, _ string) {
	k.setJob(b, strings.TrimSuffix(r.Text(0), ".pkl"), r.Text(2))
	k.setTask(b, r.Text(1))
	b.Kind = status(r, 4)
	b.Submit, b.Start, b.End = event.Never, seconds(r, 5), seconds(r, 6)
	b.Instances = instances(r, 3, b)
	b.CPU = amount(r, slices.Index(r.Columns, "CPU"), b, event.CPU)
	b.Memory = amount(r, slices.Index(r.Columns, "memory"), b, event.Memory)
}

// seconds takes a time. 0 stands for one that is not recorded, negative ones lie before the trace.
func seconds(r *table.Row, col int) event.Time {
	const most = math.MaxInt64 / int64(event.Second) / 2
	switch t := r.Integer(col, -most, most); {
	case t > 0:
		return event.Time(t) * event.Second
	case t < 0:
		return event.BeforeWindow
	}
	return event.Never
}

// absent reports whether a cell is empty, or NaN as the tables of ERDOS write it.
func absent(cell string) bool { return cell == "" || cell == "nan" }

func amount(r *table.Row, col int, b *event.Batch, mark event.Fields) float64 {
	if absent(r.Cells[col]) {
		b.Missing |= mark
		return 0
	}
	return r.Decimal(col)
}

// instances takes a whole number, which ERDOS writes with a decimal point.
func instances(r *table.Row, col int, b *event.Batch) int32 {
	n := amount(r, col, b, event.Instances)
	if n != math.Trunc(n) || n > math.MaxInt32 {
		r.Fail(col, "is not a number of instances")
		return 0
	}
	return int32(n)
}

// status takes what a task was last seen doing.
func status(r *table.Row, col int) event.Kind {
	switch r.Cells[col] {
	case "Ready", "Waiting":
		return event.Submit
	case "Running":
		return event.Schedule
	case "Terminated":
		return event.Finish
	case "Failed":
		return event.Fail
	case "Cancelled":
		return event.Kill
	}
	r.Fail(col, "is not a known status (Ready, Waiting, Running, Terminated, Failed, Cancelled)")
	return 0
}

// trim drops an end that is none: of a task that has not ended, where the column holds the last change, and one before the
// start, as a row of v2017 has it.
func trim(b *event.Batch) {
	if !b.Kind.Ends() || b.End < max(b.Submit, b.Start) {
		b.End = event.Never
	}
}
