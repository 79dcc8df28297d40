package catalog

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"strconv"
	"syscall"
	"testing"
	"time"

	"schedgap/models"
	"schedgap/models/simulation/simtest"
)

// simulated are small workloads by problem, the metric that each of their jobs has, and sizes for measurements.
var simulated = map[string]struct {
	given map[string]any
	done  string
	sizes []int // jobs
}{
	"flex":        {map[string]any{"jobs": 20, "map_tasks": 400, "reduce_tasks": 60}, "response", nil},
	"pocd":        {map[string]any{"jobs": 20}, "response", []int{857, 8571, 85714}}, // of 35/3 tasks on average
	"cloning":     {map[string]any{"jobs": 10}, "flowtime", nil},
	"redundancy":  {map[string]any{"jobs": 200}, "flowtime", []int{2500, 25_000, 250_000}},
	"speculation": {map[string]any{"jobs": 5, "tasks": 40}, "response", []int{10, 100, 1000}},
}

func workload(tb testing.TB, s *models.Simulator, given map[string]any) any {
	tb.Helper()
	w, err := s.Generate(simtest.Resolve(tb, s.Specs, given), rand.New(rand.NewPCG(1, 0)))
	if err != nil {
		tb.Fatal(err)
	}
	return w
}

// TestSimulators: what every simulator promises, of all policies.
func TestSimulators(t *testing.T) {
	for _, p := range registry(t).Problems {
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			c, ok := simulated[p.Name]
			if !ok {
				t.Fatal("there is no workload for it")
			}
			simtest.Run(t, p.Simulator, workload(t, p.Simulator, c.given), nil, c.done)
		})
	}
}

// cpuSeconds is the CPU time of the process.
func cpuSeconds(tb testing.TB) float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		tb.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()).Seconds()
}

var tasks = regexp.MustCompile(`"tasks":(\d+)`)

// BenchmarkSimulate measures jobs and tasks a second of CPU time, which other work on the machine does not disturb, on default
// clusters, redundancy's in light and in heavy traffic too: over two decades of workloads, the growth of the time with them.
func BenchmarkSimulate(b *testing.B) {
	r, err := New()
	if err != nil {
		b.Fatal(err)
	}
	for _, p := range r.Problems {
		loads := []map[string]any{nil}
		if p.Name == "redundancy" {
			loads = []map[string]any{{"lambda": 1.}, {"lambda": 2.5}}
		}
		for _, load := range loads {
			for _, jobs := range simulated[p.Name].sizes {
				given := map[string]any{"jobs": jobs}
				maps.Copy(given, load)
				simulateFor(b, p.Name, p.Simulator, given, jobs)
			}
		}
	}
}

func simulateFor(b *testing.B, problem string, s *models.Simulator, given map[string]any, jobs int) {
	b.Helper()
	w := workload(b, s, given)
	var file bytes.Buffer
	if err := s.Encode(&file, w); err != nil {
		b.Fatal(err)
	}
	all := 0
	for _, m := range tasks.FindAllSubmatch(file.Bytes(), -1) {
		n, _ := strconv.Atoi(string(m[1]))
		all += n
	}
	for _, policy := range s.Policies {
		b.Run(fmt.Sprintf("%s/%s/%v", problem, policy.Name, given), func(b *testing.B) {
			begin := cpuSeconds(b)
			for b.Loop() {
				r := models.SimRequest{Workload: w, Policy: policy.Name, Params: models.Defaults(s.Params), Seed: 1}
				if err := s.Run(b.Context(), r, func(models.Metric) {}); err != nil {
					b.Fatal(err)
				}
			}
			spent := cpuSeconds(b) - begin
			b.ReportMetric(float64(jobs)*float64(b.N)/spent, "jobs/cpu-s")
			if all > 0 {
				b.ReportMetric(float64(all)*float64(b.N)/spent, "tasks/cpu-s")
			}
		})
	}
}
