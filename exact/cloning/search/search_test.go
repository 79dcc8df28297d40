package search

import (
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"schedgap/exact/cloning/bounds"
	"schedgap/exact/cloning/oracle"
	"schedgap/exact/cloning/schedule"
	"schedgap/exact/cloning/values"
	"schedgap/exact/optimatest"
	"schedgap/exact/verify/cloning/kernel"
	"schedgap/models/cloning"
	"schedgap/models/trials"
)

// The search agrees with the oracle in both regimes, and nonpreemptive from event to event, and no price bound exceeds the optimum.
func TestLayersAgainstOracle(t *testing.T) {
	for _, tiny := range optimatest.Some(t, cloning.Problem, trials.Count(160)) {
		in, _ := kernel.FromFirst(tiny.In)
		opt := int(tiny.Optima["opt-nonpreemptive"])
		layersAgainstOracle(t, in, false, int(tiny.Optima["opt"]))
		layersAgainstOracle(t, in, true, opt)
		v := bounds.Of(in)
		l := &layers{
			space: newNonpreemptive(newStates(v)), best: schedule.First(t.Context(), v).Cost, bounded: func(int) {}, improved: func(*node) {},
		}
		if !l.run(t.Context()) || l.best != opt {
			t.Fatalf("optimum %d, by events %d\n%s", opt, l.best, oracle.Show(in))
		}
	}
}

func layersAgainstOracle(t *testing.T, in *cloning.Instance, fixed bool, opt int) {
	t.Helper()
	v := bounds.Of(in)
	first := schedule.First(t.Context(), v)
	m := schedule.Relaxation(t.Context(), in, fixed, 1_000_000)
	if m == nil {
		t.Fatalf("too many states\n%s", oracle.Show(in))
	}
	begin := schedule.Prices(v, first.Solution)
	a := values.NewAscent(m, len(begin[0]))
	a.Begin(begin, 0, nil)
	for range 5 {
		a.Run(t.Context(), 4, int64(first.Cost)*values.Unit, false)
		if a.Best > int64(opt)*values.Unit {
			t.Fatalf("fixed %v: bound %v of optimum %d\n%s", fixed, float64(a.Best)/values.Unit, opt, oracle.Show(in))
		}
	}
	sp := layeredSearchOf(v, m, begin, 1)
	// An incumbent that is far off leaves the search to find everything by itself.
	sp.best, sp.bounded = first.Cost+3, func(int) {}
	got := first.Solution
	sp.improved = func(s cloning.Solution) { got = s }
	if !sp.run(t.Context()) || sp.best != opt {
		t.Fatalf("fixed %v: optimum %d, by layers %d, bound %d\n%s", fixed, opt, sp.best, sp.lower, oracle.Show(in))
	}
	// The same with poor prices and no other passes than those that look for prices of later moments.
	late := layeredSearchOf(v, m, begin, 2)
	late.best, late.bounded, late.improved = first.Cost+1, func(int) {}, func(cloning.Solution) {}
	late.duals = []*potential{late.potential(begin, 0)}
	if !late.exclude(t.Context()) || late.best != opt {
		t.Fatalf("fixed %v: optimum %d, by exclusion %d, bound %d\n%s", fixed, opt, late.best, late.lower, oracle.Show(in))
	}
	if fixed {
		got.Regime = cloning.Nonpreemptive
	}
	if _, worth, err := schedule.Feasible(in, got, fixed); err != nil || int(worth) != sp.best {
		t.Fatalf("fixed %v: schedule of %v claimed as %d: %v\n%s", fixed, worth, sp.best, err, oracle.Show(in))
	}
}

