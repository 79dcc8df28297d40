package plots

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"schedgap/bench"
	"schedgap/models"
	"schedgap/models/fail"
	"schedgap/reports/anytime"
	"schedgap/reports/internal/fake"
	"schedgap/reports/ratio"
	"schedgap/reports/summary"
)

// Few values stay as they are, rounding noise aside; many are rounded to a step that leaves about a dozen, and counts
// that span orders of magnitude to powers of two.
func TestBins(t *testing.T) {
	few := bins([]float64{0.1 + 0.2, 0.3, 0.75})
	if few.round(0.1+0.2) != 0.3 || few.round(0.75) != 0.75 || few.note != "" || few.scale != Linear {
		t.Errorf("few: %+v", few)
	}
	var jobs []float64
	for i := range 15 {
		jobs = append(jobs, float64(5+i))
	}
	if b := bins(slices.Repeat(jobs, fill)); b.note != "" || b.round(6) != 6 {
		t.Errorf("15 integers, each often enough: %+v", b)
	}
	if b := bins(jobs); b.note != ", rounded to multiples of 5" || b.round(6) != 5 {
		t.Errorf("15 integers, each once: %+v", b)
	}
	var shares, counts []float64
	for i := range 101 {
		shares = append(shares, float64(i)/100)
		counts = append(counts, float64(10+i*i))
	}
	many := bins(shares)
	distinct := map[float64]bool{}
	for _, x := range shares {
		distinct[many.round(x)] = true
		if math.Abs(many.round(x)-x) > 0.05+1e-12 {
			t.Errorf("%v becomes %v", x, many.round(x))
		}
	}
	if many.note != ", rounded to multiples of 0.1" || len(distinct) != 11 || !distinct[0.3] {
		t.Errorf("many: %q, %d values", many.note, len(distinct))
	}
	if b := bins(counts); b.scale != Log || b.round(1000) != 1024 || b.round(11) != 8 {
		t.Errorf("counts: %+v", b)
	}
}

// On two instances with intervals [1, 2] and [3, 3], of four in all, the profile's line follows the high ends and its edge
// the low ones: at 1 nothing or a quarter, from 2 on a quarter, from 3 on a half.
func TestBand(t *testing.T) {
	a, x := &artist{problem: &summary.Problem{}, style: map[string]Style{}}, &summary.Variant{Label: "x"}
	l := a.band(series{Variant: x, los: []float64{1, 3}, his: []float64{2, 3}, open: true}, 4)
	if d := cmp.Diff([][]float64{{1, 2, 3}, {0, 0.25, 0.5}, {0.25, 0.25, 0.5}}, [][]float64{l.X, l.Y, l.Edge}); d != "" {
		t.Error(d)
	}
	l = a.band(series{Variant: x, los: []float64{3}, his: []float64{3}}, 1)
	if l.Edge != nil {
		t.Errorf("a band around proven optima: %v", l.Edge)
	}
}

