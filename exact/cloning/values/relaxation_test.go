package values

import (
	"math/rand/v2"
	"testing"

	"schedgap/exact/cloning/oracle"
	"schedgap/exact/verify/cloning/kernel"
	"schedgap/models/fail"
)

// Servers earn the same where sets leave out phases that pay nothing.
func TestSetsOfOpenPhases(t *testing.T) {
	rng := rand.New(rand.NewPCG(25, 4))
	fewer := 0
	for range 200 {
		sp, err := kernel.New(oracle.RandomInstance(rng, 6), false)
		fail.On(t, err)
		all := sp.Patterns(20_000, 1000)
		if all == nil {
			continue
		}
		price, open := make([]int64, len(sp.Phases)), make([]bool, len(sp.Phases))
		for k := range price {
			open[k] = rng.IntN(4) > 0
			if open[k] {
				price[k] = rng.Int64N(4)
			}
		}
		some := all.With(setsOf(all.Sets, open))
		if a, b := all.Earn(price), some.Earn(price); a != b {
			t.Fatalf("%d with all phases and %d without those that pay nothing", a, b)
		}
		for c := range all.Sets {
			fewer += len(all.Sets[c]) - len(some.Sets[c])
		}
	}
	if fewer == 0 {
		t.Error("no set was left out: this test says nothing")
	}
}
