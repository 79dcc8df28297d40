package joblist

import (
	"fmt"
	"math"
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

// job takes row n of the file.
func job(row *table.Row, n int) (event.Listed, error) {
	const none = -1
	number := func(least, most, absent float64) float64 {
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
	j := event.Listed{Job: strconv.Itoa(n), CPU: usualShare, Memory: usualShare}
	var tasks int64
	var mean, sd float64
	for _, column := range row.Columns {
		switch column {
		case "id":
			if j.Job = string(row.Name()); !identifier(j.Job) {
				row.Fail("must be free of commas, colons, white space and characters that do not print")
			}
		case "arrival":
			// The clock's zero stands for what happened before a trace, see event.BeforeWindow: it is put a microsecond back.
			j.Submit = event.At(number(0, maxArrival, none)) + 1
		case "tasks":
			if tasks = row.Need(maxTasks); tasks == 0 {
				row.Fail(fmt.Sprintf("is not between 1 and %d", maxTasks))
			}
		case "duration":
			mean = number(1e-6, maxDuration, none)
		case "duration_sd":
			sd = number(0, math.MaxFloat64, 0)
		case "cpu":
			j.CPU = number(0, 1, usualShare)
		case "mem":
			j.Memory = number(0, 1, usualShare)
		case "deadline":
			j.Deadline = number(1e-3, 1e9, 0)
		case "weight":
			j.Weight = number(1e-6, 1e6, 0)
		}
	}
	if err := row.Done(); err != nil {
		return j, err
	}
	if most := mean * math.Sqrt(float64(tasks-1)); sd > most {
		return j, &table.Error{File: row.File, Line: n, Column: "duration_sd", Reason: fmt.Sprintf(
			"%v is more than %.6g, the largest deviation of %d durations whose mean is %v", sd, most, tasks, mean)}
	}
	j.Durations = durations(int(tasks), mean, sd)
	return j, nil
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
