package summary

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"schedgap/bench"
	"schedgap/models"
	"schedgap/models/fail"
	"schedgap/reports/internal/fake"
	"schedgap/reports/ratio"
)

var flex = fake.Problem()

// report summarizes records of the fake problem; instances that are not listed are plain ones.
func report(t *testing.T, in fake.Instances, records ...bench.Record) *Problem {
	t.Helper()
	set, err := ratio.New(ratio.Input{Records: ratio.Pack(records), Problems: []*bench.Problem{flex}, Instance: in.Find})
	fail.On(t, err)
	return New(set, nil, 1).Problems[0]
}

// find returns the row of an algorithm against opt over all instances.
func find(t *testing.T, p *Problem, label string) *Ratios {
	t.Helper()
	for i, r := range p.Ratios {
		if r.Label == label && r.Reference == "opt" && r.Class == (Class{}) {
			return &p.Ratios[i]
		}
	}
	t.Fatalf("no row of %s", label)
	return nil
}

func near(t *testing.T, what string, got Number, want float64) {
	t.Helper()
	if g := float64(got); math.IsNaN(g) != math.IsNaN(want) || g != want && math.Abs(g-want) > 1e-9 {
		t.Errorf("%s = %v, want %v", what, got, want)
	}
}

// Three instances: ratios 1, 2 and 4 to proven optima. Geometric mean ∛8 = 2, arithmetic 7/3, median 2, worst 4; too few
// for an interval. One of three is solved to optimality.
func TestRatios(t *testing.T) {
	p := report(t, nil,
		fake.Optimal(flex, "a", "opt", 10), fake.Solved(flex, "a", "fair", 10),
		fake.Optimal(flex, "b", "opt", 10), fake.Solved(flex, "b", "fair", 20),
		fake.Optimal(flex, "c", "opt", 10), fake.Solved(flex, "c", "fair", 40),
	)
	r := find(t, p, "fair")
	near(t, "geometric mean", r.GeoMean.Lo, 2)
	near(t, "geometric mean, high end", r.GeoMean.Hi, 2)
	near(t, "mean", r.Mean.Lo, 7.0/3)
	near(t, "median", r.Quantiles[1].Hi, 2)
	near(t, "interval", r.GeoMean.CILo, math.NaN())
	if r.Worst.Instance != "c" || r.Worst.Hi != 4 || r.Proven != 3 || r.Optimal != 1 || r.Compared != 3 {
		t.Errorf("%+v, worst %+v", r, r.Worst)
	}
	if want := []string{"3 compared instances are too few for an interval; it takes 6"}; !slices.Equal(r.Warnings, want) {
		t.Error(r.Warnings)
	}
}

// With six instances there is an interval around the mean.
func TestInterval(t *testing.T) {
	var records []bench.Record
	for i, v := range []float64{10, 11, 12, 13, 14, 15} {
		name := string(rune('a' + i))
		records = append(records, fake.Optimal(flex, name, "opt", 10), fake.Solved(flex, name, "fair", v))
	}
	r := find(t, report(t, nil, records...), "fair")
	near(t, "mean", r.Mean.Lo, 1.25)
	if !(1.05 < r.Mean.CILo && r.Mean.CILo < r.Mean.Lo && r.Mean.Hi < r.Mean.CIHi && r.Mean.CIHi < 1.45) {
		t.Errorf("interval of the mean %+v", r.Mean)
	}
	if !(1 < r.GeoMean.CILo && r.GeoMean.CILo < r.GeoMean.Lo && r.GeoMean.Hi < r.GeoMean.CIHi && r.GeoMean.CIHi < 1.5) {
		t.Errorf("interval of the geometric mean %+v", r.GeoMean)
	}
	if len(r.Warnings) > 0 {
		t.Error(r.Warnings)
	}
}

