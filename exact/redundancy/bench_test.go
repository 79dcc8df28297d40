package redundancy

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"schedgap/exact"
	"schedgap/exact/milp"
	"schedgap/exact/milp/command"
	"schedgap/exact/milp/linked"
	"schedgap/models"
	"schedgap/models/redundancy"
)

func read(tb testing.TB, file string) *redundancy.Instance {
	tb.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		tb.Fatal(err)
	}
	in, err := redundancy.Problem.ParseInstance(file, data)
	if err != nil {
		tb.Fatal(err)
	}
	return in
}

// loaded are instances of works of mean 2.2 that arrive at a rate of about 70 % of what machines with one job each can
// do.
func loaded(jobs, machines, count int, multitasking bool) []*redundancy.Instance {
	list := make([]*redundancy.Instance, count)
	for i := range list {
		rng := rand.New(rand.NewPCG(uint64(i), uint64(jobs)))
		list[i] = drawn(rng, jobs, machines, 3.1*float64(jobs)/float64(machines), []float64{0.3, 0.6, 0.9}[i%3])
		list[i].Multitasking = multitasking
	}
	return list
}

// timed is the geometric mean of f's time over instances, and for how many of them it returns false.
func timed(instances []*redundancy.Instance, f func(in *redundancy.Instance) bool) (seconds, failed float64) {
	sum := 0.0
	for _, in := range instances {
		start := time.Now()
		if !f(in) {
			failed++
		}
		sum += math.Log(time.Since(start).Seconds())
	}
	return math.Exp(sum / float64(len(instances))), failed
}

func proven(tb testing.TB, in *redundancy.Instance, limit time.Duration) bool {
	tb.Helper()
	ctx, cancel := context.WithTimeout(tb.Context(), limit)
	defer cancel()
	out, err := algorithm(redundancy.Opt).Run(ctx, pass(in))
	if err != nil {
		tb.Fatal(err)
	}
	return out.Status == models.Optimal
}

// BenchmarkSolvers compares the model by each MILP solver with bnb on 6 instances of 3 jobs: "x" is how many times
// slower.
func BenchmarkSolvers(b *testing.B) {
	solvers := linked.Solvers()
	for _, cfg := range command.Known() {
		s, err := command.New(cfg)
		if errors.Is(err, milp.ErrUnavailable) {
			b.Logf("%s is not installed", cfg.Name)
			continue
		} else if err != nil {
			b.Fatal(err)
		}
		solvers = append(solvers, s)
	}
	for _, multitasking := range []bool{false, true} {
		b.Run(fmt.Sprint("multitasking=", multitasking), func(b *testing.B) {
			list := loaded(3, 3, 6, multitasking)
			for b.Loop() {
				base, _ := timed(list, func(in *redundancy.Instance) bool { return proven(b, in, time.Minute) })
				b.ReportMetric(base*1e3, "bnb-ms")
				for _, s := range solvers {
					t, failed := timed(list, func(in *redundancy.Instance) bool {
						built, err := Events.Build(in, exact.BuildOptions{})
						if err != nil {
							b.Fatal(err)
						}
						res, err := s.Solve(b.Context(), built.Model, milp.Options{TimeLimit: 20 * time.Second})
						if err != nil {
							b.Fatalf("%s: %v\n%s", s.Name(), err, show(in))
						}
						return res.Status == milp.Optimal
					})
					b.ReportMetric(t*1e3, s.Name()+"-ms")
					b.ReportMetric(t/base, s.Name()+"-x")
					b.ReportMetric(failed, s.Name()+"-unproven")
				}
			}
		})
	}
}

// BenchmarkBnB times bnb by jobs × machines, in geometric mean over 6 instances, at most 20 s each.
func BenchmarkBnB(b *testing.B) {
	for _, c := range []struct {
		jobs, machines int
		multitasking   bool
	}{{6, 4, false}, {7, 5, false}, {8, 4, false}, {8, 6, false}, {3, 4, true}, {4, 4, true}, {5, 4, true}} {
		b.Run(fmt.Sprintf("%dx%d/multitasking=%v", c.jobs, c.machines, c.multitasking), func(b *testing.B) {
			list := loaded(c.jobs, c.machines, 6, c.multitasking)
			for b.Loop() {
				t, failed := timed(list, func(in *redundancy.Instance) bool { return proven(b, in, 20*time.Second) })
				b.ReportMetric(t*1e3, "geomean-ms")
				b.ReportMetric(failed, "unproven")
			}
		})
	}
}

// BenchmarkLargest finds the largest number of jobs at which 5 of 6 instances on 4 machines are proven optimal within
// the limit of SCHEDGAP_LARGEST, such as 60s; unset, it is skipped, since it takes many times that.
func BenchmarkLargest(b *testing.B) {
	limit, err := time.ParseDuration(os.Getenv("SCHEDGAP_LARGEST"))
	if err != nil {
		b.Skip("set SCHEDGAP_LARGEST=60s to run it")
	}
	for _, multitasking := range []bool{false, true} {
		b.Run(fmt.Sprint("multitasking=", multitasking), func(b *testing.B) {
			for b.Loop() {
				largest := 0
				for n := 2; ; n++ {
					failed := 0
					for _, in := range loaded(n, 4, 6, multitasking) {
						if failed < 2 && !proven(b, in, limit) {
							failed++
						}
					}
					if failed > 1 {
						break
					}
					largest = n
				}
				b.ReportMetric(float64(largest), "jobs")
			}
		})
	}
}

// BenchmarkBounds times the bounds, and compares them with the greedy schedule: "share" is bound by value.
func BenchmarkBounds(b *testing.B) {
	for _, n := range []int{100, 1000, 10_000} {
		in := drawn(rand.New(rand.NewPCG(1, 1)), n, 100, 0.031*float64(n), 0.6)
		flow, _, _ := startPrices(b.Context(), in, newEnvelope(b.Context(), in, n))
		for name, f := range map[string]func(context.Context, *redundancy.Instance) float64{
			"srpt": srptBound, "at once": func(ctx context.Context, in *redundancy.Instance) float64 {
				v,
					_ := LowerBound(ctx, in)
				return v
			},
		} {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				v := 0.0
				for b.Loop() {
					v = f(b.Context(), in)
				}
				b.ReportMetric(v/flow, "share")
			})
		}
	}
}
