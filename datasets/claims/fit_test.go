package claims

import (
	"math"
	"slices"
	"strings"
	"testing"
)

// TestFit: the point of the design nearest to the fitted claims is chosen, whatever the tested ones say; worked out by hand.
func TestFit(t *testing.T) {
	claims, grades := map[string]*Claim{}, map[string]Grade{}
	claim := func(id string, paper float64, means ...float64) {
		claims[id] = &Claim{ID: id, Kind: Number, Paper: Range{Low: &paper, High: &paper}, Tolerance: Tolerance{Value: 1}}
		g := Grade{}
		for _, m := range means {
			g.Points = append(g.Points, Point{Mean: m})
		}
		grades[id] = g
	}
	claim("a", 10, 20, 10, 13)
	claim("b", 20, 20, 24, 26)
	claim("c", 5, 5, 10, 5)
	f := Fit{Name: "f", Fitted: []string{"a", "b"}, Tested: []string{"c"}}
	got, err := f.Solve(claims, grades)
	if err != nil {
		t.Fatal(err)
	}
	// Relative distances: a (1, 0, .3), b (0, .2, .3), c (0, 1, 0).
	close := func(a, b float64) bool { return math.Abs(a-b) < 1e-12 }
	if got.Chosen != 1 || !close(got.FitDefault, math.Sqrt(0.5)) || !close(got.FitChosen, math.Sqrt(0.02)) || got.TestDefault != 0 || got.TestChosen != 1 {
		t.Errorf("got %+v", got)
	}
	if got.Most != 2 || got.MostAt != 0 || got.All != nil { // the default gives b and c
		t.Errorf("most %d at %d, all %v", got.Most, got.MostAt, got.All)
	}
	if at, chosen := got.Rows[0].Gives(); at || !chosen {
		t.Errorf("a: %v, %v", at, chosen)
	}
	f.Absolute = true // a (10, 0, 3), b (0, 4, 6)
	if got, err = f.Solve(claims, grades); err != nil || got.Chosen != 1 || !close(got.FitChosen, math.Sqrt(8)) {
		t.Errorf("%+v, %v", got, err)
	}
	grades["c"].Points[0].Mean, grades["a"].Points[0].Mean = 5, 10
	if got, err = f.Solve(claims, grades); err != nil || !slices.Equal(got.All, []int{0}) {
		t.Errorf("all %v, %v", got.All, err)
	}
	delete(grades, "c")
	if _, err = f.Solve(claims, grades); err == nil || !strings.Contains(err.Error(), "c is not measured") {
		t.Error(err)
	}
}

// TestFitFaults: a fit that tests what it fitted is none.
func TestFitFaults(t *testing.T) {
	const head = "- name: f\n  experiment: e\n  parameters: [x]\n  reading: r\n"
	for _, c := range []struct{ text, says string }{
		{head + "  fitted: [a]\n", "fit f: it needs claims to fit and claims to test"},
		{head + "  fitted: [a]\n  tested: [b, a]\n", "a is both fitted and tested"},
		{"- name: f\n", "must be given"},
		{head + "  fited: [a]\n", `unknown field "fited"`},
	} {
		if _, err := ParseFits("fits.yaml", []byte(c.text)); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q", c.text, err, c.says)
		}
	}
	if _, err := Fits(); err != nil {
		t.Error(err)
	}
}
