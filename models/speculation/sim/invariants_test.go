package sim_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"schedgap/models/fail"
	"schedgap/models/simulation/simtest"
	"schedgap/models/speculation/sim"
	"schedgap/models/trials/property"
)

func drawWorkload(t *rapid.T) *sim.Workload {
	w := &sim.Workload{}
	for j := range rapid.IntRange(1, 6).Draw(t, "jobs") {
		w.Jobs = append(w.Jobs, sim.Job{
			ID: fmt.Sprint("j", j), Arrival: float64(rapid.IntRange(0, 60).Draw(t, "arrival")),
			Tasks: rapid.IntRange(1, 25).Draw(t, "tasks"), Mean: float64(rapid.IntRange(2, 20).Draw(t, "mean")),
			CV: rapid.SampledFrom([]float64{0, 0.3, 0.5}).Draw(t, "cv"), Input: float64(rapid.IntRange(0, 200).Draw(t, "input")),
			Memory: float64(rapid.IntRange(0, 3).Draw(t, "memory")),
		})
	}
	return w
}

func drawParams(t *rapid.T) map[string]any {
	return map[string]any{
		"nodes":           rapid.IntRange(1, 6).Draw(t, "nodes"),
		"slots":           rapid.IntRange(1, 4).Draw(t, "slots"),
		"scheduler":       rapid.SampledFrom([]string{"fair", "hopper"}).Draw(t, "scheduler"),
		"heterogeneity":   rapid.SampledFrom([]float64{1, 3}).Draw(t, "heterogeneity"),
		"contention":      rapid.SampledFrom([]float64{1, 2.5}).Draw(t, "contention"),
		"stragglers":      rapid.SampledFrom([]float64{0, 0.3, 1}).Draw(t, "stragglers"),
		"copies_straggle": rapid.Bool().Draw(t, "copies_straggle"),
		"window_slots":    rapid.SampledFrom([]string{"job", "cluster"}).Draw(t, "window_slots"),
		"replicas":        rapid.IntRange(0, 3).Draw(t, "replicas"),
		"window":          rapid.SampledFrom([]float64{0.1, 0.5, 1}).Draw(t, "window"),
	}
}

// An auditor keeps its own books of a run and compares every change with what the model allows.
type auditor struct {
	fatal         func(format string, args ...any)
	w             *sim.Workload
	fair, anyones bool // of a window's slots
	perNode, free int
	contention    float64

	now      float64
	held     map[int]*audited
	reserved map[int][2]int // job and task by slot
	launched []int          // tasks of jobs
	done     []map[int]bool
	energy   func(job, node int, remote bool, work, stretch float64) float64 // W of an attempt
	spent    float64                                                         // J without the static power
	busy     float64
	counts   map[string]float64
}

// An audited attempt and the part of its work that is done.
type audited struct {
	sim.Change
	share float64
}

func (a *auditor) stretch(node int) float64 {
	k := 0
	for at := range a.held {
		if at/a.perNode == node {
			k++
		}
	}
	return 1 + (a.contention-1)*float64(k-1)/math.Max(1, float64(a.perNode-1))
}

// pass lets time pass: slots are conserved and busy while there is work, every attempt progresses at its node's pace.
func (a *auditor) pass(now float64) {
	for j := range a.w.Jobs {
		if a.fair && a.free > 0 && a.w.Jobs[j].Arrival <= a.now && a.launched[j] < a.w.Jobs[j].Tasks {
			a.fatal("after %v %d slots are free and job %d has unlaunched tasks", a.now, a.free, j)
		}
	}
	for at := range a.reserved {
		if a.held[at] == nil {
			a.fatal("after %v slot %d is reserved and free", a.now, at)
		}
	}
	d := now - a.now
	for at, x := range a.held {
		stretch := a.stretch(at / a.perNode)
		x.share += d / stretch / x.Work
		a.spent += d * a.energy(x.Job, at/a.perNode, x.Remote, x.Work, stretch)
	}
	a.busy += d * float64(len(a.held))
	a.now = now
}

func (a *auditor) observe(c sim.Change) {
	if c.Now < a.now {
		a.fatal("time runs back from %v to %v", a.now, c.Now)
	}
	if c.Now > a.now {
		a.pass(c.Now)
	}
	key := c.Kind
	switch c.Kind {
	case sim.Launched:
		if a.held[c.Slot] != nil || a.done[c.Job][c.Task] || a.w.Jobs[c.Job].Arrival > c.Now {
			a.fatal("%+v cannot launch", c)
		}
		for at, x := range a.held {
			if x.Job != c.Job || x.Task != c.Task {
				continue
			}
			if !c.Copy || x.Copy || at/a.perNode == c.Slot/a.perNode {
				a.fatal("%+v launches beside %+v", c, x.Change)
			}
		}
		if !c.Copy {
			if c.Task != a.launched[c.Job] {
				a.fatal("%+v is not the next task, %d", c, a.launched[c.Job])
			}
			a.launched[c.Job]++
		}
		if of, is := a.reserved[c.Slot]; is && of != [2]int{c.Job, c.Task} {
			a.fatal("%+v takes the slot that is reserved for %v", c, of)
		}
		delete(a.reserved, c.Slot)
		a.held[c.Slot] = &audited{Change: c}
		a.free--
	case sim.Completed, sim.Killed:
		x := a.held[c.Slot]
		if x == nil || x.Job != c.Job || x.Task != c.Task {
			a.fatal("%+v was not there", c)
		}
		if c.Kind == sim.Completed && (a.done[c.Job][c.Task] || math.Abs(x.share-1) > 1e-6) {
			a.fatal("%+v completes with a share of %v", c, x.share)
		}
		if c.Kind == sim.Killed && !a.done[c.Job][c.Task] {
			a.fatal("%+v leaves its task undone", c)
		}
		a.done[c.Job][c.Task] = true
		for at, of := range a.reserved {
			if of == [2]int{c.Job, c.Task} {
				delete(a.reserved, at)
			}
		}
		delete(a.held, c.Slot)
		a.free++
	case sim.Reserved:
		if a.held[c.Slot] == nil || a.done[c.Job][c.Task] {
			a.fatal("%+v reserves nothing", c)
		}
		if _, is := a.reserved[c.Slot]; is || !a.anyones && a.held[c.Slot].Job != c.Job {
			a.fatal("%+v reserves what is another's", c)
		}
		a.reserved[c.Slot] = [2]int{c.Job, c.Task}
	}
	if c.Copy && c.Kind != sim.Reserved {
		key += " copy"
	}
	a.counts[key]++
}

