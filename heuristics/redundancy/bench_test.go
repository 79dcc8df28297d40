package redundancy_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	datasets "schedgap/datasets/redundancy"
	heuristics "schedgap/heuristics/redundancy"
	"schedgap/models"
)

// BenchmarkDisciplines times the disciplines on the paper's workload, 100 machines at 0.9 of their capacity.
func BenchmarkDisciplines(b *testing.B) {
	for _, jobs := range []int{10_000, 100_000} {
		values, err := models.Resolve(datasets.Generator.Params, map[string]any{
			"jobs": jobs, "machines": 100, "multitasking": true, "load": 0.9,
		})
		if err != nil {
			b.Fatal(err)
		}
		in, err := datasets.Generator.Generate("bench", values, rand.New(rand.NewPCG(1, 0)))
		if err != nil {
			b.Fatal(err)
		}
		for _, name := range []string{"srpt+r", "fair+r", "laps+r"} {
			d := disciplines[name]
			b.Run(fmt.Sprintf("%s/jobs=%d/schedule", name, jobs), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if _, err := heuristics.Schedule(b.Context(), in, d, 1); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
