package speculation_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	datasets "schedgap/datasets/speculation"
	heuristics "schedgap/heuristics/speculation"
	"schedgap/models"
	"schedgap/models/speculation"
)

// BenchmarkRules times the rules on 1,000 stragglers and 1,000 slots of the paper's cluster (goal for window: 5 ms), and on slots
// for a tenth of the stragglers, where most of them look for others to reschedule.
func BenchmarkRules(b *testing.B) {
	for _, slots := range []int{1000, 100} {
		values, err := models.Resolve(datasets.Generator.Params, map[string]any{"stragglers": 1000, "slots": slots, "nodes": 1000})
		if err != nil {
			b.Fatal(err)
		}
		in, err := datasets.Generator.Generate("bench", values, rand.New(rand.NewPCG(1, 0)))
		if err != nil {
			b.Fatal(err)
		}
		for _, a := range heuristics.All[:len(heuristics.All)/2] {
			b.Run(fmt.Sprintf("%s/slots=%d", a.Name, slots), func(b *testing.B) {
				pass := &speculation.Pass{Instance: in, Params: models.Defaults(a.Params)}
				for b.Loop() {
					if _, err := a.Run(b.Context(), pass); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
