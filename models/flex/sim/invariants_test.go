package sim_test

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"schedgap/models"
	"schedgap/models/fail"
	"schedgap/models/flex"
	"schedgap/models/flex/sim"
	"schedgap/models/trials/property"
)

func drawWorkload(t *rapid.T) *sim.Workload {
	phase := func(label string, most int) sim.Phase {
		return sim.Phase{
			Tasks: rapid.IntRange(1, most).Draw(t, label+" tasks"),
			Mean:  float64(rapid.IntRange(1, 40).Draw(t, label+" mean")),
			CV:    rapid.SampledFrom([]float64{0, 0, 0.2, 2}).Draw(t, label+" cv"),
		}
	}
	w := &sim.Workload{}
	for j := range rapid.IntRange(1, 8).Draw(t, "jobs") {
		job := sim.Job{ID: fmt.Sprint("j", j), Arrival: float64(rapid.IntRange(0, 60).Draw(t, "arrival")), Map: phase("map", 30)}
		if rapid.Bool().Draw(t, "reduces") {
			job.Reduce = ptr(phase("reduce", 8))
		}
		w.Jobs = append(w.Jobs, job)
	}
	return w
}

func drawParams(t *rapid.T) map[string]any {
	return map[string]any{
		// One odd, one even: so an instance tells which pool it is of.
		"map_slots":    1 + 2*rapid.IntRange(0, 6).Draw(t, "map_slots"),
		"reduce_slots": 2 * rapid.IntRange(1, 3).Draw(t, "reduce_slots"),
		"slack":        rapid.SampledFrom([]float64{0, 0.3, 1}).Draw(t, "slack"),
		"epoch":        rapid.SampledFrom([]float64{0.5, 3, 100}).Draw(t, "epoch"),
		"estimate":     rapid.SampledFrom([]string{"exact", "extrapolated"}).Draw(t, "estimate"),
		"slowstart":    rapid.SampledFrom([]float64{0, 0.5, 1}).Draw(t, "slowstart"),
	}
}

// An auditor keeps its own books of a run and compares every change of slots with what the model allows.
type auditor struct {
	fatal     func(format string, args ...any)
	w         *sim.Workload
	slots     [2]int
	slowstart float64

	now           float64
	held          [2][]int
	started, done [2][]int
	total         [2]int
	slotTime      [2]float64 // held slots over time
	end           []float64
	// goals are the targets in force in the Map pool by job id.
	goals map[string]float64
}

func newAuditor(fatal func(string, ...any), w *sim.Workload, given map[string]any) *auditor {
	n := len(w.Jobs)
	a := &auditor{
		fatal: fatal, w: w, slots: [2]int{given["map_slots"].(int), given["reduce_slots"].(int)},
		slowstart: given["slowstart"].(float64), end: make([]float64, n), goals: map[string]float64{},
	}
	for k := range 2 {
		a.held[k], a.started[k], a.done[k] = make([]int, n), make([]int, n), make([]int, n)
	}
	return a
}

func (a *auditor) tasks(k, j int) int {
	switch {
	case k == 0:
		return a.w.Jobs[j].Map.Tasks
	case a.w.Jobs[j].Reduce != nil:
		return a.w.Jobs[j].Reduce.Tasks
	}
	return 0
}

// pending reports whether a task of the phase could take a slot.
func (a *auditor) pending(k, j int) bool {
	if k == 0 {
		return a.w.Jobs[j].Arrival <= a.now && a.started[0][j] < a.tasks(0, j)
	}
	return a.w.Jobs[j].Arrival <= a.now && a.started[1][j] < a.tasks(1, j) &&
		float64(a.done[0][j]) >= a.slowstart*float64(a.tasks(0, j))
}

func (a *auditor) observe(now float64, reduce bool, job, change int) {
	k := 0
	if reduce {
		k = 1
	}
	if now < a.now {
		a.fatal("time runs back from %v to %v", a.now, now)
	}
	if now > a.now {
		a.idle()
		for k := range 2 {
			a.slotTime[k] += float64(a.total[k]) * (now - a.now)
		}
		a.now = now
	}
	if change > 0 {
		if !a.pending(k, job) {
			a.fatal("at %v job %d starts a task of phase %d that is not pending", now, job, k)
		}
		if k == 0 {
			a.order(job)
		}
		a.started[k][job]++
	} else {
		if k == 1 && a.done[0][job] < a.tasks(0, job) {
			a.fatal("at %v a Reduce of job %d ends before its Maps", now, job)
		}
		a.done[k][job]++
		a.end[job] = now
	}
	a.held[k][job] += change
	a.total[k] += change
	if a.held[k][job] < 0 || a.total[k] > a.slots[k] {
		a.fatal("at %v job %d holds %d slots, all jobs %d of %d", now, job, a.held[k][job], a.total[k], a.slots[k])
	}
}

