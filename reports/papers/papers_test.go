package papers

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/fstest"

	"schedgap/bench/catalog"
	"schedgap/datasets/papers"
	"schedgap/models/fail"
)

func all(n int) []uint32 {
	rows := make([]uint32, n)
	for i := range rows {
		rows[i] = uint32(i)
	}
	return rows
}

// TestLeastOfCases: the least of several cases is that of their means. The mean of each block's least would be far below
// where the cases are equal and noisy.
func TestLeastOfCases(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	e := &Entry{Cases: []Case{{X: 1}, {X: 2}, {X: 3}}}
	var blocks []samples
	mean := 0.0
	for range 400 {
		b, least := samples{}, math.Inf(1)
		for _, x := range e.places() {
			v := rng.NormFloat64()
			b[place{x, "a", "c"}], least = &column{values: []float64{v}}, min(least, v)
		}
		blocks, mean = append(blocks, b), mean+least/400
	}
	q := Quantity{Column: "c", Of: []string{"a"}, Over: "least"}
	v, err := e.evaluate(q, blocks)
	fail.On(t, err)
	if mean > -0.7 || math.Abs(v.Value) > 0.2 || v.Low > v.Value || v.High < v.Value || v.High-v.Low > 0.3 {
		t.Errorf("least of the means %v, mean of the least %v", v, mean)
	}
}

// TestQuantity evaluates each form by hand: two blocks of jobs a and b.
func TestQuantity(t *testing.T) {
	e := &Entry{Cases: []Case{{X: 0}, {X: 1}}}
	var blocks []samples
	for _, shift := range []float64{0, 2} {
		b := samples{}
		for _, x := range e.places() {
			b[place{x, "p", "c"}] = &column{values: []float64{1 + shift, 3 + x}, jobs: []string{"a", "b"}}
			b[place{x, "q", "c"}] = &column{values: []float64{4, 2}, jobs: []string{"b", "a"}}
		}
		blocks = append(blocks, b)
	}
	at := func(x float64) *float64 { return &x }
	for _, c := range []struct {
		q    Quantity
		want float64
	}{
		{Quantity{At: at(0)}, 2.5},                                                             // (2 + 3) / 2
		{Quantity{At: at(1), Rest: "most"}, 0.5},                                               // the only other case
		{Quantity{At: at(1), Stat: "worst"}, 4},                                                // 4 and 4
		{Quantity{At: at(0), Stat: "worst"}, 3},                                                // 3 and 3
		{Quantity{At: at(1), From: at(0)}, 0.5},                                                // 3 - 2.5
		{Quantity{At: at(0), Stat: "max"}, 3},                                                  // 3 and 3
		{Quantity{At: at(0), Stat: "share", Within: 2}, 0.25},                                  // a in the first block only
		{Quantity{At: at(0), Against: []string{"q"}, As: "ratio"}, 5. / 6},                     // 5 over 6
		{Quantity{At: at(0), Against: []string{"q"}, As: "reduction"}, 100. / 6},               //
		{Quantity{At: at(0), Against: []string{"q"}, As: "difference"}, -0.5},                  //
		{Quantity{At: at(0), Against: []string{"q"}, As: "job-ratio"}, (0.5 + 1.5 + 1.5) / 4},  // a: 1/2, 3/2; b: 3/4 twice
		{Quantity{Over: "most"}, 3},                                                            // of 2.5 and 3
		{Quantity{Over: "mean", Against: []string{"q"}, As: "job-ratio", Stat: "max"}, 1.1875}, // 0.75, 1.5, 1, 1.5
	} {
		c.q.Column, c.q.Of = "c", []string{"p"}
		f, err := c.q.statistic(e, blocks)
		fail.On(t, err)
		if got := f(all(2)); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%+v: %v, want %v", c.q, got, c.want)
		}
	}
}

