package verdicts

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"schedgap/bench/experiment"
	"schedgap/datasets/claims"
)

var numbersIn = regexp.MustCompile(`\d+(?:,\d{3})*(?:\.\d+)?`)

// namesIn are names that contain digits and are no numbers of a statement: figures, sections, clones by name, symbols.
var namesIn = regexp.MustCompile(`Figures? ?\d+(\([a-c]\))?|[Ss]ections? [\d.]+|Lemmas? \d( and \d)?|flow\d|h\(2\)|EC2|GridMix2|\(\d[^)]*eps[^)]*\)|O\([^)]*\)|Algorithm \d|` +
	`2\^[lj]|2D|dollymp\d|N-1|N\+1|r = 5|\(N\+1\)|P1|P2|jobs? \d( and \d|–\d)?|1-max d|1\+\(1-1/r\)`)

// TestNumbers: every number of the statement of a claim that is measured is one of the paper's value, or stands in the statistic
// or in what the experiment applies, as it is, as a percent or as what is left to 100 percent.
func TestNumbers(t *testing.T) {
	s, err := Stored()
	if err != nil {
		t.Fatal(err)
	}
	b, err := New(s)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range b.Entries {
		x := c.Experiment
		if x == nil || c.Kind == claims.Theorem {
			continue
		}
		var tested []float64
		text := fmt.Sprint(c.Statistic, " ", x.Title, " ", x.Params, " ", x.Repetitions)
		for _, told := range x.Told {
			text += " " + told.What
		}
		for _, place := range x.Cases {
			text += fmt.Sprint(" ", place.X)
		}
		for _, s := range numbersIn.FindAllString(text, -1) {
			x, _ := strconv.ParseFloat(strings.ReplaceAll(s, ",", ""), 64) // as it matches, it is one
			tested = append(tested, x, 100*x, 100*(1-x), x*1000, 100*(x-math.Trunc(x)), math.Trunc(x))
		}
		for _, p := range []*float64{c.Paper.Low, c.Paper.High} {
			if p != nil {
				tested = append(tested, *p, 100**p, 100*(*p-1), 100*(1-*p))
			}
		}
		for _, s := range numbersIn.FindAllString(namesIn.ReplaceAllString(c.Statement, ""), -1) {
			x, err := strconv.ParseFloat(strings.ReplaceAll(s, ",", ""), 64)
			if err != nil || !slices.ContainsFunc(tested, func(y float64) bool { return math.Abs(x-y) < 1e-6 }) {
				t.Errorf("%s: %s of its statement is not tested: %q by %s", c.ID, s, c.Statement, c.Statistic)
			}
		}
	}
}

// TestSplit: of 33 settings of a number and a choice a claim holds at the twelve with the number up to 12, whatever the choice.
// That is a split: the chance that twelve settings at an end are the twelve that hold is 1 of 354,817,320. Of three that hold it
// is none.
func TestSplit(t *testing.T) {
	low, high := 1., 33.
	e := &Entry{Claim: &claims.Claim{}, Experiment: &Experiment{
		Experiment: &experiment.Experiment{Untold: []experiment.Factor{
			{Name: "spread", Low: &low, High: &high, Default: 5.}, {Name: "kill", Choices: []any{"all", "some"}, Default: "all"},
		}},
		Measured: &experiment.Measured{},
	}}
	share := func(holds func(i int) bool) *claims.Share {
		var points []claims.Point
		for i := range 33 {
			x := 0.
			if holds(i) {
				x = 1
			}
			points = append(points, claims.Point{Mean: x, Interval: claims.Bounds{Low: x, High: x}})
		}
		s := claims.ShareOf(points, claims.Target{Bounds: claims.Bounds{Low: 1, High: 1}})
		return &s
	}
	for i := range 33 {
		e.Experiment.Measured.Design = append(e.Experiment.Measured.Design,
			experiment.Point{At: map[string]any{"spread": float64(i + 1), "kill": []string{"all", "some"}[i%2]}})
	}
	for _, c := range []struct {
		holds func(i int) bool
		want  string
	}{
		{func(i int) bool { return i < 12 }, "at all 12 settings with spread ≤ 12"},
		{func(i int) bool { return i >= 20 }, "at all 13 settings with spread ≥ 21"},
		{func(i int) bool { return i%2 == 1 }, "at all 16 settings with kill some"},
		{func(i int) bool { return i < 2 }, ""},
		{func(i int) bool { return i%3 != 0 }, ""},
		{func(int) bool { return true }, ""},
	} {
		e.Grade.Share = share(c.holds)
		if got := e.split(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
