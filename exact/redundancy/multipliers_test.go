package redundancy

import (
	"math"
	"math/rand/v2"
	"testing"

	"schedgap/exact/redundancy/oracle"
)

// Looked up, a cost is no more than the cheapest way there is, and close to it; and it is the least over windows of time.
func TestCostsByLookUp(t *testing.T) {
	rng := rand.New(rand.NewPCG(16, 0))
	worst := 0.0
	for range 300 {
		in := oracle.RandomInstance(rng, false)
		env := newEnvelope(t.Context(), in, len(in.Jobs))
		at, price := []float64{0}, []float64{}
		for range 1 + rng.IntN(12) {
			at = append(at, at[len(at)-1]+rng.Float64())
			price = append(price, max(0, 2*rng.Float64()-0.5))
		}
		pay := make([][]float64, len(in.Jobs))
		if rng.IntN(2) == 0 {
			pay[0] = make([]float64, len(at))
			for k := len(at) - 2; k >= 0; k-- {
				pay[0][k] = pay[0][k+1] + max(0, rng.Float64()-0.5)
			}
		}
		m := newMultipliers(env, at, price, pay, 0)
		exact := newMarket(env, at, append(price, 0))
		for range 20 {
			from, work := rng.Float64()*at[len(at)-1]*1.2, 4*rng.Float64()
			want := math.Inf(1)
			for _, c := range exact.columns(from, work, pay[0], 0, nil) {
				want = min(want, from+c.Cost)
			}
			got := m.cost(0, from, work, 0, math.Inf(1))
			if got > want+1e-9 {
				t.Fatalf("from %v, work %v: %v, the cheapest way costs %v\n%s", from, work, got, want, show(in))
			}
			worst = max(worst, (want-got)/want)
			middle := rng.Float64() * at[len(at)-1]
			if parts := min(m.cost(0, from, work, 0, middle), m.cost(0, from, work, middle, math.Inf(1))); parts < got-1e-9 {
				t.Fatalf("in two windows %v, in all %v", parts, got)
			}
		}
	}
	if worst > 0.01 {
		t.Errorf("costs are up to %v below the cheapest way", worst)
	}
}
