package cloning

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"schedgap/exact"
	"schedgap/exact/cloning/formulations"
	"schedgap/exact/cloning/oracle"
	"schedgap/exact/milp"
	"schedgap/exact/milp/command"
	"schedgap/exact/milp/highs"
	"schedgap/exact/milp/linked"
	"schedgap/models/cloning"
)

// fixedSet are the instances of the comparisons, the paper's Figure 2 first.
func fixedSet(tb testing.TB) []*cloning.Instance {
	tb.Helper()
	list := []*cloning.Instance{read(tb, "../../models/cloning/examples/fig2.json")}
	for i := range 9 {
		list = append(list, oracle.Clustered(rand.New(rand.NewPCG(7, uint64(i))), 2+i%2, 1+i%3, 4))
	}
	return list
}

func read(tb testing.TB, file string) *cloning.Instance {
	tb.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		tb.Fatal(err)
	}
	in, err := cloning.Problem.ParseInstance(file, data)
	if err != nil {
		tb.Fatal(err)
	}
	return in
}

// modelLimit ends a solve in the comparisons; what it ends counts as taking that long.
const modelLimit = 60 * time.Second

// seconds is the time to build and solve a model, and its optimum, NaN at the limit.
func seconds(tb testing.TB, f *formulations.Formulation, s milp.Solver, in *cloning.Instance) (taken, optimum float64) {
	tb.Helper()
	begin := time.Now()
	built, err := f.Build(in, exact.BuildOptions{})
	if err != nil {
		tb.Fatal(err)
	}
	res, err := s.Solve(tb.Context(), built.Model, milp.Options{TimeLimit: modelLimit})
	if err != nil {
		tb.Fatalf("%s by %s: %v\n%s", f.Name, s.Name(), err, oracle.Show(in))
	}
	if res.Status != milp.Optimal {
		return modelLimit.Seconds(), math.NaN()
	}
	return time.Since(begin).Seconds(), res.Objective
}

// BenchmarkLiteralAgainstStrong solves the fixed set by both models with HiGHS and by the search. "x" is how many times faster
// the strong model is than the literal one, in geometric mean; "search-x" the same of the search. Solves that reach a minute
// count as a minute, so both are at least that much.
func BenchmarkLiteralAgainstStrong(b *testing.B) {
	for _, tg := range []*target{Opt, OptNonpreemptive} {
		b.Run(tg.Name, func(b *testing.B) {
			for b.Loop() {
				var ratio, direct float64
				unproven := 0
				set := fixedSet(b)
				for _, in := range set {
					begin := time.Now()
					_, want := solve(b, tg, in, "search", "")
					search := time.Since(begin).Seconds()
					literal, a := seconds(b, tg.Formulations[0], highs.Solver{}, in)
					strong, c := seconds(b, tg.Formulations[1], highs.Solver{}, in)
					if math.IsNaN(a) {
						unproven++
					}
					if math.Abs(a-want) > 1e-6 || math.Abs(c-want) > 1e-6 {
						b.Fatalf("literal %v, strong %v, search %v\n%s", a, c, want, oracle.Show(in))
					}
					b.Logf("%s: search %.4f s, literal %.3f s, strong %.3f s", in.Name, search, literal, strong)
					ratio += math.Log(literal / strong)
					direct += math.Log(literal / search)
				}
				b.ReportMetric(math.Exp(ratio/float64(len(set))), "x")
				b.ReportMetric(math.Exp(direct/float64(len(set))), "search-x")
				b.ReportMetric(float64(unproven), "literal-unproven")
			}
		})
	}
}

// BenchmarkSolvers compares the MILP solvers on the strong models of the fixed set: geometric means.
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
	for _, tg := range []*target{Opt, OptNonpreemptive} {
		for _, s := range solvers {
			b.Run(tg.Name+"/"+s.Name(), func(b *testing.B) {
				for b.Loop() {
					logs, unproven := 0.0, 0
					set := fixedSet(b)
					for _, in := range set {
						taken, optimum := seconds(b, tg.Formulations[1], s, in)
						if math.IsNaN(optimum) {
							unproven++
						}
						logs += math.Log(taken)
					}
					b.ReportMetric(math.Exp(logs/float64(len(set)))*1e3, "ms/solve")
					b.ReportMetric(float64(unproven), "unproven")
				}
			})
		}
	}
}

// BenchmarkLargest finds the largest number of jobs at which 4 of 5 instances are proven optimal within the limit, 1 s unless
// SCHEDGAP_LARGEST says otherwise, such as 60s.
func BenchmarkLargest(b *testing.B) {
	limit := time.Second
	if text := os.Getenv("SCHEDGAP_LARGEST"); text != "" {
		var err error
		limit, err = time.ParseDuration(text)
		if err != nil {
			b.Fatalf("SCHEDGAP_LARGEST: %v", err)
		}
	}
	for _, tg := range []*target{Opt, OptNonpreemptive} {
		for _, way := range [][2]string{{"search", ""}, {"highs", "strong"}} {
			b.Run(tg.Name+"/"+way[0], func(b *testing.B) {
				for b.Loop() {
					largest := 0
					for jobs := 2; ; jobs++ {
						failed := 0
						for i := range 5 {
							if failed < 2 && !proven(b, tg, oracle.Clustered(rand.New(rand.NewPCG(9, uint64(i))), jobs, 1+i%3, 6), way, limit) {
								failed++
							}
						}
						if failed > 1 {
							break
						}
						largest = jobs
					}
					b.ReportMetric(float64(largest), "jobs")
				}
			})
		}
	}
}

func proven(tb testing.TB, tg *target, in *cloning.Instance, way [2]string, limit time.Duration) bool {
	tb.Helper()
	ctx, cancel := context.WithTimeout(tb.Context(), limit)
	defer cancel()
	p := pass(in)
	p.Solver, p.Model = way[0], way[1]
	out, err := tg.Algorithm(parts).Run(ctx, p)
	if err != nil {
		tb.Fatal(err)
	}
	return out.Status == "optimal"
}