// TestSigns: a reduction is said in words, so that a negative one does not read as agreement with a paper's "less".
func TestSigns(t *testing.T) {
	e := &Entry{ID: "e", Statements: []Statement{{Quantity: Quantity{As: "reduction"}, Unit: "%"}, {Unit: "s"}}}
	for _, c := range []struct {
		row                  Row
		measured, everywhere string
	}{
		{
			Row{Statement: 1, Value: -26, Low: -36, High: -16, Least: -44, LeastLow: -46, LeastHigh: -42, Most: 38, MostLow: 36, MostHigh: 40, Settings: 9},
			"26 % more [16, 36]", "44 % more [42, 46] … 38 % less [36, 40], 9 settings",
		},
		{
			Row{Statement: 1, Value: 3, Low: -1, High: 5, Least: 2, LeastLow: 1, LeastHigh: 3, Most: 8, MostLow: 7, MostHigh: 9, Settings: 2},
			"3 % less [1 % more, 5 % less]", "2 % less [1, 3] … 8 % less [7, 9], 2 settings",
		},
		{
			Row{Statement: 2, Value: -3, Low: -5, High: 1, Least: -8, LeastLow: -9, LeastHigh: -7, Most: 2, MostLow: 1, MostHigh: 3, Settings: 4},
			"−3 s [−5, 1]", "−8 s [−9, −7] … 2 s [1, 3], 4 settings",
		},
		{Row{Statement: 2, Value: -3, Low: -5, High: 1}, "−3 s [−5, 1]", "–"},
	} {
		c.row.Entry = "e"
		if cells := e.Cells(c.row.Statement, []Row{c.row}); cells[2] != c.measured || cells[3] != c.everywhere {
			t.Errorf("%+v: %q and %q", c.row, cells[2], cells[3])
		}
	}
}

// TestSaysWhatMoves: a row names the open setting that moves it most, and the one that alone gives the printed number.
func TestSaysWhatMoves(t *testing.T) {
	e := &Entry{ID: "e", Statements: []Statement{{}}}
	r := Row{
		Entry: "e", Statement: 1, Value: 1.42, Low: 1.41, High: 1.43, Least: 1.1, LeastLow: 1.1, LeastHigh: 1.1, Most: 1.6, MostLow: 1.6, MostHigh: 1.6,
		Settings: 9, Mover: "total", MoverFrom: "300", MoverTo: "10000", Moved: 0.44, Met: "total = 10000", MetValue: 1.54, MetLow: 1.53, MetHigh: 1.55,
	}
	const want = "total, by 0.44: 300 to 10000; the paper's number is met at total = 10000 alone: 1.54 [1.53, 1.55]"
	if cells := e.Cells(1, []Row{r}); cells[4] != want || cells[5] != "`e`" {
		t.Errorf("%q, want %q", cells[4:], want)
	}
}

