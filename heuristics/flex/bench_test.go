package flex_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	datasets "schedgap/datasets/flex"
	heuristics "schedgap/heuristics/flex"
	"schedgap/models"
	"schedgap/models/flex"
)

// generated is an instance of the paper's generator with everything but the sizes and the metric at its default.
func generated(tb testing.TB, jobs, slots int, metric flex.Metric) *flex.Instance {
	tb.Helper()
	values, err := models.Resolve(datasets.Generator.Params, map[string]any{
		"jobs": jobs, "slots": slots, "total": 10 * slots, "metric": string(metric),
	})
	if err != nil {
		tb.Fatal(err)
	}
	in, err := datasets.Generator.Generate("bench", values, rand.New(rand.NewPCG(1, 0)))
	if err != nil {
		tb.Fatal(err)
	}
	return in
}

// BenchmarkFlex times flex at the paper's largest experiment, 172 jobs (section 4.2: under 10 ms), and far beyond it.
func BenchmarkFlex(b *testing.B) {
	for _, c := range []struct {
		jobs, slots int
		metric      flex.Metric
	}{
		{172, 200, flex.Response},
		{172, 200, flex.Tardy},
		{172, 200, flex.SLA},
		{172, 1000, flex.Response},
		{172, 1000, flex.Tardy},
		{172, 1000, flex.SLA},
		{10_000, 100_000, flex.Response},
		{1000, 10_000, flex.Tardy},
		{1000, 10_000, flex.SLA},
		{4000, 40_000, flex.Tardy},
		{4000, 40_000, flex.SLA},
	} {
		b.Run(fmt.Sprintf("%s/jobs=%d/slots=%d", c.metric, c.jobs, c.slots), func(b *testing.B) {
			in := generated(b, c.jobs, c.slots, c.metric)
			pass := &flex.Pass{Instance: in, Params: models.Defaults(heuristics.Flex.Params)}
			for b.Loop() {
				if _, err := heuristics.Flex.Run(b.Context(), pass); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
