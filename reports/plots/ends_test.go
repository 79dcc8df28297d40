package plots

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/plot/text"

	"schedgap/bench"
	"schedgap/models"
	"schedgap/models/fail"
	"schedgap/reports/internal/fake"
	"schedgap/reports/ratio"
	"schedgap/reports/summary"
)

// Of twelve lines, whatever they would like, eight have a colour and a dash that no other has, are labelled, and their labels do not lie
// on each other; four are grey, and named by Background.
func TestLinesAreToldApart(t *testing.T) {
	stroke := regexp.MustCompile(`style="fill:none;stroke:(#[0-9A-F]{6});stroke-width:1.6[^"]*"`)
	dash := regexp.MustCompile(`stroke-dasharray:([\d.,]+)`)
	for _, step := range []int{0, 1, len(palette)} { // of one look, of neighbouring looks, variants of one colour
		var lines []Line
		for i := range 12 {
			lines = append(lines, Line{
				Label: fmt.Sprintf("opt (start=none, solver=%c)", 'a'+i), Style: Style{Index: 14 + i*step}, Step: true,
				X: []float64{1, 2}, Y: []float64{100, 1},
			})
		}
		svg, err := Lines(Frame{Y: Axis{Base: nan}, X: Axis{Base: nan}}, lines).SVG()
		fail.On(t, err)
		colours, dashed := map[string]bool{}, map[string]bool{}
		for _, found := range stroke.FindAllStringSubmatch(string(svg), -1) {
			colours[found[1]] = true
			dashed[strings.Join(dash.FindStringSubmatch(found[0]), " ")] = true
		}
		if len(colours) != 8 || len(dashed) != 8 {
			t.Errorf("step %d: %d colours and %d dashes, want 8 of each", step, len(colours), len(dashed))
		}
		var at []float64
		for i := range 12 {
			label := regexp.MustCompile(fmt.Sprintf(`y="(-?[\d.]+)"[^>]*>[^<]*solver=%c\)`, 'a'+i)).FindSubmatch(svg)
			if (label != nil) != (i < 8) {
				t.Errorf("step %d: line %d is labelled: %v", step, i, label != nil)
			} else if label != nil {
				y, _ := strconv.ParseFloat(string(label[1]), 64)
				at = append(at, y)
			}
		}
		slices.Sort(at)
		for i := range at[1:] {
			if at[i+1]-at[i] < 8 {
				t.Errorf("step %d: labels lie on each other: %v", step, at)
				break
			}
		}
		if rest := Background(lines); len(rest) != 4 || rest[0] != lines[8].Label || !strings.Contains(string(svg), "4 more") {
			t.Errorf("step %d: grey are %q", step, rest)
		}
	}
}

// A text takes as much room as in the wider one of the fonts that a reader may have, and names at the left of an axis end at it in each.
func TestTextsFitTheReadersFont(t *testing.T) {
	style := textStyle(text.Style{}, 10)
	const says = "flex-ls (evaluations=20)"
	if narrow, wide := embedded(style).Width(says), style.Width(says); wide < 1.1*narrow {
		t.Errorf("%q is %.1f points wide, in Liberation Sans %.1f; DejaVu Sans is wider by more than a tenth", says, wide, narrow)
	}
	svg, err := Boxes(Frame{X: Axis{Base: nan}, Y: Axis{Base: nan}}, []Box{{Label: says, Median: 1, Q1: 1, Q3: 2, Low: 1, High: 3, Worst: nan, Mean: nan}}).SVG()
	fail.On(t, err)
	if !regexp.MustCompile(`text-anchor="end">flex-ls`).Match(svg) || !strings.Contains(string(svg), "'DejaVu Sans'") ||
		strings.ContainsAny(string(svg), centred+right) {
		t.Errorf("%s", svg)
	}
}

