package sim_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"schedgap/models/cloning"
	"schedgap/models/cloning/sim"
	"schedgap/models/trials/property"
)

func drawWorkload(t *rapid.T) *sim.Workload {
	w := &sim.Workload{Cluster: []sim.Servers{
		{Count: rapid.IntRange(1, 4).Draw(t, "servers"), CPU: 4, Mem: 2},
		{Count: 1, CPU: 2, Mem: 4},
	}}
	for j := range rapid.IntRange(1, 6).Draw(t, "jobs") {
		job := sim.Job{ID: fmt.Sprint("j", j), Arrival: rapid.Float64Range(0, 100).Draw(t, "arrival"), Weight: 1}
		for k := range rapid.IntRange(1, 3).Draw(t, "phases") {
			p := sim.Phase{
				Tasks: rapid.IntRange(1, 5).Draw(t, "tasks"), CPU: rapid.Float64Range(0, 2).Draw(t, "cpu"),
				Mem:  rapid.Float64Range(0, 2).Draw(t, "mem"),
				Mean: rapid.Float64Range(1, 60).Draw(t, "mean"), SD: rapid.Float64Range(0, 60).Draw(t, "sd"),
			}
			if rapid.Bool().Draw(t, "measured") {
				p.Durations = rapid.SliceOfN(rapid.Float64Range(1, 60), 1, 5).Draw(t, "durations")
			}
			if k > 0 {
				p.Parents = []int{k - 1}
			}
			job.Phases = append(job.Phases, p)
		}
		w.Jobs = append(w.Jobs, job)
	}
	return w
}

// A run is replayed from the copies that it reports: every server within its capacity, no task before its job or its parents, all
// copies of a task ended together and as many of them as allowed; and the metrics are what the copies add up to.
func TestReplay(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		w, most := drawWorkload(t), rapid.IntRange(1, 3).Draw(t, "copies")
		model := rapid.SampledFrom([]string{"stochastic", "expected"}).Draw(t, "model")
		type ended struct {
			cloning.Copy
			first  bool
			finish float64
		}
		var copies []ended
		given := map[string]any{"model": model, "slot": 5.0}
		got := watch(t, w, clones(most), rapid.Uint64().Draw(t, "seed"), given, func(c cloning.Copy, first bool, finish float64) {
			copies = append(copies, ended{c, first, finish})
		})
		byTask := map[cloning.Task][]ended{}
		last := map[[2]int]int{} // slot in which a phase ended
		for _, c := range copies {
			byTask[c.Task] = append(byTask[c.Task], c)
			id := [2]int{c.Task.Job, c.Task.Phase}
			last[id] = max(last[id], c.End)
		}
		tasks, extra, cloned, flow := 0, 0, 0, 0.0
		for j := range w.Jobs {
			finish := 0.0
			for k, p := range w.Jobs[j].Phases {
				for i := range p.Tasks {
					list := byTask[cloning.Task{Job: j, Phase: k, Index: i}]
					tasks, extra = tasks+1, extra+len(list)-1
					if len(list) > 1 {
						cloned++
					}
					servers, firsts := map[int]bool{}, 0
					for _, c := range list {
						servers[c.Server] = true
						if c.first {
							firsts++
						}
						if c.End != list[0].End || c.finish != list[0].finish || c.finish > float64(c.End)+1e-6 || c.finish <= float64(c.Start) {
							t.Fatalf("copies of one task: %+v", list)
						}
						if float64(c.Start)*5 < w.Jobs[j].Arrival-1e-6 || k > 0 && c.Start < last[[2]int{j, k - 1}] {
							t.Fatalf("too early: %+v", c)
						}
					}
					if len(list) > most || len(servers) != len(list) || firsts != 1 {
						t.Fatalf("%d copies on %d servers, %d of them the first", len(list), len(servers), firsts)
					}
					finish = max(finish, list[0].finish)
				}
			}
			flow += finish*5 - w.Jobs[j].Arrival
		}
		capacity := w.Cluster[0]
		for _, at := range copies { // the most is held when some copy starts
			if at.Server == w.Cluster[0].Count {
				capacity = w.Cluster[1]
			} else {
				capacity = w.Cluster[0]
			}
			cpu, mem := 0.0, 0.0
			for _, c := range copies {
				if c.Server == at.Server && c.Start <= at.Start && at.Start < c.End {
					cpu += w.Jobs[c.Task.Job].Phases[c.Task.Phase].CPU
					mem += w.Jobs[c.Task.Job].Phases[c.Task.Phase].Mem
				}
			}
			if cpu > capacity.CPU*(1+1e-6) || mem > capacity.Mem*(1+1e-6) {
				t.Fatalf("server %d holds %v and %v after slot %d", at.Server, cpu, mem, at.Start)
			}
		}
		for name, want := range map[string]float64{
			"tasks": float64(tasks), "clones": float64(extra), "cloned_share": float64(cloned) / float64(tasks), "total_flowtime": flow,
		} {
			if math.Abs(got[name]-want) > 1e-6*(1+math.Abs(want)) {
				t.Fatalf("%s: %v, want %v", name, got[name], want)
			}
		}
	})
}

