package cloning

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"schedgap/exact/cloning/values"
	"schedgap/exact/optimatest"
	"schedgap/models/cloning"
	"schedgap/models/trials"
)

// The search agrees with the oracle in both regimes, and nonpreemptive from event to event, and no price bound exceeds the optimum.
func TestLayersAgainstOracle(t *testing.T) {
	for _, tiny := range optimatest.Some(t, cloning.Problem, trials.Count(160)) {
		in, _ := fromFirst(tiny.In)
		opt := int(tiny.Optima["opt-nonpreemptive"])
		layersAgainstOracle(t, in, false, int(tiny.Optima["opt"]))
		layersAgainstOracle(t, in, true, opt)
		v := preprocess(in)
		l := &layers{
			space: newNonpreemptive(newStates(v)), best: v.incumbent(t.Context()).cost, bounded: func(int) {}, improved: func(*node) {},
		}
		if !l.run(t.Context()) || l.best != opt {
			t.Fatalf("optimum %d, by events %d\n%s", opt, l.best, show(in))
		}
	}
}

func layersAgainstOracle(t *testing.T, in *cloning.Instance, fixed bool, opt int) {
	t.Helper()
	v := preprocess(in)
	first := v.incumbent(t.Context())
	m := newRelaxation(t.Context(), in, fixed, 1_000_000)
	if m == nil {
		t.Fatalf("too many states\n%s", show(in))
	}
	begin := firstPrices(v, first.solution)
	a := values.NewAscent(m, len(begin[0]))
	a.Begin(begin, 0, nil)
	for range 5 {
		a.Run(t.Context(), 4, int64(first.cost)*values.Unit, false)
		if a.Best > int64(opt)*values.Unit {
			t.Fatalf("fixed %v: bound %v of optimum %d\n%s", fixed, float64(a.Best)/values.Unit, opt, show(in))
		}
	}
	sp := layeredSearchOf(v, m, begin, 1)
	// An incumbent that is far off leaves the search to find everything by itself.
	sp.best, sp.bounded = first.cost+3, func(int) {}
	got := first.solution
	sp.improved = func(s cloning.Solution) { got = s }
	if !sp.run(t.Context()) || sp.best != opt {
		t.Fatalf("fixed %v: optimum %d, by layers %d, bound %d\n%s", fixed, opt, sp.best, sp.lower, show(in))
	}
	// The same with poor prices and no other passes than those that look for prices of later moments.
	late := layeredSearchOf(v, m, begin, 2)
	late.best, late.bounded, late.improved = first.cost+1, func(int) {}, func(cloning.Solution) {}
	late.duals = []*potential{late.potential(begin, 0)}
	if !late.exclude(t.Context()) || late.best != opt {
		t.Fatalf("fixed %v: optimum %d, by exclusion %d, bound %d\n%s", fixed, opt, late.best, late.lower, show(in))
	}
	if fixed {
		got.Regime = cloning.Nonpreemptive
	}
	if worth := value(t, in, got); int(worth) != sp.best {
		t.Fatalf("fixed %v: schedule of %v claimed as %d\n%s", fixed, worth, sp.best, show(in))
	}
}

// However many threads share out a layered search, it finds the same states and the same schedule.
func TestLayersThreads(t *testing.T) {
	in, _ := fromFirst(clustered(rand.New(rand.NewPCG(172, 1)), 5, 2, 4))
	for _, fixed := range []bool{false, true} {
		var first cloning.Solution
		var nodes, duals int64
		for threads := 1; threads <= 3; threads++ {
			v := preprocess(in)
			start := v.incumbent(t.Context())
			sp := newLayeredSearch(t.Context(), v, start.solution, fixed, maxArcSlots, threads)
			if sp == nil {
				t.Fatal("no layered search")
			}
			var got cloning.Solution
			sp.best, sp.bounded, sp.improved = start.cost+3, func(int) {}, func(s cloning.Solution) { got = s }
			sp.duals = []*potential{sp.potential(firstPrices(v, start.solution), 0)}
			if !sp.exclude(t.Context()) {
				t.Fatalf("fixed %v, threads %d: no proof", fixed, threads)
			}
			largest := 0
			for _, f := range sp.frontiers {
				largest = max(largest, len(f.cost))
			}
			if largest <= 2*partStates {
				t.Fatalf("fixed %v: at most %d states a moment, too few to share out", fixed, largest)
			}
			if threads == 1 {
				first, nodes, duals = got, sp.nodes, int64(len(sp.duals))
			} else if sp.nodes != nodes || int64(len(sp.duals)) != duals || !reflect.DeepEqual(got, first) {
				t.Errorf("fixed %v, threads %d: %d states and %d prices, with one thread %d and %d, schedules equal: %v",
					fixed, threads, sp.nodes, len(sp.duals), nodes, duals, reflect.DeepEqual(got, first))
			}
		}
	}
}
