package speculation_test

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"schedgap/datasets/datasettest"
	"schedgap/datasets/derive"
	"schedgap/datasets/speculation"
	"schedgap/datasets/trace"
	"schedgap/models"
	"schedgap/models/fail"
)

// A trace of three jobs: 11 with tasks of 10, 10, 10 and 30 s, of which the last straggles; 12 with tasks of 8 and 10 s; 13 is
// killed.
const threeJobs = `700000000,,11,0,,0,u,1,1,0.1,0.1,0,0
700000000,,11,1,,0,u,1,1,0.1,0.1,0,0
700000000,,11,2,,0,u,1,1,0.1,0.1,0,0
700000000,,11,3,,0,u,1,1,0.1,0.1,0,0
701000000,,11,0,5,1,u,1,1,0.1,0.1,0,0
701000000,,11,1,5,1,u,1,1,0.1,0.1,0,0
701000000,,11,2,5,1,u,1,1,0.1,0.1,0,0
701000000,,11,3,5,1,u,1,1,0.1,0.1,0,0
711000000,,11,0,5,4,u,1,1,0.1,0.1,0,0
711000000,,11,1,5,4,u,1,1,0.1,0.1,0,0
711000000,,11,2,5,4,u,1,1,0.1,0.1,0,0
720000000,,12,0,,0,u,1,1,0.1,0.1,0,0
720000000,,12,1,,0,u,1,1,0.1,0.1,0,0
721000000,,12,0,5,1,u,1,1,0.1,0.1,0,0
721000000,,12,1,5,1,u,1,1,0.1,0.1,0,0
722000000,,13,0,,0,u,1,1,0.1,0.1,0,0
723000000,,13,0,5,1,u,1,1,0.1,0.1,0,0
724000000,,13,0,5,5,u,1,1,0.1,0.1,0,0
729000000,,12,0,5,4,u,1,1,0.1,0.1,0,0
731000000,,11,3,5,4,u,1,1,0.1,0.1,0,0
731000000,,12,1,5,4,u,1,1,0.1,0.1,0,0
`

// Two jobs that read 300 MiB, three blocks of 128, and nothing.
const twoVolumes = "job0\t5\t0\t314572800\t0\t1\njob1\t9\t4\t0\t0\t1\n"

func TestWorkloadFromTrace(t *testing.T) {
	google := datasettest.Folder(t, map[string]string{datasettest.TaskEvents: threeJobs})
	swim := datasettest.Folder(t, map[string]string{"FB.tsv": twoVolumes})
	const (
		first = `{"job":"11","arrival":0,"tasks":4,"mean":10,"cv":0,"input":128,"memory":1}` + "\n"
		// A mean of 9 s and a deviation of 1.
		second = `{"job":"12","arrival":20,"tasks":2,"mean":9,"cv":0.111111,"input":128,"memory":1}` + "\n"
		third  = `{"job":"FB/job0","arrival":0,"tasks":3,"mean":30,"cv":0,"input":100,"memory":1}` + "\n"
		fourth = `{"job":"FB/job1","arrival":4,"tasks":1,"mean":30,"cv":0,"input":0,"memory":1}` + "\n"
	)
	for _, c := range []struct {
		name string
		r    models.DeriveRequest
		want string
	}{
		{"finished jobs", models.DeriveRequest{Dir: google, Format: "google2011"}, first + second},
		{"the first", models.DeriveRequest{Dir: google, N: 1}, first},
		{"amounts of data", models.DeriveRequest{Dir: swim}, third + fourth},
		{"the first of them", models.DeriveRequest{Dir: swim, Format: "swim", N: 1}, third},
	} {
		t.Run(c.name, func(t *testing.T) { kit.FromTrace(t, c.r, c.want) })
	}
	for dir, want := range map[string]string{
		google: google + ", from 1000s on: no job whose tasks took time was submitted there and finished inside the trace",
		swim:   swim + ", from 1000s on: the swim trace records there no job",
	} {
		kit.FromTrace(t, models.DeriveRequest{Dir: dir, From: 1000}, want)
	}
}

// Jobs of the real traces run to their ends under every policy.
func TestReal(t *testing.T) {
	traces := os.Getenv("SCHEDGAP_TRACES")
	if traces == "" {
		t.Skip("SCHEDGAP_TRACES is not set: the real traces are not there to be read")
	}
	for _, r := range []models.DeriveRequest{
		{Dir: filepath.Join(traces, "google2011"), Format: "google2011", From: 600, To: 1200, N: 100},
		{Dir: filepath.Join(traces, "swim", "FB-2009_samples_24_times_1hr_0.tsv.gz"), N: 300},
	} {
		w, err := speculation.Workloads.FromTrace(t.Context(), r)
		fail.On(t, err)
		for _, p := range simulator.Policies {
			jobs := 0
			err := simulator.Run(t.Context(), models.SimRequest{
				Workload: w, Policy: p.Name, Params: models.Defaults(simulator.Params), Seed: 1,
			}, func(m models.Metric) {
				if m.Name == "execution" && m.Value > 0 {
					jobs++
				}
			})
			if err != nil || jobs != len(w.Jobs) {
				t.Errorf("%s, %s: %d of %d jobs, %v", r.Dir, p.Name, jobs, len(w.Jobs), err)
			}
		}
	}
}

// What the paper tells of its trace, asked of Google's: shares of stragglers of 0 to 0.40 in a job (a task that takes more than
// 1.5 times the median straggles, so it is below 0.5), and jobs of 1,000 tasks and more, 30 % there and next to none here.
func TestRealStragglers(t *testing.T) {
	traces := os.Getenv("SCHEDGAP_TRACES")
	if traces == "" {
		t.Skip("SCHEDGAP_TRACES is not set: the real traces are not there to be read")
	}
	f, err := derive.Load(t.Context(), models.DeriveRequest{Dir: filepath.Join(traces, "google2011"), Format: "google2011"})
	fail.On(t, err)
	var ratios []float64
	large := 0
	for i := range f.Trace.Jobs {
		durations := f.Trace.Jobs[i].Durations()
		if len(f.Trace.Jobs[i].Tasks) >= 1000 {
			large++
		}
		if len(durations) < 10 {
			continue
		}
		limit := trace.StragglerFactor * trace.Quantile(durations, .5)
		above, _ := slices.BinarySearch(durations, math.Nextafter(limit, math.Inf(1)))
		ratios = append(ratios, 1-float64(above)/float64(len(durations)))
	}
	slices.Sort(ratios)
	at := func(p float64) float64 { return trace.Quantile(ratios, p) }
	t.Logf("of %d jobs %d have 1,000 tasks or more; stragglers in the %d jobs of ten finished tasks or more: least %.3g, median "+
		"%.3g, p95 %.3g, most %.3g", len(f.Trace.Jobs), large, len(ratios), ratios[0], at(.5), at(.95), ratios[len(ratios)-1])
	if share := float64(large) / float64(len(f.Trace.Jobs)); share == 0 || share > 0.05 || at(.05) != 0 || at(.95) < 0.1 ||
		at(.95) > 0.5 {
		t.Errorf("a share of %v of the jobs is large; straggler ratios of %v to %v", share, at(.05), at(.95))
	}
}
