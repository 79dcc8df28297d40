package plots

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"schedgap/models/fail"
)

var nan = math.NaN()

// figures are one of each kind, with the cases that break drawings: missing values, a single point, nothing at all.
func figures() map[string]*Figure {
	ratio := Axis{Label: "ratio to opt", Base: 1}
	lines := []Line{
		{Label: "flex", X: []float64{0.2, 0.5, 0.8}, Y: []float64{1, 1.01, 1.02}, Points: true},
		{
			Label: "fair", Style: Style{Index: 1}, X: []float64{0.2, 0.5, 0.8}, Y: []float64{1.4, 1.5, 1.6},
			Edge: []float64{1.3, 1.4, 1.5}, Points: true,
		},
		{Style: Style{Index: 1}, X: []float64{0.2, 0.5, 0.8}, Y: []float64{1.5, 1.6, nan}, Thin: true},
		{Label: "fifo*", Style: Style{Index: 2, Marked: true}, X: []float64{0.2}, Y: []float64{3}, Points: true},
	}
	return map[string]*Figure{
		"lines": Lines(Frame{"Ratio against slack", Axis{Label: "slack", Base: nan}, ratio}, lines),
		"steps": Lines(Frame{"ECDF", Axis{Label: "ratio", Base: 1, Scale: Log}, Axis{Label: "instances", Scale: Share, Base: nan}},
			[]Line{
				{Label: "flex", Step: true, X: []float64{1, 1.5, 9}, Y: []float64{0.5, 0.75, 1}},
				{Label: "none", Style: Style{Index: 1}, Step: true},
			}),
		"boxes": Boxes(Frame{"Ratios", ratio, Axis{Base: nan}}, []Box{
			{"flex", Style{}, 1, 1, 1, 1, 1, 1, 1},
			{"fair (evaluations=500)", Style{Index: 1}, 1.1, 1.2, 1.4, 1.6, 1.9, 30, 1.5},
			{"no values", Style{Index: 2}, nan, nan, nan, nan, nan, nan, nan},
		}),
		"times": Boxes(Frame{"Times", Axis{Label: "time", Scale: Seconds, Base: nan}, Axis{Base: nan}}, []Box{
			{"flex", Style{}, 1e-5, 2e-5, 3e-5, 4e-5, 1e-3, 2, 3e-5},
		}),
		"zero on a logarithmic axis": Lines(Frame{"Zero", Axis{Scale: Log, Base: nan}, Axis{Scale: Seconds, Base: nan}}, []Line{
			{Label: "x", X: []float64{0, 100}, Y: []float64{0, 100}},
		}),
		"empty and logarithmic": Boxes(Frame{"Nothing", Axis{Scale: Seconds, Base: nan}, Axis{Base: nan}}, nil),
		"empty":                 Lines(Frame{"Nothing", Axis{Base: nan}, Axis{Base: nan}}, nil),
		"no µ":                  Boxes(Frame{"αβ", ratio, Axis{Base: nan}}, nil),
	}
}

// Every kind of figure can be written in every format, the files are well formed, and a second drawing of the same
// numbers has the same bytes. With -v and PLOTS_DIR set the files are kept there to be looked at.
func TestRender(t *testing.T) {
	again := figures()
	for name, f := range figures() {
		for format, render := range map[string]func(*Figure) ([]byte, error){
			"svg": (*Figure).SVG, "png": (*Figure).PNG, "pdf": (*Figure).PDF,
		} {
			data, err := render(f)
			if err != nil {
				t.Fatalf("%s.%s: %v", name, format, err)
			}
			second, err := render(again[name])
			if err != nil || !bytes.Equal(data, second) {
				t.Errorf("%s.%s: two drawings differ: %v", name, format, err)
			}
			switch format {
			case "svg":
				wellFormed(t, name, string(data))
				wellFormed(t, name+" inline", Inline(data, `a "b" <c> & d`))
			case "png":
				if _, err := png.Decode(bytes.NewReader(data)); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			case "pdf":
				if !bytes.HasPrefix(data, []byte("%PDF-")) || !bytes.Contains(data, []byte("/CreationDate (D:20000101000000)")) {
					t.Errorf("%s: not a PDF with a fixed date", name)
				}
			}
			if dir := os.Getenv("PLOTS_DIR"); dir != "" {
				fail.On(t, os.WriteFile(filepath.Join(dir, name+"."+format), data, 0o644))
			}
		}
	}
}

func wellFormed(t *testing.T, name, doc string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(doc))
	for {
		_, err := d.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
}

// An inline figure follows the page: no fixed colour is left in it, and neither is a fixed size.
func TestInline(t *testing.T) {
	for name, f := range figures() {
		svg, err := f.SVG()
		fail.On(t, err)
		s := Inline(svg, "x")
		if strings.Contains(s, "#") || strings.Contains(s, "<?xml") || !strings.HasPrefix(s,
			`<svg role="img" aria-label="x" viewBox=`) {
			t.Errorf("%s: %.300s", name, s)
		}
	}
}

// A series that is not comparable does not stretch the axes; where nothing of it is left to be seen, the legend says so.
func TestBeyondTheAxes(t *testing.T) {
	svg, err := figures()["lines"].SVG()
	fail.On(t, err)
	if n := strings.Count(string(svg), "(beyond the axes)"); n != 1 || !strings.Contains(string(svg), "fifo* (beyond the axes)") {
		t.Errorf("%d entries of the legend are beyond the axes, want that of fifo* only", n)
	}
}
