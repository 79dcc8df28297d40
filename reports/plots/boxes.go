package plots

import (
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A Box is the distribution of one algorithm's values.
type Box struct {
	Label                     string
	Style                     Style
	Low, Q1, Median, Q3, High float64 // whiskers and quartiles
	Worst, Mean               float64 // a cross and a diamond; NaN: none
}

// Boxes draws one horizontal box a row, the first on top. The frame's Y axis is taken by the labels.
func Boxes(f Frame, boxes []Box) *Figure {
	x := emptySpan()
	var labels []string
	all := !slices.ContainsFunc(boxes, func(b Box) bool { return !b.Style.Marked && finite(b.Median) })
	for _, b := range boxes {
		if !b.Style.Marked || all {
			x.add(b.Low, b.High, b.Worst, b.Mean)
		}
		labels = append(labels, b.Label)
	}
	fig := newFigure(f, vg.Length(1.1+0.32*float64(len(boxes)))*vg.Inch, x, span{0, 1})
	fig.rows(labels)
	for i, b := range boxes {
		fig.add(func(s sheet) { b.draw(s, -float64(i)) })
	}
	return fig
}

// draw draws the box in a row.
func (b Box) draw(s sheet, row float64) {
	stroke := b.Style.line(vg.Points(1.2))
	low, high := row-0.3, row+0.3
	if !math.IsNaN(b.Median) {
		s.line(stroke, s.at(b.Low, row), s.at(b.Q1, row))
		s.line(stroke, s.at(b.Q3, row), s.at(b.High, row))
		corners := []vg.Point{s.at(b.Q1, low), s.at(b.Q3, low), s.at(b.Q3, high), s.at(b.Q1, high)}
		s.fill(b.Style.band(), corners...)
		stroke.Dashes = nil
		s.line(stroke, append(corners, corners[0])...)
		s.line(draw.LineStyle{Color: b.Style.color(), Width: vg.Points(2.4)}, s.at(b.Median, low), s.at(b.Median, high))
	}
	if finite(b.Worst) {
		s.glyph(draw.GlyphStyle{Color: b.Style.color(), Radius: vg.Points(3), Shape: draw.CrossGlyph{}}, s.at(b.Worst, row))
	}
	if finite(b.Mean) {
		s.glyph(draw.GlyphStyle{Color: ink, Radius: vg.Points(2.2), Shape: draw.CircleGlyph{}}, s.at(b.Mean, row))
	}
}

// Bars are one series of bars, one in each category. What is NaN is not drawn.
type Bars struct {
	Label     string // empty: not in the legend
	Style     Style
	Mean      []float64
	Low, High []float64 // the interval of the mean
	Paper     []float64 // what a paper says, drawn as a short line across; nil: nothing
}

// GroupedBars draws, for every category, the series side by side, from zero. The frame's X axis is taken by the categories.
func GroupedBars(f Frame, categories []string, series []Bars) *Figure {
	y := emptySpan()
	y.add(0)
	papers := false
	for _, b := range series {
		y.add(slices.Concat(b.Mean, b.Low, b.High, b.Paper)...)
		papers = papers || slices.ContainsFunc(b.Paper, finite)
	}
	f.Y.Scale = Linear
	fig := newFigure(f, standard, span{0, 1}, y)
	fig.categories(categories)
	label := func(text string, style draw.LineStyle) {
		fig.legend = append(fig.legend, entry{text, func(c *draw.Canvas) {
			c.StrokeLine2(style, c.Min.X+3, c.Center().Y, c.Max.X-3, c.Center().Y)
		}})
	}
	for k, b := range series {
		fig.add(func(s sheet) {
			b.draw(s, (float64(k)+0.5)/float64(len(series))*0.8-0.4, 0.72/float64(len(series)))
		})
		if b.Label != "" {
			label(b.Label, draw.LineStyle{Color: b.Style.color(), Width: 7})
		}
	}
	if papers {
		label("the paper", draw.LineStyle{Color: ink, Width: 2})
	}
	return fig
}

// draw draws bars so far to the right of their categories, and so wide.
func (b Bars) draw(s sheet, offset, width float64) {
	for i, mean := range b.Mean {
		middle := float64(i) + offset
		left, right := middle-width/2, middle+width/2
		if finite(mean) {
			s.fill(b.Style.color(), s.at(left, 0), s.at(right, 0), s.at(right, mean), s.at(left, mean))
		}
		if i < len(b.Low) && finite(b.Low[i]) && finite(b.High[i]) && b.Low[i] < b.High[i] {
			s.line(draw.LineStyle{Color: muted, Width: vg.Points(1)}, s.at(middle, b.Low[i]), s.at(middle, b.High[i]))
		}
		if i < len(b.Paper) && finite(b.Paper[i]) {
			y := s.y(b.Paper[i])
			s.line(draw.LineStyle{Color: ink, Width: vg.Points(2)}, vg.Point{X: s.x(left) - 1, Y: y}, vg.Point{X: s.x(right) + 1, Y: y})
		}
	}
}

// rows makes the Y axis one of names from the top down, at 0, −1 and so on.
func (f *Figure) rows(names []string) {
	y := &f.plot.Y
	y.Min, y.Max, y.Tick.Marker, y.Tick.LineStyle.Width = 0.4-float64(len(names)), 0.6, named(names, -1), 0
}

// named are ticks at 0, step and so on.
func named(names []string, step float64) plot.ConstantTicks {
	ticks := make(plot.ConstantTicks, len(names))
	for i, name := range names {
		ticks[i] = plot.Tick{Value: step * float64(i), Label: printable(name)}
	}
	return ticks
}

// categories makes the X axis one of names at 0, 1 and so on, slanted where they are too long to stand side by side.
func (f *Figure) categories(names []string) {
	longest := 0
	for _, name := range names {
		longest = max(longest, len(name))
	}
	x := &f.plot.X
	x.Min, x.Max, x.Tick.Marker = -0.5, float64(len(names))-0.5, named(names, 1)
	if longest*len(names) > 90 { // about what fits side by side
		x.Tick.Label.Rotation, x.Tick.Label.XAlign, x.Tick.Label.YAlign = math.Pi/7, draw.XRight, draw.YTop
		f.height += vg.Length(longest) * vg.Points(2.2)
	}
}
