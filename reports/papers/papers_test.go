package papers

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/fstest"

	"schedgap/bench/catalog"
	"schedgap/datasets/papers"
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
	v, err := e.evaluate(q, [][]samples{blocks})
	if err != nil {
		t.Fatal(err)
	}
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
		if err != nil {
			t.Fatal(err)
		}
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
		{Row{Statement: 1, Value: -26, Low: -36, High: -16, Least: -44, Most: 38}, "26 % more [16, 36]", "44 % more…38 % less"},
		{Row{Statement: 1, Value: 3, Low: -1, High: 5, Least: 2, Most: 8}, "3 % less [1 % more, 5 % less]", "2…8"},
		{Row{Statement: 1, Value: -3, Low: -5, High: -1, Least: -8, Most: -2}, "3 % more [1, 5]", "2…8"},
		{Row{Statement: 2, Value: -3, Low: -5, High: 1, Least: -8, Most: 2}, "−3 s [−5, 1]", "−8…2"},
	} {
		c.row.Entry = "e"
		if cells := e.Cells(c.row.Statement, []Row{c.row}); cells[2] != c.measured || cells[3] != c.everywhere {
			t.Errorf("%+v: %q and %q", c.row, cells[2], cells[3])
		}
	}
}

// book reads the built-in entries.
func book(t *testing.T) *Book {
	t.Helper()
	registry, err := catalog.New()
	if err != nil {
		t.Fatal(err)
	}
	b, err := Load(papers.Files, "datasets/papers", registry)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestStored: the stored measurements read as they were written; a value that was moved out of its interval or its range, and one
// that is not what is measured, are stale.
func TestStored(t *testing.T) {
	b := book(t)
	for _, p := range b.Papers {
		rows, err := Stored(papers.Files, p.ID)
		if err != nil {
			t.Fatal(err)
		}
		text := CSV(rows)
		if old, err := papers.Files.ReadFile(p.ID + ".csv"); err != nil || string(old) != string(text) {
			t.Errorf("%s.csv does not read as it was written", p.ID)
		}
	}
	e := b.Of("shed-fig2")[0]
	rows, err := Stored(papers.Files, "shed")
	if err != nil {
		t.Fatal(err)
	}
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
		if err != nil {
			t.Fatal(err)
		}
		if c.want == "" && len(stale) > 0 || c.want != "" && (len(stale) == 0 || !strings.Contains(stale[0], c.want)) {
			t.Errorf("want %q, found %q", c.want, stale)
		}
	}
}

// TestLists: an entry that no list names, and one that is named and missing, are errors.
func TestLists(t *testing.T) {
	registry, err := catalog.New()
	if err != nil {
		t.Fatal(err)
	}
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
