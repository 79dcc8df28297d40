package plots

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"schedgap/reports/stats"
	"schedgap/reports/words"
)

// A Strip is one algorithm's distances from the optimum, a dot an instance. Numbers are fractions, drawn in percent, of what the
// frame's axis says.
type Strip struct {
	Label      string
	Style      Style
	Lo, Hi     []float64 // by instance; a bar from one to the other where they differ
	Mean       float64
	CILo, CIHi float64 // of the mean; NaN: none
	Says       string  // the mean as tables write it
	Worst      float64
	Name       string   // of the worst instance
	Instances  []int    // their numbers, for a page
	Texts      []string // their distances as tables write them
}

// A Layout is strips as a page draws them: places are shares of the axis, which is the same as in the figure.
type Layout struct {
	Axis  string      `json:"axis"`
	Zero  float64     `json:"zero"`
	Ticks [][2]any    `json:"ticks"` // places and labels
	Rows  []LayoutRow `json:"rows"`
}

// A LayoutRow is a strip of a Layout.
type LayoutRow struct {
	Label string      `json:"label"`
	Style int         `json:"style"`
	Mean  *float64    `json:"mean"` // nil: infinite
	Says  string      `json:"says"`
	CI    *[2]float64 `json:"ci"`
	Worst float64     `json:"worst"`
	Name  string      `json:"name"`
	Dots  [][4]any    `json:"dots"` // low end, high end, instance, distance
}

// NewLayout lays out strips.
func NewLayout(axis string, strips []Strip) *Layout {
	s := newStripScale(strips)
	lo, hi := s.ends()
	at := func(x float64) float64 { return math.Round(1e4*(min(hi, s.at(min(x, largest)))-lo)/(hi-lo)) / 1e4 }
	l := &Layout{Axis: axis, Zero: at(0), Ticks: [][2]any{}, Rows: []LayoutRow{}}
	for _, t := range s.ticks().Ticks(lo, hi) {
		if t.Label != "" && t.Value >= lo && t.Value <= hi {
			l.Ticks = append(l.Ticks, [2]any{math.Round(1e4*(t.Value-lo)/(hi-lo)) / 1e4, t.Label})
		}
	}
	for _, strip := range strips {
		row := LayoutRow{
			Label: strip.Label, Style: strip.Style.Index, Says: strip.Says, Worst: at(strip.Worst), Name: strip.worst(),
			Dots: [][4]any{},
		}
		if finite(strip.Mean) {
			row.Mean = new(at(strip.Mean))
		}
		if finite(strip.CILo) && finite(strip.CIHi) {
			row.CI = &[2]float64{at(strip.CILo), at(strip.CIHi)}
		}
		for i, x := range strip.Hi {
			row.Dots = append(row.Dots, [4]any{at(strip.Lo[i]), at(x), strip.Instances[i], strip.Texts[i]})
		}
		l.Rows = append(l.Rows, row)
	}
	return l
}

// worst is the distance and the name of the worst instance.
func (r Strip) worst() string {
	if r.Name == "" || !(r.Worst > -largest) {
		return ""
	}
	return words.Percentage(r.Worst, r.Worst) + "  " + r.Name
}

// Strips draws one row a strip, the first on top: the dots, the mean with its interval, and the name of the worst instance. The
// axis begins at the optimum. It is logarithmic if one of the strips would hide another, see stripScale.
func Strips(f Frame, strips []Strip) *Figure {
	s := newStripScale(strips)
	var labels []string
	for _, strip := range strips {
		labels = append(labels, strip.Label)
	}
	f.X.Scale, f.X.Base = Linear, s.at(0)
	fig := newFigure(f, vg.Length(1.1+0.42*float64(len(strips)))*vg.Inch, span{s.lo, s.hi}, span{0, 1})
	fig.rows(labels)
	x := &fig.plot.X
	x.Min, x.Max = s.ends()
	x.Tick.Marker = s.ticks()
	for i, strip := range strips {
		fig.add(func(on sheet) { strip.draw(on, s, -float64(i)) })
	}
	return fig
}

// A stripScale places distances on an axis: as they are, or at the logarithm of 1 + the distance over a unit, which has a place for
// the optimum and for what lies beyond it.
type stripScale struct {
	unit   float64 // a power of ten; 0: the axis is linear
	lo, hi float64
}

const (
	crowded = 20   // how many times the median the worst distance is on a logarithmic axis
	finest  = 1e-6 // the least unit, as a share of the worst distance: six decades are what an axis tells apart
)

