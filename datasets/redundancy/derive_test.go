package redundancy_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"schedgap/datasets/datasettest"
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

// The small trace by hand: works 400, 50 and 150 s, or from submission to end 300, 60 and 150; arrivals 0, 40 and 100. On
// three machines the load is 600/(3·100) = 2 as recorded.
func TestDeriveByHand(t *testing.T) {
	r := models.DeriveRequest{
		Dir:    datasettest.Folder(t, map[string]string{datasettest.TaskEvents: smallTrace}),
		Format: "google2011", N: 1, Seed: 1,
	}
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
	given := map[string]any{"jobs": 3, "machines": 2, "multitasking": true, "speedup": "concave"}
	kit.Synthetic(t, given, func(t *testing.T, in *mredundancy.Instance) {
		if len(in.Jobs) > 3 || len(in.Jobs) < 2 || in.Machines != 2 || !in.Multitasking {
			t.Errorf("%s is %+v", in.Name, in)
		}
		datasettest.Windowed(t, in, len(in.Jobs))
		var lineage struct{ Factor float64 }
		datasettest.Lineage(t, in, &lineage)
		if !(lineage.Factor > 0) {
			t.Errorf("%s: lineage %+v", in.Name, lineage)
		}
	})
	kit.TooFew(t, map[string]any{"min_jobs": 1000, "jobs": 1000})
}

// Requests that make no sense are errors.
func TestDeriveErrors(t *testing.T) {
	killed := datasettest.Folder(t, map[string]string{
		datasettest.TaskEvents: "1000000000,,1,0,,0,u,0,0,0.1,0.1,0,0\n1001000000,,1,0,7,1,u,0,0,0.1,0.1,0,0\n" +
			"1002000000,,1,0,7,5,u,0,0,0.1,0.1,0,0\n",
	})
	kit.RefuseDerivation(t, killed, datasettest.Refusals{
		"parameter min_jobs: 5 must be at most jobs, 4":                                               {"min_jobs": 5},
		killed + ": the google2011 trace records there no job whose tasks all finished and took time": nil,
	})
}
