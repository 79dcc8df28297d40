// Package synthetic generates cluster traces in the format of Google's ClusterData 2011-2, drawn from distributions that were
// fitted to that trace, for those who do not have the real one at hand: for tests, demonstrations and first steps. Package
// sampletest holds a small such trace.
//
// It has the marginals of the real trace: arrivals, tasks per job, requests, waiting times, durations within and between
// jobs, stragglers, repeated runs, outcomes, machine sizes. Beyond the ties that model.go names, quantities are drawn
// independently of each other. Placement is random, no capacity is enforced, and the cluster is empty at the start. Nothing
// is cut off at the end: what finishes in the model finishes in the trace. Do not publish results on it as results on the
// real trace.
package synthetic

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"schedgap/datasets/event"
)

// Params say how large a trace is wanted. The zero value of a field means its default.
type Params struct {
	Hours    float64 // length of the time in which jobs are submitted; default 1
	Jobs     int     // default: as many as were submitted in the real trace in that time, 778 an hour
	MaxTasks int     // a job that would have more tasks has this many; default 10500, the most in the real trace
	Machines int     // default 125, a hundredth of the real cluster
}

func (p Params) withDefaults() (Params, error) {
	if math.IsNaN(p.Hours) || p.Hours < 0 || p.Hours > 1e4 {
		return p, fmt.Errorf("synthetic trace: %v hours must be between 0 and 10000", p.Hours)
	}
	if p.Jobs < 0 || p.MaxTasks < 0 || p.Machines < 0 {
		return p, fmt.Errorf("synthetic trace: %d jobs of at most %d tasks on %d machines: numbers must not be negative",
			p.Jobs, p.MaxTasks, p.Machines)
	}
	if p.Hours == 0 {
		p.Hours = 1
	}
	if p.Jobs == 0 {
		p.Jobs = int(math.Ceil(p.Hours * fitted().JobsPerHour))
	}
	if p.MaxTasks == 0 {
		p.MaxTasks = 10500
	}
	if p.Machines == 0 {
		p.Machines = 125
	}
	return p, nil
}

// The clock of the format begins 600 s before the first event.
const start = 600 * event.Second

// A rows is a generated trace.
type rows struct {
	machines []capacity // id-1 is the position
	jobs     []jobRow
	tasks    []taskRow
}

type jobRow struct {
	time event.Time
	job  int // from 0
	kind event.Kind
	rank rank
}

type taskRow struct {
	time        event.Time
	job, index  int
	kind        event.Kind
	machine     int // 0: none
	rank        rank
	cpu, memory float64
	disk        float64
}

// generate draws a trace.
func generate(m *model, p Params, rng *rand.Rand) *rows {
	r := &rows{}
	sizes := make([]int, len(m.Capacities))
	for i, c := range m.Capacities {
		sizes[i] = c.Machines
	}
	for range p.Machines {
		r.machines = append(r.machines, m.Capacities[pick(sizes, rng)])
	}
	for job, submit := range arrivals(m, p, rng) {
		g := &drawing{model: m, rows: r, rng: rng, job: job, machines: p.Machines}
		g.draw(submit, p.MaxTasks)
	}
	slices.SortStableFunc(r.jobs, func(a, b jobRow) int { return cmp.Compare(a.time, b.time) })
	slices.SortStableFunc(r.tasks, func(a, b taskRow) int { return cmp.Compare(a.time, b.time) })
	return r
}

// arrivals draws the submissions: independent gaps, stretched to fill the hours exactly.
func arrivals(m *model, p Params, rng *rand.Rand) []event.Time {
	ends := make([]float64, p.Jobs)
	now := 0.0
	for i := range ends {
		now += m.Gap.draw(rng)
		ends[i] = now
	}
	submits := make([]event.Time, p.Jobs)
	for i, end := range ends {
		submits[i] = start + 1 + event.At(end/now*p.Hours*3600)
	}
	return submits
}

// pick draws an index with the given weights.
func pick(weights []int, rng *rand.Rand) int {
	total := 0
	for _, w := range weights {
		total += w
	}
	n := rng.IntN(total)
	for i, w := range weights {
		if n < w {
			return i
		}
		n -= w
	}
	return len(weights) - 1
}

// chance is true in the given share of draws.
func chance(share float64, rng *rand.Rand) bool { return rng.Float64() < share }

// index draws an index with the given shares; the last one takes the rest up to 1.
func index(shares []float64, rng *rand.Rand) int {
	u := rng.Float64()
	for i, s := range shares {
		if u < s {
			return i
		}
		u -= s
	}
	return len(shares) - 1
}

// A drawing is one job being drawn.
type drawing struct {
	*model
	*rows
	rng      *rand.Rand
	job      int
	machines int

	class   *class
	rank    rank
	request taskRow // what all of its tasks request
	median  float64
	spread  *curve
}