// However many threads share out a layered search, it finds the same states and the same schedule.
func TestLayersThreads(t *testing.T) {
	in, _ := kernel.FromFirst(oracle.Clustered(rand.New(rand.NewPCG(172, 1)), 5, 2, 4))
	for _, fixed := range []bool{false, true} {
		var first cloning.Solution
		var nodes, duals int64
		for threads := 1; threads <= 3; threads++ {
			v := bounds.Of(in)
			start := schedule.First(t.Context(), v)
			sp := newLayeredSearch(t.Context(), v, start.Solution, fixed, maxArcSlots, threads)
			if sp == nil {
				t.Fatal("no layered search")
			}
			var got cloning.Solution
			sp.best, sp.bounded, sp.improved = start.Cost+3, func(int) {}, func(s cloning.Solution) { got = s }
			sp.duals = []*potential{sp.potential(schedule.Prices(v, start.Solution), 0)}
			if !sp.exclude(t.Context()) {
				t.Fatalf("fixed %v, threads %d: no proof", fixed, threads)
			}
			largest := 0
			for _, f := range sp.frontiers {
				largest = max(largest, len(f.list))
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

// Searches without a schedule to begin with that is any good agree with the oracle where tolerances end, demands are nothing, tables
// miss being concave and all are alike.
func TestExtremesFromWorst(t *testing.T) {
	rng := trials.Rand(t, 24, 2)
	for range trials.Count(300) {
		in := oracle.ExtremeInstance(rng, 4)
		for _, fixed := range []bool{false, true} {
			fromWorst(t, in, fixed, float64(oracle.Opt(in, fixed)))
		}
	}
}

// fromWorst has both searches begin with a bad schedule.
func fromWorst(t *testing.T, in *cloning.Instance, fixed bool, opt float64) {
	t.Helper()
	v := bounds.Of(in)
	order := make([]int, len(in.Jobs))
	for j := range order {
		order[j] = len(order) - 1 - j
	}
	first, _, ok := schedule.List(t.Context(), v, schedule.Rule{Order: order, Copies: slices.Repeat([]int{1}, len(order))}, math.MaxInt)
	if !ok {
		t.Fatal("no list schedule")
	}
	worst := int(opt) + 5 // which nothing says is worth what it says
	l := &layers{space: newNonpreemptive(newStates(v)), best: worst, improved: func(*node) {}, bounded: func(int) {}}
	if fixed && (!l.run(t.Context()) || float64(l.best) != opt || l.lower != l.best) {
		t.Fatalf("by events %s ends with %d, proven %d, the oracle says %v\n%s", schedule.Regime(fixed), l.best, l.lower, opt, oracle.Show(in))
	}
	sp := newLayeredSearch(t.Context(), v, first, fixed, maxArcSlots, 1)
	if sp == nil {
		t.Fatalf("no layered search\n%s", oracle.Show(in))
	}
	sp.best, sp.bounded, sp.improved = worst, func(int) {}, func(cloning.Solution) {}
	if !sp.run(t.Context()) || float64(sp.best) != opt || sp.lower != sp.best {
		t.Fatalf("the layered search of %s ends with %d, proven %d, the oracle says %v\n%s", schedule.Regime(fixed), sp.best, sp.lower, opt,
			oracle.Show(in))
	}
}

// A search that a narrow pass does not end asks for the price bound, keeps it, and ends where it is the best.
func TestSearchTakesPriceBound(t *testing.T) {
	rng := rand.New(rand.NewPCG(16, 2))
	for range 50 {
		in := oracle.Clustered(rng, 3, 2, 5)
		v := bounds.Of(in)
		told, asked := 0, false
		l := &layers{
			space: newNonpreemptive(newStates(v)), best: schedule.First(t.Context(), v).Cost, improved: func(*node) {},
			bounded: func(b int) { told = max(told, b) },
		}
		if l.pass(t.Context(), widths[0]) >= l.best {
			continue // a proof
		}
		l.prices = func(context.Context) int {
			asked = true
			return l.best
		}
		nodes := l.nodes
		if proven := l.run(t.Context()); !proven || !asked || told != l.best || l.nodes > 3*nodes {
			t.Fatalf("asked %v, proven %v, told %d of %d, %d nodes after %d", asked, proven, told, l.best, l.nodes, nodes)
		}
		return
	}
	t.Fatal("narrow passes prove everything")
}
