package pocd_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	datasets "schedgap/datasets/pocd"
	heuristics "schedgap/heuristics/pocd"
	"schedgap/models"
	"schedgap/models/pocd"
)

// BenchmarkRules times the rules on 1,000 new jobs of 20 tasks, all stragglers, with 20,000 spare machines (goal for shed+:
// 10 ms), and ten times as many.
func BenchmarkRules(b *testing.B) {
	for _, jobs := range []int{1000, 10_000} {
		values, err := models.Resolve(datasets.Generator.Params, map[string]any{
			"jobs": jobs, "tasks": 20, "elapsed_from": 0, "elapsed_to": 0, "stragglers": 1, "capacity": 41 * jobs,
		})
		if err != nil {
			b.Fatal(err)
		}
		in, err := datasets.Generator.Generate("bench", values, rand.New(rand.NewPCG(1, 0)))
		if err != nil {
			b.Fatal(err)
		}
		for _, a := range heuristics.All {
			b.Run(fmt.Sprintf("%s/jobs=%d", a.Name, jobs), func(b *testing.B) {
				pass := &pocd.Pass{Instance: in}
				for b.Loop() {
					if _, err := a.Run(b.Context(), pass); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