// one is a workload of one job of one phase of two tasks, on servers that hold one each.
func one(servers int, p sim.Phase) *sim.Workload {
	p.Tasks, p.CPU, p.Mem = 2, 1, 1
	return sim.NewWorkload([]sim.Servers{{Count: servers, CPU: 1, Mem: 1}},
		sim.Job{ID: "a", Arrival: 12, Weight: 1, Phases: []sim.Phase{p}})
}

// The two models by hand. The job arrives at 12 and starts at the slot boundary 15.
func TestModels(t *testing.T) {
	measured := sim.Phase{Mean: 20, SD: 10, Durations: []float64{12, 31}}
	for _, c := range []struct {
		name  string
		w     *sim.Workload
		most  int
		given map[string]any
		want  map[string]float64
	}{
		{
			"expected: 22 s are 5 slots of 5 s", one(2, sim.Phase{Mean: 22}), 1,
			map[string]any{"model": "expected"},
			map[string]float64{"flowtime a": 28, "running_time a": 25, "usage": 2 * 2 * 25, "makespan": 28, "utilisation": 1},
		},
		{
			"expected, with a clone each: α = 1 + √2, h(2) = 1 + 1/(2√2) = 1.354, 20/1.354 = 14.8 s are 3 slots",
			one(4, sim.Phase{Mean: 20, SD: 20}), 2,
			map[string]any{"model": "expected"},
			map[string]float64{"flowtime a": 18, "clones": 2, "cloned_share": 1, "usage": 4 * 2 * 15, "clone_usage": 2 * 2 * 15},
		},
		{
			"a deviation that means cannot be divided by is none: from 15 to 37", one(2, sim.Phase{Mean: 22, SD: 1e-320}), 1, nil,
			map[string]float64{"flowtime a": 25},
		},
		{
			"measured durations belong to the tasks: 12 and 31 s; the job ends at 46", one(2, measured), 1, nil,
			map[string]float64{"flowtime a": 34, "running_time a": 31, "usage": 2 * (12 + 31)},
		},
		{
			"one server: the first ends at 27, the second runs from the boundary 30 to 61", one(1, measured), 1, nil,
			map[string]float64{"flowtime a": 49, "running_time a": 46},
		},
	} {
		got := watch(t, c.w, clones(c.most), 1, c.given, nil)
		for name, want := range c.want {
			if math.Abs(got[name]-want) > 1e-9 {
				t.Errorf("%s: %s %v, want %v", c.name, name, got[name], want)
			}
		}
	}
}

// Clones do not change what first copies meet.
func TestSeeds(t *testing.T) {
	w := one(2, sim.Phase{Mean: 20, SD: 15})
	run := func(seed uint64, servers, most int) map[string]float64 {
		return watch(t, w, clones(most), seed, map[string]any{"servers": servers}, nil)
	}
	faster := 0
	for seed := range uint64(20) {
		alone, with := run(seed, 4, 1)["flowtime a"], run(seed, 4, 2)["flowtime a"]
		if with > alone {
			t.Errorf("seed %d: %v alone and %v with clones", seed, alone, with)
		}
		if with < alone {
			faster++
		}
	}
	if faster == 0 {
		t.Error("clones never helped")
	}
}

// Scaled clusters keep the kinds' proportions.
func TestScale(t *testing.T) {
	counts := func(n int) []int {
		var list []int
		for _, k := range sim.Scale(sim.PaperCluster(), n) {
			list = append(list, k.Count)
		}
		return list
	}
	// Of 3 servers the kinds end at 0.2, 0.5, 0.7, 0.9 and 3: the second gets the first server, the last the others.
	for n, want := range map[int][]int{30: {2, 3, 2, 2, 21}, 60: {4, 6, 4, 4, 42}, 3: {1, 2}} {
		if got := counts(n); !slices.Equal(got, want) {
			t.Errorf("%d servers: %v, want %v", n, got, want)
		}
	}
}