// A failure is as bad as can be: it makes means and high quantiles infinite. Instances whose reference is not known are counted
// under their reason and in no mean.
func TestNotCompared(t *testing.T) {
	in := fake.Instances{fake.SHA("f"): nil}
	p := report(t, in,
		fake.Optimal(flex, "a", "opt", 10), fake.Solved(flex, "a", "fair", 20), fake.Solved(flex, "a", "spt", 30), // compared: 2 and 3
		fake.Solved(flex, "c", "fair", 5),                                                                               // no bound
		fake.Optimal(flex, "d", "opt", 10), fake.Row(flex, "d", "fair", bench.Crash), fake.Solved(flex, "d", "spt", 30), // no solution
		fake.Optimal(flex, "e", "opt", 10), fake.Solved(flex, "e", "fair", 9), // contradicted
		fake.Solved(flex, "f", "fair", 9), // unreadable
	)
	r, spt := find(t, p, "fair"), find(t, p, "spt")
	near(t, "mean", r.Mean.Hi, math.Inf(1))
	near(t, "lower quartile, of 2 and infinity", r.Quantiles[0].Lo, math.Inf(1))
	near(t, "mean of what is solved", r.Solved.Hi, 2)
	near(t, "mean of spt", spt.Solved.Hi, 3)
	// Of the five instances fair has no solution on d, spt none on c, e and f.
	if r.Rank != 1 || spt.Rank != 2 || r.Missing != 1 || spt.Missing != 3 || r.Worst.Instance != "d" {
		t.Errorf("fair, which solves more, must be ranked first: %+v, %+v", r, spt)
	}
	got := []int{r.Instances, r.Compared, r.Unsolved, r.Infinite, r.NoBound, r.NoValue, r.NoSolution, r.Untrusted}
	if want := []int{5, 1, 1, 1, 1, 0, 1, 2}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if r.Proven != 2 || r.Optimal != 0 { // a and d
		t.Errorf("proven %d, optimal %v", r.Proven, r.Optimal)
	}
	if d := cmp.Diff([]Reference{{Name: "opt", Doc: "all schedules", Proven: 2, ValueOnly: 1, Untrusted: 2}},
		p.References); d != "" {
		t.Error(d)
	}
	if q := p.Pairs[0]; q.A != "fair" || q.Loss != 1 || q.Win != 1 || q.Instances != 2 || !math.IsInf(float64(q.Quotient), 1) {
		t.Errorf("a failure is a loss: %+v", q)
	}
}

// TestRegret: optima of 0 leave no algorithm's failures out. fair has regrets 0, 2/10 and 1/10, the ratios 1, infinite and 2; spt
// is worse than fair though it is optimal wherever it has a ratio.
func TestRegret(t *testing.T) {
	in := fake.Instances{}
	for _, name := range []string{"a", "b", "c"} {
		in.Add(name, models.QuotientZero, nil)
		in[fake.SHA(name)].Scales = map[string]float64{"opt": 10}
	}
	p := report(t, in,
		fake.Optimal(flex, "a", "opt", 0), fake.Solved(flex, "a", "fair", 0), fake.Solved(flex, "a", "spt", 4),
		fake.Optimal(flex, "b", "opt", 0), fake.Solved(flex, "b", "fair", 2), fake.Solved(flex, "b", "spt", 6),
		fake.Optimal(flex, "c", "opt", 1), fake.Solved(flex, "c", "fair", 2), fake.Solved(flex, "c", "spt", 1),
	)
	r, spt := find(t, p, "fair"), find(t, p, "spt")
	if !r.Regret || r.Compared != 3 || r.Infinite != 1 || r.Undefined != 0 || spt.Infinite != 2 || spt.Optimal != 1 {
		t.Errorf("fair %+v, spt %+v", r, spt)
	}
	near(t, "mean regret", r.Lead().Hi, 0.1)
	near(t, "median regret", r.Quantiles[1].Hi, 0.1)
	near(t, "worst regret", r.Worst.Hi, 0.2)
	near(t, "mean ratio beside it", r.GeoMean.Hi, math.Inf(1))
	near(t, "mean ratio of opt", find(t, p, "opt").GeoMean.Hi, 1)
	if first := p.Ranked(p.Views[0], Class{})[0].Label; first != "fair" {
		t.Errorf("%s is ranked first", first)
	}
}

// Easy instances are those on which several heuristics are optimal and the first bound is met: a is, b has one optimal heuristic,
// on c the bound lb is not met, on d an exact method proves the optimum at the root, on e it branches.
func TestEasy(t *testing.T) {
	lb := func(instance string, bound float64) bench.Record {
		r := fake.Row(flex, instance, "lb", bench.Feasible)
		r.Bound = &bound
		return r
	}
	exact := func(instance string, nodes int64) bench.Record {
		r := fake.Optimal(flex, instance, "opt", 10)
		r.Nodes = &nodes
		return r
	}
	var records []bench.Record
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		spt := 10.0
		if name == "b" {
			spt = 11
		}
		records = append(records, fake.Solved(flex, name, "fair", 10), fake.Solved(flex, name, "spt", spt))
	}
	p := report(t, nil, append(records, exact("a", 9), lb("a", 10), exact("b", 1), lb("b", 10), exact("c", 1), lb("c", 9),
		exact("d", 1), exact("e", 2))...)
	if got := p.References[0].Easy; got != 2 {
		t.Errorf("%d easy instances, want 2", got)
	}
}

