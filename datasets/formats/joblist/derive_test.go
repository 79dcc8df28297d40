package joblist_test

import (
	"encoding/json"
	"fmt"
	"iter"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"schedgap/datasets/cloning"
	"schedgap/datasets/datasettest"
	"schedgap/datasets/flex"
	"schedgap/datasets/pocd"
	"schedgap/datasets/redundancy"
	"schedgap/datasets/speculation"
	"schedgap/models"
	mcloning "schedgap/models/cloning"
	cloningsim "schedgap/models/cloning/sim"
	"schedgap/models/fail"
	mflex "schedgap/models/flex"
	flexsim "schedgap/models/flex/sim"
	mpocd "schedgap/models/pocd"
	pocdsim "schedgap/models/pocd/sim"
	mredundancy "schedgap/models/redundancy"
	redundancysim "schedgap/models/redundancy/sim"
	mspeculation "schedgap/models/speculation"
	speculationsim "schedgap/models/speculation/sim"
)

// Two jobs with tasks of 10 and 30 s; only the first has a deadline and a weight.
const twoJobs = `arrival,id,tasks,duration,duration_sd,cpu,mem,deadline,weight
1,b,2,20,10,0.2,0.1,,
0,a,2,20,10,0.2,0.1,100,3
`

var near = cmpopts.EquateApprox(0, 1e-3)

// one derives one instance of the two jobs.
func one[I models.Instance](t *testing.T, d *models.Deriver[I], from, to float64, given map[string]any) I {
	t.Helper()
	return oneOf(t, twoJobs, d, from, to, given)
}

// oneOf derives one instance of a file.
func oneOf[I models.Instance](t *testing.T, file string, d *models.Deriver[I], from, to float64, given map[string]any) I {
	t.Helper()
	r := models.DeriveRequest{Dir: datasettest.Folder(t, map[string]string{"jobs.csv": file}), N: 1, Seed: 1, From: from, To: to}
	list, err := derive(t, d, r, given)
	if err != nil || len(list) != 1 {
		t.Fatalf("%d instances, %v", len(list), err)
	}
	return list[0]
}

func derive[I models.Instance](t *testing.T, d *models.Deriver[I], r models.DeriveRequest, given map[string]any) (list []I,
	err error,
) {
	t.Helper()
	r.Params, err = models.Resolve(d.Params, given)
	fail.On(t, err)
	var all iter.Seq2[I, error] = d.Derive(t.Context(), r)
	for in, err := range all {
		if err != nil {
			return list, err
		}
		list = append(list, in)
	}
	return list, nil
}

// instant is when an instance was derived, in seconds of the file's clock.
func instant(t *testing.T, in models.Instance) float64 {
	t.Helper()
	var lineage struct{ Instant float64 }
	if err := json.Unmarshal(in.Head().Lineage, &lineage); err != nil || lineage.Instant < 2 || lineage.Instant > 5 {
		t.Fatalf("derived at %v, %v", lineage.Instant, err)
	}
	return lineage.Instant - 1e-6
}

// At an instant t from 2 to 5 s all tasks run: 40 − 2t s of work are left of a, which is due at 100 s and weighs 3, and 42 − 2t s
// of b, which has the rule's deadline, its end at 31 s, and weight 1. Of 4 tasks at once capacity ½ makes 2 slots.
func TestFlexByHand(t *testing.T) {
	in := one(t, flex.Deriver, 2, 5, map[string]any{"metric": "tardiness", "derivation": "uncontended"})
	at := instant(t, in)
	want := []mflex.Job{
		{ID: "a", Work: 40 - 2*at, Min: 1, Max: 2, Weight: 3, Deadline: new(float64)},
		{ID: "b", Work: 42 - 2*at, Min: 1, Max: 2, Weight: 1, Deadline: new(float64)},
	}
	*want[0].Deadline, *want[1].Deadline = 100-at, 31-at
	in.Jobs[0].Min, in.Jobs[1].Min = 1, 1 // by apportion, which has tests of its own
	if d := cmp.Diff(want, in.Jobs, near); d != "" || in.Slots != 2 {
		t.Errorf("%d slots\n%s", in.Slots, d)
	}
}

