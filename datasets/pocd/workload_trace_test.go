package pocd_test

import (
	"strings"
	"testing"

	"schedgap/datasets/datasettest"
	"schedgap/datasets/pocd"
	"schedgap/models"
	"schedgap/models/fail"
)

// A trace of four jobs: 11 with two tasks of 10 and 30 s, 12 with tasks of 5 and 5 s, 13 with two of 8 and 4 s; 14 is killed.
const fourJobs = `700000000,,11,0,,0,u,1,1,0.1,0.1,0,0
700000000,,11,1,,0,u,1,1,0.1,0.1,0,0
701000000,,11,0,5,1,u,1,1,0.1,0.1,0,0
701000000,,11,1,5,1,u,1,1,0.1,0.1,0,0
702000000,,12,0,,0,u,1,1,0.1,0.1,0,0
702000000,,12,1,,0,u,1,1,0.1,0.1,0,0
703000000,,12,0,5,1,u,1,1,0.1,0.1,0,0
703000000,,12,1,5,1,u,1,1,0.1,0.1,0,0
708000000,,12,0,5,4,u,1,1,0.1,0.1,0,0
708000000,,12,1,5,4,u,1,1,0.1,0.1,0,0
711000000,,11,0,5,4,u,1,1,0.1,0.1,0,0
720000000,,13,0,,0,u,1,1,0.1,0.1,0,0
720000000,,13,1,,0,u,1,1,0.1,0.1,0,0
721000000,,13,0,5,1,u,1,1,0.1,0.1,0,0
721000000,,13,1,5,1,u,1,1,0.1,0.1,0,0
722000000,,14,0,,0,u,1,1,0.1,0.1,0,0
723000000,,14,0,5,1,u,1,1,0.1,0.1,0,0
724000000,,14,0,5,5,u,1,1,0.1,0.1,0,0
725000000,,13,1,5,4,u,1,1,0.1,0.1,0,0
729000000,,13,0,5,4,u,1,1,0.1,0.1,0,0
731000000,,11,1,5,4,u,1,1,0.1,0.1,0,0
`

func TestWorkloadFromTrace(t *testing.T) {
	dir := datasettest.Folder(t, map[string]string{datasettest.TaskEvents: fourJobs})
	const (
		// β = 2/ln 3 = 1.82048, so the deadline is 10·(1 − √0.75)^(−1/β) = 30.167.
		first = `{"job":"11","arrival":0,"deadline":30.167,"tasks":2,"t_min":10,"beta":1.82048}` + "\n"
		// β = 2/ln 2 = 2.88539, 4·(1 − √0.75)^(−1/β) = 8.028.
		second = `{"job":"13","arrival":20,"deadline":8.028,"tasks":2,"t_min":4,"beta":2.88539}` + "\n"
	)
	for _, c := range []struct {
		name string
		r    models.DeriveRequest
		want string
	}{
		{"the finished jobs of different durations", models.DeriveRequest{}, first + second},
		{"the first one", models.DeriveRequest{N: 1}, first},
		{"those that fit on 3 VMs, which is all", models.DeriveRequest{Params: cluster(t, 3)}, first + second},
		{"submitted before 710 s", models.DeriveRequest{To: 710}, first},
		{"submitted at 710 s or later", models.DeriveRequest{From: 710}, strings.Replace(second, `"arrival":20`, `"arrival":0`, 1)},
	} {
		c.r.Dir, c.r.Format = dir, "google2011"
		t.Run(c.name, func(t *testing.T) { kit.FromTrace(t, c.r, c.want) })
	}
	kit.FromTrace(t, models.DeriveRequest{Dir: dir, Format: "google2011", From: 1000},
		dir+", from 1000s on: no job with two tasks of different durations (a deviation above 0) was submitted there and finished inside the trace")
}

// Jobs of more tasks than the cluster holds beside their master are left out and counted; without such jobs nobody is warned.
func TestWorkloadLeavesOutWideJobs(t *testing.T) {
	wide := strings.NewReplacer(",12,0,", ",11,2,", ",12,1,", ",11,3,").Replace(fourJobs) // job 11 has four tasks
	dir := datasettest.Folder(t, map[string]string{datasettest.TaskEvents: wide})
	for slaves, want := range map[int]string{
		5: "",
		4: "jobs left out because they need more than the cluster's 4 VMs, one a task and one for the master: 1 of 2",
	} {
		var warned []string
		w, err := pocd.Workloads.FromTrace(t.Context(), models.DeriveRequest{
			Dir: dir, Format: "google2011", Params: cluster(t, slaves), Warn: func(s string) { warned = append(warned, s) },
		})
		fail.On(t, err)
		left := 0
		if want != "" {
			left = 1
		}
		if strings.Join(warned, "; ") != want || len(w.Jobs) != 2-left {
			t.Errorf("%d slaves: %d jobs, warned of %q, want %q", slaves, len(w.Jobs), warned, want)
		}
		r := models.SimRequest{Workload: w, Policy: "none", Params: cluster(t, slaves), Seed: 1}
		if err := simulator.Run(t.Context(), r, func(models.Metric) {}); err != nil {
			t.Errorf("%d slaves: %v", slaves, err)
		}
	}
	_, err := pocd.Workloads.FromTrace(t.Context(), models.DeriveRequest{Dir: dir, Format: "google2011", Params: cluster(t, 2)})
	if err == nil || !strings.Contains(err.Error(), "no job with two tasks of different durations (a deviation above 0) that 2 VMs hold was submitted") {
		t.Errorf("no job fits: %v", err)
	}
}

// cluster is the options of a run on so many nodes.
func cluster(t *testing.T, slaves int) models.Values {
	t.Helper()
	v, err := models.Resolve(simulator.Params, map[string]any{"slaves": slaves})
	fail.On(t, err)
	return v
}
