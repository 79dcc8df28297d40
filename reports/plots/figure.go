// Package plots draws the figures of a report with gonum/plot and writes them as SVG, PNG and PDF. A figure is given as numbers;
// the same numbers give the same bytes. Series are distinguished by colour and by glyph and dash as well, so that figures survive a
// grey printer, and lines are labelled at their ends. Problem makes the figures of a problem from its views, and Render writes the
// files; reports.Write calls both.
package plots

import (
	"fmt"
	"math"
	"strings"
	"unicode"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// A Frame is the title and axes of a figure of any kind.
type Frame struct {
	Title string
	X, Y  Axis
}

// An Axis is one axis of a figure.
type Axis struct {
	Label string
	Scale Scale
	// Base is a value to draw a line at, such as ratio 1; NaN: none. It is always in the axis's range.
	Base float64
	// Whole says that values are integers, so that there are no ticks between them.
	Whole bool
	// Names label the values 0, 1 and so on, if there is room.
	Names []string
}

// A Scale says how an axis places and labels its values.
type Scale int

// The scales. Auto is linear, or logarithmic when the largest value is more than eight times the smallest. An axis with a
// value that is not positive is linear whatever its scale.
const (
	Auto Scale = iota
	Linear
	Log
	Seconds // logarithmic, labelled with units of time
	Share   // 0 to 1, labelled in percent
)

// A Figure is ready to be drawn.
type Figure struct {
	frame  Frame
	height vg.Length
	plot   *plot.Plot
	legend []entry
	ends   []end   // of lines, labelled beside the plot
	below  *Figure // in the same drawing

	width vg.Length
	scale float64      // of texts
	font  font.Variant // of Liberation

	embedded bool // the font is in the file, so that texts are as wide as in it
}

// A Paper is how a figure is set on the page of a paper.
type Paper struct {
	Width   vg.Length // of the figure as it will be printed; 0: 6.5 inches
	Font    string    // Sans, Serif or Mono; empty: Sans
	NoTitle bool      // the caption has it
}

// For sets the figure for a paper: texts are as large as a caption's, whatever the width.
func (f *Figure) For(p Paper) *Figure {
	if f == nil {
		return nil
	}
	g := *f
	if p.Width > 0 {
		g.width = p.Width
		if p.Width < 5*vg.Inch {
			g.scale = 7.0 / 9
		}
		g.height *= vg.Length(g.scale)
		if f.height == standard { // figures with rows are as high as these
			g.height = titleHeight + aspect*p.Width
		}
	}
	if p.Font != "" {
		g.font = font.Variant(p.Font)
	}
	g.embedded = true
	if p.NoTitle {
		g.frame.Title = ""
	}
	drawn := *f.plot
	for _, axis := range []*plot.Axis{&drawn.X, &drawn.Y} {
		axis.Label.TextStyle = g.text(axis.Label.TextStyle, 9)
		axis.Tick.Label = g.text(axis.Tick.Label, 8.5)
	}
	g.plot, g.below = &drawn, f.below.For(p)
	return &g
}

// Above draws a figure of its own below f, in the same drawing, and returns f.
func (f *Figure) Above(g *Figure) *Figure {
	last := f
	for last.below != nil {
		last = last.below
	}
	last.below = g
	return f
}

// width is the same for all figures; heights depend on the content, or are standard.
const width, standard = 6.5 * vg.Inch, 3.5 * vg.Inch

// aspect is the height of a paper's figure over its width, title and legend apart.
const aspect = 0.55

// A span is the range of values along one axis.
type span struct{ lo, hi float64 }

func emptySpan() span { return span{math.Inf(1), math.Inf(-1)} }

// add widens the span; values that are not finite are not on the axis.
func (s *span) add(xs ...float64) {
	for _, x := range xs {
		if finite(x) {
			s.lo, s.hi = min(s.lo, x), max(s.hi, x)
		}
	}
}

const (
	// largest is the largest value that has a place on an axis, and its inverse the smallest on a logarithmic one: so the length
	// of every axis is a number.
	largest = 1e300
	// rounding is the share of its values below which a range is only rounding, so that it is drawn as one value.
	rounding = 1e-9
)

// fit sets an axis to show the span.
func (a Axis) fit(to *plot.Axis, s span) {
	s.add(a.Base)
	if s.lo > s.hi { // nothing to show
		s = span{0, 1}
	}
	to.Label.Text = printable(a.Label)
	switch {
	case a.Scale == Share:
		to.Min, to.Max = 0, 1
		to.Tick.Marker = relabelled(0, 1, func(x float64) string { return fmt.Sprintf("%.0f %%", 100*x) })
	case a.Scale == Seconds && s.lo > 0:
		s.logarithmic(to, 10, 0.015)
		to.Tick.Marker = timeTicks{}
	case s.lo > 0 && (a.Scale == Log || (a.Scale == Auto && s.hi/8 > s.lo)):
		s.logarithmic(to, 1.1, 0.03)
		to.Tick.Marker = logTicks{}
	default:
		most := max(math.Abs(s.lo), math.Abs(s.hi))
		pad := 0.03 * (s.hi - s.lo)
		if s.hi-s.lo <= max(rounding*most, 1/largest) {
			pad = max(0.05, 0.05*most)
		}
		to.Min, to.Max = s.lo-pad, s.hi+pad
		to.Tick.Marker = linearTicks{a.Whole}
		if len(a.Names) > 0 {
			to.Tick.Marker = nameTicks(a.Names, s)
		}
	}
}

// logarithmic sets a logarithmic axis to the span, made to end at least the factor times where it begins, and a share longer on
// both sides.
func (s span) logarithmic(to *plot.Axis, factor, share float64) {
	lo := max(s.lo, 1/largest)
	hi := max(s.hi, factor*lo)
	pad := min(math.Pow(hi, share)/math.Pow(lo, share), 1e5) // their quotient may be no number
	to.Min, to.Max, to.Scale = lo/pad, hi*pad, plot.LogScale{}
}

// newFigure lays out an empty figure with the ranges of its values.
func newFigure(f Frame, height vg.Length, x, y span) *Figure {
	p := plot.New()
	p.BackgroundColor = nil
	f.X.fit(&p.X, x)
	f.Y.fit(&p.Y, y)
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		axis.Label.TextStyle = textStyle(axis.Label.TextStyle, 9)
		axis.Tick.Label = textStyle(axis.Tick.Label, 8.5)
		axis.LineStyle.Color, axis.LineStyle.Width = ink, vg.Points(0.6)
		axis.Tick.LineStyle.Color, axis.Tick.LineStyle.Width = ink, vg.Points(0.6)
		axis.Tick.Length = vg.Points(3)
		axis.Padding = vg.Points(2)
		axis.Label.Padding = vg.Points(4)
	}
	fig := &Figure{frame: f, height: height, plot: p, width: width, scale: 1, font: "Sans"}
	fig.add(f.grid)
	return fig
}

func finite(x float64) bool { return math.Abs(x) <= largest }

// printable replaces what no font draws.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '?'
		}
		return r
	}, s)
}

// compactTo is compact with enough digits to tell a tick from the next.
func compactTo(x, step float64) string {
	digits := 1 + math.Ceil(math.Log10(math.Abs(x)/step)-rounding)
	if short := math.Abs(x) >= 1e-4 && math.Abs(x) < 1e5; digits > 4 || digits > 1 && !short {
		return fmt.Sprintf("%.*g", int(min(digits, 15)), x)
	}
	return compact(x)
}

// compact formats a number for a tick.
func compact(x float64) string {
	if x != 0 && (math.Abs(x) >= 1e5 || math.Abs(x) < 1e-4) {
		return fmt.Sprintf("%.0e", x)
	}
	return fmt.Sprintf("%.4g", x)
}
