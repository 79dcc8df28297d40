package summary_test

import (
	"math"
	"testing"

	"schedgap/bench"
	"schedgap/models/fail"
	"schedgap/reports/anytime"
	"schedgap/reports/internal/fake"
	"schedgap/reports/ratio"
	"schedgap/reports/summary"
)

// A solver without a start proves 10 on a in 6 s, with the values 20 and 10 from seconds 1 and 3, the relaxation 8 and the root
// bound 9; on b it is stopped at 50 s with the value 16 from second 5, the relaxation 6, the root bound 7 and the bound 8, where
// another method proves 10. The heuristic fair has 12 on both after 2 s, spt 13. Of another solver's two runs one root bound alone is
// known, so that it has no median.
func TestFormulations(t *testing.T) {
	flex := fake.Problem()
	limited := func(r bench.Record, wall float64, solver, params string) bench.Record {
		r.TimeLimitSeconds, r.WallSeconds, r.Nodes = fake.Ptr(50.), &wall, fake.Ptr(int64(3))
		if solver != "" {
			r.Solver, r.Model, r.Params, r.UnitID = &solver, fake.Ptr("position"), params, r.UnitID+solver
		}
		return r
	}
	a := limited(fake.Optimal(flex, "a", "opt", 10), 6, "highs", `{"start":"none"}`)
	b := limited(fake.Bounded(flex, "b", "opt", 8, fake.Ptr(16.)), 50, "highs", `{"start":"none"}`)
	half := limited(fake.Optimal(flex, "b", "opt", 10), 6, "lpsolve", `{"start":"none"}`)
	half.RootBound = fake.Ptr(8.) // not known of its other unit
	late := limited(fake.Optimal(flex, "a", "opt", 10), 6, "lpsolve", `{"start":"none"}`)
	a.LPBound, b.LPBound, a.RootBound, b.RootBound = fake.Ptr(8.), fake.Ptr(6.), fake.Ptr(9.), fake.Ptr(7.)
	records := []bench.Record{a, b, late, half, limited(fake.Optimal(flex, "b", "opt-mps", 10), 1, "", "")}
	records[4].Reference, records[4].UnitID = "opt", "proof"
	for _, name := range []string{"a", "b"} {
		records = append(records, limited(fake.Solved(flex, name, "fair", 12), 2, "", ""), limited(fake.Solved(flex, name, "spt", 13), 1, "", ""))
	}
	set, err := ratio.New(ratio.Input{Records: ratio.Pack(records), Problems: []*bench.Problem{flex}, Instance: fake.Instances{}.Find})
	fail.On(t, err)
	r := summary.New(set, nil, 1)
	event := func(bound bool, at, v float64) anytime.Event {
		return anytime.Event{Point: anytime.Point{Seconds: at, Value: v}, Bound: bound}
	}
	r.Over(anytime.Log{
		a.UnitID:    {event(false, 1, 20), event(true, 2, 8), event(false, 3, 10), event(true, 6, 10)},
		b.UnitID:    {event(true, 2, 6), event(false, 5, 16), event(true, 40, 8)},
		late.UnitID: {event(false, 4, 10), event(true, 6, 10)},
	})
	rows := r.Problems[0].Formulations
	if len(rows) != 2 || rows[0].Solver != "highs" || rows[0].Heuristic != "fair" || rows[0].Instances != 2 || rows[0].Proven != 1 {
		t.Fatalf("%+v", rows)
	}
	f := rows[0]
	for _, c := range []struct {
		name string
		got  summary.Number
		want float64
	}{
		{"relaxation", f.Relaxation, (0.8 + 0.6) / 2},
		{"root bound", f.Root, (0.9 + 0.7) / 2},
		{"first value", f.FirstValue, 3},
		{"gap of the heuristic", f.HeuristicGap.Hi, 1. / 6},
		{"its time", f.HeuristicSeconds, 2},
		{"gap after as long", f.SameTimeGap.Hi, (0.5 + 1) / 2},
		{"gap at 50 s", f.Gap.Hi, (0 + 0.375) / 2},
		{"the time of that", f.At, 50},
		{"time to proof", f.ProofSeconds, 6},
		{"nodes", f.MedianNodes, 3},
		{"relaxation of the other", rows[1].Relaxation, math.NaN()},
		{"root bound of the other", rows[1].Root, math.NaN()},
	} {
		if g := float64(c.got); math.IsNaN(g) != math.IsNaN(c.want) || math.Abs(g-c.want) > 1e-12 {
			t.Errorf("%s: %v, want %v", c.name, c.got, c.want)
		}
	}
}
