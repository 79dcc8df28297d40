package synthetic

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"schedgap/datasets/event"
	"schedgap/datasets/trace"
	"schedgap/models/fail"
)

// realTrace is the folder of the real trace.
func realTrace(t *testing.T) string {
	t.Helper()
	traces := os.Getenv("SCHEDGAP_TRACES")
	if traces == "" {
		t.Skip("SCHEDGAP_TRACES is not set: the real traces are not there to be read")
	}
	return filepath.Join(traces, "google2011")
}

// The fitted model is what a new fit to the real trace gives. When the trace or the way of fitting changes, the failure's
// text is the new fitted.json.
func TestFitted(t *testing.T) {
	got := render(t, fitTo(t, realTrace(t)))
	if got != string(fittedJSON) {
		t.Errorf("the fit has changed to\n%s", got)
	}
}

// A history is what happened to a task, its records in order.
type history struct {
	times []trace.Time
	kinds []event.Kind
}

// fitTo fits a model to the jobs that lie whole inside the trace in dir.
func fitTo(t *testing.T, dir string) *model {
	s, err := trace.Open(dir, "google2011")
	fail.On(t, err)
	tr, err := trace.Assemble(t.Context(), s, trace.Options{})
	fail.On(t, err)
	jobs := tr.Select(func(j *trace.Job) bool { return j.Whole })
	m := &model{}
	fitArrivals(m, jobs)
	fitGroups(m, jobs)
	fitClasses(m, jobs)
	fitRanks(m, jobs)
	fitRuns(t, m, s, jobs)
	info := trace.Describe(tr)
	m.Shortest, m.Longest = round4(info.Durations.Min), round4(info.Durations.Max)
	for _, c := range info.Capacities {
		m.Capacities = append(m.Capacities, capacity{c.CPU, c.Memory, c.Machines})
	}
	return m
}

// fit gives the quantiles of a sample to four digits.
func fit(sample []float64) curve {
	slices.Sort(sample)
	var c curve
	for i, p := range probabilities {
		if len(sample) > 0 {
			c[i] = round4(trace.Quantile(sample, p))
		}
	}
	return c
}

func fitArrivals(m *model, jobs []*trace.Job) {
	var gaps []float64
	for i := 1; i < len(jobs); i++ {
		gaps = append(gaps, (jobs[i].Submit - jobs[i-1].Submit).Seconds())
	}
	m.JobsPerHour = round4(float64(len(gaps)) / (jobs[len(jobs)-1].Submit - jobs[0].Submit).Seconds() * 3600)
	m.Gap = fit(gaps)
}

func fateOf(j *trace.Job) fate {
	return map[trace.JobOutcome]fate{
		trace.AllFinished: finished, trace.PartlyFinished: partly, trace.AllKilled: killed, trace.AllFailed: failed,
		trace.Aborted: aborted, trace.Unfinished: running,
	}[j.Outcome()]
}

func fitGroups(m *model, jobs []*trace.Job) {
	var tasks [fates][]float64
	var several, straggling [fates][2]float64
	for _, j := range jobs {
		f := fateOf(j)
		tasks[f] = append(tasks[f], float64(len(j.Tasks)))
		n := len(j.Durations())
		if size := min(n/10, 1); n >= 2 {
			several[f][size]++
			if j.Straggles() {
				straggling[f][size]++
			}
		}
	}
	for f := range m.Groups {
		g := &m.Groups[f]
		g.Share, g.Tasks = round4(float64(len(tasks[f]))/float64(len(jobs))), fit(tasks[f])
		for size := range g.Straggling {
			g.Straggling[size] = round4(straggling[f][size] / max(several[f][size], 1))
		}
	}
}

func fitClasses(m *model, jobs []*trace.Job) {
	from := 1
	for _, upTo := range []int{1, 9, 99, 999, 10500} {
		var cpu, memory, shares, median, calm, wild []float64
		for _, j := range jobs {
			if len(j.Tasks) < from || len(j.Tasks) > upTo {
				continue
			}
			ds, part := j.Durations(), j.Outcome() == trace.PartlyFinished
			for range j.Tasks {
				cpu, memory = append(cpu, j.Tasks[0].CPU), append(memory, j.Tasks[0].Memory)
				if part {
					shares = append(shares, float64(len(ds))/float64(len(j.Tasks)))
				}
			}
			if len(ds) == 0 {
				continue
			}
			middle, straggles := trace.Quantile(ds, .5), j.Straggles()
			for _, d := range ds {
				median = append(median, middle)
				switch {
				case len(ds) == 1: // has no spread
				case straggles:
					wild = append(wild, d/middle)
				default:
					calm = append(calm, d/middle)
				}
			}
		}
		m.Classes = append(m.Classes, class{upTo, fit(cpu), fit(memory), fit(shares), fit(median), fit(calm), fit(wild)})
		from = upTo + 1
	}
}

