package synthetic

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"schedgap/datasets/event"
	"schedgap/datasets/trace"
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
// text is the model for fitted.go.
func TestFitted(t *testing.T) {
	got := render(fitTo(t, realTrace(t)))
	if got != render(&fitted) {
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
	if err != nil {
		t.Fatal(err)
	}
	tr, err := trace.Assemble(t.Context(), s, trace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	jobs := tr.Select(func(j *trace.Job) bool { return j.Whole })
	m := &model{}
	fitArrivals(m, jobs)
	fitGroups(m, jobs)
	fitClasses(m, jobs)
	fitRanks(m, jobs)
	fitRuns(t, m, s, jobs)
	info := trace.Describe(tr)
	m.shortest, m.longest = round4(info.Durations.Min), round4(info.Durations.Max)
	for _, c := range info.Capacities {
		m.capacities = append(m.capacities, capacity{c.CPU, c.Memory, c.Machines})
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
	m.jobsPerHour = round4(float64(len(gaps)) / (jobs[len(jobs)-1].Submit - jobs[0].Submit).Seconds() * 3600)
	m.gap = fit(gaps)
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
	for f := range m.groups {
		g := &m.groups[f]
		g.share, g.tasks = round4(float64(len(tasks[f]))/float64(len(jobs))), fit(tasks[f])
		for size := range g.straggling {
			g.straggling[size] = round4(straggling[f][size] / max(several[f][size], 1))
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
		m.classes = append(m.classes, class{upTo, fit(cpu), fit(memory), fit(shares), fit(median), fit(calm), fit(wild)})
		from = upTo + 1
	}
}

func fitRanks(m *model, jobs []*trace.Job) {
	count := map[rank]int{}
	for _, j := range jobs {
		count[rank{class: j.Tasks[0].Class, priority: j.Tasks[0].Priority}]++
	}
	for r, n := range count {
		r.jobs = n
		m.ranks = append(m.ranks, r)
	}
	slices.SortFunc(m.ranks, func(a, b rank) int {
		return cmp.Or(cmp.Compare(b.jobs, a.jobs), cmp.Compare(a.class, b.class), cmp.Compare(a.priority, b.priority))
	})
	var cpu, memory []float64
	for _, j := range jobs {
		cpu, memory = append(cpu, j.Tasks[0].CPU), append(memory, j.Tasks[0].Memory)
	}
	m.tie = round4(math.Round(100*rankCorrelation(cpu, memory)) / 100)
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
	if err != nil {
		t.Fatal(err)
	}
	m.disk = fit(disk)
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
	m.wait, m.attempt, m.killAfter = fit(wait), fit(attempt), fit(killAfter)
	for i := range earlier {
		m.earlier = append(m.earlier, round4(earlier[i]/float64(len(order))))
	}
	for i, k := range []event.Kind{event.Evict, event.Fail, event.Kill} {
		m.attempts[i] = round4(ends[k] / float64(len(attempt)))
	}
	m.queueKills = round4(queue / kills)
}

// render writes a model as Go.
func render(m *model) string {
	var b strings.Builder
	p := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	list := func(v []float64) string {
		var b strings.Builder
		for i := range v {
			if i%9 == 0 && len(v) > 9 {
				b.WriteString("\n")
			}
			fmt.Fprintf(&b, "%v, ", v[i])
		}
		if len(v) > 9 {
			return "{" + b.String() + "\n}"
		}
		return "{" + strings.TrimSuffix(b.String(), ", ") + "}"
	}
	p("var fitted = model{")
	p("\tjobsPerHour: %v,", m.jobsPerHour)
	p("\tgap: curve%s,", list(m.gap[:]))
	p("\tgroups: [fates]group{")
	for f, g := range m.groups {
		p("\t\t%s: {", [fates]string{"finished", "partly", "killed", "failed", "aborted", "running"}[f])
		p("\t\t\tshare: %v,", g.share)
		p("\t\t\ttasks: curve%s,", list(g.tasks[:]))
		p("\t\t\tstraggling: [2]float64%s,", list(g.straggling[:]))
		p("\t\t},")
	}
	p("\t},")
	p("\tclasses: []class{")
	for _, c := range m.classes {
		p("\t\t{")
		p("\t\t\tupTo: %d,", c.upTo)
		for _, f := range []struct {
			name string
			c    curve
		}{{"cpu", c.cpu}, {"memory", c.memory}, {"finishedShare", c.finishedShare}, {"median", c.median}, {"calm", c.calm}, {"wild", c.wild}} {
			p("\t\t\t%s: curve%s,", f.name, list(f.c[:]))
		}
		p("\t\t},")
	}
	p("\t},")
	p("\ttie: %v,", m.tie)
	p("\tshortest: %v,", m.shortest)
	p("\tlongest: %v,", m.longest)
	p("\tdisk: curve%s,", list(m.disk[:]))
	p("\tranks: []rank{")
	for _, r := range m.ranks {
		p("\t\t{%d, %d, %d},", r.class, r.priority, r.jobs)
	}
	p("\t},")
	p("\twait: curve%s,", list(m.wait[:]))
	p("\tearlier: []float64%s,", list(m.earlier))
	p("\tattempt: curve%s,", list(m.attempt[:]))
	p("\tattempts: [3]float64%s,", list(m.attempts[:]))
	p("\tqueueKills: %v,", m.queueKills)
	p("\tkillAfter: curve%s,", list(m.killAfter[:]))
	p("\tcapacities: []capacity{")
	for _, c := range m.capacities {
		p("\t\t{%v, %v, %d},", c.cpu, c.memory, c.machines)
	}
	p("\t},")
	p("}")
	return b.String()
}