// t_min is 10 and β 2/ln 3. Mean progress 0.3 is reached at e with e·(1/10 + 1/30)/2 = 0.3: 4.5 s. The trace's deadline of a is
// kept; b gets the 0.75-quantile of 10 and 30, 25 s, which its second task exceeds.
func TestPocdByHand(t *testing.T) {
	in := one(t, pocd.Deriver, 0, 0, map[string]any{"min_tasks": 2})
	job := func(id string, deadline float64, straggles bool) mpocd.Job {
		beta := 2 / math.Log(3)
		return mpocd.Job{ID: id, Deadline: deadline, Elapsed: 4.5, Tasks: []mpocd.Task{
			{ID: "0", Progress: 0.45, TMin: 10, Beta: beta}, {ID: "1", Progress: 0.15, TMin: 10, Beta: beta, Straggler: straggles},
		}}
	}
	if d := cmp.Diff([]mpocd.Job{job("a", 100, false), job("b", 25, true)}, in.Jobs, near); d != "" {
		t.Error(d)
	}
}

// One phase of two tasks; the mean of 20 s is 6 slots by default, the deviation of 10 s then 3.
func TestCloningByHand(t *testing.T) {
	in := one(t, cloning.Deriver, 0, 0, nil)
	for j, id := range []string{"a", "b"} {
		want := []mcloning.Phase{{ID: "p1", Tasks: 2, Demand: []float64{.2, .1}, Mean: 6, SD: 3}}
		ignore := cmpopts.IgnoreFields(mcloning.Phase{}, "Speedup")
		if d := cmp.Diff(want, in.Jobs[j].Phases, near, ignore); d != "" || in.Jobs[j].ID != id {
			t.Errorf("%s: %s", in.Jobs[j].ID, d)
		}
	}
}

// Each job has 40 s of work.
func TestRedundancyByHand(t *testing.T) {
	in := one(t, redundancy.Deriver, 0, 0, map[string]any{"load": 0})
	if d := cmp.Diff([]mredundancy.Job{{ID: "a", Work: 40}, {ID: "b", Arrival: 1, Work: 40}}, in.Jobs); d != "" {
		t.Error(d)
	}
}

// The median is 20 s: tasks of 32 s, more than half as long again, straggle, and those of 8 s leave slots, where copies take 8 of the
// 20 s of the median, as the slots are so much faster. Power is 300 W times the request for cores.
func TestSpeculationByHand(t *testing.T) {
	file := strings.ReplaceAll(twoJobs, ",20,10,", ",20,12,")
	in := oneOf(t, file, speculation.Deriver, 2, 5, map[string]any{"min_tasks": 2, "min_stragglers": 2, "window": 1})
	at := instant(t, in)
	want := &mspeculation.Instance{
		Header: in.Header, EnergyWeight: in.EnergyWeight,
		Stragglers: []mspeculation.Straggler{
			{ID: "a/1", Finish: 32 - at, Power: 60, Progress: at / 32, Duration: at},
			{ID: "b/1", Finish: 33 - at, Power: 60, Progress: (at - 1) / 32, Duration: at - 1},
		},
		Slots:    []mspeculation.Slot{{ID: "a/0", Start: 8 - at, Power: 60}, {ID: "b/0", Start: 9 - at, Power: 60}},
		CopyTime: [][]float64{{8, 8}, {8, 8}},
	}
	if d := cmp.Diff(want, in, near); d != "" {
		t.Error(d)
	}
}