// A feature gets a figure only where it varies: numbers as lines, one a metric, and words as groups; references and
// differences have their own.
func TestFigures(t *testing.T) {
	p, in := fake.Problem(), fake.Instances{}
	var records []bench.Record
	for i := range 24 {
		name := string(rune('a' + i))
		c, metric := models.Quotient, "response"
		if i%2 == 1 {
			c, metric = models.Difference, "lateness"
		}
		in.Add(name, c, map[string]any{"metric": metric, "slack": float64(i / 8), "constant": 1.0, "odd": i%4 < 2})
		records = append(records, fake.Optimal(p, name, "opt", 10), fake.Solved(p, name, "fair", 11+float64(i)))
	}
	set, err := ratio.New(ratio.Input{Records: ratio.Pack(records), Problems: []*bench.Problem{p}, Instance: in.Find})
	fail.On(t, err)
	var got []string
	for _, d := range Problem(summary.New(set, nil, 1).Problems[0]) {
		got = append(got, d.Name)
	}
	slices.Sort(got)
	want := []string{
		"flex-opt-box", "flex-opt-by-odd", "flex-opt-by-slack", "flex-opt-overview", "flex-opt-profile",
		"flex-opt-regret-box", "flex-opt-regret-by-odd", "flex-opt-regret-by-slack", "flex-opt-regret-overview", "flex-opt-regret-profile",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// Every level of a factor has an overview and boxes, and levels of load are points in place of the loads that were measured.
func TestFactorFigures(t *testing.T) {
	p, in := fake.Problem(), fake.Instances{}
	var records []bench.Record
	for i := range 18 {
		name, level := fmt.Sprintf("i%02d", i), fmt.Sprintf(`{"load":0.%d}`, 5+i/6)
		in.Add(name, models.Quotient, map[string]any{"load": float64(i)})
		for _, r := range []bench.Record{fake.Optimal(p, name, "opt", 10), fake.Solved(p, name, "fair", 11+float64(i))} {
			r.Factors = &level
			records = append(records, r)
		}
	}
	set, err := ratio.New(ratio.Input{Records: ratio.Pack(records), Problems: []*bench.Problem{p}, Instance: in.Find})
	fail.On(t, err)
	problem := summary.New(set, nil, 1).Problems[0]
	var got []string
	for _, d := range Problem(problem) {
		got = append(got, d.Name)
	}
	for _, want := range []string{
		"flex-opt-overview-generate-load-0-5", "flex-opt-overview-generate-load-0-7", "flex-opt-box-generate-load-0-6",
		"flex-opt-overview", "flex-opt-by-load",
	} {
		if !slices.Contains(got, want) {
			t.Errorf("no %s in %q", want, got)
		}
	}
	v := problem.Views[0]
	points := numberFactor("load", shown(v, summary.Class{}), func(in *ratio.Instance) float64 { return in.Number("load") }).xs
	if len(points) != 3 {
		t.Errorf("%d points, want 3", len(points))
	}
}

// An exact method has 16, gap 1/2, from second 1 and the optimum 8 at second 4 of 10, and no bound before; an open instance has
// 10 from second 2, which is the best value, and the bound 8, gap 1/5. Their mean gap is 1, 3/4, then between 1/4 and 7/20, then
// between 0 and 1/10.
func TestOverTime(t *testing.T) {
	p := fake.Problem()
	limited := func(r bench.Record, wall float64) bench.Record {
		r.TimeLimitSeconds, r.WallSeconds = fake.Ptr(10.), &wall
		return r
	}
	a, b := limited(fake.Optimal(p, "a", "opt", 8), 4), limited(fake.Bounded(p, "b", "opt", 8, fake.Ptr(10.)), 10)
	set, err := ratio.New(ratio.Input{
		Records: ratio.Pack([]bench.Record{a, b}), Problems: []*bench.Problem{p},
		Instance: fake.Instances{}.Find,
	})
	fail.On(t, err)
	value := func(at, v float64) anytime.Event { return anytime.Event{Point: anytime.Point{Seconds: at, Value: v}} }
	r := summary.New(set, nil, 1)
	r.Over(anytime.Log{a.UnitID: {value(1, 16)}, b.UnitID: {value(2, 10)}})
	problem := r.Problems[0]
	var got []string
	for _, d := range Problem(problem) {
		if d.OverTime {
			got = append(got, d.Name)
		}
	}
	if d := cmp.Diff([]string{"flex-opt-over-time"}, got); d != "" {
		t.Error(d)
	}
	line := gapLine(&problem.OverTime[0], 0.5, 10)
	for i := range line.Y {
		line.Y[i], line.Edge[i] = math.Round(line.Y[i]*1e6)/1e6, math.Round(line.Edge[i]*1e6)/1e6
	}
	floor := 100 * leastGap
	want := Line{
		Label: "opt", Style: line.Style, X: []float64{0.5, 1, 1, 2, 2, 4, 4, 10, 10},
		Y: []float64{100, 100, 75, 75, 35, 35, 10, 10, 10}, Edge: []float64{100, 100, 75, 75, 25, 25, floor, floor, floor},
	}
	if d := cmp.Diff(want, line); d != "" {
		t.Error(d)
	}
}

// Runs of one algorithm at several augmentations are one sweep with the mean and the worst ratio at each, beside what is
// proven, and leave the other figures. 20/10 at factor 1; 12/10 and 18/10 at 2; 3/(f − 1) is proven where f > 1.
func TestAugmentation(t *testing.T) {
	p, in := fake.Problem(), fake.Instances{}
	fair, _, err := p.Find("fair")
	fail.On(t, err)
	fair.Guarantee = &models.Guarantee{
		Doc:   "Theorem 2",
		Ratio: func(_ map[string]any, _ string, f float64) (float64, bool) { return 3 / (f - 1), f > 1 },
	}
	augmented := func(instance string, factor, value float64) bench.Record {
		r := fake.Solved(p, instance, "fair", value)
		r.UnitID += fmt.Sprint(factor)
		r.Augmentation, r.Params = factor, fmt.Sprintf(`{"capacity_factor":%v}`, factor)
		return r
	}
	set, err := ratio.New(ratio.Input{Records: ratio.Pack([]bench.Record{
		fake.Optimal(p, "a", "opt", 10), fake.Optimal(p, "b", "opt", 10), fake.Solved(p, "a", "spt", 11),
		augmented("a", 1, 20), augmented("b", 1, 20), augmented("a", 2, 12), augmented("b", 2, 18),
	}), Problems: []*bench.Problem{p}, Instance: in.Find})
	fail.On(t, err)
	s := summary.New(set, nil, 1).Problems[0]
	list := sweeps(s.Views[0])
	if len(list) != 1 || list[0].label != "fair" || !slices.Equal(list[0].xs, []float64{1, 2}) || len(list[0].cells) != 4 {
		t.Fatalf("sweeps %+v", list)
	}
	line, statement := proof(s.Views[0], list[0])
	if statement != "Theorem 2" || !slices.Equal(line.X, []float64{2}) || !slices.Equal(line.Y, []float64{3}) {
		t.Errorf("proof %q %v %v", statement, line.X, line.Y)
	}
	fair.Guarantee.Shape, fair.Guarantee.Ratio = true, func(_ map[string]any, _ string, f float64) (float64, bool) { return 0.25 / (f - 1), f > 1 }
	line, statement = proof(s.Views[0], list[0])
	if statement != "Theorem 2 (shape of the bound, constant unknown)" || !slices.Equal(line.Y, []float64{1}) {
		t.Errorf("a bound of unknown constant: %q %v", statement, line.Y)
	}
	fair.Guarantee.Shape = false
	fair.Guarantee.Params = map[string]any{"capacity_factor": 3.0}
	if _, statement := proof(s.Views[0], list[0]); statement != "" {
		t.Errorf("%q is drawn for other parameters than it is about", statement)
	}
	var drawn bool
	for _, d := range Problem(s) {
		drawn = drawn || d.Name == "flex-opt-by-augmentation"
	}
	if list := shown(s.Views[0], summary.Class{}); !drawn || len(list) != 2 {
		t.Errorf("drawn: %v; %d variants in the other figures, want spt and fair at 1", drawn, len(list))
	}
}

// Two methods that prove after other seconds of the processor than of the wall: the time profile is by the processor's, as far as
// they are known, and says how many units each method proved.
func TestProven(t *testing.T) {
	flex := fake.Problem()
	records := []bench.Record{
		fake.Optimal(flex, "a", "opt", 8), fake.Bounded(flex, "b", "opt", 8, nil),
		fake.Optimal(flex, "a", "opt", 8), fake.Optimal(flex, "b", "opt", 8),
	}
	for i := range records {
		records[i].UnitID, records[i].WallSeconds, records[i].CPUSeconds = fmt.Sprint(i), fake.Ptr(40.0), fake.Ptr(float64(4+i))
		if i > 1 {
			records[i].Solver = fake.Ptr("bnb")
		}
	}
	for _, clock := range []string{"processor time", "wall time"} {
		set, err := ratio.New(ratio.Input{
			Records: ratio.Pack(records), Problems: []*bench.Problem{flex},
			Instance: fake.Instances{}.Find,
		})
		fail.On(t, err)
		i := -1
		drawings := Problem(summary.New(set, nil, 1).Problems[0])
		i = slices.IndexFunc(drawings, func(d Drawing) bool { return d.Name == "flex-opt-proven" })
		if i < 0 {
			t.Fatal("there is no time profile")
		}
		svg, err := drawings[i].Plot.SVG()
		fail.On(t, err)
		for _, says := range []string{clock, "bnb 2/2", "highs 1/2"} {
			if !strings.Contains(string(svg), says) {
				t.Errorf("the time profile does not say %q", says)
			}
		}
		records[0].CPUSeconds = nil
	}
}
