package verdicts

import (
	"strings"
	"testing"

	"schedgap/bench/experiment"
	"schedgap/datasets/claims"
)

// TestWhere: of nine settings of a number and a choice, the claim has the paper's value at the three with the number from 1 to 3,
// whatever the choice; so it says the number and not the choice. Of fewer than three it says how many.
func TestWhere(t *testing.T) {
	low, high := 1., 9.
	e := &Entry{Claim: &claims.Claim{}, Experiment: &Experiment{
		Experiment: &experiment.Experiment{Untold: []experiment.Factor{
			{Name: "spread", Low: &low, High: &high, Default: 5}, {Name: "kill", Choices: []any{"all", "some"}, Default: "all"},
		}},
		Measured: &experiment.Measured{},
	}}
	for i := range 9 {
		e.Experiment.Measured.Design = append(e.Experiment.Measured.Design, experiment.Point{At: map[string]any{"spread": float64(i + 1), "kill": []string{"all", "some"}[i%2]}})
		e.Grade.Points = append(e.Grade.Points, claims.Point{Inside: i < 3})
	}
	if got, want := e.where(), "at 3 of 9 settings, only with spread 1 … 3; the default is one"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	e.Grade.Points[0].Inside = false
	if got, want := e.where(), "at 2 of 9 settings"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestPicture: every claim is a dot, the values of the one strip by ratio, the others by side, and one that is not measured at the
// bottom; the legend names the verdicts that there are.
func TestPicture(t *testing.T) {
	ten, zero := 10., 0.
	entry := func(id string, c claims.Claim, blocks ...float64) *Entry {
		c.ID = id
		e := &Entry{Claim: &c}
		if len(blocks) > 0 {
			e.Grade = c.Grade(&claims.Measurement{Values: [][]float64{blocks}, Untold: true})
		} else {
			e.Grade = c.Grade(nil)
		}
		return e
	}
	entries := []*Entry{
		entry("x-c01", claims.Claim{Kind: claims.Number, Paper: claims.Range{Low: &ten, High: &ten}}, 9, 10, 11),
		entry("x-c02", claims.Claim{Kind: claims.Order, Paper: claims.Range{Low: &zero}}, -1, -2),
		entry("x-c03", claims.Claim{Kind: claims.Theorem, Argument: "a"}),
	}
	svg, err := Picture("X", entries).SVG()
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"c01", "c02", "c03", "consistent", "proof"} {
		if !strings.Contains(string(svg), ">"+text+"<") {
			t.Errorf("the picture has no %s", text)
		}
	}
	if strings.Contains(string(svg), ">refuted<") {
		t.Error("the legend has a verdict that no claim has")
	}
	if place := entries[1].side(); place(-2) >= 0 || place(1) <= 0 {
		t.Errorf("against the paper's order is at %g, for it at %g", place(-2), place(1))
	}
}
