package claims

import (
	"math"
	"slices"
	"strings"
	"testing"
)

func at(x float64) *float64 { return &x }

// repeat is a design whose first so many settings have the one value, in two blocks, and the others the other.
func repeat(n int, value float64, m int, other float64) [][]float64 {
	return slices.Concat(slices.Repeat([][]float64{{value, value}}, n), slices.Repeat([][]float64{{other, other}}, m))
}

// TestGrade: every verdict. Wilson's intervals of 95 % are worked out from the formula: 33 of 33 are [0.896, 1], 30 of 33 [0.764,
// 0.969], 17 of 33 [0.352, 0.675], 6 of 33 [0.086, 0.344], 1 of 33 [0.005, 0.153], 100 of 100 [0.963, 1].
func TestGrade(t *testing.T) {
	number := Claim{Kind: Number, Experiment: "e", Paper: Range{Low: at(10), High: at(10)}, Tolerance: Tolerance{Value: 1}}
	theorem := Claim{Kind: Theorem, Experiment: "e", Paper: Range{High: at(6)}}
	noisy := []float64{0, 10, 20}
	for _, c := range []struct {
		name   string
		claim  Claim
		values [][]float64
		want   string
	}{
		{"an argument", Claim{Kind: Theorem, Argument: "a", Paper: theorem.Paper}, [][]float64{{9}}, Proven},
		{"nothing to measure", Claim{Kind: Number, Missing: "lost"}, nil, NotMeasurable},
		{"not measured yet", number, nil, NotMeasured},
		{"a theorem with a counter-example, elsewhere none", theorem, [][]float64{{9, 9}, {1, 1}}, Refuted},
		{"a theorem that is undecided", theorem, [][]float64{{5, 6, 7}}, NotRefuted},
		{"a theorem without a constant", Claim{Kind: Theorem, Experiment: "e"}, [][]float64{{5, 6, 7}}, NotRefuted},
		{"the only setting, within", number, [][]float64{{10.9}}, "everywhere"},
		{"the only setting, off", number, [][]float64{{12}}, OffEverywhere},
		{"the only setting, straddling", number, [][]float64{noisy}, TooNoisy},
		{"at every setting of many", number, repeat(100, 10, 0, 0), "everywhere"},
		{"at every setting of few", number, repeat(33, 10, 0, 0), "mostly to everywhere"},
		{"at nearly every setting", number, repeat(30, 10, 3, 0), "mostly to everywhere"},
		{"at half of them", number, repeat(17, 10, 16, 0), "depends to mostly"},
		{"at a few", number, repeat(6, 10, 27, 0), "rarely to depends"},
		{"at one", number, repeat(1, 10, 32, 0), "nowhere to rarely"},
		{"at none, on both sides", number, repeat(16, 20, 17, 0), OffEverywhere},
		{"mostly too noisy", number, slices.Concat(slices.Repeat([][]float64{noisy}, 6), repeat(5, 10, 0, 0)), TooNoisy},
		{"a block without a number", number, [][]float64{{10, math.NaN(), 10}}, TooNoisy},
		{
			"a relative tolerance",
			Claim{Kind: Number, Paper: number.Paper, Tolerance: Tolerance{Relative: 0.2}},
			[][]float64{{11.9}},
			"everywhere",
		},
		{"the end belongs to a half-line", Claim{Kind: Order, Paper: Range{Low: at(0)}}, [][]float64{{0}}, "everywhere"},
	} {
		if got := c.claim.Grade(c.values).Verdict; got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// TestGradeShows: three blocks 1, 2, 3 have mean 2 and standard deviation 1, and t at two degrees of freedom is 4.30265.
func TestGradeShows(t *testing.T) {
	c := Claim{
		Kind: Number, Experiment: "e", Unit: "percent", Paper: Range{Low: at(1), High: at(1)},
		Tolerance: Tolerance{Value: 0.2},
	}
	g := c.Grade([][]float64{{1, 2, 3}, {5, 5, 5}, {-1, -1, -1}, {1, 1, 1}, {0.5, 0.5, 0.5}})
	half := 4.30265 / math.Sqrt(3)
	near := func(a, b float64) bool { return math.Abs(a-b) < 1e-5 }
	if g.Value != 2 || !near(g.Interval.Low, 2-half) || !near(g.Interval.High, 2+half) || g.Envelope.High != 5 {
		t.Errorf("value %g, interval %v, envelope %v", g.Value, g.Interval, g.Envelope)
	}
	if s := g.Share; s.Held != 1 || s.Of != 5 || s.Sure != 1 || s.Off != 3 || s.Holding() || s.At[3] != true {
		t.Errorf("share %+v", g.Share)
	}
	if d := g.Direction; d == nil || d.Sure != 3 || d.Off != 1 || d.Of != 5 { // 5, 1 and 0.5 are above 0, −1 is not, 2 ± 2.5 may be
		t.Errorf("direction %+v", g.Direction)
	}
	want := []struct {
		name string
		held int
	}{{"double", 1}, {"half", 1}} // 1.8 to 2.2, and 0.3 to 0.7
	for i, d := range g.Decoys {
		if len(g.Decoys) != 2 || d.Name != want[i].name || d.Share.Held != want[i].held {
			t.Errorf("decoys %+v", g.Decoys)
		}
	}
}

// TestDecoys: which false claims a claim has, and that a negation holds where the claim does not.
func TestDecoys(t *testing.T) {
	for _, c := range []struct {
		claim Claim
		want  string
	}{
		{Claim{Kind: Number, Paper: Range{Low: at(27), High: at(27)}}, "double half"},
		{Claim{Kind: Number, Unit: "share", Paper: Range{Low: at(0.4), High: at(0.4)}}, "double half"},
		{Claim{Kind: Number, Unit: "share", Paper: Range{Low: at(0.9), High: at(0.9)}}, "half"},
		{Claim{Kind: Number, Paper: Range{Low: at(30)}}, "negation double"},
		{Claim{Kind: Number, Paper: Range{High: at(30)}}, "negation half"},
		{Claim{Kind: Order, Paper: Range{Low: at(0)}}, "negation"},
		{Claim{Kind: Shape, Paper: Range{Low: at(1), High: at(2)}}, "negation"},
	} {
		var names []string
		for _, d := range c.claim.decoys() {
			names = append(names, d.Name)
		}
		if got := strings.Join(names, " "); got != c.want {
			t.Errorf("%+v: %s, want %s", c.claim.Paper, got, c.want)
		}
	}
	g := Claim{Kind: Order, Experiment: "e", Paper: Range{Low: at(0)}}.Grade(repeat(30, 1, 3, -1))
	if d := g.Decoys[0].Share; d.Held != 3 || d.Sure != 3 || d.Off != 30 || d.Holding() || !g.Share.Holding() {
		t.Errorf("negation %+v", d)
	}
}

// TestTogether: the setting that gives most, and how rare that is. Three curves of two numbers come out, each at one of two
// settings, all three at the second: of the six orders of the curves only the given one does, so p is near a sixth.
func TestTogether(t *testing.T) {
	var list []*Claim
	var grades []Grade
	add := func(curve string, value float64, ours ...float64) {
		c := &Claim{
			ID: curve, Curve: curve, Kind: Number, Experiment: "e", Paper: Range{Low: at(value), High: at(value)},
			Tolerance: Tolerance{Value: 0.1},
		}
		var values [][]float64
		for _, x := range ours {
			values = append(values, []float64{x})
		}
		list, grades = append(list, c), append(grades, c.Grade(values))
	}
	for i, curve := range []string{"a", "b", "c"} {
		add(curve, float64(i+1), 9, float64(i+1))
	}
	for i, curve := range []string{"a", "b", "c"} {
		add(curve, float64(i+11), float64(i+11), float64(i+11))
	}
	j := Together(list, grades)
	if j.At != 1 || j.Given != 6 || j.Of != 6 || j.P == nil || math.Abs(*j.P-1./6) > 0.02 {
		t.Errorf("%+v, p %v", j, *j.P)
	}
	if again := Together(list, grades); *again.P != *j.P {
		t.Error("another p the second time")
	}
	// each alone: they may change places, and the two pairs
	list[0].Curve, list[0].ID, list[3].Curve, list[3].ID = "x", "x", "y", "y"
	if k := Together(list, grades); k.P == nil || math.Abs(*k.P-1./4) > 0.02 {
		t.Errorf("two singles and two pairs: p %v", *k.P)
	}
	if k := Together(list[:1], grades[:1]); k.P != nil || k.Given != 1 {
		t.Errorf("nothing to permute: %+v", k)
	}
}
