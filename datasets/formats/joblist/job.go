package joblist

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"schedgap/datasets/event"
	"schedgap/datasets/table"
)

// The limits of a job. They keep sums of the durations of its tasks within the clock, and the tasks within memory.
const (
	maxTasks    = 100_000
	mostTasks   = 20_000_000 // of all jobs
	maxArrival  = 9e9        // seconds: moments since 1970 until the year 2255
	maxDuration = 3e7        // seconds: some 350 days
)

// usualShare is the request of a task whose row gives none, as a share of the largest machine.
const usualShare = 0.05

// job takes a row; what is wrong with it is in row.Err.
func job(row *table.Row) event.Listed {
	at := func(name string) int { return slices.Index(row.Columns, name) }
	number := func(name string, least, most, absent float64) float64 {
		col := at(name)
		switch {
		case col < 0 || row.Cells[col] == "" && slices.Contains(optional, name):
			return absent
		case row.Text(col) == "":
			return 0
		}
		v := row.Decimal(col)
		if v < least || v > most {
			row.Fail(col, fmt.Sprintf("is not between %v and %v", least, most))
		}
		return v
	}
	// The clock's zero stands for what happened before a trace, see event.BeforeWindow: it is put a microsecond back.
	j := event.Listed{
		Job:    strconv.Itoa(row.Line),
		Submit: event.At(number("arrival", 0, maxArrival, 0)) + 1,
		CPU:    number("cpu", 0, 1, usualShare), Memory: number("mem", 0, 1, usualShare),
		Deadline: number("deadline", 1e-3, 1e9, 0), Weight: number("weight", 1e-6, 1e6, 0),
	}
	if col := at("id"); col >= 0 {
		if j.Job = row.Text(col); !identifier(j.Job) {
			row.Fail(col, "must be free of commas, colons, white space and characters that do not print")
		}
	}
	row.Text(at("tasks"))
	tasks := int(row.Integer(at("tasks"), 1, maxTasks))
	mean, sd := number("duration", 1e-6, maxDuration, 0), number("duration_sd", 0, math.MaxFloat64, 0)
	if most := mean * math.Sqrt(float64(tasks-1)); sd > most && row.Err() == nil {
		wrong := fmt.Sprintf("is more than %.6g, the largest deviation of %d durations whose mean is %v", most, tasks, mean)
		row.Fail(at("duration_sd"), wrong)
	}
	if row.Err() == nil {
		j.Durations = durations(tasks, mean, sd)
	}
	return j
}

// identifier reports whether instance files take id as the name of a job.
func identifier(id string) bool {
	strange := func(r rune) bool { return strings.ContainsRune(",: ", r) || !strconv.IsPrint(r) }
	return utf8.ValidString(id) && !strings.ContainsFunc(id, strange)
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