func (g *drawing) draw(submit event.Time, maxTasks int) {
	rng := g.rng
	shares := make([]float64, fates)
	for i := range g.Groups {
		shares[i] = g.Groups[i].Share
	}
	f := fate(index(shares, rng))
	group := &g.Groups[f]
	tasks := max(1, int(math.Round(group.Tasks.draw(rng))))
	if f == partly {
		tasks = max(2, tasks)
	}
	g.class = g.classOf(tasks)
	tasks = min(tasks, maxTasks)
	g.drawTraits(submit)

	finish := g.finishing(f, tasks)
	g.median = g.class.Median.draw(rng)
	g.spread = &g.class.Calm
	if size := len(finish); size >= 2 {
		straggling := group.Straggling[0]
		if size >= 10 {
			straggling = group.Straggling[1]
		}
		if chance(straggling, rng) {
			g.spread = &g.class.Wild
		}
	}

	g.note(submit, event.Submit)
	first, end := event.AfterWindow, submit
	for i := range tasks {
		kind := event.Kill
		switch {
		case finish[i]:
			kind = event.Finish
		case f == failed, f == aborted && chance(.5, rng):
			kind = event.Fail
		case f == running:
			kind = event.Schedule
		}
		started, ended := g.drawTask(i, submit, kind, tasks == 1)
		first, end = min(first, started), max(end, ended)
	}
	if first != event.AfterWindow {
		g.note(first, event.Schedule)
	}
	switch f {
	case finished:
		g.note(end, event.Finish)
	case failed:
		g.note(end, event.Fail)
	case partly, killed, aborted:
		g.note(end, event.Kill)
	}
}

func (m *model) classOf(tasks int) *class {
	for i := range m.Classes {
		if tasks <= m.Classes[i].UpTo {
			return &m.Classes[i]
		}
	}
	return &m.Classes[len(m.Classes)-1]
}

// finishing chooses the tasks that finish.
func (g *drawing) finishing(f fate, tasks int) map[int]bool {
	n := 0
	switch f {
	case finished:
		n = tasks
	case partly:
		n = min(max(1, int(math.Round(float64(tasks)*g.class.FinishedShare.draw(g.rng)))), max(1, tasks-1))
	}
	finish := map[int]bool{}
	for _, i := range g.rng.Perm(tasks)[:n] {
		finish[i] = true
	}
	return finish
}

// drawTraits draws the traits that the tasks of a job share.
func (g *drawing) drawTraits(submit event.Time) {
	weights := make([]int, len(g.Ranks))
	for i, r := range g.Ranks {
		weights[i] = r.Jobs
	}
	g.rank = g.Ranks[pick(weights, g.rng)]
	u := g.rng.Float64()
	cpu := g.class.Cpu.at(u)
	if !chance(g.Tie, g.rng) {
		u = g.rng.Float64()
	}
	g.request = taskRow{
		time: submit, job: g.job, rank: g.rank,
		cpu: round4(cpu), memory: round4(g.class.Memory.at(u)), disk: round4(g.Disk.draw(g.rng)),
	}
}

func (g *drawing) note(t event.Time, kind event.Kind) {
	g.rows.jobs = append(g.rows.jobs, jobRow{t, g.job, kind, g.rank})
}

// drawTask draws the runs of one task. The last run ends in last, or not at all if last is Schedule. It returns the first start,
// AfterWindow if there is none, and the end.
func (g *drawing) drawTask(i int, submit event.Time, last event.Kind, alone bool) (started, ended event.Time) {
	row := g.request
	row.index = i
	now := submit
	started = event.AfterWindow
	add := func(kind event.Kind, machine int) {
		row.time, row.kind, row.machine = now, kind, machine
		g.tasks = append(g.tasks, row)
	}
	seconds := func(c *curve) event.Time { return event.At(c.draw(g.rng)) }
	place := func() int {
		now += seconds(&g.Wait)
		machine := 1 + g.rng.IntN(g.machines)
		add(event.Schedule, machine)
		started = min(started, now)
		return machine
	}
	for range index(g.Earlier, g.rng) {
		add(event.Submit, 0)
		machine := place()
		now += seconds(&g.Attempt)
		add([...]event.Kind{event.Evict, event.Fail, event.Kill}[index(g.Attempts[:], g.rng)], machine)
	}
	add(event.Submit, 0)
	if last == event.Kill && chance(g.QueueKills, g.rng) {
		now += seconds(&g.Wait)
		add(event.Kill, 0)
		return started, now
	}
	machine := place()
	switch last {
	case event.Schedule:
		return started, now
	case event.Finish:
		duration := g.median
		if !alone {
			duration *= g.spread.draw(g.rng)
		}
		now += event.At(min(max(duration, g.Shortest), g.Longest))
	default:
		now += seconds(&g.KillAfter)
	}
	add(last, machine)
	return started, now
}
