package plots

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"

	"schedgap/models"
	"schedgap/models/fail"
)

// sample has a translucent box, a rotated label and letters beyond Latin 1.
func sample(t *testing.T) *Figure {
	t.Helper()
	return Boxes(Frame{Title: "1 µs ≤ β", X: Axis{Label: "α"}, Y: Axis{Label: "λ"}}, []Box{
		{Label: "a", Q1: 1, Median: 2, Q3: 3, Low: 0.5, High: 4, Worst: 5, Mean: 2},
	})
}

// contents inflates the streams of a PDF.
func contents(t *testing.T, pdf []byte) string {
	t.Helper()
	var all strings.Builder
	for _, part := range bytes.Split(pdf, []byte("stream\n"))[1:] {
		r, err := zlib.NewReader(bytes.NewReader(part))
		if err != nil {
			continue // not a compressed one
		}
		text, _ := io.ReadAll(r) // what follows the stream is no error of it
		all.Write(text)
	}
	return all.String()
}

// TestPDF: a PDF is small, the same every time, of the width asked for, and a translucent fill has its own colour.
func TestPDF(t *testing.T) {
	f := sample(t)
	data, err := f.PDF()
	fail.On(t, err)
	if again, _ := sample(t).PDF(); !bytes.Equal(data, again) {
		t.Error("the same figure gives other bytes")
	}
	if len(data) > 40_000 {
		t.Errorf("%d bytes", len(data))
	}
	paper, err := f.For(Paper{Width: 3.3 * vg.Inch, Font: "Serif", NoTitle: true}).PDF()
	fail.On(t, err)
	for what, s := range map[string]string{
		"/MediaBox [0 0 468.00": string(data), "/MediaBox [0 0 237.60": string(paper),
		"utf8serif": string(paper),
	} {
		if !strings.Contains(s, what) {
			t.Errorf("no %q", what)
		}
	}
	blue := "0.000 0.447 0.698 rg" // as the colour is declared, however translucent
	if text := contents(t, data); !strings.Contains(text, blue) || !strings.Contains(text, "/GS") {
		t.Errorf("no translucent fill of %s:\n%.2000s", blue, text)
	}
	if len(f.frame.Title) == 0 || f.width != width {
		t.Error("For changes the figure that it is asked of")
	}
}

// TestArc: circles of PDFs are circles, to a thousandth of the radius.
func TestArc(t *testing.T) {
	c := newPDF(100, 100)
	var p vg.Path
	p.Arc(vg.Point{X: 50, Y: 50}, 20, 0, 2*math.Pi)
	c.Fill(p)
	var b bytes.Buffer
	if _, err := c.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	if text := contents(t, b.Bytes()); strings.Count(text, " c\n") != 6 {
		t.Errorf("not six curves:\n%s", text)
	}
}

// TestSchedules: jobs keep their lane and colour in all schedules; nothing to draw is an error.
func TestSchedules(t *testing.T) {
	one := models.Chart{Axis: "time", Bars: []models.Bar{
		{Lane: "m1", Job: "a", Label: "x<y", Start: 0, End: 2, Amount: 1},
		{Lane: "m2", Job: "b", Start: 0, End: 1, Amount: 2},
	}}
	two := models.Chart{Axis: "time", Bars: []models.Bar{{Lane: "m2", Job: "a", Start: 1, End: 2, Amount: 1}}}
	f, err := Schedules([]Schedule{{"first", one}, {"second", two}})
	fail.On(t, err)
	svg, err := f.SVG()
	fail.On(t, err)
	if n := strings.Count(string(svg), "fill:#0072B2"); n != 2 {
		t.Errorf("job a has its colour %d times", n)
	}
	for _, want := range []string{"first", "second", "x&lt;y"} {
		if !strings.Contains(string(svg), want) {
			t.Errorf("no %q", want)
		}
	}
	if _, err := Schedules([]Schedule{{"empty", models.Chart{}}}); err == nil {
		t.Error("an empty drawing is none")
	}
	lanes := models.Chart{}
	for i := range mostLanes + 1 {
		lanes.Bars = append(lanes.Bars, models.Bar{Lane: fmt.Sprint(i), End: 1, Amount: 1})
	}
	if _, err := Schedules([]Schedule{{"large", lanes}}); err == nil {
		t.Error("a drawing of any height is drawn")
	}
}

// Copies at one time on one server lie above each other, as high as what they take, and the clone is hatched.
func TestClonesAreApart(t *testing.T) {
	c := models.Chart{Bars: []models.Bar{
		{Lane: "s", Job: "a", End: 4, Amount: 0.25}, {Lane: "s", Job: "a", Start: 1, End: 3, Amount: 0.5, Clone: true},
	}}
	f, err := Schedules([]Schedule{{"clones", c}})
	fail.On(t, err)
	svg, err := f.SVG()
	fail.On(t, err)
	boxes := regexp.MustCompile(`<path d="M[\d.]+,([\d.]+)L[\d.]+,[\d.]+L[\d.]+,([\d.]+)L[\d.]+,[\d.]+Z" style="fill:#0072B2`).FindAllStringSubmatch(string(svg), -1)
	if len(boxes) != 2 {
		t.Fatalf("%d boxes: %s", len(boxes), svg)
	}
	var ends [4]float64
	for i, y := range []string{boxes[0][1], boxes[0][2], boxes[1][1], boxes[1][2]} {
		ends[i], _ = strconv.ParseFloat(y, 64)
	}
	if math.Abs(ends[1]-ends[2]) > 0.1 || math.Abs((ends[3]-ends[2])-2*(ends[1]-ends[0])) > 0.1 {
		t.Errorf("the boxes reach from %g to %g and from %g to %g", ends[0], ends[1], ends[2], ends[3])
	}
	if n := strings.Count(string(svg), "stroke:#FFFFFF;stroke-width:0.9"); n < 10 ||
		!strings.Contains(string(svg), "hatched: clones") {
		t.Errorf("%d strokes of a hatching", n)
	}
}
