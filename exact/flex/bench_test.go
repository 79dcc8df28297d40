package flex

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	datasets "schedgap/datasets/flex"
	"schedgap/exact"
	"schedgap/exact/milp"
	"schedgap/exact/milp/highs"
	"schedgap/models"
	"schedgap/models/fail"
	"schedgap/models/flex"
)

// variants are the objectives that benchmarks go through: every metric, both aggregates where defined.
var variants = []flex.Objective{
	{Metric: flex.Response, Aggregate: flex.Sum},
	{Metric: flex.Response, Aggregate: flex.Sum, Weighted: true},
	{Metric: flex.Stretch, Aggregate: flex.Sum},
	{Metric: flex.Lateness, Aggregate: flex.Sum},
	{Metric: flex.Tardiness, Aggregate: flex.Sum},
	{Metric: flex.Tardiness, Aggregate: flex.Sum, Weighted: true},
	{Metric: flex.Tardy, Aggregate: flex.Sum},
	{Metric: flex.Tardy, Aggregate: flex.Sum, Weighted: true},
	{Metric: flex.SLA, Aggregate: flex.Sum},
	{Metric: flex.Response, Aggregate: flex.Max},
	{Metric: flex.Stretch, Aggregate: flex.Max},
	{Metric: flex.Tardiness, Aggregate: flex.Max},
	{Metric: flex.Lateness, Aggregate: flex.Max},
}

// generated are instances of the paper's generator at its defaults, except for the number of jobs and the objective.
func generated(tb testing.TB, o flex.Objective, jobs, count int) []*flex.Instance {
	tb.Helper()
	values, err := models.Resolve(datasets.Generator.Params, map[string]any{
		"jobs": jobs, "metric": string(o.Metric), "aggregate": string(o.Aggregate), "weighted": o.Weighted,
		"slots": max(100, 5*jobs), "total": float64(max(1000, 50*jobs)),
	})
	fail.On(tb, err)
	list := make([]*flex.Instance, count)
	for i := range list {
		list[i], err = datasets.Generator.Generate(fmt.Sprint(o, "-", jobs, "-", i), values, rand.New(rand.NewPCG(1, uint64(i))))
		fail.On(tb, err)
	}
	return list
}

// timed is the geometric mean of f's time over instances.
func timed(instances []*flex.Instance, f func(in *flex.Instance)) float64 {
	sum := 0.0
	for _, in := range instances {
		start := time.Now()
		f(in)
		sum += math.Log(time.Since(start).Seconds())
	}
	return math.Exp(sum / float64(len(instances)))
}

func run(tb testing.TB, tg *target, in *flex.Instance) *flex.Outcome {
	tb.Helper()
	out, err := tg.Alone(tb.Context(), tg.Methods[0], pass(in), nil)
	fail.On(tb, err)
	return &out
}

// BenchmarkAgainstEnumeration compares opt-mps with the enumeration of all 8! orders, both on the same packer. The metric
// "x" is how many times faster the branch-and-bound is, in geometric mean over 10 instances.
func BenchmarkAgainstEnumeration(b *testing.B) {
	logs := 0.0
	for _, o := range variants {
		b.Run(strings.ReplaceAll(o.String(), " ", "-"), func(b *testing.B) {
			instances := generated(b, o, 8, 10)
			for b.Loop() {
				fast := timed(instances, func(in *flex.Instance) { run(b, OptMPS, in) })
				slow := timed(instances, func(in *flex.Instance) {
					packer, best := flex.NewPacker(in), math.Inf(1)
					permutations(len(in.Jobs), func(order []int) { best = min(best, in.Value(packer.Completions(order))) })
				})
				b.ReportMetric(slow/fast, "x")
				b.ReportMetric(fast*1e6, "bnb-µs")
				b.ReportMetric(slow*1e6, "enumeration-µs")
				logs += math.Log(slow / fast)
			}
		})
	}
	report(b, map[string]float64{"x": math.Exp(logs / float64(len(variants)))})
}

// BenchmarkAgainstPosition compares the ways to opt at 6 jobs with the position model, all MILPs on HiGHS: "bnb-x" and so
// on are how many times faster each is than position, in geometric mean over 5 instances.
func BenchmarkAgainstPosition(b *testing.B) {
	logs, count := map[string]float64{}, map[string]float64{}
	for _, o := range variants {
		b.Run(strings.ReplaceAll(o.String(), " ", "-"), func(b *testing.B) {
			instances := generated(b, o, 6, 5)
			for b.Loop() {
				times := map[string]float64{"bnb": timed(instances, func(in *flex.Instance) { run(b, Opt, in) })}
				for _, f := range Opt.Formulations {
					if f.Applies == nil || f.Applies(instances[0]) == nil {
						times[f.Name] = timed(instances, func(in *flex.Instance) { solveModel(b, f, highs.Solver{}, in) })
					}
				}
				for name, t := range times {
					b.ReportMetric(t*1e3, name+"-ms")
					if name != Position.Name {
						b.ReportMetric(times[Position.Name]/t, name+"-x")
						logs[name] += math.Log(times[Position.Name] / t)
						count[name]++
					}
				}
			}
		})
	}
	means := map[string]float64{}
	for name, sum := range logs {
		means[name+"-x"] = math.Exp(sum / count[name])
	}
	report(b, means)
}

// report prints means over sub-benchmarks as a sub-benchmark of their own, since logs of passing ones are not shown.
func report(b *testing.B, means map[string]float64) {
	b.Run("geometric-mean", func(b *testing.B) {
		for b.Loop() {
			for unit, v := range means {
				b.ReportMetric(v, unit)
			}
		}
	})
}

func solveModel(tb testing.TB, f *exact.Formulation[*flex.Instance, flex.Schedule], s milp.Solver,
	in *flex.Instance,
) *milp.Result {
	tb.Helper()
	built, err := f.Build(in, exact.BuildOptions{})
	fail.On(tb, err)
	res, err := s.Solve(tb.Context(), built.Model, milp.Options{TimeLimit: time.Minute})
	if err != nil {
		tb.Fatalf("%s by %s: %v\n%s", f.Name, s.Name(), err, show(in))
	}
	return res
}

// BenchmarkPacker times one evaluation of MPS, the unit of every search.
func BenchmarkPacker(b *testing.B) {
	for _, n := range []int{8, 20, 100, 1000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			in := generated(b, variants[0], n, 1)[0]
			packer := flex.NewPacker(in)
			order := flex.OrderBy(in, func(j int) float64 { return in.Jobs[j].Work })
			slices.Reverse(order)
			for b.Loop() {
				packer.Completions(order)
			}
		})
	}
}
