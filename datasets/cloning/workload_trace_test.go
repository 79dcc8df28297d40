package cloning_test

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"schedgap/datasets/cloning"
	"schedgap/datasets/synthetic/sampletest"
	"schedgap/models"
	"schedgap/models/cloning/sim"
	"schedgap/models/fail"
)

// traceWorkload takes the jobs of a trace.
func traceWorkload(tb testing.TB, r models.DeriveRequest) *sim.Workload {
	tb.Helper()
	w, err := cloning.Workloads.FromTrace(context.Background(), r)
	fail.On(tb, err)
	return w
}

// A trace of four jobs: 11 has two tasks of 10 and 30 s, 12 one of 8 s that demands more memory than any machine has, 13 one of
// 8 s; 14 is killed.
const fourJobs = `700000000,,11,0,,0,u,1,1,0.1,0.2,0,0
700000000,,11,1,,0,u,1,1,0.3,0.2,0,0
701000000,,11,0,5,1,u,1,1,0.1,0.2,0,0
701000000,,11,1,5,1,u,1,1,0.3,0.2,0,0
711000000,,11,0,5,4,u,1,1,0.1,0.2,0,0
719000000,,12,0,,0,u,1,1,0.1,0.9,0,0
720000000,,13,0,,0,u,1,1,0.5,0.25,0,0
721000000,,12,0,5,1,u,1,1,0.1,0.9,0,0
721000000,,13,0,5,1,u,1,1,0.5,0.25,0,0
722000000,,14,0,,0,u,1,1,0.1,0.1,0,0
723000000,,14,0,5,1,u,1,1,0.1,0.1,0,0
724000000,,14,0,5,5,u,1,1,0.1,0.1,0,0
729000000,,12,0,5,4,u,1,1,0.1,0.9,0,0
729000000,,13,0,5,4,u,1,1,0.5,0.25,0,0
731000000,,11,1,5,4,u,1,1,0.3,0.2,0,0
`

