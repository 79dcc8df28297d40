package cloning_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"schedgap/datasets/datasettest"
	"schedgap/models"
	mcloning "schedgap/models/cloning"
	"schedgap/models/fail"
)

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	file := filepath.Join(dir, name)
	fail.On(t, os.MkdirAll(filepath.Dir(file), 0o755))
	fail.On(t, os.WriteFile(file, []byte(text), 0o644))
}

func phase(id string, parents []int, tasks int, cpu, mem, mean, sd float64) mcloning.Phase {
	return mcloning.Phase{
		ID: id, Parents: parents, Tasks: tasks, Demand: []float64{cpu, mem}, Mean: mean, SD: sd,
		Speedup: mcloning.ParetoSpeedup(mean, sd, 3),
	}
}

// Google's format by hand: job 10, submitted at 700 s, four tasks of 100, 100, 200 and 400 s, mean 200, deviation √15000; job 11,
// at 800 s, one task of 50 s; job 12, at 900 s, two tasks of 100 s of which one was killed. One machine of (0.5, 0.25).
func TestDeriveByHand(t *testing.T) {
	dir := t.TempDir()
	type record struct {
		second, job, task, event int
		cpu, mem                 float64
	}
	var records []record
	add := func(start, job, task, seconds, end int, cpu, mem float64) {
		records = append(records, record{start, job, task, 0, cpu, mem}, record{start, job, task, 1, cpu, mem},
			record{start + seconds, job, task, end, cpu, mem})
	}
	const finish, kill = 4, 5
	for i, seconds := range []int{100, 100, 200, 400} {
		add(700, 10, i, seconds, finish, 0.1, 0.05)
	}
	add(800, 11, 0, 50, finish, 0.3, 0.05)
	add(900, 12, 0, 100, finish, 0.1, 0.1)
	add(900, 12, 1, 100, kill, 0.1, 0.1)
	var table strings.Builder
	for second := range 2000 {
		for _, r := range records {
			if r.second == second {
				fmt.Fprintf(&table, "%d,,%d,%d,7,%d,u,0,0,%v,%v,0,0\n", second*1_000_000, r.job, r.task, r.event, r.cpu, r.mem)
			}
		}
	}
	write(t, dir, "task_events/part-00000-of-00001.csv", table.String())
	write(t, dir, "machine_events/part-00000-of-00001.csv", "0,7,0,p,0.5,0.25\n")
	r := models.DeriveRequest{Dir: dir, Format: "google2011", N: 1, Seed: 1}
	for _, c := range []struct {
		name  string
		given map[string]any
		jobs  []mcloning.Job
		want  []float64 // capacity of both servers
	}{
		// The longest mean, 200 s, is 8 slots. Demand 2·0.1 + 0.3 and 3·0.05 over load 1 on two servers: 0.25 and 0.075 each,
		// which must grow by 0.3/0.25.
		{
			"one phase",
			map[string]any{"spread": 16., "slots": 8, "demand_over_capacity": 1., "min_tasks": 1},
			[]mcloning.Job{
				{ID: "10", Phases: []mcloning.Phase{phase("p1", nil, 2, 0.1, 0.05, 8, 4.899)}},
				{ID: "11", Phases: []mcloning.Phase{phase("p1", nil, 1, 0.3, 0.05, 2, 0)}},
			},
			[]float64{0.3, 0.09},
		},
		// Slots of 5 s; a quarter of the tasks, the last, reduce: maps 100, 100, 200 with mean 400/3 and deviation 100·√2/3.
		// Demand 4·0.1 and 4·0.05 over load 2: 0.1 and 0.05 on each server.
		{
			"two phases",
			map[string]any{
				"slot": 5., "demand_over_capacity": 2., "min_jobs": 1, "tasks": 9, "reduce_share": 0.25, "arrivals": "online",
			},
			[]mcloning.Job{{ID: "10", Phases: []mcloning.Phase{
				phase("p1", nil, 3, 0.1, 0.05, 26.667, 9.428), phase("p2", []int{0}, 1, 0.1, 0.05, 80, 0),
			}}},
			[]float64{0.1, 0.05},
		},
		// Submissions 100 s apart make a span of 7 slots.
		{
			"online",
			map[string]any{"spread": 16., "slot": 50., "demand_over_capacity": 1., "min_tasks": 1, "arrivals": "online", "span": 7},
			[]mcloning.Job{
				{ID: "10", Phases: []mcloning.Phase{phase("p1", nil, 2, 0.1, 0.05, 4, 2.449)}},
				{ID: "11", Arrival: 7, Phases: []mcloning.Phase{phase("p1", nil, 1, 0.3, 0.05, 1, 0)}},
			},
			[]float64{0.3, 0.09},
		},
		// Work 2·4·0.1 + 1·1·0.3 and 2·4·0.05 + 1·1·0.05 in 1 slot at load 1.6 on two servers: 0.34375 and 0.140625 each.
		{
			"load",
			map[string]any{"spread": 16., "slot": 50., "load": 1.6, "min_tasks": 1, "arrivals": "online", "span": 1},
			[]mcloning.Job{
				{ID: "10", Phases: []mcloning.Phase{phase("p1", nil, 2, 0.1, 0.05, 4, 2.449)}},
				{ID: "11", Arrival: 1, Phases: []mcloning.Phase{phase("p1", nil, 1, 0.3, 0.05, 1, 0)}},
			},
			[]float64{0.34375, 0.140625},
		},
	} {
		ins, err := deriveInstances(t, r, c.given)
		if err != nil || len(ins) != 1 {
			t.Fatalf("%s: %d instances, %v", c.name, len(ins), err)
		}
		if diff := cmp.Diff(c.jobs, ins[0].Jobs); diff != "" {
			t.Errorf("%s: jobs (-want +got)\n%s", c.name, diff)
		}
		for _, s := range ins[0].Servers {
			for i, want := range c.want {
				if math.Abs(s.Capacity[i]-want) > 2e-6 {
					t.Errorf("%s: server %s has %v, want %v", c.name, s.ID, s.Capacity, c.want)
				}
			}
		}
	}
	if _, err := deriveInstances(t, r, map[string]any{"load": 1.}); err == nil ||
		!strings.Contains(err.Error(), "demand_over_capacity") {
		t.Errorf("a load of jobs that are all there at once: %v", err)
	}
	// The jobs' longest phases are 200 and 50 s: no job is alike within a factor of 3 around either.
	if ins, err := deriveInstances(t, r, map[string]any{"min_tasks": 1, "spread": 9.}); err != nil || len(ins) != 0 {
		t.Errorf("unlike jobs: %d instances, %v", len(ins), err)
	}
}

