package joblist

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"schedgap/datasets/event"
	"schedgap/datasets/formats"
	"schedgap/datasets/table"
	"schedgap/models/strict"
)

// The limits of a job. They keep sums of the durations of its tasks within the clock, and the tasks within memory.
const (
	maxTasks    = 100_000
	mostTasks   = 20_000_000 // of all jobs
	roomTasks   = 2_000_000  // of all jobs of a small file; each row adds tasksARow, so that few rows do not fill the memory
	tasksARow   = 100
	maxArrival  = 9e9 // seconds: moments since 1970 until the year 2255
	maxDuration = 3e7 // seconds: some 350 days
)

// job takes row n of the file and hands its job, or the task of one, to the sink.
func (l *list) job(n int, wrong func(value, reason string) *table.Error) error {
	row := &l.row
	j := event.Listed{Job: strconv.Itoa(n), CPU: formats.UsualShare, Memory: formats.UsualShare}
	b := event.Batch{Missing: event.Class | event.Priority, File: row.File, Line: n}
	var name string
	var node event.Node
	var mean, sd float64
	for _, column := range row.Columns {
		switch column {
		case "id":
			j.Job = identifier(row)
		case "task":
			name = identifier(row)
		case "parents":
			for _, parent := range strings.FieldsFunc(string(row.Text()), func(r rune) bool { return r == ' ' || r == '|' }) {
				node.Parents = append(node.Parents, l.number(parent))
			}
		case "arrival":
			// The clock's zero stands for what happened before a trace, see event.BeforeWindow: it is put a microsecond back.
			j.Submit = event.At(number(row, 0, maxArrival, none)) + 1
		case "tasks":
			b.Instances = int32(number(row, 1, maxTasks, none))
			if _, whole := strict.Whole(string(row.Taken())); !whole {
				row.Fail("is not a whole number")
			}
		case "duration":
			mean = number(row, 1e-6, maxDuration, none)
		case "duration_sd":
			sd = number(row, 0, math.MaxFloat64, 0)
		case "cpu":
			j.CPU = number(row, 0, 1, formats.UsualShare)
		case "mem":
			j.Memory = number(row, 0, 1, formats.UsualShare)
		case "deadline":
			j.Deadline = number(row, 1e-3, 1e9, 0)
		case "weight":
			j.Weight = number(row, 1e-6, 1e6, 0)
		default:
			row.Text()
		}
	}
	if bad := row.Done(); bad != nil {
		if l.graphs {
			bad.Job = j.Job
		}
		return bad
	}
	if most := mean * math.Sqrt(float64(b.Instances-1)); sd > most {
		bad := wrong(strconv.FormatFloat(sd, 'g', -1, 64),
			"is more than duration·√(tasks − 1), the largest deviation of so many tasks")
		bad.Column = "duration_sd"
		return bad
	}
	if key := j.Job + " " + name; l.ids[key] {
		bad := wrong(quote(strings.TrimSpace(key)), "is there twice")
		bad.Column = "id"
		if l.graphs {
			bad.Job = j.Job
		}
		return bad
	} else if most := min(mostTasks, roomTasks+tasksARow*n); l.tasks+int(b.Instances) > most {
		return fmt.Errorf("%s: line %d: up to this row the jobs have %d tasks, more than the %d that are read of so many rows", row.File, n,
			l.tasks+int(b.Instances), most)
	} else {
		l.tasks += int(b.Instances)
		l.ids[key] = true
	}
	if !l.graphs {
		j.Durations = durations(int(b.Instances), mean, sd)
		return l.sink.Listed(&j)
	}
	if l.sink.Batch == nil {
		return nil
	}
	node.Number = l.number(name)
	b.Job, b.Node, b.CPU, b.Memory, b.Deadline, b.Weight = j.Job, &node, j.CPU, j.Memory, j.Deadline, j.Weight
	b.Kind, b.Submit, b.Start, b.End = event.Finish, j.Submit, event.Never, event.Never
	b.Length, b.Deviation = max(1, event.At(mean)), sd/mean
	return l.sink.Batch(&b)
}

// number is the number of a task's name, the same in all jobs.
func (l *list) number(name string) int32 {
	if _, known := l.numbers[name]; !known {
		l.numbers[name] = int32(len(l.numbers))
	}
	return l.numbers[name]
}

// none says that a column must not be empty.
const none = -1

// number takes a number between least and most; an empty cell stands for absent.
func number(row *table.Row, least, most, absent float64) float64 {
	row.Missing = 0
	switch v := row.Amount(event.CPU); {
	case row.Missing != 0 && absent == none:
		row.Fail("must not be empty")
	case row.Missing != 0:
		return absent
	case v < least || v > most:
		row.Fail(fmt.Sprintf("is not between %v and %v", least, most))
	default:
		return v
	}
	return 0
}

// identifier takes a name that instance files take as one.
func identifier(row *table.Row) string {
	id := string(row.Name())
	strange := func(r rune) bool { return strings.ContainsRune(",: ", r) || !strconv.IsPrint(r) }
	if !utf8.ValidString(id) || strings.ContainsFunc(id, strange) {
		row.Fail("must be free of commas, colons, white space and characters that do not print")
	}
	return id
}

// durations are n durations whose mean and standard deviation (over n) are those given, 0 ≤ sd ≤ mean·√(n−1), ascending: the
// quantiles (i+½)/n of the Pareto distribution whose shape gives them that deviation, on a scale that gives them that mean.
func durations(n int, mean, sd float64) []event.Time {
	logs, parts := make([]float64, n), make([]float64, n) // parts of the longest
	for i := range logs {
		logs[i] = math.Log(0.5 / (float64(n-i) - 0.5))
	}
	sum := 0.0
	spread := func(exponent float64) float64 { // variance over the squared mean
		squares := 0.0
		sum = 0
		for i, l := range logs {
			parts[i] = math.Exp(exponent * l)
			sum += parts[i]
			squares += float64(parts[i] * parts[i])
		}
		return float64(n)*squares/(sum*sum) - 1
	}
	// The spread grows with the exponent; at 64 all but the longest are below 10⁻³⁰ of it.
	exponent, high, want := 0.0, 64.0, sd/mean*(sd/mean)
	for range 48 {
		if want == 0 {
			break
		}
		if middle := (exponent + high) / 2; spread(middle) < want {
			exponent = middle
		} else {
			high = middle
		}
	}
	spread(exponent)
	list := make([]event.Time, n)
	for i, part := range parts {
		list[i] = max(1, event.At(part/sum*mean*float64(n)))
	}
	return list
}
