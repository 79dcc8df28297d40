package redundancy

import (
	"math"
	"math/big"
	"slices"
	"testing"

	"schedgap/exact/redundancy/oracle"
	"schedgap/exact/verify/core"
	"schedgap/models/redundancy"
	"schedgap/models/trials"
)

// Of all schedules, no one with a completion, or an order of two, that is excluded at a value is worth that or less. Works and times have
// many sizes, arrivals may be dates, and many jobs are alike.
func TestExcludedSchedulesAreWorse(t *testing.T) {
	rng := trials.Rand(t, 47, 1)
	windows, orders := 0, 0
	for i := range trials.Count(100) {
		in := oracle.RandomInstance(rng, false)
		size, from := math.Ldexp(1, 40*(i%3-1)), 0.0
		if i%4 == 3 {
			from = 1 << 30
		}
		for j := range in.Jobs {
			in.Jobs[j].Work, in.Jobs[j].Arrival = in.Jobs[j].Work*size, in.Jobs[j].Arrival*size+from
		}
		n := newNarrowing(t.Context(), in)
		if n == nil {
			t.Fatal("no prices")
		}
		opt := oracle.Opt(in)
		for _, value := range []float64{opt, 1.001 * opt, 1.02 * opt, 1.2 * opt} {
			left := n.left(t.Context(), value)
			if left == nil {
				t.Fatalf("at %v no schedule is left, the optimum is %v\n%s", value, opt, show(in))
			}
			order, first := redundancy.ByArrival(in), core.Exactly(firstArrival(in))
			var excluded []func(done []*big.Rat) bool
			for k, w := range left.windows {
				lo, hi := new(big.Rat), new(big.Rat)
				lo.Add(first, lo.SetFloat64(w.From))
				excluded = append(excluded, func(done []*big.Rat) bool { return done[order[k]].Cmp(lo) < 0 })
				if !math.IsInf(w.To, 1) {
					hi.Add(first, hi.SetFloat64(w.To))
					excluded = append(excluded, func(done []*big.Rat) bool { return done[order[k]].Cmp(hi) > 0 })
					windows++
				}
				for l, may := range left.first[k] {
					if !may {
						excluded = append(excluded, func(done []*big.Rat) bool { return done[order[k]].Cmp(done[order[l]]) <= 0 })
						orders++
					}
				}
			}
			if v := oracle.OptWhere(in, func(done []*big.Rat) bool {
				return slices.ContainsFunc(excluded, func(is func(done []*big.Rat) bool) bool { return is(done) })
			}); v <= value {
				t.Fatalf("an excluded schedule is worth %v, at most %v\n%+v\n%s", v, value, left, show(in))
			}
		}
	}
	if windows == 0 || orders == 0 {
		t.Errorf("%d windows end, %d orders are excluded", windows, orders)
	}
	t.Log(windows, "windows end,", orders, "orders are excluded")
}