// Whatever the workload, the options and the policy: slots are never oversubscribed, no task is lost or done twice, attempts
// take the time that contention gives them, fair keeps slots busy, reservations are kept, and the energy is the integral of the
// nodes' power, recomputed from the changes alone.
func TestInvariants(t *testing.T) {
	for _, p := range testPolicies {
		t.Run(p.Name, func(t *testing.T) {
			property.Check(t, func(t *rapid.T) {
				w, given, seed := drawWorkload(t), drawParams(t), rapid.Uint64().Draw(t, "seed")
				v := resolve(t, given)
				// A run of nothing tells the nodes of the seed.
				nodes, err := sim.Watch(context.Background(), w, nothing, v, seed, sim.Hooks{}, simtest.Collect(map[string]float64{}))
				fail.On(t, err)
				slots := v.Int("nodes") * v.Int("slots")
				a := &auditor{
					fatal: t.Fatalf, w: w, fair: v.Text("scheduler") == "fair", anyones: v.Text("window_slots") == "cluster",
					perNode: v.Int("slots"), free: slots,
					contention: v.Float("contention"), now: math.Inf(1), held: map[int]*audited{}, reserved: map[int][2]int{},
					launched: make([]int, len(w.Jobs)), counts: map[string]float64{},
					energy: func(job, node int, remote bool, work, stretch float64) float64 {
						power := nodes[node].CorePower + w.Jobs[job].Memory*sim.MemoryEnergy
						if remote {
							power += w.Jobs[job].Input / 1000 * sim.NetworkEnergy / (work * stretch)
						}
						return power
					},
				}
				tasks := 0
				for _, j := range w.Jobs {
					a.now = min(a.now, j.Arrival)
					a.done = append(a.done, map[int]bool{})
					tasks += j.Tasks
				}
				begin := a.now
				got := map[string]float64{}
				_, err = sim.Watch(context.Background(), w, p, v, seed, sim.Hooks{Observe: a.observe}, simtest.Collect(got))
				fail.On(t, err)
				const static = sim.StaticPower
				sum := 0.0
				for _, j := range w.Jobs {
					sum += got["energy "+j.ID]
				}
				for name, want := range map[string]float64{
					"makespan": a.now - begin, "whole_utilisation": a.busy / (a.now - begin) / float64(slots),
					"total_energy": a.spent + static*float64(v.Int("nodes"))*(a.now-begin),
					"mean_energy":  (a.spent + static/float64(a.perNode)*a.busy) / float64(len(w.Jobs)),
					"copies":       a.counts["launched copy"], "copies_won": a.counts["completed copy"],
					"copies_killed": a.counts["killed copy"],
				} {
					if math.Abs(got[name]-want) > 1e-6*max(1, want) {
						t.Fatalf("%s is %v by the metrics, %v by the books", name, got[name], want)
					}
				}
				if n := a.counts["completed"] + a.counts["completed copy"]; int(n) != tasks || len(a.held)+len(a.reserved) > 0 {
					t.Fatalf("%v of %d tasks completed; left: %v, %v", n, tasks, a.held, a.reserved)
				}
				if math.Abs(sum-got["mean_energy"]*float64(len(w.Jobs))) > 1e-9*sum {
					t.Fatalf("jobs took %v J, %v on average", sum, got["mean_energy"])
				}
			})
		})
	}
}

// Sizes, inputs and arrivals twice as large make every time twice as long. (No window here is as short as the least of 10 ms.)
func TestScaling(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		w, given, seed := drawWorkload(t), drawParams(t), rapid.Uint64().Draw(t, "seed")
		v := resolve(t, given)
		double := &sim.Workload{}
		for _, j := range w.Jobs {
			j.Arrival, j.Mean, j.Input = 2*j.Arrival, 2*j.Mean, 2*j.Input
			double.Jobs = append(double.Jobs, j)
		}
		for _, p := range testPolicies {
			once, twice := map[string]float64{}, map[string]float64{}
			_, err := sim.Watch(context.Background(), w, p, v, seed, sim.Hooks{}, simtest.Collect(once))
			fail.On(t, err)
			_, err = sim.Watch(context.Background(), double, p, v, seed, sim.Hooks{}, simtest.Collect(twice))
			fail.On(t, err)
			for name, v := range once {
				if len(name) > 9 && (name[:9] == "execution" || name[:8] == "response") && math.Abs(twice[name]-2*v) > 1e-6*v {
					t.Fatalf("%s: %s is %v, with all doubled %v", p.Name, name, v, twice[name])
				}
			}
		}
	})
}
