package anytime_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"schedgap/bench"
	"schedgap/bench/run/store"
	"schedgap/models/fail"
	"schedgap/reports/anytime"
	"schedgap/reports/internal/fake"
	"schedgap/reports/ratio"
)

// planted are the results of an exact method on a, which it solves in 6 s with the optimum 8 after 16 and 10, and on b, where it
// has 20 and 10 and the bound 8 when it is stopped after 10 s; of a quick heuristic; and of a unit whose limit was 1 s.
func planted() (records []bench.Record, events map[string][]bench.ProgressRecord) {
	flex := fake.Problem()
	limit := func(r bench.Record, seconds, wall float64) bench.Record {
		r.TimeLimitSeconds, r.WallSeconds = &seconds, &wall
		return r
	}
	optimal, open := fake.Optimal(flex, "a", "opt", 8), fake.Bounded(flex, "b", "opt", 8, fake.Ptr(10.))
	short := limit(fake.Bounded(flex, "b", "opt-mps", 8, fake.Ptr(12.)), 1, 1)
	records = []bench.Record{limit(optimal, 10, 6), limit(open, 10, 10), limit(fake.Solved(flex, "a", "fair", 9), 10, 0.5), short}
	value := func(at, v float64) bench.ProgressRecord { return bench.ProgressRecord{WallSeconds: at, Objective: &v} }
	bound := func(at, b float64) bench.ProgressRecord { return bench.ProgressRecord{WallSeconds: at, Bound: &b} }
	return records, map[string][]bench.ProgressRecord{
		optimal.UnitID: {value(1, 16), bound(2, 4), value(3, 10)},
		open.UnitID:    {value(2, 20), value(5, 10), bound(5, 8)},
	}
}

// A folder's progress is read for the runs of the records only, and what a limit of 4 s would have left is what was known by
// then.
func TestCut(t *testing.T) {
	records, events := planted()
	dir := store.Open(t.TempDir())
	w, err := dir.NewProgress("0000")
	fail.On(t, err)
	for id, list := range events {
		for run, some := range map[string][]bench.ProgressRecord{"killed": list[:1], records[0].RunID: list} {
			for i, event := range some {
				event.RunID, event.UnitID, event.Seq = run, id, int64(i)
				fail.On(t, w.Append(event))
			}
		}
	}
	fail.On(t, w.Close())
	packed := ratio.Pack(records)
	log, bad, err := anytime.Read(t.Context(), dir, packed)
	if err != nil || len(bad) > 0 || len(log[records[0].UnitID]) != 3 || len(log[records[1].UnitID]) != 3 || len(log) != 2 {
		t.Fatal(log, bad, err)
	}
	cut, left, did := log.Cut(packed, 4)
	if d := cmp.Diff(anytime.Cut{Stopped: map[string]bool{records[0].UnitID: true, records[1].UnitID: true}, Shorter: 1},
		did); d != "" {
		t.Error(d)
	}
	type end struct {
		Status           string
		Objective, Bound any
		Wall, Limit      float64
	}
	value := func(x *float64) any {
		if x == nil {
			return nil
		}
		return *x
	}
	var got []end
	for _, r := range cut {
		got = append(got, end{r.Status, value(r.Objective), value(r.Bound), *r.WallSeconds, *r.TimeLimitSeconds})
	}
	want := []end{{"timeout", 10., 4., 4, 4}, {"timeout", 20., nil, 4, 4}, {"feasible", 9., nil, 0.5, 4}, {"timeout", 12., 8., 1, 1}}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if len(left[records[1].UnitID]) != 1 || len(log[records[1].UnitID]) != 3 || packed[0].Status != "optimal" ||
		*packed[0].WallSeconds != 6 {
		t.Errorf("%v of %v are left", left, log)
	}
	// A limit that nobody ran into changes nothing but the limits.
	same, _, did := log.Cut(packed, 60)
	if len(did.Stopped) != 0 || same[0].Status != "optimal" || same[1].Objective != packed[1].Objective ||
		*same[0].TimeLimitSeconds != 10 {
		t.Errorf("%+v, %v", did, same[0])
	}
	none, left, did := log.Cut(packed, 0.1)
	if len(did.Stopped) != 4 || len(left) != 0 || none[0].Objective != nil {
		t.Errorf("%+v, %v, %v", did, left, value(none[0].Objective))
	}
	if says := (anytime.Cut{}).String(); says != "0 units would have run into it" {
		t.Error(says)
	}
	// What happens at the limit counts.
	if at, _, did := log.Cut(packed, 3); value(at[0].Objective) != 10. || did.String() !=
		"2 units would have run into it; 1 unit with a shorter limit ran into it and stay as they are" {
		t.Errorf("%v; %v", value(at[0].Objective), did)
	}
	if at, _, did := log.Cut(packed, 6); at[0].Status != "optimal" || len(did.Stopped) != 1 {
		t.Errorf("%v; %v", at[0].Status, did)
	}
	if at, _, did := log.Cut(packed, 10); at[1].Setup != packed[1].Setup || did.Shorter != 1 || len(did.Stopped) != 0 {
		t.Errorf("%+v", did)
	}
}

// TestValues: values lie within the time that a unit took and its limit, and its own is the last; bounds are no values.
func TestValues(t *testing.T) {
	at := func(seconds, value float64) anytime.Point { return anytime.Point{Seconds: seconds, Value: value} }
	log := anytime.Log{"u": {{Point: at(1, 16)}, {Point: at(2, 4), Bound: true}, {Point: at(5, 10)}}}
	for _, c := range []struct {
		wall, limit, value *float64
		want               []anytime.Point
	}{
		{fake.Ptr(6.), nil, fake.Ptr(8.), []anytime.Point{at(1, 16), at(5, 10), at(6, 8)}},
		{fake.Ptr(6.), fake.Ptr(4.), fake.Ptr(8.), []anytime.Point{at(1, 16), at(4, 10), at(4, 8)}},
		{fake.Ptr(6.), fake.Ptr(9.), nil, []anytime.Point{at(1, 16), at(5, 10)}},
		{nil, nil, nil, []anytime.Point{at(0, 16), at(0, 10)}},
	} {
		r := &ratio.Record{}
		r.Setup = &ratio.Setup{}
		r.UnitID, r.WallSeconds, r.TimeLimitSeconds = "u", c.wall, c.limit
		if d := cmp.Diff(c.want, log.Values(&ratio.Unit{Record: r, Value: c.value})); d != "" {
			t.Error(d)
		}
	}
}
