package catalog

import (
	"math"
	"path"
	"testing"
	"time"

	"schedgap/bench"
	"schedgap/exact"
	exactcloning "schedgap/exact/cloning"
	exactflex "schedgap/exact/flex"
	exactpocd "schedgap/exact/pocd"
	exactredundancy "schedgap/exact/redundancy"
	exactspeculation "schedgap/exact/speculation"
	"schedgap/models"
	"schedgap/reports/stats"
)

// strengthLimit ends a solve of BenchmarkStrength, whose root node is done long before.
const strengthLimit = 2 * time.Second

// BenchmarkStrength (make strength) states the relaxation and HiGHS's bound after the root node over the optimum, the medians of three
// small instances that are always the same, for each formulation with all rows, without each family of cuts and without any. So a change of
// a row shows at once. A root bound of 0 means that HiGHS has none: it solved the model before its first node.
func BenchmarkStrength(b *testing.B) {
	milps, err := solvers()
	if err != nil {
		b.Fatal(err)
	}
	flex := flexDefinition(milps)
	strengthOf(b, flex, exactflex.Opt, "response-7", map[string]any{"jobs": 7})
	strengthOf(b, flex, exactflex.Opt, "weighted-7", map[string]any{"jobs": 7, "weighted": true})
	strengthOf(b, flex, exactflex.Opt, "sla-6", map[string]any{"jobs": 6, "metric": "sla"})
	strengthOf(b, pocdDefinition(milps), exactpocd.Opt, "alpha-1", map[string]any{"jobs": 20, "alpha": "1"})
	strengthOf(b, cloningDefinition(milps), exactcloning.Opt, "jobs-2", map[string]any{"jobs": 2, "shape": "single"})
	strengthOf(b, redundancyDefinition(milps), exactredundancy.Opt, "jobs-5", map[string]any{"jobs": 5})
	strengthOf(b, speculationDefinition(milps), exactspeculation.Opt, "stragglers-10", map[string]any{"stragglers": 10, "slots": 10})
}

func strengthOf[I models.Instance, S any](b *testing.B, d bench.Definition[I, S], target *exact.Target[I, S], label string, given map[string]any) {
	b.Run(path.Join(d.Problem.Name, label), func(b *testing.B) {
		instances := drawn(b, d, given, 58, 3)
		var optima []float64
		for _, in := range instances {
			pass := &models.Pass[I, S]{Instance: in, Threads: 1, Improved: func(S) {}, Bounded: func(float64) {}}
			out, err := target.Alone(b.Context(), target.Methods[0], pass, nil)
			if err != nil || out.Status != models.Optimal {
				b.Fatalf("%s %s: %v, %v", target.Name, target.Methods[0].Name, out.Status, err)
			}
			optima = append(optima, *d.Problem.Check(in, out.Solution).Objective)
		}
		for _, f := range target.Formulations {
			if f.Applies != nil && f.Applies(instances[0]) != nil {
				continue
			}
			for _, family := range variantsOf(f) {
				b.Run(path.Join(f.Name, rowsName(family)), func(b *testing.B) {
					for b.Loop() {
						var relaxations, roots []float64
						for i, in := range instances {
							trial := tryCuts(b, target, without(f, family), in, strengthLimit)
							relaxations = append(relaxations, trial.relaxation/optima[i])
							if !math.IsNaN(trial.root) {
								roots = append(roots, trial.root/optima[i])
							}
						}
						b.ReportMetric(stats.Median(relaxations), "relaxation")
						if len(roots) > 0 {
							b.ReportMetric(stats.Median(roots), "root")
						}
						b.ReportMetric(0, "ns/op")
					}
				})
			}
		}
	})
}