// What jobs of equal tasks cannot give is said in one sentence.
func TestDeriveNothing(t *testing.T) {
	dir := datasettest.Folder(t, map[string]string{"jobs.csv": "arrival,tasks,duration\n0,3,20\n"})
	r := models.DeriveRequest{Dir: dir, N: 1}
	const want = "the csv trace records there no job with 5 tasks from start to finish"
	if _, err := derive(t, pocd.Deriver, r, nil); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("pocd: %v", err)
	}
	if _, err := derive(t, speculation.Deriver, r, nil); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("speculation: %v", err)
	}
	if _, err := pocd.Workloads.FromTrace(t.Context(), r); err == nil || !strings.Contains(err.Error(),
		"no job with two tasks of different") {
		t.Errorf("pocd's workload: %v", err)
	}
}

// The simulators' workloads of the two jobs: a, of weight 3 and due at 100 s, arrives first.
func TestWorkloadsByHand(t *testing.T) {
	r := models.DeriveRequest{Dir: datasettest.Folder(t, map[string]string{"jobs.csv": twoJobs})}
	ctx, beta := t.Context(), 2/math.Log(3)
	check := func(got any, err error, want any, ignored ...cmp.Option) {
		t.Helper()
		if d := cmp.Diff(want, got, append(ignored, near)...); d != "" || err != nil {
			t.Errorf("%v\n%s", err, d)
		}
	}
	f, err := flex.Workloads.FromTrace(ctx, r)
	phase := flexsim.Phase{Tasks: 2, Mean: 20, CV: .5}
	check(f.Jobs, err, []flexsim.Job{{ID: "a", Map: phase, Weight: 3, Deadline: 100}, {ID: "b", Arrival: 1, Map: phase}})

	// Without a deadline: the 0.75-quantile of the longer of two Pareto times.
	p, err := pocd.Workloads.FromTrace(ctx, r)
	due := 10 * math.Pow(1-math.Sqrt(.75), -1/beta)
	check(p.Jobs, err, []pocdsim.Job{
		{ID: "a", Deadline: 100, Tasks: 2, TMin: 10, Beta: beta}, {ID: "b", Arrival: 1, Deadline: due, Tasks: 2, TMin: 10, Beta: beta},
	})

	c, err := cloning.Workloads.FromTrace(ctx, r)
	phases := []cloningsim.Phase{{Tasks: 2, CPU: .2, Mem: .1, Mean: 20, SD: 10, Durations: []float64{10, 30}}}
	check(c.Jobs, err, []cloningsim.Job{{ID: "a", Weight: 3, Phases: phases}, {ID: "b", Arrival: 1, Weight: 1, Phases: phases}})
	if len(c.Cluster) < 5 {
		t.Errorf("the machines %+v are not those of Google's trace", c.Cluster)
	}

	d, err := redundancy.Workloads.FromTrace(ctx, r)
	check(d.Jobs, err, []redundancysim.Job{{ID: "a", Work: 40}, {ID: "b", Arrival: 1, Work: 40}})

	// The simulator adds stragglers of its own: the task of 30 s is not counted.
	s, err := speculation.Workloads.FromTrace(ctx, r)
	check(s.Jobs, err, []speculationsim.Job{{ID: "a", Tasks: 2, Mean: 10}, {ID: "b", Arrival: 1, Tasks: 2, Mean: 10}},
		cmpopts.IgnoreFields(speculationsim.Job{}, "Input", "Memory"))
}

// A job past its deadline at the instant has a millisecond left.
func TestFlexPastDeadline(t *testing.T) {
	text := strings.Replace(twoJobs, ",100,3", ",1.5,3", 1)
	r := models.DeriveRequest{Dir: datasettest.Folder(t, map[string]string{"jobs.csv": text}), N: 1, From: 2, To: 5}
	list, err := derive(t, flex.Deriver, r, map[string]any{"metric": "tardiness", "derivation": "uncontended"})
	if err != nil || len(list) != 1 || *list[0].Jobs[0].Deadline != 1e-3 {
		t.Fatalf("%s, %v", fmt.Sprint(list), err)
	}
}