// 30 times as far as the median, one dot makes the axis logarithmic, and dots at the median are on no less than a twentieth of it; 15 times
// as far it does not. A strip whose dots would lie on the first twentieth makes it so, too, whatever the median of all is.
func TestStripScale(t *testing.T) {
	strip := func(hi ...float64) Strip { return Strip{Lo: hi, Hi: hi, Mean: 0.01} }
	for _, c := range []struct {
		log    bool
		strips []Strip
	}{
		{true, []Strip{strip(0.01, 0.01, 0.01, 0.30)}},
		{false, []Strip{strip(0.01, 0.01, 0.01, 0.15)}},
		{true, []Strip{strip(0, 0.001, 0.002), strip(1, 2, 3, 4)}},
		{false, []Strip{strip(0, 0, 0), strip(1, 2, 3)}},
		{true, []Strip{strip(-0.02, 0.01, 0.01, 300)}},
	} {
		s := newStripScale(c.strips)
		if (s.unit > 0) != c.log {
			t.Errorf("%v: logarithmic %v", c.strips, s.unit > 0)
		}
		dot := c.strips[0].Hi[1]
		if place := (s.at(dot) - s.lo) / (s.hi - s.lo); dot > 0 && place < 0.05 {
			t.Errorf("%v: the dot at %g lies on the first %.1f %% of the axis", c.strips, dot, 100*place)
		}
		for _, tick := range s.ticks().Ticks(s.lo, s.hi) {
			if math.IsNaN(tick.Value) {
				t.Errorf("%v: a tick that is no number", c.strips)
			}
		}
	}
}

// The name of an instance is whole where there is room, and there is as much as the row is wide.
func TestNamesAreWhole(t *testing.T) {
	const name = "cloning-trace-2011-machine-events-s3-0017"
	strips := []Strip{{Label: "mine", Lo: []float64{1}, Hi: []float64{1}, Mean: 1, CILo: nan, CIHi: nan, Worst: 1, Name: name, Instances: []int{0}, Texts: []string{"100 %"}}}
	svg, err := Strips(Frame{Y: Axis{Base: nan}}, strips).SVG()
	fail.On(t, err)
	if !strings.Contains(string(svg), name) {
		t.Error("the figure cuts the name")
	}
	if row := NewLayout("above opt", strips).Rows[0]; !strings.HasSuffix(row.Name, name) {
		t.Errorf("the page is given %q", row.Name)
	}
}

// Where values measure two things, no figure is over both; none is by the metric.
func TestFiguresByObjective(t *testing.T) {
	p, in := fake.Problem(), fake.Instances{}
	var records []bench.Record
	objectives := []string{"total response time", "weighted tardiness"}
	for i := range 24 {
		name := string(rune('a' + i))
		in.Add(name, models.Quotient, map[string]any{"metric": objectives[i%2], "slack": float64(i / 8), "odd": i%4 < 2})
		in[fake.SHA(name)].Objective = objectives[i%2]
		records = append(records, fake.Optimal(p, name, "opt", 10), fake.Solved(p, name, "fair", 11+float64(i)))
	}
	set, err := ratio.New(ratio.Input{Records: ratio.Pack(records), Problems: []*bench.Problem{p}, Instance: in.Find})
	fail.On(t, err)
	drawings := Problem(summary.New(set, nil, 1).Problems[0])
	names := map[string]bool{}
	for _, d := range drawings {
		names[d.Name] = true
		if strings.Contains(strings.ToLower(d.Caption), objectives[0]) == strings.Contains(strings.ToLower(d.Caption), objectives[1]) || strings.Contains(d.Name, "by-metric") || d.Part == "" {
			t.Errorf("%s: %q, part %q", d.Name, d.Caption, d.Part)
		}
	}
	for _, kind := range []string{"overview", "profile", "box", "by-odd"} {
		for _, objective := range []string{"total-response-time", "weighted-tardiness"} {
			if name := "flex-opt-" + kind + "-" + objective; !names[name] {
				t.Errorf("no %s in %v", name, names)
			}
		}
	}
}
