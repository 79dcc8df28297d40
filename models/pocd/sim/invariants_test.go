package sim_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"schedgap/models/fail"
	"schedgap/models/pocd/sim"
	"schedgap/models/simulation/simtest"
	"schedgap/models/trials/property"
)

func drawWorkload(t *rapid.T) *sim.Workload {
	w := &sim.Workload{}
	for j := range rapid.IntRange(1, 12).Draw(t, "jobs") {
		w.Jobs = append(w.Jobs, sim.Job{
			ID: fmt.Sprint("j", j), Arrival: float64(rapid.IntRange(0, 300).Draw(t, "arrival")),
			Deadline: float64(rapid.IntRange(10, 300).Draw(t, "deadline")), Tasks: rapid.IntRange(1, 6).Draw(t, "tasks"),
			TMin: float64(rapid.IntRange(1, 60).Draw(t, "t_min")), Beta: rapid.SampledFrom([]float64{0.8, 1.5, 3, 1e6}).Draw(t, "beta"),
		})
	}
	return w
}

func drawParams(t *rapid.T) map[string]any {
	return map[string]any{
		"slaves":      rapid.IntRange(7, 40).Draw(t, "slaves"),
		"xi":          rapid.SampledFrom([]float64{0, 0.1, 0.5, 1}).Draw(t, "xi"),
		"theta":       rapid.SampledFrom([]float64{0.05, 0.2, 1}).Draw(t, "theta"),
		"interval":    rapid.SampledFrom([]string{"eq17", "deadline"}).Draw(t, "interval"),
		"launch_cv":   rapid.SampledFrom([]float64{0, 0, 0.5, 3}).Draw(t, "launch_cv"),
		"speed_every": rapid.SampledFrom([]float64{0, 0, 5, 100}).Draw(t, "speed_every"),
		"launch":      rapid.SampledFrom([]float64{0, 10, 60}).Draw(t, "launch"),
		"max_copies":  rapid.IntRange(0, 4).Draw(t, "max_copies"),
		"clone":       rapid.SampledFrom([]string{"all", "straggling"}).Draw(t, "clone"),
		"kill":        rapid.SampledFrom([]string{"losers", "surplus"}).Draw(t, "kill"),
	}
}

// An auditor keeps its own books of a run and compares every change with what the model allows.
type auditor struct {
	fatal     func(format string, args ...any)
	w         *sim.Workload
	policy    sim.Policy
	vms, most int

	now                     float64
	held                    map[int][3]int // attempts by VM: job, task, attempt
	masters                 int
	state                   []string // of jobs
	done                    [][]bool
	drawn, running          [][]int
	end                     []float64
	busy                    float64
	launched, killed, tasks int
}

func newAuditor(fatal func(string, ...any), w *sim.Workload, p sim.Policy, given map[string]any) *auditor {
	n := len(w.Jobs)
	a := &auditor{
		fatal: fatal, w: w, policy: p, vms: given["slaves"].(int), most: given["max_copies"].(int), held: map[int][3]int{},
		state: make([]string, n), done: make([][]bool, n), drawn: make([][]int, n), running: make([][]int, n), end: make([]float64, n),
	}
	for j := range w.Jobs {
		k := w.Jobs[j].Tasks
		a.done[j], a.drawn[j], a.running[j] = make([]bool, k), make([]int, k), make([]int, k)
	}
	return a
}

func (a *auditor) used() int { return a.masters + len(a.held) }

// settled checks what must hold when time passes: running jobs work on all their unfinished tasks, and no job waits whose turn
// it is and whose VMs are free.
func (a *auditor) settled() {
	first := -1
	for j := range a.w.Jobs {
		if a.state[j] == "" && a.w.Jobs[j].Arrival <= a.now && (first < 0 || a.w.Jobs[j].Arrival < a.w.Jobs[first].Arrival) {
			first = j
		}
		for i, done := range a.done[j] {
			if a.state[j] == sim.Started && !done && a.running[j][i] == 0 {
				a.fatal("after %v task %d of job %d is lost", a.now, i, j)
			}
			// Copies that nothing kills add up only to what one decision may give.
			if extra := a.running[j][i] - 1; extra > a.most {
				a.fatal("after %v task %d of job %d has %d extra attempts", a.now, i, j, extra)
			}
		}
	}
	if first >= 0 && a.w.Jobs[first].Tasks+1 <= a.vms-a.used() {
		a.fatal("after %v job %d waits for %d VMs of which %d are free", a.now, first, a.w.Jobs[first].Tasks+1, a.vms-a.used())
	}
}