func fitRanks(m *model, jobs []*trace.Job) {
	count := map[rank]int{}
	for _, j := range jobs {
		count[rank{Class: j.Tasks[0].Class, Priority: j.Tasks[0].Priority}]++
	}
	for r, n := range count {
		r.Jobs = n
		m.Ranks = append(m.Ranks, r)
	}
	slices.SortFunc(m.Ranks, func(a, b rank) int {
		return cmp.Or(cmp.Compare(b.Jobs, a.Jobs), cmp.Compare(a.Class, b.Class), cmp.Compare(a.Priority, b.Priority))
	})
	var cpu, memory []float64
	for _, j := range jobs {
		cpu, memory = append(cpu, j.Tasks[0].CPU), append(memory, j.Tasks[0].Memory)
	}
	m.Tie = round4(math.Round(100*rankCorrelation(cpu, memory)) / 100)
}

// rankCorrelation is Spearman's, ties given their middle rank.
func rankCorrelation(x, y []float64) float64 {
	ranks := func(v []float64) []float64 {
		sorted := slices.Sorted(slices.Values(v))
		r := make([]float64, len(v))
		for i := range v {
			lo, _ := slices.BinarySearch(sorted, v[i])
			hi, _ := slices.BinarySearchFunc(sorted, v[i], func(a, b float64) int {
				if a <= b {
					return -1
				}
				return 1
			})
			r[i] = float64(lo+hi) / 2
		}
		return r
	}
	rx, ry := ranks(x), ranks(y)
	mean := float64(len(x)) / 2
	var xy, xx, yy float64
	for i := range rx {
		dx, dy := rx[i]-mean, ry[i]-mean
		xy, xx, yy = xy+dx*dy, xx+dx*dx, yy+dy*dy
	}
	return xy / math.Sqrt(xx*yy)
}

func fitRuns(t *testing.T, m *model, s *trace.Source, jobs []*trace.Job) {
	type key struct {
		job   int64
		index int32
	}
	whole := map[string]bool{}
	for _, j := range jobs {
		whole[j.ID] = true
	}
	ids := map[int64]bool{}
	tasks := map[key]*history{}
	var order []*history
	var disk []float64
	err := s.Read(t.Context(), event.Sink{Task: func(ev *event.TaskEvent) error {
		in, seen := ids[ev.Job]
		if !seen {
			in = whole[fmt.Sprint(ev.Job)]
			ids[ev.Job] = in
		}
		if !in || ev.Kind == event.UpdatePending || ev.Kind == event.UpdateRunning {
			return nil
		}
		k := key{ev.Job, ev.Index}
		h := tasks[k]
		if h == nil {
			h = &history{}
			tasks[k], order = h, append(order, h)
			disk = append(disk, ev.Disk)
		}
		h.times, h.kinds = append(h.times, ev.Time), append(h.kinds, ev.Kind)
		return nil
	}})
	fail.On(t, err)
	m.Disk = fit(disk)
	var wait, attempt, killAfter []float64
	var ends [event.Kinds]float64
	var queue, kills float64
	earlier := make([]float64, 7)
	for _, h := range order {
		runs := 0
		for i := 1; i < len(h.kinds); i++ {
			lasted := (h.times[i] - h.times[i-1]).Seconds()
			from, to, last := h.kinds[i-1], h.kinds[i], i == len(h.kinds)-1
			switch {
			case from == event.Submit && to == event.Schedule && i == 1:
				wait = append(wait, lasted)
			case from == event.Submit && to == event.Kill && last:
				queue++
			case from == event.Schedule && to == event.Kill && last:
				killAfter = append(killAfter, lasted)
			case from == event.Schedule && !last && to != event.Finish:
				attempt = append(attempt, lasted)
				ends[to]++
				runs++
			}
			if to == event.Kill && last {
				kills++
			}
		}
		earlier[min(runs, len(earlier)-1)]++
	}
	m.Wait, m.Attempt, m.KillAfter = fit(wait), fit(attempt), fit(killAfter)
	for i := range earlier {
		m.Earlier = append(m.Earlier, round4(earlier[i]/float64(len(order))))
	}
	for i, k := range []event.Kind{event.Evict, event.Fail, event.Kill} {
		m.Attempts[i] = round4(ends[k] / float64(len(attempt)))
	}
	m.QueueKills = round4(queue / kills)
}

// render writes a model as it stands in fitted.json, a list of numbers a line.
func render(t *testing.T, m *model) string {
	text, err := json.MarshalIndent(m, "", "  ")
	fail.On(t, err)
	numbers := regexp.MustCompile(`\[[^\[\]{}]*\]`)
	return string(numbers.ReplaceAllFunc(text, func(list []byte) []byte {
		return []byte(strings.ReplaceAll(strings.Join(strings.Fields(string(list)), ""), ",", ", "))
	})) + "\n"
}