// Alibaba's records are phases with their parents; the second job names a parent that is not recorded.
func TestDeriveDAG(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "batch_task.csv", `M1,3,j_1,1,Terminated,100,160,100,0.5
R2_1,1,j_1,1,Terminated,160,280,50,0.25
R3_1_2,5,j_1,1,Terminated,280,400,50,0.5
M1,3,j_2,1,Terminated,100,160,100,0.5
R3_2,3,j_2,1,Terminated,100,160,100,0.5
`)
	ins, err := deriveInstances(t, models.DeriveRequest{Dir: dir, Format: "alibaba", N: 1, Seed: 1},
		map[string]any{"min_jobs": 1, "slot": 60., "cv": 0.5, "servers": 3})
	if err != nil || len(ins) != 1 {
		t.Fatalf("%d instances, %v", len(ins), err)
	}
	want := []mcloning.Job{{ID: "batch_task/j_1", Phases: []mcloning.Phase{
		phase("p1", nil, 2, 100, 0.5, 1, 0.5), phase("p2", []int{0}, 1, 50, 0.25, 2, 1), phase("p3", []int{0, 1}, 2, 50, 0.5, 2, 1),
	}}}
	if diff := cmp.Diff(want, ins[0].Jobs); diff != "" {
		t.Errorf("jobs (-want +got)\n%s", diff)
	}
}

// From a synthetic trace: instances are valid and the same at every time, keep the options and carry their lineage.
func TestDeriveSynthetic(t *testing.T) {
	given := map[string]any{"jobs": 3, "tasks": 4, "slots": 5}
	kit.Synthetic(t, given, func(t *testing.T, in *mcloning.Instance) {
		longest := 0.
		for _, job := range in.Jobs {
			for _, p := range job.Phases {
				longest = max(longest, p.Mean)
				if p.Tasks > 4 {
					t.Errorf("%s: %d tasks", in.Name, p.Tasks)
				}
			}
		}
		if len(in.Jobs) > 3 || len(in.Jobs) < 2 || len(in.Servers) != 2 || longest != 5 {
			t.Errorf("%s: %d jobs, %d servers, longest mean %v", in.Name, len(in.Jobs), len(in.Servers), longest)
		}
		datasettest.Windowed(t, in, len(in.Jobs))
		var lineage struct {
			SlotSeconds float64   `json:"slot_seconds"`
			ServerScale []float64 `json:"server_scale"`
		}
		datasettest.Lineage(t, in, &lineage)
		if lineage.SlotSeconds <= 0 || len(lineage.ServerScale) != 2 {
			t.Errorf("%s: lineage %+v", in.Name, lineage)
		}
	})
}

// What cannot be derived is one sentence.
func TestDeriveErrors(t *testing.T) {
	dir := datasettest.Synthetic(t)
	kit.RefuseDerivation(t, dir, datasettest.Refusals{"parameter min_jobs: 9 must be at most jobs, 4": {"min_jobs": 9}})
	kit.RefuseDerivation(t, dir+"/nowhere", datasettest.Refusals{"nowhere": nil})
	if _, err := kit.Derive(t, models.DeriveRequest{Dir: dir, Format: "google2011", N: 1, From: 1e9}, nil); err == nil ||
		!strings.Contains(err.Error(), "records there no finished job") {
		t.Error(err)
	}
}
