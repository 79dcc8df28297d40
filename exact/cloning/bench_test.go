package cloning

import (
	"math"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"schedgap/exact"
	"schedgap/exact/cloning/formulations"
	"schedgap/exact/cloning/oracle"
	"schedgap/exact/milp"
	"schedgap/exact/milp/highs"
	"schedgap/models/cloning"
	"schedgap/models/fail"
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
	fail.On(tb, err)
	in, err := cloning.Problem.ParseInstance(file, data)
	fail.On(tb, err)
	return in
}

// modelLimit ends a solve in the comparisons; what it ends counts as taking that long.
const modelLimit = 60 * time.Second

// seconds is the time to build and solve a model, and its optimum, NaN at the limit.
func seconds(tb testing.TB, f *formulations.Formulation, s milp.Solver, in *cloning.Instance) (taken, optimum float64) {
	tb.Helper()
	begin := time.Now()
	built, err := f.Build(in, exact.BuildOptions{})
	fail.On(tb, err)
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
