package pocd_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"schedgap/datasets/datasettest"
	"schedgap/datasets/pocd"
	"schedgap/models"
	mpocd "schedgap/models/pocd"
	"schedgap/models/trials/property"
)

// writeTrace makes a trace folder in Google's 2011 format of jobs whose tasks all start at their submission, in seconds, and
// take the durations given, in seconds; 0 stands for a task that is killed.
func writeTrace(t *testing.T, jobs map[int][]int) string {
	t.Helper()
	var table strings.Builder
	row := func(second, job, task, event int) {
		fmt.Fprintf(&table, "%d,,%d,%d,7,%d,u,0,0,0.1,0.1,0,0\n", second*1_000_000, job, task, event)
	}
	const submit, schedule, finish, kill = 0, 1, 4, 5
	for second := range 4000 {
		for start, durations := range jobs {
			job := 10 + start
			for i, d := range durations {
				end, last := start+d, finish
				if d == 0 {
					end, last = start+5, kill
				}
				if second == start {
					row(second, job, i, submit)
					row(second, job, i, schedule)
				}
				if second == end {
					row(second, job, i, last)
				}
			}
		}
	}
	return datasettest.Folder(t, map[string]string{datasettest.TaskEvents: table.String()})
}

// One job by hand: durations 100, 200, 400, 400, 800; one more was killed and one job's tasks are all equally long.
// Fit: t_min 100, β = 5/ln(2·4·4·8) = 5/(8 ln 2) = 0.901684. Mean progress 0.3: all five run until 100 s, where the sum of
// progress is 100·(1/100 + 1/200 + 2/400 + 1/800) = 2.125; 1.5 is reached at 1.5/0.02125 = 70.588 s.
// Median deadline: 400 s; with factor 1.25: 500 s.
func TestDeriveByHand(t *testing.T) {
	dir := writeTrace(t, map[int][]int{1000: {100, 200, 400, 0, 400, 800}, 1100: {50, 50, 50, 50, 50}})
	r := models.DeriveRequest{Dir: dir, Format: "google2011", N: 1, Seed: 1}
	beta := 0.901684
	task := func(id string, progress, tMin, beta float64, straggler bool) mpocd.Task {
		return mpocd.Task{ID: id, Progress: progress, TMin: tMin, Beta: beta, Straggler: straggler}
	}
	for _, c := range []struct {
		name     string
		given    map[string]any
		capacity int
		want     []mpocd.Job
	}{
		{
			"quantile of the tasks", map[string]any{"deadline_quantile": 0.5, "deadline_factor": 1.25}, 7, []mpocd.Job{{
				ID: "1010", Deadline: 500, Elapsed: 70.588, Tasks: []mpocd.Task{
					task("0", 0.70588, 100, beta, false), task("1", 0.35294, 100, beta, false), task("2", 0.17647, 100, beta, false),
					task("4", 0.17647, 100, beta, false), task("5", 0.088235, 100, beta, true),
				},
			}},
		},
		// The longest of five is below t with probability (1 − (100/t)^β)^5 = 1/2: t = 100·(1 − 2^(−1/5))^(−1/β) = 965.87…
		{
			"fitted median",
			map[string]any{"deadline_quantile": 0.5, "deadline_basis": "fit", "load": 0.2, "alpha": "inf", "max_copies": 2},
			25,
			[]mpocd.Job{{
				ID: "1010", Deadline: milli(100 * math.Pow(1-math.Pow(2, -0.2), -1/beta)), Elapsed: 70.588, Tasks: []mpocd.Task{
					task("0", 0.70588, 100, beta, false), task("1", 0.35294, 100, beta, false), task("2", 0.17647, 100, beta, false),
					task("4", 0.17647, 100, beta, false), task("5", 0.088235, 100, beta, false),
				},
			}},
		},
	} {
		c.given["min_jobs"] = 1
		ins, err := deriveInstances(t, r, c.given)
		if err != nil || len(ins) != 1 {
			t.Fatalf("%s: %d instances, %v", c.name, len(ins), err)
		}
		if diff := cmp.Diff(c.want, ins[0].Jobs); diff != "" || ins[0].Capacity != c.capacity {
			t.Errorf("%s: capacity %d, want %d (-want +got)\n%s", c.name, ins[0].Capacity, c.capacity, diff)
		}
	}
	// At the snapshot the job has more than its deadline, half of the least time of 100 s, behind it.
	late := map[string]any{"min_jobs": 1, "deadline_quantile": 0., "deadline_factor": 0.5}
	if ins, err := deriveInstances(t, r, late); err != nil || len(ins) > 0 {
		t.Errorf("a job past its deadline: %d instances, %v", len(ins), err)
	}
}

func milli(x float64) float64 { return math.Round(x*1000) / 1000 }

// A sample of a Pareto distribution gives its parameters back.
func TestFitPareto(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		tMin, beta := rapid.Float64Range(0.1, 1e4).Draw(t, "t_min"), rapid.Float64Range(0.2, 10).Draw(t, "beta")
		const n = 4000
		durations := make([]float64, n) // the quantiles at (i + 1/2)/n, ascending
		for i := range durations {
			durations[i] = tMin * math.Pow(1-(float64(i)+0.5)/n, -1/beta)
		}
		gotMin, gotBeta, ok := pocd.FitPareto(durations)
		if !ok || math.Abs(gotMin/tMin-1) > 0.01 || math.Abs(gotBeta/beta-1) > 0.01 {
			t.Errorf("fit %v, %v of %v, %v", gotMin, gotBeta, tMin, beta)
		}
	})
	if _, _, ok := pocd.FitPareto([]float64{3, 3, 3}); ok {
		t.Error("equal durations have a fit")
	}
}

// From a synthetic trace: instances are valid and the same at every time, keep the options, carry their lineage, and a stratum
// with too few jobs gives none.
func TestDeriveSynthetic(t *testing.T) {
	given := map[string]any{"jobs": 4, "min_tasks": 3, "load": 0.5}
	kit.Synthetic(t, given, func(t *testing.T, in *mpocd.Instance) {
		if len(in.Jobs) > 4 || len(in.Jobs) < 2 {
			t.Errorf("%s has %d jobs", in.Name, len(in.Jobs))
		}
		for _, job := range in.Jobs {
			if len(job.Tasks) > 50 || job.Elapsed >= job.Deadline {
				t.Errorf("%s: job %s has %d tasks and runs %v of %v s", in.Name, job.ID, len(job.Tasks), job.Elapsed, job.Deadline)
			}
		}
		datasettest.Windowed(t, in, len(in.Jobs))
	})
	kit.TooFew(t, map[string]any{"min_jobs": 1000, "jobs": 1000})
}

// Requests that make no sense are errors.
func TestDeriveErrors(t *testing.T) {
	dir := writeTrace(t, map[int][]int{1000: {100, 200, 300, 400, 500}})
	kit.RefuseDerivation(t, dir, datasettest.Refusals{
		`parameter alpha: "x" must be`:                                                        {"alpha": "x"},
		"parameter min_jobs: 11 must be at most jobs, 10":                                     {"min_jobs": 11},
		dir + ": the google2011 trace records there no job with 6 tasks from start to finish": {"min_tasks": 6},
		"parameter capacity: 3 is less than the base load 6":                                  {"min_jobs": 1, "capacity": 3},
	})
}