// newStripScale is logarithmic where the worst distance is more than 20 times the median of all or, with optima left out, which are seen
// on any axis, that of a strip: the dots of half a strip would lie on the first twentieth of a linear axis. The unit is the power of ten
// below the least of these medians.
func newStripScale(strips []Strip) stripScale {
	lo, hi, least := 0.0, 0.0, math.Inf(1)
	all := !slices.ContainsFunc(strips, func(s Strip) bool { return !s.Style.Marked })
	var dots []float64
	for _, strip := range strips {
		if strip.Style.Marked && !all {
			continue
		}
		var beyond []float64
		for i, x := range strip.Hi {
			if !finite(x) || !finite(strip.Lo[i]) {
				continue
			}
			lo, hi, dots = min(lo, strip.Lo[i]), max(hi, x), append(dots, x)
			if x > rounding {
				beyond = append(beyond, x)
			}
		}
		if len(beyond) > 0 {
			least = min(least, stats.Median(beyond))
		}
	}
	if m := stats.Median(dots); m > rounding {
		least = min(least, m)
	}
	if hi > crowded*least {
		s := stripScale{unit: math.Pow(10, math.Floor(math.Log10(max(least, finest*hi))))}
		s.lo, s.hi = s.at(lo), s.at(hi)
		return s
	}
	s := stripScale{lo: lo, hi: hi}
	if s.hi-s.lo <= rounding*max(math.Abs(s.hi), math.Abs(s.lo)) {
		s.hi = s.lo + max(0.01, 0.01*math.Abs(s.lo))
	}
	return s
}

// ends are the ends of the axis, with room for the name of the worst instance.
func (s stripScale) ends() (lo, hi float64) { return s.lo - 0.02*(s.hi-s.lo), s.hi + 0.22*(s.hi-s.lo) }

func (s stripScale) at(x float64) float64 {
	if s.unit == 0 {
		return x
	}
	return math.Copysign(math.Log10(1+math.Abs(x)/s.unit), x)
}

func (s stripScale) write(x float64) string { return fmt.Sprintf("%.4g %%", 100*x) }

func (s stripScale) ticks() plot.Ticker {
	if s.unit == 0 {
		return relabelled(s.lo, s.hi, s.write)
	}
	out := plot.ConstantTicks{{Value: 0, Label: s.write(0)}}
	for _, sign := range []float64{-1, 1} {
		for x := s.unit; math.Abs(s.at(sign*x)) <= max(s.hi, -s.lo) && x < largest; x *= 10 {
			if at := s.at(sign * x); at >= s.lo && at <= s.hi {
				out = append(out, plot.Tick{Value: at, Label: s.write(sign * x)})
			}
		}
	}
	return out
}

// draw draws the row.
func (r Strip) draw(s sheet, scale stripScale, row float64) {
	at := func(x float64) vg.Length { // infinite distances are at the end of the axis
		if x > largest {
			return s.Max.X
		}
		return s.x(scale.at(x))
	}
	y, half := s.y(row), (s.y(0)-s.y(-1))*0.3
	bar := draw.LineStyle{Color: r.Style.band(), Width: vg.Points(1.6)}
	for i, x := range r.Hi {
		// Dots of one value lie beside each other: the golden ratio spreads any number of them evenly.
		_, shift := math.Modf(float64(i) * math.Phi)
		pt := vg.Point{X: at(x), Y: y + half*vg.Length(1.6*shift-0.8)}
		if lo := at(r.Lo[i]); lo != pt.X {
			s.line(bar, vg.Point{X: lo, Y: pt.Y}, pt)
		}
		s.glyph(r.Style.glyph(vg.Points(1.7)), pt)
	}
	if finite(r.CILo) && finite(r.CIHi) {
		s.line(draw.LineStyle{Color: ink, Width: vg.Points(1.4)}, vg.Point{X: at(r.CILo), Y: y}, vg.Point{X: at(r.CIHi), Y: y})
	}
	if m := at(r.Mean); finite(r.Mean) {
		s.line(draw.LineStyle{Color: ink, Width: vg.Points(2)}, vg.Point{X: m, Y: y - half}, vg.Point{X: m, Y: y + half})
	}
	label := textStyle(text.Style{XAlign: draw.XLeft, YAlign: draw.YCenter}, 7.5)
	label.Font, label.Handler = s.plot.X.Tick.Label.Font, s.plot.X.Tick.Label.Handler
	label.Font.Size *= 7.5 / 8.5
	label.Color = muted
	if worst := at(r.Worst); r.worst() != "" && s.ContainsX(worst) {
		says := printable(r.worst())
		if at := (vg.Point{X: worst + 5, Y: y}); at.X+label.Width(says) <= s.Max.X+margin {
			s.FillText(label, at, says)
			return
		}
		label.XAlign = draw.XRight // above the dots, which end there
		s.FillText(label, vg.Point{X: s.Max.X, Y: y + half + 4}, fitted(label, says, s.Max.X-s.Min.X))
	}
}