func (a *auditor) observe(c sim.Change) {
	if c.Now < a.now {
		a.fatal("time runs back from %v to %v", a.now, c.Now)
	}
	if c.Now > a.now {
		a.settled()
		a.busy += (c.Now - a.now) * float64(a.used())
		a.now = c.Now
	}
	j := &a.w.Jobs[c.Job]
	attempt := [3]int{c.Job, c.Task, c.Attempt}
	switch c.Kind {
	case sim.Started:
		for k := range a.w.Jobs {
			earlier := a.w.Jobs[k].Arrival < j.Arrival || a.w.Jobs[k].Arrival == j.Arrival && k < c.Job
			if earlier && a.state[k] == "" {
				a.fatal("job %d overtakes job %d", c.Job, k)
			}
		}
		if a.state[c.Job] != "" || j.Arrival > c.Now {
			a.fatal("at %v job %d starts, which is %q", c.Now, c.Job, a.state[c.Job])
		}
		a.state[c.Job] = sim.Started
		a.masters++
	case sim.Launched:
		if _, taken := a.held[c.VM]; taken || a.done[c.Job][c.Task] || a.state[c.Job] != sim.Started {
			a.fatal("at %v attempt %v cannot launch on VM %d", c.Now, attempt, c.VM)
		}
		if !a.policy.Clairvoyant && c.Attempt != a.drawn[c.Job][c.Task] || !(c.Offset >= 0 && c.Offset < 1) {
			a.fatal("attempt %v launches at offset %v", attempt, c.Offset)
		}
		a.held[c.VM] = attempt
		a.drawn[c.Job][c.Task]++
		a.running[c.Job][c.Task]++
		a.launched++
	case sim.Completed, sim.Killed:
		if a.held[c.VM] != attempt {
			a.fatal("at %v attempt %v leaves VM %d, which %v holds", c.Now, attempt, c.VM, a.held[c.VM])
		}
		delete(a.held, c.VM)
		a.running[c.Job][c.Task]--
		if c.Kind == sim.Killed {
			a.killed++
			break
		}
		if a.done[c.Job][c.Task] {
			a.fatal("task %d of job %d completes twice", c.Task, c.Job)
		}
		a.done[c.Job][c.Task] = true
		a.tasks++
	case sim.Ended, sim.Dropped:
		if slices.Max(a.running[c.Job]) > 0 {
			a.fatal("at %v job %d is %s with attempts running", c.Now, c.Job, c.Kind)
		}
		if (c.Kind == sim.Ended) == slices.Contains(a.done[c.Job], false) {
			a.fatal("at %v job %d is %s with tasks %v", c.Now, c.Job, c.Kind, a.done[c.Job])
		}
		if c.Kind == sim.Dropped && !a.policy.Clairvoyant && (!a.policy.KillLate ||
			c.Now < j.Arrival+j.Deadline) {
			a.fatal("at %v job %d is killed", c.Now, c.Job)
		}
		if a.state[c.Job] == sim.Started {
			a.masters--
		}
		a.state[c.Job], a.end[c.Job] = c.Kind, c.Now
	}
	if a.used() > a.vms {
		a.fatal("at %v %d of %d VMs are used", c.Now, a.used(), a.vms)
	}
}

// close checks the books when all is done.
func (a *auditor) close(got map[string]float64) {
	near := func(what string, x, y float64) {
		if math.Abs(x-y) > 1e-9*max(1, math.Abs(y)) {
			a.fatal("%s is %v by the metrics, %v by the books", what, x, y)
		}
	}
	if a.used() != 0 {
		a.fatal("%d VMs are still used", a.used())
	}
	met, dropped, tasks, first := 0., 0., 0, math.Inf(1)
	for j, job := range a.w.Jobs {
		first = min(first, job.Arrival)
		near("response", got["response "+job.ID], a.end[j]-job.Arrival)
		switch {
		case a.state[j] == sim.Dropped:
			dropped++
		case a.state[j] != sim.Ended:
			a.fatal("job %d is %q", j, a.state[j])
		case a.end[j]-job.Arrival <= job.Deadline*(1+1e-9):
			met++
		}
		tasks += job.Tasks
	}
	near("pocd", got["pocd"], met/float64(len(a.w.Jobs)))
	near("jobs_killed", got["jobs_killed"], dropped)
	near("attempts_killed", got["attempts_killed"], float64(a.killed))
	if dropped == 0 && a.tasks != tasks {
		a.fatal("%d of %d tasks completed", a.tasks, tasks)
	}
	if a.launched != a.killed+a.tasks {
		a.fatal("%d attempts, %d killed, %d completed", a.launched, a.killed, a.tasks)
	}
	if span := a.now - first; span > 0 {
		near("makespan", got["makespan"], span)
		near("whole_utilisation", got["whole_utilisation"], a.busy/span/float64(a.vms))
	}
}

// Whatever the workload, the options and the policy: VMs are conserved, no task is lost or done twice, jobs start in order as
// soon as their VMs are free, only late jobs are killed, and the metrics agree with the auditor's books.
func TestInvariants(t *testing.T) {
	for _, p := range testPolicies {
		t.Run(p.Name, func(t *testing.T) {
			property.Check(t, func(t *rapid.T) {
				w, given := drawWorkload(t), drawParams(t)
				a := newAuditor(t.Fatalf, w, p, given)
				got := map[string]float64{}
				err := sim.Watch(context.Background(), w, p, resolve(t, given), rapid.Uint64().Draw(t, "seed"),
					sim.Hooks{Observe: a.observe}, simtest.Collect(got))
				fail.On(t, err)
				a.close(got)
			})
		})
	}
}
