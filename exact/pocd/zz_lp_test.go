package pocd

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"
)

func TestScan(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	for i := range 60 {
		alpha := []float64{0, 0.5, 0.2}[i%3]
		in := snapshot(rng, alpha, 1000, 20, 0)
		in.MaxCopies = []int{1, 2, 5, 20}[rng.IntN(4)]
		in.Capacity += 1000 + rng.IntN(20000*in.MaxCopies)
		kind := rng.IntN(3)
		kinds := 1000
		if kind > 0 {
			kinds = 1 + rng.IntN(20)
			for j := range in.Jobs {
				id := in.Jobs[j].ID
				in.Jobs[j] = in.Jobs[j%kinds]
				in.Jobs[j].ID = id
			}
		}
		if kind == 2 { // slightly disturbed, all tasks of a job alike
			for j := range in.Jobs {
				in.Jobs[j].Deadline *= 1 + 1e-6*rng.Float64()
			}
		}
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		begin := time.Now()
		fs, _ := frontiers(ctx, in, true)
		k := newKnapsack(in, fs)
		s := &coreSearch{knapsack: k, relaxation: k.relax(), improved: func([]int) {}}
		s.begin(nil)
		gap0 := s.gap()
		s.expand()
		t1 := time.Since(begin)
		imp := 0
		s.improved = func([]int) { imp++ }
		ok := s.search(ctx)
		cancel()
		d := time.Since(begin)
		if d-t1 > 50*time.Millisecond {
			opt := k.worth(s.incumbent)
			t.Log(i, "α", alpha, "max", in.MaxCopies, "spare", in.Spare(), "kinds", kinds, kind, "before", t1, "total", d, "core", len(s.jobs), "gap0", gap0, "c", s.spare, "rel", (k.bound(s.relaxation)-opt)/opt, imp, ok)
		}
	}
}
