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

// rows makes the Y axis one of names from the top down, at 0, −1 and so on.
func (f *Figure) rows(names []string) {
	y := &f.plot.Y
	y.Min, y.Max, y.Tick.Marker, y.Tick.LineStyle.Width = 0.4-float64(len(names)), 0.6, named(names), 0
}

// named are ticks at 0, −1 and so on.
func named(names []string) plot.ConstantTicks {
	ticks := make(plot.ConstantTicks, len(names))
	for i, name := range names {
		ticks[i] = plot.Tick{Value: -float64(i), Label: printable(name)}
	}
	return ticks
}
