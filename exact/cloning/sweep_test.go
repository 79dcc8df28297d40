package cloning

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"schedgap/exact/cloning/oracle"
	"schedgap/exact/cloning/values"
	"schedgap/models/cloning"
)

// The sweep and the search by layers, which bounds by gauges, have the same optimum, and no price bound exceeds it.
func TestSweepAgainstLayers(t *testing.T) {
	for part := range 2 {
		t.Run(fmt.Sprint(part), func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(16, uint64(part)))
			for i := range 2 * *instances {
				in := oracle.RandomInstance(rng, 6)
				in.Name = fmt.Sprint("random-", i)
				for _, fixed := range []bool{false, true} {
					againstLayers(t, in, fixed)
				}
			}
		})
	}
}

func againstLayers(t *testing.T, in *cloning.Instance, fixed bool) {
	t.Helper()
	in, _ = fromFirst(in)
	v := newView(in)
	st := newStates(v)
	first := v.incumbent(t.Context())
	l := &layers{space: newSpace(st, fixed), best: first.cost, bounded: func(int) {}, improved: func(*node) {}}
	if !l.run(t.Context()) {
		t.Fatalf("no proof by layers\n%s", show(in))
	}
	m := newMarket(t.Context(), st, fixed)
	if m == nil {
		t.Fatalf("no market\n%s", show(in))
	}
	a := values.NewAscent(m, firstPrices(v, first.solution), stiffness)
	for range 5 {
		a.Run(t.Context(), 4, 1<<60)
		if a.Best > int64(l.best)*values.Unit {
			t.Fatalf("fixed %v: bound %v of optimum %d\n%s", fixed, float64(a.Best)/values.Unit, l.best, show(in))
		}
	}
	sp := newSweep(st, m, fixed)
	// An incumbent that is far off leaves the search to find everything by itself.
	sp.best, sp.bounded = first.cost+3, func(int) {}
	got := first.solution
	sp.improved = func(s cloning.Solution) { got = s }
	if !sp.run(t.Context(), first.solution) || sp.best != l.best {
		t.Fatalf("fixed %v: optimum %d, by sweep %d, bound %d\n%s", fixed, l.best, sp.best, sp.lower, show(in))
	}
	// The same with poor prices and no other passes than those that look for prices of later moments.
	late := newSweep(st, m, fixed)
	late.best, late.bounded, late.improved = first.cost+1, func(int) {}, func(cloning.Solution) {}
	late.views = []*outlook{late.outlook(firstPrices(v, first.solution), 0)}
	if !late.exclude(t.Context()) || late.best != l.best {
		t.Fatalf("fixed %v: optimum %d, by exclusion %d, bound %d\n%s", fixed, l.best, late.best, late.lower, show(in))
	}
	if fixed {
		got.Regime = cloning.Nonpreemptive
	}
	if worth := value(t, in, got); int(worth) != sp.best {
		t.Fatalf("fixed %v: schedule of %v claimed as %d\n%s", fixed, worth, sp.best, show(in))
	}
}