// TestBest: what is not certainly worse than the best is marked with it, on the same instances and by a test: spt loses to flex
// by a little on 6 of 12 and wins on 6, fair loses on all.
func TestBest(t *testing.T) {
	var records []bench.Record
	for i := range 12 {
		name := string(rune('a' + i))
		records = append(records, fake.Optimal(flex, name, "opt", 10), fake.Solved(flex, name, "flex", 11+float64(i%2)),
			fake.Solved(flex, name, "spt", 12.1-float64(i%2)),
			fake.Solved(flex, name, "fair", 14+float64(i%3)))
	}
	p := report(t, nil, records...)
	for label, want := range map[string]bool{"flex": true, "spt": true, "fair": false, "opt": false} {
		if r := find(t, p, label); r.Best != want {
			t.Errorf("%s: best %v, want %v", label, r.Best, want)
		}
	}
	for _, q := range p.Pairs { // every p-value is for three pairs
		if q.A == "fair" || q.B == "fair" {
			near(t, q.A+" and "+q.B+", sign test", q.SignP, 3*2/4096.)
		}
	}
}

// Equal data have equal intervals: of two algorithms with the same ratios on different instances, and to two references.
func TestEqualIntervals(t *testing.T) {
	var records []bench.Record
	values := []float64{10, 11, 12, 13, 14, 15, 30}
	for i, v := range values {
		name := string(rune('a' + i))
		records = append(records, fake.Optimal(flex, name, "opt", 10), fake.Optimal(flex, name, "opt-mps", 10),
			fake.Solved(flex, name, "flex", v), fake.Solved(flex, name, "spt", values[len(values)-1-i]))
	}
	intervals := map[[4]Number]bool{}
	for _, r := range report(t, nil, records...).Ratios {
		if r.Contender() {
			intervals[[4]Number{r.GeoMean.CILo, r.GeoMean.CIHi, r.Mean.CILo, r.Mean.CIHi}] = true
		}
	}
	if len(intervals) != 1 {
		t.Errorf("equal data have the intervals %v", intervals)
	}
}

// JSON tells infinity from what is not known, and reads both again.
func TestInfinity(t *testing.T) {
	for x, want := range map[Number]string{Number(math.Inf(1)): "1e999", Number(math.Inf(-1)): "-1e999", 1.5: "1.5", Missing: "null"} {
		text, err := json.MarshalIndent(map[string]Number{"x": x}, "", "")
		var back map[string]Number
		if err == nil {
			err = json.Unmarshal(text, &back)
		}
		if err != nil || !strings.HasSuffix(string(text), ": "+want+"\n}") || back["x"] != x && !math.IsNaN(float64(x)) ||
			math.IsNaN(float64(x)) != math.IsNaN(float64(back["x"])) {
			t.Errorf("%v is %s and %v: %v", x, text, back["x"], err)
		}
	}
}

// What has an infinite mean is certainly worse than what has a finite one, and nothing is bold where nothing can be told apart.
func TestBold(t *testing.T) {
	var records []bench.Record
	bold := func() string {
		var names []string
		for _, r := range report(t, nil, records...).Ratios {
			if r.Bold {
				names = append(names, r.Label)
			}
		}
		return strings.Join(names, " ")
	}
	add := func(n int, with func(name string)) {
		for i := range n {
			name := fmt.Sprint("i", len(records), i)
			records = append(records, fake.Optimal(flex, name, "opt", 10))
			with(name)
		}
	}
	add(5, func(name string) {
		records = append(records, fake.Solved(flex, name, "flex", 11), fake.Solved(flex, name, "fair", 20))
	})
	if got := bold(); got != "" {
		t.Errorf("on 5 instances in bold: %s", got)
	}
	add(7, func(name string) {
		records = append(records, fake.Solved(flex, name, "flex", 11), fake.Solved(flex, name, "fair", 20))
	})
	if got := bold(); got != "flex" {
		t.Errorf("on 12 instances in bold: %s", got)
	}
	records = slices.DeleteFunc(records, func(r bench.Record) bool { return r.Algorithm == "fair" })
	for i, r := range slices.Clone(records) {
		if r.Algorithm == "flex" {
			records = append(records, fake.Solved(flex, r.Instance, "spt", 11), fake.Solved(flex, r.Instance, "fair", 11))
			if i < 2 {
				records[len(records)-1] = fake.Row(flex, r.Instance, "fair", bench.Crash)
			}
		}
	}
	if got := bold(); got != "flex spt" {
		t.Errorf("fair failed on one instance; in bold: %s", got)
	}
}

// All of an algorithm's rows failing leaves a row of nulls, not of zeros or ones.
func TestAllFailed(t *testing.T) {
	p := report(t, nil,
		fake.Row(flex, "a", "fair", bench.OOM), fake.Row(flex, "b", "fair", bench.Crash), fake.Row(flex, "c", "fair", bench.Skipped))
	r := find(t, p, "fair")
	near(t, "geometric mean", r.GeoMean.Lo, math.NaN())
	near(t, "mean", r.Mean.Hi, math.NaN())
	near(t, "median", r.Quantiles[1].Lo, math.NaN())
	if r.Worst != nil || r.NoSolution != 2 || r.Instances != 2 || r.Skipped != 1 {
		t.Errorf("%+v", r)
	}
	if d := cmp.Diff(map[string]int{"oom": 1, "crash": 1, "skipped": 1}, r.Statuses); d != "" {
		t.Error(d)
	}
	text, err := json.Marshal(r.GeoMean)
	if want := `{"lo":null,"hi":null,"ci_lo":null,"ci_hi":null}`; err != nil || string(text) != want {
		t.Errorf("%s, %v", text, err)
	}
	var totals []string
	for _, f := range p.Failures {
		totals = append(totals, f.Label+" "+f.Status)
	}
	if d := cmp.Diff([]string{"fair crash", "fair oom"}, totals); d != "" {
		t.Error(d)
	}
}

