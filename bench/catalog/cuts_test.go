package catalog

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"path"
	"slices"
	"testing"
	"time"

	"schedgap/bench"
	"schedgap/exact"
	exactflex "schedgap/exact/flex"
	"schedgap/exact/milp"
	"schedgap/exact/milp/linked/linkedtest"
	exactredundancy "schedgap/exact/redundancy"
	"schedgap/models"
	"schedgap/reports/stats"
)

// cutLimit ends a solve of BenchmarkCuts; what it ends counts as taking that long.
const cutLimit = 20 * time.Second

// BenchmarkCuts (make bench-cuts) takes each family of cuts off each formulation, one at a time, and then all of them, on ten instances
// that HiGHS solves without a start. "relaxation" is the median of the relaxation over the optimum, of the first stage where there are
// stages; "proven" are the instances proven in 20 s; "CPU-s" is the median of the processor time, and "x" the geometric mean of that time
// over the time with all rows in the same run. Cloning's strong model has no cut without a start, and the models of pocd and speculation have
// none.
func BenchmarkCuts(b *testing.B) {
	milps, err := solvers()
	if err != nil {
		b.Fatal(err)
	}
	cutsOf(b, flexDefinition(milps), exactflex.Opt, "response-12", map[string]any{"jobs": 12})
	cutsOf(b, flexDefinition(milps), exactflex.Opt, "weighted-10", map[string]any{"jobs": 10, "weighted": true})
	cutsOf(b, redundancyDefinition(milps), exactredundancy.Opt, "jobs-7", map[string]any{"jobs": 7})
}

// all stands for every family of cuts of a formulation.
const all = "all"

// without is f whose models lack a family of cuts.
func without[I models.Instance, S any](f *exact.Formulation[I, S], family string) *exact.Formulation[I, S] {
	cuts := map[string]bool{}
	for _, r := range f.Rows {
		cuts[r.Name] = r.Cut && (family == all || r.Name == family)
	}
	rest := func(m *milp.Model) *milp.Model {
		if m == nil {
			return nil
		}
		return linkedtest.Drop(m, func(name string) bool { return cuts[name] })
	}
	out := *f
	out.Build = func(in I, as exact.BuildOptions) (*exact.BuiltModel[S], error) {
		built, err := f.Build(in, as)
		if err != nil {
			return nil, err
		}
		refine := built.Refine
		built.Model, built.Relaxation = rest(built.Model), rest(built.Relaxation)
		built.Refine = func(x []float64) *milp.Model { return rest(refine(x)) }
		return built, nil
	}
	return &out
}

// A cutTrial is one formulation, without some cuts, on one instance.
type cutTrial struct {
	relaxation, root, seconds float64 // root: HiGHS's bound after its root node; NaN if it has none
	value                     float64 // NaN if it was not proven
}

// tryCuts solves one instance by HiGHS within a limit of processor time.
func tryCuts[I models.Instance, S any](
	b *testing.B, target *exact.Target[I, S], f *exact.Formulation[I, S], in I, limit time.Duration,
) cutTrial {
	highs := linkedtest.Solver(b, "highs")
	built, err := f.Build(in, exact.BuildOptions{NoStart: true})
	if err != nil {
		b.Fatal(err)
	}
	relaxed := *built.Model
	if built.Relaxation != nil {
		relaxed = *built.Relaxation
	}
	relaxed.Cols = slices.Clone(relaxed.Cols)
	for j := range relaxed.Cols {
		relaxed.Cols[j].Integer = false
	}
	lp, err := highs.Solve(b.Context(), &relaxed, milp.Options{})
	if err != nil || lp.Status != milp.Optimal {
		b.Fatalf("%s: %+v, %v", f.Name, lp, err)
	}
	only := *target
	only.Formulations, only.Methods = []*exact.Formulation[I, S]{f}, nil
	only.Choose = func(I) (string, string) { return "", f.Name }
	a := only.Algorithm(exact.Deps[I, S]{Solvers: []milp.Solver{highs}})
	params, err := models.Resolve(a.Params, map[string]any{"start": "none"})
	if err != nil {
		b.Fatal(err)
	}
	ctx, cancel := limitCPU(b.Context(), limit)
	defer cancel()
	out, before := cutTrial{relaxation: built.ObjectiveOf(lp.Objective), root: math.NaN(), value: math.NaN()}, bench.ProcessCPU()
	end, err := a.Run(ctx, &models.Pass[I, S]{
		Instance: in, Params: params, Threads: 1, Model: f.Name, Solver: highs.Name(),
		Improved: func(S) {}, Bounded: func(float64) {},
	})
	if err != nil {
		b.Fatalf("%s: %v", f.Name, err)
	}
	if end.Stats.RootBound != nil {
		out.root = *end.Stats.RootBound
	}
	out.seconds = limit.Seconds()
	if end.Status == models.Optimal {
		out.seconds, out.value = (bench.ProcessCPU() - before).Seconds(), *target.Problem.Check(in, end.Solution).Objective
	}
	return out
}

