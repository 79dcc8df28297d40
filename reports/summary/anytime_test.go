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

// An exact method solves a in 6 s: values 16, 10, 8 from seconds 1, 3, 6. To second 10 its integral is 1 + 2/2 + 3/5 = 2.6. On b it is
// stopped at 10 s: values 20, 10 from seconds 2, 5, and the bound 8. If the optimum is 10: 2 + 3/2 = 3.5; if it is 8: 2 + 3·0.6 +
// 5·0.2 = 4.8, and the gap that is left is 0.2. Of the heuristic nothing is known before its end, so that it has no row.
func TestOver(t *testing.T) {
	flex := fake.Problem()
	limited := func(r bench.Record, wall float64) bench.Record {
		r.TimeLimitSeconds, r.WallSeconds = fake.Ptr(10.), &wall
		return r
	}
	a, b := limited(fake.Optimal(flex, "a", "opt", 8), 6), limited(fake.Bounded(flex, "b", "opt", 8, fake.Ptr(10.)), 10)
	search := limited(fake.Solved(flex, "a", "flex-ls", 8), 4)
	set, err := ratio.New(ratio.Input{
		Records:  ratio.Pack([]bench.Record{a, b, search, limited(fake.Solved(flex, "a", "fair", 9), 0.5)}),
		Problems: []*bench.Problem{flex}, Instance: fake.Instances{}.Find,
	})
	fail.On(t, err)
	value := func(at, v float64) anytime.Event { return anytime.Event{Point: anytime.Point{Seconds: at, Value: v}} }
	bound := func(at, v float64) anytime.Event {
		return anytime.Event{Point: anytime.Point{Seconds: at, Value: v}, Bound: true}
	}
	r := summary.New(set, nil, 1)
	r.Over(anytime.Log{
		a.UnitID: {value(1, 16), bound(2, 4), value(3, 10)},
		b.UnitID: {value(2, 20), value(5, 10), bound(5, 8)}, search.UnitID: {value(2, 16)},
	})
	rows := r.Problems[0].OverTime
	if len(rows) != 2 || rows[0].Label != "flex-ls" || rows[1].Label != "opt" {
		t.Fatalf("%+v", rows)
	}
	opt := rows[1]
	for _, c := range []struct {
		name string
		got  summary.Number
		want float64
	}{
		{"horizon", opt.Horizon, 10},
		{"primal, low", opt.PrimalLo, (2.6 + 3.5) / 2},
		{"primal, high", opt.PrimalHi, (2.6 + 4.8) / 2},
		{"gap at the limit, low", opt.GapLo, 0},
		{"gap at the limit, high", opt.GapHi, 0.2 / 2},
		{"first value", opt.FirstValue, 1.5},
		{"primal of the search", rows[0].PrimalHi, 2 + 2*0.5},
	} {
		if math.Abs(float64(c.got)-c.want) > 1e-12 {
			t.Errorf("%s: %v, want %v", c.name, c.got, c.want)
		}
	}
	if opt.Instances != 2 || opt.Units != 2 || opt.Reference != "opt" {
		t.Errorf("%+v", opt)
	}
}
