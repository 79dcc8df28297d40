package catalog_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"testing"
	"time"

	"schedgap/bench"
	"schedgap/bench/catalog"
	"schedgap/models"
)

// growthSizes are numbers of jobs; of tasks in pocd and cloning; of pairs in speculation. The cluster grows with them.
var growthSizes = []int{1_000, 10_000, 100_000}

var grown = map[string]func(n int) map[string]any{
	"flex":       func(n int) map[string]any { return map[string]any{"jobs": n, "slots": 5 * n, "total": 50 * n} },
	"redundancy": func(n int) map[string]any { return map[string]any{"jobs": n, "machines": 10, "multitasking": true} },
	"pocd":       func(n int) map[string]any { return map[string]any{"jobs": n / 10, "tasks": 10} },
	"speculation": func(n int) map[string]any {
		return map[string]any{"stragglers": int(math.Sqrt(float64(n))), "slots": int(math.Sqrt(float64(n)))}
	},
	"cloning": func(n int) map[string]any {
		return map[string]any{"jobs": n / 100, "tasks": 100, "cluster": "google", "servers": n / 20}
	},
}

const (
	// growthMost is the exponent above which a method is called superlinear: n log n has 1.1 from 10^4 to 10^5.
	growthMost = 1.2
	// growthLong is the time that a run may take. A size is left out that would take longer, judged by the growth until then.
	growthLong = 20 * time.Second
	// growthShort is the CPU time for which short runs are repeated; the least counts.
	growthShort = 100 * time.Millisecond
	growthRuns  = 3
)

// BenchmarkGrowth measures the CPU time of every heuristic, of the reader of instances, and of the checker (with its reader of
// solutions) by size. ratio and exponent (the logarithm of the ratio to base 10) are those of the two largest sizes measured. Memory
// is not collected during a run: the collector's work depends on what else is in memory. Searches for best-known values use the
// time that they get, so they are left out.
func BenchmarkGrowth(b *testing.B) {
	registry, err := catalog.New()
	if err != nil {
		b.Fatal(err)
	}
	for _, p := range registry.Problems {
		sizes := grown[p.Name]
		if sizes == nil {
			b.Errorf("%s: no sizes are known", p.Name)
			continue
		}
		b.Run(p.Name, func(b *testing.B) {
			instances := make([]*bench.Instance, len(growthSizes))
			for i, n := range growthSizes {
				v, err := models.Resolve(p.Generator.Params, sizes(n))
				if err != nil {
					b.Fatal(err)
				}
				instances[i], err = p.Generate("growth", v, rand.New(rand.NewPCG(1, uint64(n))))
				if err != nil {
					b.Fatal(err)
				}
			}
			b.Run("read", func(b *testing.B) {
				grow(b, func(size int) (time.Duration, error) {
					return cpuOf(func() error { _, err := p.ParseInstance("growth.json", instances[size].JSON); return err })
				})
			})
			for i := range p.Algorithms {
				if a := &p.Algorithms[i]; a.Kind == models.Heuristic && a.Arg == "" && a.Name != "best" {
					b.Run(a.Name, func(b *testing.B) { growAlgorithm(b, p, a, instances) })
				}
			}
		})
	}
}

// growAlgorithm measures an algorithm, and the checker on its solutions.
func growAlgorithm(b *testing.B, p *bench.Problem, a *bench.Algorithm, instances []*bench.Instance) {
	solutions := make([][]byte, len(instances))
	b.Run("solve", func(b *testing.B) {
		grow(b, func(size int) (time.Duration, error) {
			ctx, cancel := context.WithTimeout(b.Context(), growthLong)
			defer cancel()
			res := p.Run(ctx, instances[size], bench.Request{Algorithm: a.Name, Threads: 1, Seed: 1}, bench.Observer{})
			if res.Status != bench.Feasible || res.CPUSeconds == nil {
				return 0, fmt.Errorf("%w: %s %s", errNotMeasured, res.Status, res.Error)
			}
			solutions[size] = res.Solution
			return time.Duration(*res.CPUSeconds * float64(time.Second)), nil
		})
	})
	b.Run("check", func(b *testing.B) {
		grow(b, func(size int) (time.Duration, error) {
			if solutions[size] == nil {
				return 0, errNotMeasured
			}
			return cpuOf(func() error { _, err := instances[size].Check("growth.json", solutions[size]); return err })
		})
	})
}

var errNotMeasured = errors.New("not measured")

// grow reports the CPU times by size, their ratio and its exponent.
func grow(b *testing.B, measure func(size int) (time.Duration, error)) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	var times []float64 // seconds
	for i, n := range growthSizes {
		if k := len(times); k > 1 && times[k-1]*times[k-1]/times[k-2] > growthLong.Seconds() {
			break
		}
		least := math.Inf(1)
		for runs, total := 0, time.Duration(0); total < growthShort || runs < growthRuns && total < growthLong/10; runs++ {
			runtime.GC()
			took, err := measure(i)
			if errors.Is(err, errNotMeasured) {
				b.Logf("%d: %v", n, err)
				break
			} else if err != nil {
				b.Fatal(err)
			}
			total += max(took, growthShort/100)
			least = min(least, took.Seconds())
		}
		if math.IsInf(least, 1) {
			break
		}
		times = append(times, least)
		b.ReportMetric(least, fmt.Sprintf("s/1e%.0f", math.Log10(float64(n))))
	}
	b.ReportMetric(0, "ns/op")
	if k := len(times); k > 1 {
		ratio := times[k-1] / times[k-2]
		b.ReportMetric(ratio, "ratio")
		b.ReportMetric(math.Log10(ratio), "exponent")
		if math.Log10(ratio) > growthMost && times[k-1] > growthShort.Seconds() {
			b.Logf("superlinear: the exponent %.2f is above %v", math.Log10(ratio), growthMost)
		}
	}
}

// cpuOf is the CPU time of f.
func cpuOf(f func() error) (time.Duration, error) {
	start := bench.ProcessCPU()
	err := f()
	return bench.ProcessCPU() - start, err
}