// limitCPU ends a context when the process has used as much processor time from now on, so that a busy machine cuts no run short.
func limitCPU(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	end := bench.ProcessCPU() + limit
	go func() {
		tick := time.NewTicker(20 * time.Millisecond)
		defer tick.Stop()
		for bench.ProcessCPU() < end {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
		}
		cancel()
	}()
	return ctx, cancel
}

// drawn are the first instances of a seed.
func drawn[I models.Instance, S any](b *testing.B, d bench.Definition[I, S], given map[string]any, seed uint64, count int) (list []I) {
	values, err := models.Resolve(d.Generator.Params, given)
	if err != nil {
		b.Fatal(err)
	}
	for i := range count {
		in, err := d.Generator.Generate(fmt.Sprint("cuts-", i), values, rand.New(rand.NewPCG(seed, uint64(i))))
		if err != nil {
			b.Fatal(err)
		}
		list = append(list, in)
	}
	return list
}

// variantsOf are the families of cuts that are left out of a formulation in turn: none, each alone and, of several, all.
func variantsOf[I models.Instance, S any](f *exact.Formulation[I, S]) []string {
	variants := []string{""}
	for _, r := range f.Rows {
		if r.Cut {
			variants = append(variants, r.Name)
		}
	}
	if len(variants) > 2 {
		variants = append(variants, all)
	}
	return variants
}

// rowsName says which rows a variant has.
func rowsName(family string) string {
	if family == "" {
		return "with_all_rows"
	}
	return "without_" + family
}

func cutsOf[I models.Instance, S any](b *testing.B, d bench.Definition[I, S], target *exact.Target[I, S], label string, given map[string]any) {
	instances := drawn(b, d, given, 54, 10)
	for _, f := range target.Formulations {
		variants := variantsOf(f)
		if f.Applies != nil && f.Applies(instances[0]) != nil || len(variants) == 1 {
			continue
		}
		var base []cutTrial
		for _, family := range variants {
			b.Run(path.Join(d.Problem.Name, label, f.Name, rowsName(family)), func(b *testing.B) {
				for b.Loop() {
					var list []cutTrial
					for _, in := range instances {
						list = append(list, tryCuts(b, target, without(f, family), in, cutLimit))
					}
					if family == "" {
						base = list
					}
					reportCuts(b, list, base)
				}
			})
		}
	}
}

// reportCuts compares trials with those of all rows, which prove the same values where both prove one.
func reportCuts(b *testing.B, list, base []cutTrial) {
	var relaxations, seconds []float64
	proven, factor := 0, 0.0
	for i, trial := range list {
		if !math.IsNaN(trial.value) {
			proven++
		}
		if !math.IsNaN(base[i].value) {
			relaxations = append(relaxations, trial.relaxation/base[i].value)
			if math.Abs(trial.value-base[i].value) > 1e-6*math.Abs(base[i].value) {
				b.Fatalf("instance %d: %v is proven, and %v with all rows", i, trial.value, base[i].value)
			}
		}
		seconds = append(seconds, trial.seconds)
		factor += math.Log(max(trial.seconds, 0.01) / max(base[i].seconds, 0.01))
	}
	b.ReportMetric(stats.Median(relaxations), "relaxation")
	b.ReportMetric(float64(proven), "proven")
	b.ReportMetric(stats.Median(seconds), "CPU-s")
	b.ReportMetric(math.Exp(factor/float64(len(list))), "x")
	b.ReportMetric(0, "ns/op")
}