// Seeds are averaged within the instance first, by the arithmetic mean: seed ratios 1 and 4 on a make 2.5, and b has 8, so the
// geometric mean is √(2.5·8), not ∛(1·4·8). A failed seed fails the instance.
func TestSeeds(t *testing.T) {
	seed := func(r bench.Record, s int64) bench.Record {
		r.Seed, r.UnitID = s, r.UnitID+string(rune('0'+s))
		return r
	}
	p := report(t, nil,
		fake.Optimal(flex, "a", "opt", 10), seed(fake.Solved(flex, "a", "fair", 10), 1), seed(fake.Solved(flex, "a", "fair", 40), 2),
		fake.Optimal(flex, "b", "opt", 10), fake.Solved(flex, "b", "fair", 80),
		fake.Optimal(flex, "c", "opt", 10), seed(fake.Solved(flex, "c", "spt", 10), 1),
		seed(fake.Row(flex, "c", "spt", bench.Timeout), 2),
	)
	r := find(t, p, "fair")
	near(t, "geometric mean", r.GeoMean.Lo, math.Sqrt(20))
	near(t, "arithmetic mean, of (1 + 4)/2 and 8", r.Mean.Lo, 5.25)
	if r.Units != 3 || r.Instances != 2 {
		t.Errorf("%d units, %d instances", r.Units, r.Instances)
	}
	s := find(t, p, "spt")
	near(t, "geometric mean with a failed seed", s.GeoMean.Lo, math.Inf(1))
	if s.Optimal != 0 {
		t.Errorf("optimal on %v with a failed seed", s.Optimal)
	}
}

// The worst case is a unit, not a mean over seeds: seed 2 of a, ratio 4, is worse than b, 3, though its mean with seed 1 is 2.
// The list of worst cases and the row name the same unit.
func TestWorstSeed(t *testing.T) {
	seed := func(value float64, s int64) bench.Record {
		r := fake.Solved(flex, "a", "fair", value)
		r.Seed, r.UnitID = s, r.UnitID+string(rune('0'+s))
		return r
	}
	p := report(t, nil, fake.Optimal(flex, "a", "opt", 10), seed(10, 1), seed(40, 2), fake.Optimal(flex, "b", "opt", 10),
		fake.Solved(flex, "b", "fair", 30))
	w, listed := find(t, p, "fair").Worst, p.Worst[0].Cases
	if w.Hi != 4 || w.Lo != 4 || w.Instance != "a" || w.Seed != 2 || w.UnitID != "a/fair2" {
		t.Errorf("%+v", w)
	}
	if len(listed) != 2 || listed[0].Hi != 4 || listed[0].Seed != 2 || listed[1].Hi != 3 {
		t.Errorf("%+v", listed)
	}
}

