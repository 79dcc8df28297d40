package speculation_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"schedgap/datasets/datasettest"
	"schedgap/models"
	mspeculation "schedgap/models/speculation"
)

// A traceTask runs from start to end, in seconds, and requests a share of the largest machine's cores; finish is false when it is
// killed at its end.
type traceTask struct {
	job, index, start, end int
	cpu                    float64
	finish                 bool
}

// writeTable makes a trace folder in Google's 2011 format.
func writeTable(t *testing.T, tasks []traceTask) string {
	t.Helper()
	type row struct {
		second int
		text   string
	}
	var rows []row
	add := func(k traceTask, second, event int) {
		rows = append(rows, row{second, fmt.Sprintf("%d,,%d,%d,7,%d,u,0,0,%v,0.1,0,0\n", second*1_000_000, k.job, k.index, event,
			k.cpu)})
	}
	const submit, schedule, finish, kill = 0, 1, 4, 5
	for _, k := range tasks {
		add(k, k.start, submit)
		add(k, k.start, schedule)
		if k.finish {
			add(k, k.end, finish)
		} else {
			add(k, k.end, kill)
		}
	}
	slices.SortStableFunc(rows, func(a, b row) int { return cmp.Compare(a.second, b.second) })
	var table strings.Builder
	for _, r := range rows {
		table.WriteString(r.text)
	}
	return datasettest.Folder(t, map[string]string{datasettest.TaskEvents: table.String()})
}

// One window by hand. Job 1: tasks of 100, 100, 100 and 400 s from 1000 s on, median 100; the fourth straggles, on 0.5 of a
// machine. Job 2: tasks of 200 s that end every 25 s, except one of 300 s that leaves a slot at pace 1.5, within 1.5·200 no
// straggler. A fifth task of job 1 is killed and does not count. At an instant in the request's window 1150 to 1151 s, slots come
// from tasks that end within 0.5·100 s of it.
func TestDeriveByHand(t *testing.T) {
	tasks := []traceTask{
		{1, 0, 1000, 1100, 0.1, true},
		{1, 1, 1000, 1100, 0.1, true},
		{1, 2, 1000, 1100, 0.1, true},
		{1, 3, 1000, 1400, 0.5, true},
		{1, 4, 1000, 1160, 0.1, false},
		{2, 0, 990, 1190, 0.2, true},
		{2, 1, 1050, 1250, 0.2, true},
		{2, 2, 1100, 1300, 0.2, true},
		{2, 3, 875, 1175, 0.001, true},
	}
	dir := writeTable(t, tasks)
	r := models.DeriveRequest{Dir: dir, Format: "google2011", From: 1150, To: 1151, N: 1, Seed: 1}
	ins, err := deriveInstances(t, r, map[string]any{
		"min_tasks": 3, "min_stragglers": 1, "window": 0.5, "energy_weight": 2.,
	})
	if err != nil || len(ins) != 1 {
		t.Fatalf("%d instances, %v", len(ins), err)
	}
	in := ins[0]
	var lineage struct {
		Instant           float64
		Straggling, Freed int
	}
	datasettest.Lineage(t, in, &lineage)
	now := lineage.Instant
	if now < 1150 || now > 1151 || lineage.Straggling != 1 || lineage.Freed != 2 {
		t.Errorf("lineage %+v", lineage)
	}
	// Of the straggler only times depend on the instant.
	s := in.Stragglers[0]
	if s.ID != "1/3" || !close(s.Finish, 1400-now) || s.Power != 150 || !close(s.Progress, (now-1000)/400) ||
		!close(s.Duration, now-1000) {
		t.Errorf("straggler %+v at %v", s, now)
	}
	for j := range in.Slots {
		in.Slots[j].Start += now
	}
	want := []mspeculation.Slot{{ID: "2/3", Start: 1175, Power: 3}, {ID: "2/0", Start: 1190, Power: 60}}
	near := gocmp.Comparer(close)
	if diff := gocmp.Diff(want, in.Slots, near); diff != "" {
		t.Errorf("slots (-want +got)\n%s", diff)
	}
	if diff := gocmp.Diff([][]float64{{150, 100}}, in.CopyTime, near); diff != "" || in.EnergyWeight != 2 {
		t.Errorf("weight %v, copy times (-want +got)\n%s", in.EnergyWeight, diff)
	}
}

// close compares times that were rounded to milliseconds.
func close(a, b float64) bool { return a-b < 0.0011 && b-a < 0.0011 }

// From a synthetic trace: instances are valid and the same at every time, keep the options and carry their lineage.
func TestDeriveSynthetic(t *testing.T) {
	given := map[string]any{"stragglers": 4, "slots": 3, "min_stragglers": 1, "window": 1.}
	kit.Synthetic(t, given, func(t *testing.T, in *mspeculation.Instance) {
		if len(in.Stragglers) > 4 || len(in.Slots) > 3 || len(in.Slots) == 0 {
			t.Errorf("%s has %d stragglers and %d slots", in.Name, len(in.Stragglers), len(in.Slots))
		}
	})
}

// Requests that make no sense are errors.
func TestDeriveErrors(t *testing.T) {
	dir := writeTable(t, []traceTask{{1, 0, 1000, 1100, 0.1, true}, {1, 1, 1000, 1100, 0.1, true}})
	kit.RefuseDerivation(t, dir, datasettest.Refusals{
		"parameter min_stragglers: 21 must be at most stragglers, 20":                         {"min_stragglers": 21},
		dir + ": the google2011 trace records there no job with 5 tasks from start to finish": nil,
	})
}