// idle checks that no slot was free while a task could have used it.
func (a *auditor) idle() {
	for k := range 2 {
		for j := range a.w.Jobs {
			if a.total[k] < a.slots[k] && a.pending(k, j) {
				a.fatal("after %v a slot of pool %d is idle while job %d waits", a.now, k, j)
			}
		}
	}
}

// order checks that the job that gets a Map slot is the most relatively under-allocated one; as targets are at least the
// minima, this is what respecting minima means where tasks are not preempted.
func (a *auditor) order(job int) {
	relative := func(j int) float64 {
		goal, known := a.goals[a.w.Jobs[j].ID]
		if !known {
			goal = 1 // arrived since the last epoch
		}
		if goal == 0 {
			return math.Inf(1)
		}
		return float64(a.held[0][j]) / goal
	}
	for j := range a.w.Jobs {
		if a.pending(0, j) && relative(j) < relative(job) {
			a.fatal("at %v job %d gets a slot at %v of its target, job %d has %v", a.now, job, relative(job), j, relative(j))
		}
	}
}

// Whatever the workload and the options: all tasks run once, no pool is overdrawn, no slot idles while a task waits, targets
// and with them minima decide who is next, Reduces end after Maps, and the metrics agree with the auditor's books.
func TestInvariants(t *testing.T) {
	for _, policy := range []sim.Policy{even, inTurn} {
		t.Run(policy.Name, func(t *testing.T) {
			property.Check(t, func(t *rapid.T) {
				w, given := drawWorkload(t), drawParams(t)
				a := newAuditor(t.Fatalf, w, given)
				spy := policy
				spy.Targets = func(in *flex.Instance, targets []float64) {
					policy.Targets(in, targets)
					if in.TotalMin() > in.Slots {
						t.Fatalf("minima %d of %d slots", in.TotalMin(), in.Slots)
					}
					for j := range in.Jobs {
						if in.Slots == a.slots[0] {
							a.goals[in.Jobs[j].ID] = targets[j]
						}
					}
				}
				got := map[string]float64{}
				err := sim.Observe(w, spy, resolve(t, given), rapid.Uint64().Draw(t, "seed"), a.observe,
					func(m models.Metric) { got[m.Name+m.Job] = m.Value })
				fail.On(t, err)
				a.close(got)
			})
		})
	}
}

// close checks the books when all is done.
func (a *auditor) close(got map[string]float64) {
	near := func(what string, x, y float64) {
		if math.Abs(x-y) > 1e-9*max(1, math.Abs(y)) {
			a.fatal("%s is %v by the metrics, %v by the books", what, x, y)
		}
	}
	exact, work, first, sum := true, [2]float64{}, math.Inf(1), 0.0
	for j, job := range a.w.Jobs {
		for k, p := range []*sim.Phase{&job.Map, job.Reduce} {
			if p == nil {
				continue
			}
			if a.done[k][j] != p.Tasks || a.held[k][j] != 0 {
				a.fatal("job %d did %d of %d tasks of phase %d and holds %d slots", j, a.done[k][j], p.Tasks, k, a.held[k][j])
			}
			work[k] += p.Work()
			exact = exact && p.CV == 0
		}
		near("response of "+job.ID, got["response"+job.ID], a.end[j]-job.Arrival)
		first, sum = min(first, job.Arrival), sum+a.end[j]-job.Arrival
	}
	near("makespan", got["makespan"], a.now-first)
	near("average response", got["average_response"], sum/float64(len(a.w.Jobs)))
	for k, name := range []string{"map_utilisation", "reduce_utilisation"} {
		used := got[name] * got["makespan"] * float64(a.slots[k])
		if k == 0 || a.slowstart == 1 { // no slots held idle
			near(name, used, a.slotTime[k])
		}
		if exact {
			near(name, used, work[k])
		}
	}
}
