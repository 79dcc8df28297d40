package flex

import (
	"math"
	"math/rand/v2"
	"testing"

	"schedgap/exact/flex/oracle"
	verifyflex "schedgap/exact/verify/flex"
	"schedgap/models"
	"schedgap/models/flex"
)

// convexSums are the objectives of the order search.
var convexSums = []flex.Metric{flex.Response, flex.Stretch, flex.Lateness, flex.Tardiness}

// unevenInstance is a random instance of a sum objective with fractional works, so that shapes nearly agree and due dates lie
// everywhere between the earliest and the latest ends.
func unevenInstance(rng *rand.Rand, n int) *flex.Instance {
	in := oracle.RandomInstanceOf(rng, n, flex.Objective{
		Metric: convexSums[rng.IntN(len(convexSums))], Aggregate: flex.Sum, Weighted: rng.IntN(2) == 0,
	})
	if rng.IntN(2) == 0 {
		for j := range in.Jobs {
			in.Jobs[j].Work *= 0.5 + rng.Float64()
		}
	}
	return in
}

// Where a dominated job completes first, the two completion times can change places, at no cost.
func TestDominance(t *testing.T) {
	rng := rand.New(rand.NewPCG(150, 1))
	exchanges, shapes := 0, 0
	for range 4000 {
		in := unevenInstance(rng, 2+rng.IntN(5))
		before, packer, fit := verifyflex.Pairs(in), flex.NewPacker(in), flex.NewFilling(in)
		for range 5 {
			times := packer.Completions(rng.Perm(len(in.Jobs)))
			was := in.Value(times)
			for i := range before {
				for j := range before {
					if !before[i][j] || times[j] >= times[i] {
						continue
					}
					times[i], times[j] = times[j], times[i]
					if v := in.Value(times); v > was+1e-9*sizeOf(in) || !fit.Fits(times, 1e-9) {
						t.Fatalf("%d before %d at %v is worth %v, was %v\n%s", i, j, times, v, was, show(in))
					}
					exchanges++
					if in.Jobs[i].Max != in.Jobs[j].Max {
						shapes++
					}
					times[i], times[j] = times[j], times[i]
				}
			}
		}
	}
	if exchanges < 1000 || shapes < 300 {
		t.Errorf("%d exchanges only, %d of them between different maxima", exchanges, shapes)
	}
}

// The search with the relation finds what linear programs over all orders do.
func TestDominanceLeavesAnOptimum(t *testing.T) {
	rng := rand.New(rand.NewPCG(150, 2))
	for range 500 {
		in := unevenInstance(rng, 2+rng.IntN(3))
		status, got, _ := solve(t, Opt, in)
		want := math.Inf(1)
		permutations(len(in.Jobs), func(order []int) {
			if plan, err := bestInOrder(in, order); err == nil {
				want = min(want, value(t, in, plan))
			}
		})
		if status != models.Optimal || math.Abs(got-want) > 1e-9*sizeOf(in) {
			t.Fatalf("opt is %v (%s), all orders say %v\n%s", got, status, want, show(in))
		}
	}
}