// Google's format: durations by task, mean 20 and deviation 10 of 10 and 30, mean requests; machines gathered, the one without
// memory left out; jobs from the first that is taken on.
func TestWorkloadFromGoogle(t *testing.T) {
	const (
		cluster = `{"cluster":[{"servers":2,"cpu":0.5,"mem":0.5},{"servers":1,"cpu":0.5,"mem":0.25}]}` + "\n"
		first   = `{"job":"11","arrival":0,"weight":1,"phases":[{"tasks":2,"cpu":0.2,"mem":0.2,"mean":20,"sd":10,"durations":[10,30]}]}` +
			"\n"
		second = `{"job":"13","arrival":20,"weight":1,"phases":[{"tasks":1,"cpu":0.5,"mem":0.25,"mean":8,"sd":0,"durations":[8]}]}` +
			"\n"
	)
	dir := t.TempDir()
	write(t, dir, "task_events/part-00000-of-00500.csv", fourJobs)
	write(t, dir, "machine_events/part-00000-of-00001.csv", "0,1,0,p,0.5,0.5\n0,2,0,p,0.5,0.25\n0,3,0,p,0.5,0.5\n0,4,0,p,0.5,\n")
	for _, c := range []struct {
		r    models.DeriveRequest
		want string
	}{
		{models.DeriveRequest{}, first + second},
		{models.DeriveRequest{N: 1}, first},
		{models.DeriveRequest{From: 710}, strings.Replace(second, `"arrival":20`, `"arrival":0`, 1)},
	} {
		c.r.Dir, c.r.Format = dir, "google2011"
		if got := workloadText(t, traceWorkload(t, c.r)); got != cluster+c.want {
			t.Errorf("%+v: got\n%swant\n%s", c.r, got, cluster+c.want)
		}
	}
	late := models.DeriveRequest{Dir: dir, Format: "google2011", From: 1000}
	_, err := cloning.Workloads.FromTrace(context.Background(), late)
	want := dir + ", from 1000s on: no job with known durations and requests was submitted there and finished inside the trace"
	if err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

// Alibaba's format: records are phases, their children behind them although R3 is recorded first; machines are not recorded.
func TestWorkloadFromAlibaba(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "batch_task.csv", `R3_1_2,5,j_1,1,Terminated,280,400,50,0.5
M1,3,j_1,1,Terminated,100,160,100,0.5
R2_1,1,j_1,1,Terminated,160,280,50,0.25
M1,3,j_2,1,Terminated,130,190,100,0.5
R3_2,3,j_2,1,Terminated,190,220,100,0.5
M1,2,j_3,1,Terminated,400,410,100,0.5
`)
	const want = `{"cluster":[{"servers":4000,"cpu":9600,"mem":100}]}
{"job":"batch_task/j_1","arrival":0,"weight":1,"phases":[` +
		`{"tasks":3,"cpu":100,"mem":0.5,"mean":60,"sd":60},` +
		`{"parents":[0],"tasks":1,"cpu":50,"mem":0.25,"mean":120,"sd":120},` +
		`{"parents":[0,1],"tasks":5,"cpu":50,"mem":0.5,"mean":120,"sd":120}]}
{"job":"batch_task/j_3","arrival":300,"weight":1,"phases":[{"tasks":2,"cpu":100,"mem":0.5,"mean":10,"sd":10}]}
`
	if got := workloadText(t, traceWorkload(t, models.DeriveRequest{Dir: dir, Format: "alibaba"})); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// A fitted synthetic trace gives the same workload at every time, one that all policies finish on as many servers as offer load
// 0.5.
func TestWorkloadFromSynthetic(t *testing.T) {
	dir := t.TempDir()
	fail.On(t, sampletest.Extract(dir))
	r := models.DeriveRequest{Dir: dir, Format: "google2011"}
	w := traceWorkload(t, r)
	if workloadText(t, traceWorkload(t, r)) != workloadText(t, w) {
		t.Error("another workload at the second time")
	}
	params, err := models.Resolve(simulator.Params, map[string]any{"load": 0.5})
	fail.On(t, err)
	for _, p := range simulator.Policies {
		done := 0
		r := models.SimRequest{Workload: w, Policy: p.Name, Params: params, Seed: 1}
		if err := simulator.Run(context.Background(), r, func(m models.Metric) {
			if m.Scope == "job" && m.Name == "flowtime" {
				done++
			}
		}); err != nil || done != len(w.Jobs) {
			t.Errorf("%s: %d of %d jobs, %v", p.Name, done, len(w.Jobs), err)
		}
	}
}

// realTrace is the folder of a real trace.
func realTrace(tb testing.TB, name string) string {
	tb.Helper()
	traces := os.Getenv("SCHEDGAP_TRACES")
	if traces == "" {
		tb.Skip("SCHEDGAP_TRACES is not set: the real traces are not there to be read")
	}
	return filepath.Join(traces, name)
}

// The jobs of the real traces: all 9,569 of google2011 whose tasks finished inside it, with their 17,584 tasks; of the 10,340 of
// ERDOS those that name no task that is not recorded, whose tasks took time.
func TestWorkloadFromRealTraces(t *testing.T) {
	for _, c := range []struct {
		r                  models.DeriveRequest
		jobs, tasks, edges int
	}{
		{models.DeriveRequest{Dir: realTrace(t, "google2011"), Format: "google2011"}, 9569, 17_584, 0},
		{models.DeriveRequest{Dir: realTrace(t, "alibaba/v2018_dags_from_erdos.csv.gz"), Format: "alibaba"}, 9320, 3_312_585, 37_675},
	} {
		w := traceWorkload(t, c.r)
		tasks, edges := 0, 0
		for _, j := range w.Jobs {
			for _, p := range j.Phases {
				tasks, edges = tasks+p.Tasks, edges+len(p.Parents)
				if n := len(p.Durations); c.r.Format == "google2011" && n != p.Tasks {
					t.Errorf("%s: %d durations of %d tasks", j.ID, n, p.Tasks)
				}
			}
		}
		if len(w.Jobs) != c.jobs || tasks != c.tasks || edges != c.edges {
			t.Errorf("%s: %d jobs of %d tasks with %d dependencies", c.r.Dir, len(w.Jobs), tasks, edges)
		}
	}
}

// Section 6.3 counts a task as a straggler that takes much longer than others of its phase: in 70 % of the phases more than 15 %
// of the tasks, by up to 20 times. It does not say from where on; 1.5 times the phase's median is usual. Of the jobs of the trace
// that finished, 33 % of the 346 of two tasks or more have one, and 58.5 % of the 176 of ten tasks or more; 13 % and 21 % have
// that many.
func TestStragglersOfGoogle(t *testing.T) {
	w := traceWorkload(t, models.DeriveRequest{Dir: realTrace(t, "google2011"), Format: "google2011"})
	for _, c := range []struct {
		tasks, jobs, some, many int
		slowest                 float64
	}{
		{2, 346, 115, 44, 56.3},
		{10, 176, 103, 37, 56.3},
	} {
		jobs, some, many, slowest := 0, 0, 0, 0.0
		for _, j := range w.Jobs {
			times := slices.Sorted(slices.Values(j.Phases[0].Durations))
			if len(times) < c.tasks {
				continue
			}
			jobs++
			median := (times[(len(times)-1)/2] + times[len(times)/2]) / 2
			first, _ := slices.BinarySearch(times, math.Nextafter(1.5*median, math.Inf(1)))
			late := len(times) - first
			if late > 0 {
				some++
			}
			if float64(late) > 0.15*float64(len(times)) {
				many++
			}
			slowest = max(slowest, times[len(times)-1]/median)
		}
		if jobs != c.jobs || some != c.some || many != c.many || math.Abs(slowest-c.slowest) > 0.05 {
			t.Errorf("of %d jobs of %d tasks or more %d have stragglers, %d more than 15 %%; up to %.1f times the median",
				jobs, c.tasks, some, many, slowest)
		}
	}
}