// TestMeets: a number of one digit is not met by all that rounds to it.
func TestMeets(t *testing.T) {
	for _, c := range []struct {
		printed, value, low, high float64
		want                      bool
	}{
		{1.54, 1.543, 1.542, 1.544, true},
		{1.54, 1.546, 1.545, 1.547, true},
		{1.54, 1.55, 1.549, 1.551, false},
		{2, 1.6, 1.59, 1.61, false},
		{2, 2.03, 2.02, 2.04, true},
		{2, 1.5, 1, 2.1, true},
		{0, 0.2, 0.1, 0.3, false},
	} {
		s := Statement{Printed: &c.printed}
		if got := s.meets(&Row{Value: c.value, Low: c.low, High: c.high}); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// TestDesign: our defaults come first, then each factor alone at both ends or at each other choice, then as many settings as
// are stated, one in each slice of every range, and farther apart than independent ones.
func TestDesign(t *testing.T) {
	low, high := 0.0, 8.0
	e := &Entry{Settings: 8, Open: []Factor{
		{Name: "a", Default: 1.0, Low: &low, High: &high},
		{Name: "b", Default: "x", Choices: []any{"x", "y"}},
		{Name: "c", Default: 8, Low: &low, High: &high},
	}}
	var alone []string
	slices := map[int]int{}
	for i, d := range e.design() {
		switch {
		case i == 0 && (d.factor != -1 || d.at["a"] != 1.0 || d.at["b"] != "x" || d.at["c"] != 8):
			t.Errorf("the first is %+v", d)
		case d.factor >= 0:
			name := e.Open[d.factor].Name
			alone = append(alone, fmt.Sprint(name, d.at[name]))
			for _, f := range e.Open {
				if f.Name != name && d.at[f.Name] != f.Default {
					t.Errorf("%s is not alone: %v", name, d.at)
				}
			}
		case i > 0:
			slices[int(d.at["a"].(float64))]++
		}
	}
	if got := strings.Join(alone, " "); got != "a0 a8 by c0" {
		t.Errorf("alone: %s", got)
	}
	if len(slices) != 8 {
		t.Errorf("slices of a: %v", slices)
	}
	points, least := spaceFilling(8, 3), math.Inf(1)
	for i, p := range points {
		for _, q := range points[:i] {
			least = min(least, math.Hypot(math.Hypot(p[0]-q[0], p[1]-q[1]), p[2]-q[2]))
		}
	}
	if least < 0.4 { // of independent ones about 0.2
		t.Errorf("the nearest two points are %v apart", least)
	}
}

// TestRangeOfSettings: the range holds what each open setting does alone, its ends are means of as many blocks as the defaults
// have, with intervals, and the row names what moves it.
func TestRangeOfSettings(t *testing.T) {
	registry, err := catalog.New()
	fail.On(t, err)
	const text = `paper: flex
problem: flex
title: t
source: s
suite: {algorithms: [flex, fair], instances: 4}
workload: {jobs: 5, slots: 20, small: 0.8, slack: 0.75}
open:
- {name: total, set: [workload.total], default: 1000, low: 100, high: 10000, log: true, reason: r}
- {name: ratio, set: [workload.ratio], default: 10, low: 9, high: 11, reason: r}
blocks: 5
settings: 2
setting_blocks: 2
reduced: 1
statements:
- {where: w, says: s, column: objective, of: [fair], against: [flex], as: ratio}
`
	e, err := Parse("e.yaml", []byte(text), registry)
	fail.On(t, err)
	rows, err := e.Measure(context.Background(), Options{})
	if err != nil || len(rows) != 1 {
		t.Fatalf("%+v, %v", rows, err)
	}
	r := rows[0]
	if r.Settings != 7 || r.Mover != "total" || r.MoverFrom != "100" || !(r.Moved > 0.1) {
		t.Errorf("moved by %q from %q to %q by %v, %d settings", r.Mover, r.MoverFrom, r.MoverTo, r.Moved, r.Settings)
	}
	if !(r.LeastLow <= r.Least && r.Least <= r.LeastHigh && r.Least < r.Value && r.Value <= r.Most && r.MostLow <= r.Most && r.Most <= r.MostHigh) {
		t.Errorf("%+v", r)
	}
	// The least lies where total alone is least, or below.
	m := &measurement{e: e, ctx: context.Background(), design: e.design()[1:2], again: map[int][]samples{0: make([]samples, e.Blocks)}}
	fail.On(t, m.blocks([]int{0}, func(int) []samples { return m.again[0] }, againFrom))
	alone, err := e.evaluate(e.Statements[0].Quantity, m.again[0])
	if err != nil || m.design[0].at["total"] != 100.0 || r.Least > alone.Value {
		t.Errorf("least %v, with total = %v alone %v, %v", r.Least, m.design[0].at["total"], alone.Value, err)
	}
}

// book reads the built-in entries.
func book(t *testing.T) *Catalogue {
	t.Helper()
	registry, err := catalog.New()
	fail.On(t, err)
	b, err := Load(papers.Files, "datasets/papers", registry)
	fail.On(t, err)
	return b
}

// TestStored: the stored measurements read as they were written; a value that was moved out of its interval or its range, and one
// that is not what is measured, are stale.
func TestStored(t *testing.T) {
	b := book(t)
	for _, p := range b.Papers {
		rows, err := Stored(papers.Files, p.ID)
		fail.On(t, err)
		text := CSV(rows)
		if old, err := papers.Files.ReadFile(p.ID + ".csv"); err != nil || string(old) != string(text) {
			t.Errorf("%s.csv does not read as it was written", p.ID)
		}
	}
	e := b.Of("shed-fig2")[0]
	rows, err := Stored(papers.Files, "shed")
	fail.On(t, err)
	stored := *e.Row(rows, 1)
	for _, c := range []struct {
		change func(r *Row)
		want   string
	}{
		{func(*Row) {}, ""},
		{func(r *Row) { r.Statement = 2 }, "never measured"},
		{func(r *Row) { r.Value = r.High + 1 }, "outside its interval"},
		{func(r *Row) { r.Least = r.Value + 1 }, "outside its range"},
		{func(r *Row) { r.Value, r.Low, r.High, r.Least = 2e-9, 0, 1e-9, 0 }, "outside its interval"}, // its own size counts
		{func(r *Row) { r.Value, r.Low, r.High, r.Most = r.Value+900, r.Low+900, r.High+900, r.Most+900 }, "measured now"},
	} {
		r := stored
		c.change(&r)
		stale, err := e.Check(context.Background(), []Row{r}, 1)
		fail.On(t, err)
		if c.want == "" && len(stale) > 0 || c.want != "" && (len(stale) == 0 || !strings.Contains(stale[0], c.want)) {
			t.Errorf("want %q, found %q", c.want, stale)
		}
	}
}

// TestLists: an entry that no list names, and one that is named and missing, are errors.
func TestLists(t *testing.T) {
	registry, err := catalog.New()
	fail.On(t, err)
	const entry = "paper: flex\ntitle: t\nsource: s\nstatements: [{where: w, says: s, argument: a}]\n"
	for list, want := range map[string]string{
		"[{id: flex, entries: [one, two]}]": "two",
		"[{id: shed, entries: [one]}]":      "line 1: paper",
		"[{id: flex, entry: [one]}]":        "papers.yaml: line 1",
		"[{id: flex, entries: [one]}]":      "",
	} {
		folder := fstest.MapFS{"papers.yaml": {Data: []byte(list)}, "one.yaml": {Data: []byte(entry)}}
		if _, err := Load(folder, "dir", registry); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", list, err, want)
		}
	}
}

// TestPrinted: no entry's setting is smaller than the printed one without a reason, and a table that leaves out a setting, or
// excuses one that is as large, is an error.
func TestPrinted(t *testing.T) {
	b := book(t)
	text, err := papers.Files.ReadFile("printed.csv")
	fail.On(t, err)
	for old, c := range map[string]struct{ now, want string }{
		"": {"", ""},
		"redundancy-fig7,workload.horizon,100000":                           {"redundancy-fig7,workload.horizon,200000", "smaller than the printed"},
		"redundancy-fig7,workload.horizon,100000,§6,\n":                     {"", "no line of workload.horizon of redundancy-fig7"},
		"redundancy-fig7,workload.horizon,100000,§6,":                       {"redundancy-fig7,workload.horizon,100000,§6,too long", "not smaller"},
		"redundancy-fig7,workload.horizon,":                                 {"redundancy-fig7,workload.horizons,", "sets no"},
		"redundancy-fig7,params.machines,100":                               {"redundancy-fig77,params.machines,100", "no entry"},
		"window-fig6,workload.jobs,1500,§6.1,`window-size` has three sizes": {"window-fig6,workload.jobs,many,§6.1,", "must be a number"},
	} {
		folder := fstest.MapFS{"printed.csv": {Data: []byte(strings.Replace(string(text), old, c.now, 1))}}
		if _, err := ReadPrinted(folder, b); (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.now, err, c.want)
		}
	}
}
