package sim_test

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"schedgap/models/cloning"
	"schedgap/models/cloning/sim"
	"schedgap/models/trials/property"
)

// Copies that are kept, clones that wait for second outputs, and clones that read the first output, judged by their definition
// from the copies that a run reports. Durations do not vary, so that each copy's own end follows from its start.
func TestKeep(t *testing.T) {
	keptAtAll, waited, ended := 0, 0, 0
	check := func(t *rapid.T) {
		servers := rapid.IntRange(1, 6).Draw(t, "servers")
		w := &sim.Workload{Cluster: []sim.Servers{{Count: servers, CPU: 2, Mem: 2}}}
		for j := range rapid.IntRange(1, 4).Draw(t, "jobs") {
			job := sim.Job{ID: fmt.Sprint("j", j), Arrival: float64(rapid.IntRange(0, 9).Draw(t, "arrival")), Weight: 1}
			for k := range rapid.IntRange(1, 3).Draw(t, "phases") {
				p := sim.Phase{
					Tasks: rapid.IntRange(1, 3).Draw(t, "tasks"), CPU: rapid.Float64Range(0.5, 2).Draw(t, "cpu"), Mem: 0.1,
					Mean: float64(rapid.IntRange(4, 60).Draw(t, "mean")) / 4,
				}
				if k > 0 {
					p.Parents = []int{k - 1}
				}
				job.Phases = append(job.Phases, p)
			}
			w.Jobs = append(w.Jobs, job)
		}
		keep := rapid.SampledFrom([]string{"none", "oldest", "newest"}).Draw(t, "keep")
		delay := rapid.IntRange(0, 8).Draw(t, "delay")
		type reported struct {
			cloning.Copy
			first  bool
			finish float64
		}
		byTask := map[cloning.Task][]reported{}
		var all []reported
		got := watch(t, w, clones(rapid.IntRange(1, 4).Draw(t, "most")), 1,
			map[string]any{"slot": 1.0, "max_copies_per_server": 4, "keep": keep, "delay": float64(delay)},
			func(c cloning.Copy, first bool, finish float64) {
				byTask[c.Task] = append(byTask[c.Task], reported{c, first, finish})
				all = append(all, reported{c, first, finish})
			})
		usage, flow := 0.0, 0.0
		for j, job := range w.Jobs {
			over := 0 // slot in which the job ended
			for _, c := range all {
				if c.Task.Job == j {
					over = max(over, c.End)
				}
			}
			ready, release, done := 0, 0, 0.0 // of the phase before: when all tasks have second outputs, and when it ended
			for k, p := range job.Phases {
				const never = math.MaxInt
				from, next, last := 0, 0, 0
				if k > 0 && ready < never {
					from = min(release+delay, ready)
				}
				for i := range p.Tasks {
					list := byTask[cloning.Task{Job: j, Phase: k, Index: i}]
					own := func(c reported) float64 { return float64(c.Start) + p.Mean }
					slot := func(c reported) int { return max(c.Start+1, int(math.Ceil(own(c)-1e-9))) }
					win := slices.MinFunc(list, func(a, b reported) int { return cmp.Compare(own(a), own(b)) })
					second, still := never, slices.DeleteFunc(slices.Clone(list), func(c reported) bool { return slot(c) <= slot(win) })
					slices.SortFunc(still, func(a, b reported) int { return cmp.Compare(a.Start, b.Start) })
					kept := -1 // start of the copy that is kept
					switch {
					case keep == "none":
					case len(list)-len(still) > 1:
						second = slot(win)
						ended++
					case len(still) > 0 && keep == "oldest":
						kept, second = still[0].Start, slot(still[0])
					case len(still) > 0:
						kept, second = still[len(still)-1].Start, slot(still[len(still)-1])
					}
					longer := 0
					for _, c := range list {
						if !c.first && c.Start < from {
							t.Fatalf("a clone of task %v starts after slot %d, before %d", c.Task, c.Start, from)
						}
						if !c.first && k > 0 && from > release && c.Start == from {
							waited++
						}
						switch {
						case c.End == slot(win) && math.Abs(c.finish-own(win)) < 1e-9:
						case c.Start == kept && c.End == min(slot(c), over) && longer == 0 &&
							math.Abs(c.finish-min(own(c), got["flowtime "+job.ID]+job.Arrival)) < 1e-9:
							longer++
							keptAtAll++
						default:
							t.Fatalf("a copy of task %v runs from %d to %d, to be kept: the one from %d; the task ends at %v", c.Task, c.Start, c.End,
								kept, own(win))
						}
						usage += (p.CPU + p.Mem) / 2 * (c.finish - float64(c.Start))
					}
					if kept >= 0 && longer == 0 && slot(win) < over {
						t.Fatalf("no copy of task %v is kept", win.Task)
					}
					next, last, done = max(next, second), max(last, slot(win)), max(done, own(win))
				}
				ready, release = next, last
			}
			flow += done - job.Arrival
		}
		for _, at := range all {
			held := 0.0
			for _, c := range all {
				if c.Server == at.Server && c.Start <= at.Start && at.Start < c.End {
					held += w.Jobs[c.Task.Job].Phases[c.Task.Phase].CPU
				}
			}
			if held > 2*(1+1e-6) {
				t.Fatalf("server %d holds %v after slot %d", at.Server, held, at.Start)
			}
		}
		for name, want := range map[string]float64{"total_flowtime": flow, "usage": usage} {
			if math.Abs(got[name]-want) > 1e-6*(1+want) {
				t.Fatalf("%s: %v, want %v", name, got[name], want)
			}
		}
	}
	// Half of the rounds meet no clone that waited.
	for round := 0; round < 60 && min(keptAtAll, waited, ended) == 0; round++ {
		property.Check(t, check)
	}
	if min(keptAtAll, waited, ended) == 0 {
		t.Errorf("%d copies kept, %d clones waited, %d tasks had two outputs at once", keptAtAll, waited,
			ended)
	}
}
