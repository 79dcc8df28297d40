package redundancy_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"schedgap/datasets/redundancy"
	"schedgap/datasets/synthetic"
	"schedgap/models"
	mredundancy "schedgap/models/redundancy"
)

// smallTrace is a trace in Google's 2011 format of four jobs. Job 1 is submitted at 1000 s with tasks of 100 and 300 s, job 2 at
// 1040 s with one of 50 s that waits 10 s, job 3 at 1060 s with one that is killed, job 4 at 1100 s with one of 150 s.
const smallTrace = `1000000000,,1,0,,0,u,0,0,0.1,0.1,0,0
1000000000,,1,1,,0,u,0,0,0.1,0.1,0,0
1000000000,,1,0,7,1,u,0,0,0.1,0.1,0,0
1000000000,,1,1,7,1,u,0,0,0.1,0.1,0,0
1040000000,,2,0,,0,u,0,0,0.1,0.1,0,0
1050000000,,2,0,7,1,u,0,0,0.1,0.1,0,0
1060000000,,3,0,,0,u,0,0,0.1,0.1,0,0
1060000000,,3,0,7,1,u,0,0,0.1,0.1,0,0
1070000000,,3,0,7,5,u,0,0,0.1,0.1,0,0
1100000000,,1,0,7,4,u,0,0,0.1,0.1,0,0
1100000000,,2,0,7,4,u,0,0,0.1,0.1,0,0
1100000000,,4,0,,0,u,0,0,0.1,0.1,0,0
1100000000,,4,0,7,1,u,0,0,0.1,0.1,0,0
1250000000,,4,0,7,4,u,0,0,0.1,0.1,0,0
1300000000,,1,1,7,4,u,0,0,0.1,0.1,0,0
`

func writeTrace(t *testing.T, table string) string {
	t.Helper()
	dir := t.TempDir()
	part := filepath.Join(dir, "task_events", "part-00000-of-00001.csv")
	if err := os.Mkdir(filepath.Dir(part), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(part, []byte(table), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

// deriveInstances collects the instances of a request and makes sure that each is valid.
func deriveInstances(t *testing.T, r models.DeriveRequest, given map[string]any) ([]*mredundancy.Instance, error) {
	t.Helper()
	var err error
	if r.Params, err = models.Resolve(redundancy.Deriver.Params, given); err != nil {
		t.Fatal(err)
	}
	var ins []*mredundancy.Instance
	for in, err := range redundancy.Deriver.Derive(context.Background(), r) {
		if err != nil {
			return ins, err
		}
		encodeInstance(t, in)
		ins = append(ins, in)
	}
	return ins, nil
}

// The small trace by hand: works 400, 50 and 150 s, or from submission to end 300, 60 and 150; arrivals 0, 40 and 100. On
// three machines the load is 600/(3·100) = 2 as recorded.
func TestDeriveByHand(t *testing.T) {
	r := models.DeriveRequest{Dir: writeTrace(t, smallTrace), Format: "google2011", N: 1, Seed: 1}
	job := func(id string, arrival, work float64) mredundancy.Job {
		return mredundancy.Job{ID: id, Arrival: arrival, Work: work}
	}
	for _, c := range []struct {
		name  string
		given map[string]any
		want  []mredundancy.Job
	}{
		{"as recorded", map[string]any{"load": 0}, []mredundancy.Job{job("1", 0, 400), job("2", 40, 50), job("4", 100, 150)}},
		{"load 1", nil, []mredundancy.Job{job("1", 0, 400), job("2", 80, 50), job("4", 200, 150)}},
		{"load 4 on one machine", map[string]any{"load": 4, "machines": 1}, []mredundancy.Job{
			job("1", 0, 400), job("2", 60, 50), job("4", 150, 150),
		}},
		// 510/(3·100) = 1.7.
		{"durations", map[string]any{"work": "duration", "load": 1.7}, []mredundancy.Job{
			job("1", 0, 300), job("2", 40, 60), job("4", 100, 150),
		}},
	} {
		ins, err := deriveInstances(t, r, c.given)
		if err != nil || len(ins) != 1 {
			t.Fatalf("%s: %d instances, %v", c.name, len(ins), err)
		}
		if diff := cmp.Diff(c.want, ins[0].Jobs); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

// From a synthetic trace: instances are valid and the same at every time, keep the options, carry their lineage, and a stratum
// with too few jobs gives none.
func TestDeriveSynthetic(t *testing.T) {
	dir := t.TempDir()
	if err := synthetic.Extract(dir); err != nil {
		t.Fatal(err)
	}
	r := models.DeriveRequest{Dir: dir, Format: "google2011", N: 5, Seed: 3}
	given := map[string]any{"jobs": 3, "machines": 2, "multitasking": true, "speedup": "concave"}
	ins, err := deriveInstances(t, r, given)
	if err != nil || len(ins) == 0 {
		t.Fatalf("%d instances, %v", len(ins), err)
	}
	again, err := deriveInstances(t, r, given)
	if err != nil || len(again) != len(ins) {
		t.Fatalf("%d instances, %v", len(again), err)
	}
	for i, in := range ins {
		if !bytes.Equal(encodeInstance(t, in), encodeInstance(t, again[i])) {
			t.Errorf("%s: the same seed gives another instance", in.Name)
		}
		if len(in.Jobs) > 3 || len(in.Jobs) < 2 || in.Machines != 2 || !in.Multitasking {
			t.Errorf("%s is %+v", in.Name, in)
		}
		var lineage struct {
			Format             string
			Files              []struct{ SHA256 string }
			Seed               uint64
			Params             map[string]any
			Begin, End, Factor float64
			Qualified          int
		}
		if err := json.Unmarshal(in.Lineage, &lineage); err != nil {
			t.Fatal(err)
		}
		if lineage.Format != "google2011" || len(lineage.Files) == 0 || lineage.Seed != 3 || lineage.Params["jobs"] != 3. ||
			lineage.Begin >= lineage.End || lineage.Qualified < len(in.Jobs) || !(lineage.Factor > 0) {
			t.Errorf("%s: lineage %+v", in.Name, lineage)
		}
	}
	if none, err := deriveInstances(t, r, map[string]any{"min_jobs": 1000, "jobs": 1000}); err != nil || len(none) > 0 {
		t.Errorf("too few jobs: %d instances, %v", len(none), err)
	}
}

// Requests that make no sense are errors.
func TestDeriveErrors(t *testing.T) {
	killed := writeTrace(t, "1000000000,,1,0,,0,u,0,0,0.1,0.1,0,0\n1001000000,,1,0,7,1,u,0,0,0.1,0.1,0,0\n"+
		"1002000000,,1,0,7,5,u,0,0,0.1,0.1,0,0\n")
	for _, c := range []struct {
		given map[string]any
		want  string
	}{
		{map[string]any{"min_jobs": 5}, "parameter min_jobs: 5 must be at most jobs, 4"},
		{nil, killed + ": window 0,0 (0: the end): the google2011 trace records there no job whose tasks all finished and took time"},
	} {
		r := models.DeriveRequest{Dir: killed, Format: "google2011", N: 1, Seed: 1}
		if _, err := deriveInstances(t, r, c.given); err == nil || err.Error() != c.want {
			t.Errorf("%v: got %v, want %s", c.given, err, c.want)
		}
	}
}
