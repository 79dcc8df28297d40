package redundancy_test

import (
	"math/rand/v2"
	"testing"

	"schedgap/models/redundancy"
)

// Checking a schedule of a thousand jobs that share the machines, one leaving after the other.
func BenchmarkCheck(b *testing.B) {
	const n = 1000
	rng := rand.New(rand.NewPCG(70, 2))
	in := &redundancy.Instance{Machines: n, Speed: 1, Speedup: make([]float64, n)}
	for r := range in.Speedup {
		in.Speedup[r] = 2 - 1/float64(r+1)
	}
	s, end := redundancy.Solution{}, 0.0
	for range n {
		in.Jobs = append(in.Jobs, redundancy.Job{ID: "j"})
	}
	for j := range n {
		start := end
		end += 0.1 + rng.Float64()
		in.Jobs[j].Work = end
		iv := until(start, end)
		for k := j; k < n; k++ {
			iv.Alloc = append(iv.Alloc, run(k, 1))
		}
		s.Intervals = append(s.Intervals, iv)
	}
	for b.Loop() {
		if r := redundancy.Problem.Check(in, s); len(r.Violations) > 0 {
			b.Fatal(r.Violations)
		}
	}
}