// What is no solution of the reference is never optimal, though its value may be that of the optimum: fair of the class opt
// against opt-mps, fair with twice the speed, fifo without a constraint. flex is.
func TestOutside(t *testing.T) {
	fast := fake.Solved(flex, "a", "fair", 10)
	fast.Augmentation, fast.UnitID = 2, "fast"
	p := report(t, nil, fake.Optimal(flex, "a", "opt", 10), fake.Optimal(flex, "a", "opt-mps", 10),
		fake.Solved(flex, "a", "flex", 10),
		fake.Solved(flex, "a", "fair", 10), fast, fake.Waived(flex, "a", "fifo", 10, "minimum"))
	got := map[string]string{}
	for _, r := range p.Ratios {
		optimal, err := json.Marshal(r.Optimal)
		fail.On(t, err)
		got[r.Reference+" "+r.Label] = fmt.Sprintf("%s/%d %v", optimal, r.Proven, r.Outside)
	}
	want := map[string]string{
		"opt flex": "1/1 false", "opt fair": "1/1 false", "opt opt": "1/1 false", "opt opt-mps": "1/1 false",
		"opt fair (augmentation=2)*": "null/1 true", "opt fifo*": "null/1 true",
		"opt-mps flex": "1/1 false", "opt-mps fair": "null/1 true", "opt-mps opt": "null/1 true", "opt-mps opt-mps": "1/1 false",
		"opt-mps fair (augmentation=2)*": "null/1 true", "opt-mps fifo*": "null/1 true",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// Reasons are counted by the first line of the error, the most frequent first, and no more than a list of them is kept.
func TestReasons(t *testing.T) {
	var records []bench.Record
	for i := range 100 {
		r := fake.Row(flex, fmt.Sprintf("i%02d", i), "fair", bench.Crash)
		r.Error = fake.Ptr("segmentation fault\ngoroutine " + fmt.Sprint(i))
		if i >= 60 {
			r.Error = fake.Ptr(fmt.Sprint("error ", i))
		}
		records = append(records, r)
	}
	records = append(records, fake.Row(flex, "x", "spt", bench.OOM), fake.Row(flex, "x", "flex", bench.Skipped)) // without an error
	p := report(t, nil, records...)
	first := p.Reasons[0]
	if first.Units != 60 || first.Error != "segmentation fault" || first.Instance != "i00" || first.Status != "crash" ||
		!strings.Contains(first.Command, fake.SHA("i00")) {
		t.Errorf("%+v", first)
	}
	if len(p.Reasons) != 20 || p.Others != 21 {
		t.Errorf("%d reasons, %d other units", len(p.Reasons), p.Others)
	}
}

// Nobody gains by having no solution: fair has 2 on a and 8 on b, spt 3 on a and fails on b, wspt has 1 on a and declines b, flex fails
// on a and was not run on b. Means are over what an algorithm was run on and did not decline.
func TestMissing(t *testing.T) {
	p := report(t, nil,
		fake.Optimal(flex, "a", "opt", 10), fake.Solved(flex, "a", "fair", 20), fake.Solved(flex, "a", "spt", 30),
		fake.Optimal(flex, "b", "opt", 10), fake.Solved(flex, "b", "fair", 80), fake.Row(flex, "b", "spt", bench.Timeout),
		fake.Solved(flex, "a", "wspt", 10), fake.Row(flex, "b", "wspt", bench.Skipped),
		fake.Waived(flex, "b", "fifo", 5, "minimum"), fake.Row(flex, "a", "flex", bench.Crash),
	)
	for _, want := range []struct {
		label         string
		mean          float64
		missing, rank int
	}{{"fair", 4, 0, 1}, {"wspt", 1, 1, 2}, {"spt", math.Inf(1), 1, 3}, {"flex", math.Inf(1), 2, 4}, {"fifo*", 0.5, 1, 0}} {
		r := find(t, p, want.label)
		near(t, "mean of "+want.label, r.GeoMean.Lo, want.mean)
		if r.Missing != want.missing || r.Rank != want.rank {
			t.Errorf("%s has no solution on %d, rank %d; want %+v", want.label, r.Missing, r.Rank, want)
		}
	}
	if fifo := find(t, p, "fifo*"); fifo.Mark != "waives minimum" || p.Outcomes[len(p.Outcomes)-1].Label != "fifo*" {
		t.Errorf("fifo marked %q", fifo.Mark)
	}
	if want := "no solution on 2 of 2 instances (1 crashed, 1 not run)"; find(t, p, "flex").Lost() != want {
		t.Errorf("%q, want %q", find(t, p, "flex").Lost(), want)
	}
}

// TestWorstProven: the low end of the worst case is the largest low end of any instance: a has 1.1 to 3, b 2 to 2.5.
func TestWorstProven(t *testing.T) {
	r := find(t, report(t, nil,
		fake.Bounded(flex, "a", "opt", 10, fake.Ptr(300.0/11)), fake.Solved(flex, "a", "fair", 30),
		fake.Bounded(flex, "b", "opt", 12, fake.Ptr(15.0)), fake.Solved(flex, "b", "fair", 30),
	), "fair")
	if r.Worst.Instance != "a" {
		t.Errorf("the worst is %s", r.Worst.Instance)
	}
	near(t, "low end", r.Worst.Lo, 2)
	near(t, "high end", r.Worst.Hi, 3)
}

// Regrets and ratios are separate views, classes follow metric and source, and references never mix.
func TestViews(t *testing.T) {
	in := fake.Instances{}
	in.Add("a", models.Quotient, map[string]any{"metric": "response"})
	in.Add("b", models.QuotientZero, map[string]any{"metric": "tardiness"})
	in.Add("c", models.Difference, map[string]any{"metric": "lateness"})
	p := report(t, in,
		fake.Optimal(flex, "a", "opt", 10), fake.Optimal(flex, "a", "opt-mps", 12), fake.Solved(flex, "a", "fair", 24),
		fake.Optimal(flex, "b", "opt", 0), fake.Solved(flex, "b", "fair", 0),
		fake.Optimal(flex, "c", "opt", -5), fake.Solved(flex, "c", "fair", -3),
	)
	var got []string
	for _, r := range p.Ratios {
		if r.Label != "fair" {
			continue
		}
		text, err := json.Marshal([]any{r.Reference, r.Regret, r.Metric, r.Compared, r.Instances, r.Lead().Lo})
		fail.On(t, err)
		got = append(got, string(text))
	}
	want := []string{
		`["opt",false,"",1,1,2.4]`,
		`["opt",true,"",2,2,1]`, // (2 + 0)/2
		`["opt",true,"lateness",1,1,2]`,
		`["opt",true,"tardiness",1,1,0]`,
		`["opt-mps",false,"",1,1,2]`,
		`["opt-mps",true,"",0,2,null]`, // nothing is known of opt-mps on b but the value 0 of another class
		`["opt-mps",true,"lateness",0,1,null]`,
		`["opt-mps",true,"tardiness",0,1,null]`,
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// Labels say what varies, and nothing else: parameters that differ, and methods and limits that meet on one instance.
func TestVariants(t *testing.T) {
	with := func(r bench.Record, id string, change func(*bench.Record)) bench.Record {
		r.UnitID += id
		change(&r)
		return r
	}
	ls := func(instance, params string) bench.Record {
		return with(fake.Solved(flex, instance, "flex-ls", 10), params, func(r *bench.Record) { r.Params = params })
	}
	opt := func(instance, solver string, limit float64) bench.Record {
		return with(fake.Optimal(flex, instance, "opt", 10), solver, func(r *bench.Record) {
			r.Solver, r.TimeLimitSeconds = &solver, &limit
		})
	}
	mps := func(instance, solver string) bench.Record { // chooses its method by the instance
		return with(fake.Optimal(flex, instance, "opt-mps", 10), solver, func(r *bench.Record) { r.Solver = &solver })
	}
	p := report(t, nil,
		ls("a", `{"evaluations":500,"swap":"any"}`), ls("b", `{"evaluations":1000,"swap":"any"}`),
		opt("a", "highs", 60), opt("a", "bnb", 60), opt("b", "highs", 60), mps("a", "bnb"), mps("b", "dp"),
		with(fake.Solved(flex, "a", "spt", 10), "x", func(r *bench.Record) { r.CPULimitSeconds = new(30.0) }), fake.Solved(flex, "a", "spt", 10),
		with(fake.Solved(flex, "a", "fair", 10), "x", func(r *bench.Record) { r.Augmentation = 2 }), fake.Solved(flex, "a", "fair", 12),
	)
	var got []string
	for _, o := range p.Outcomes {
		got = append(got, o.Label+"|"+o.Mark)
	}
	want := []string{
		"fair|", "flex-ls (evaluations=500)|", "flex-ls (evaluations=1000)|", "spt (1m0s)|", "spt (1m0s, CPU 30s)|",
		"opt (bnb)|", "opt (highs)|", "opt-mps|", "fair (augmentation=2)*|augmentation 2",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// Head to head on six instances: flex better on five, by half, tied on one; a seventh is solved by flex alone. The sign
// test has too few differing pairs; with one more win both tests speak: 2/2⁶. The waived fifo takes no part.
func TestPairs(t *testing.T) {
	var records []bench.Record
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		records = append(records, fake.Solved(flex, name, "flex", 10), fake.Solved(flex, name, "fair", 20),
			fake.Waived(flex, name, "fifo", 1, "minimum"))
	}
	records = append(records, fake.Solved(flex, "f", "flex", 0), fake.Solved(flex, "f", "fair", 0),
		fake.Solved(flex, "g", "flex", 3))
	p := report(t, nil, records...)
	if len(p.Pairs) != 1 {
		t.Fatal(p.Pairs)
	}
	q := p.Pairs[0]
	if q.A != "fair" || q.B != "flex" || q.Instances != 6 || q.Unmatched != 1 || q.Win != 0 || q.Tie != 1 || q.Loss != 5 ||
		q.Positive != 6 {
		t.Errorf("%+v", q)
	}
	near(t, "quotient, 0/0 being 1", q.Quotient, math.Pow(2, 5/6.))
	near(t, "sign test", q.SignP, math.NaN())
	records = append(records, fake.Solved(flex, "h", "flex", -4), fake.Solved(flex, "h", "fair", 2))
	q = report(t, nil, records...).Pairs[0]
	near(t, "sign test", q.SignP, 2.0/64)
	near(t, "signed rank test", q.WilcoxonP, 2.0/64)
}

// Exact methods: highs solves a in 3 s and times out on b at its limit of 60 s; bnb solves both in 0 s and proves c
// infeasible; skipped units are not counted. Shifted means: √(4·(60k+1)) − 1.
func TestSolvers(t *testing.T) {
	unit := func(r bench.Record, solver string, seconds float64) bench.Record {
		r.UnitID += solver
		r.Solver, r.WallSeconds = &solver, &seconds
		return r
	}
	p := report(t, nil,
		unit(fake.Optimal(flex, "a", "opt", 10), "highs", 3), unit(fake.Bounded(flex, "b", "opt", 9, nil), "highs", 60.2),
		unit(fake.Row(flex, "d", "opt", bench.Skipped), "highs", 0),
		unit(fake.Optimal(flex, "a", "opt", 10), "bnb", 0), unit(fake.Optimal(flex, "b", "opt", 10), "bnb", 0),
		unit(fake.Row(flex, "c", "opt", bench.Infeasible), "bnb", 0),
	)
	if len(p.Solvers) != 2 {
		t.Fatal(p.Solvers)
	}
	bnb, highs := p.Solvers[0], p.Solvers[1]
	if bnb.Solved != 3 || bnb.Units != 3 || highs.Solved != 1 || highs.Units != 2 {
		t.Errorf("bnb %d/%d, highs %d/%d", bnb.Solved, bnb.Units, highs.Solved, highs.Units)
	}
	near(t, "PAR1", highs.PAR1, math.Sqrt(4*61)-1)
	near(t, "PAR2", highs.PAR2, math.Sqrt(4*121)-1)
	near(t, "PAR10", highs.PAR10, math.Sqrt(4*601)-1)
	near(t, "solved by all", highs.Common, 3)
	near(t, "memory", highs.MaxRSSBytes, math.NaN())
	if highs.CommonInstances != 1 {
		t.Errorf("solved by all: %d", highs.CommonInstances)
	}
}

// A method of a class that waives a constraint by its definition has times like any other; one that waives more has none.
func TestSolverAtHome(t *testing.T) {
	p := fake.Problem()
	p.References = append(p.References, models.Reference{Name: "opt-all", Waives: []string{"minimum"}})
	p.Algorithms = append(p.Algorithms, bench.Algorithm{Name: "opt-all", Kind: models.Exact, Reference: "opt-all", Class: "opt-all"})
	all, more := fake.Optimal(p, "a", "opt-all", 10), fake.Optimal(p, "b", "opt-all", 10)
	all.Waived, more.Waived = "minimum", "minimum,slots"
	set, err := ratio.New(ratio.Input{
		Records: ratio.Pack([]bench.Record{all, more}), Problems: []*bench.Problem{p},
		Instance: fake.Instances{}.Find,
	})
	fail.On(t, err)
	if s := New(set, nil, 1).Problems[0].Solvers; len(s) != 1 || s[0].Algorithm != "opt-all" || s[0].Units != 1 {
		t.Errorf("%+v", s)
	}
}

// An unsolved unit without a limit has no penalised time.
func TestSolverWithoutLimit(t *testing.T) {
	r := fake.Row(flex, "a", "opt", bench.Crash)
	r.TimeLimitSeconds = nil
	s := report(t, nil, r).Solvers[0]
	near(t, "PAR2", s.PAR2, math.NaN())
	if s.Solved != 0 || s.Statuses["crash"] != 1 {
		t.Errorf("%+v", s)
	}
}

// The worst cases come first, failures before all, by ratio and by regret, with commands that a shell takes.
func TestWorst(t *testing.T) {
	in := fake.Instances{}
	in.Add("z", models.QuotientZero, nil)
	p := report(t, in,
		fake.Optimal(flex, "a", "opt", 10), fake.Solved(flex, "a", "fair", 20),
		fake.Optimal(flex, "b", "opt", 10), fake.Solved(flex, "b", "fair", 30),
		fake.Optimal(flex, "z", "opt", 0), fake.Solved(flex, "z", "fair", 1), fake.Optimal(flex, "d", "opt", 1),
		fake.Row(flex, "d", "fair", bench.Error),
	)
	var got []string
	for _, l := range p.Worst {
		for _, c := range l.Cases {
			got = append(got, fmt.Sprint(c.Instance, " ", c.Hi))
		}
	}
	if d := cmp.Diff([]string{"d +Inf", "b 3", "a 2", "z 1"}, got); d != "" || p.Worst[0].Total != 3 {
		t.Error(d, p.Worst[0].Total)
	}
	want := "schedgap solve instances/" + fake.SHA("z") + ".json -a fair --time-limit 1m0s --seed 1"
	if got := p.Worst[1].Cases[0].Command; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// Commands name all that a unit was run with, quote what a shell would take apart, and go through the suite for external
// commands, whose names are no globs.
func TestCommand(t *testing.T) {
	exact := fake.Optimal(flex, "a", "opt", 10)
	exact.Model, exact.MemoryLimitBytes = fake.Ptr("position"), fake.Ptr(int64(4<<30))
	list := fake.Solved(flex, "a", "mps:a,b", 10)
	list.Kind, list.TimeLimitSeconds = string(models.Heuristic), nil
	params := fake.Solved(flex, "it's", "flex-ls", 10)
	params.Params = `{"evaluations":500,"order":"due date"}`
	for _, tc := range []struct {
		r    bench.Record
		want string
	}{
		{exact, "schedgap solve instances/" + fake.SHA("a") +
			".json -a opt --solver highs --model position --time-limit 1m0s --memory-limit 4GiB --seed 1"},
		{list, "schedgap solve instances/" + fake.SHA("a") + ".json -a mps:a,b --time-limit 8760h --seed 1"},
		{params, "schedgap solve instances/" + fake.SHA("it's") +
			".json -a flex-ls -p evaluations=500 -p 'order=due date' --time-limit 1m0s --seed 1"},
		{fake.Solved(flex, "it's", "m,n", 10), `schedgap run suite.yaml -o again -a 'm\,n' -i 'it'\''s'`},
		{fake.Solved(flex, "v[2]", `*?\`, 10), `schedgap run suite.yaml -o again -a '\*\?\\' -i 'v\[2]'`},
		{fake.Solved(flex, "a", "mine", 10), "schedgap run suite.yaml -o again -a mine -i a"},
	} {
		if got := Command(&ratio.Pack([]bench.Record{tc.r})[0]); got != tc.want {
			t.Errorf("got  %s\nwant %s", got, tc.want)
		}
	}
}

// Simulations are averaged over repetitions in any order; job rows and values that are not finite are left out.
func TestSimulations(t *testing.T) {
	row := func(policy, scope string, value float64) bench.SimRecord {
		return bench.SimRecord{
			Problem: "flex", Workload: "w", Policy: policy, Params: "{}", Scope: scope, Metric: "response",
			Unit: "s", Value: value,
		}
	}
	records := []bench.SimRecord{
		row("flex", "run", 1), row("flex", "run", 3), row("fair", "run", math.NaN()), row("fair", "run", 7), row("fair", "job", 100),
	}
	got := simulations(records, Bootstrap(1))
	slices.Reverse(records)
	again := simulations(records, Bootstrap(1))
	if len(got) != 2 || got[0].Policy != "fair" || got[0].Repetitions != 1 || got[0].Mean != 7 || got[1].Mean != 2 ||
		got[1].Max != 3 {
		t.Errorf("%+v", got)
	}
	if a, b := mustJSON(t, got), mustJSON(t, again); a != b {
		t.Errorf("%s, in another order %s", a, b)
	}
}

func mustJSON(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	fail.On(t, err)
	return string(text)
}

// Nothing in, nothing out: no problem, and lists that are empty rather than null.
func TestEmpty(t *testing.T) {
	r := New(&ratio.Set{}, nil, 1)
	if len(r.Environment.Limitations) == 0 || r.Environment.Tolerances.Relative != 1e-9 {
		t.Errorf("%+v", r.Environment)
	}
	r.Environment.Limitations = nil
	got := mustJSON(t, r)
	want := `{"provenance":null,"records":0,"headlines":[],"contradictions":[],"warnings":[],"problems":[],"simulations":[],"simulation_figures":[],"environment":` +
		`{"runs":0,"first_started_at":"","last_started_at":"","suites":[],"hosts":[],"cpu_models":[],"go_versions":[],` +
		`"binary_versions":[],"time_limits":[],"cpu_limits":[],"memory_limits":[],` +
		`"instances_sha256":"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",` + // of nothing
		`"tolerances":{"relative":1e-9},"limitations":null}}`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// The report warns of a mean that is of no steady state.
func TestDoubtsOfSimulations(t *testing.T) {
	var records []bench.SimRecord
	for k, name := range []string{"waiting_share", "steady_state", "steady_state"} {
		records = append(records, bench.SimRecord{
			Problem: "flex", Workload: "w", Policy: "fair", Params: "{}", Scope: "run", Metric: name, Repetition: int64(k),
			Value: float64(k % 2),
		})
	}
	r := New(&ratio.Set{}, records, 1)
	if len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], "no steady state") ||
		!strings.Contains(r.Warnings[0], "fair of flex on w") {
		t.Errorf("%q", r.Warnings)
	}
}

// Metrics are divided by the bound of their own repetition.
func TestSimulationsOverBounds(t *testing.T) {
	var records []bench.SimRecord
	for k, x := range [][2]float64{{4, 2}, {9, 3}, {5, 0}} {
		for i, name := range []string{"mean_flowtime", "mean_flowtime_bound"} {
			records = append(records, bench.SimRecord{
				Problem: "cloning", Policy: "fifo", Scope: "run", Metric: name, Unit: "s",
				Repetition: int64(k), Value: x[i],
			})
		}
	}
	records = append(records, bench.SimRecord{Problem: "cloning", Policy: "fifo", Scope: "job", Metric: "mean_flowtime", Value: 100})
	for _, s := range simulations(records, Bootstrap(1)) {
		if s.Metric == "mean_flowtime_over_bound" {
			if s.Repetitions != 2 || s.Mean != 2.5 || s.Min != 2 || s.Max != 3 || s.Unit != "" {
				t.Fatalf("%+v", s)
			}
			return
		}
	}
	t.Fatal("no ratio")
}
