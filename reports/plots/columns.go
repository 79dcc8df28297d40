package plots

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A Column is one value beside the range that it should lie in: a glyph, a thick line for its interval, a thin one for all that it
// may be. What is NaN is not drawn; what lies beyond the axis is drawn at its end, as a cross.
type Column struct {
	Label                   string
	Style                   Style
	Value                   float64
	Low, High               float64 // the interval
	Least, Most             float64 // all that the value may be
	WantedFrom, WantedUntil float64 // the range that is meant; may be infinite
}

// Columns draws one column beside the other. The frame's X axis is taken by the labels, its Y axis has the range given.
func Columns(f Frame, columns []Column, low, high float64) *Figure {
	fig := newFigure(f, 2.9*vg.Inch, span{0, 1}, span{low, high})
	x, y := &fig.plot.X, &fig.plot.Y
	if f.Y.Scale == Log {
		pad := math.Pow(high/low, 0.04)
		y.Min, y.Max = low/pad, high*pad
	}
	ticks := make(plot.ConstantTicks, len(columns))
	for i, c := range columns {
		ticks[i] = plot.Tick{Value: float64(i), Label: printable(c.Label)}
		fig.plot.Add(column{c, float64(i), low, high})
	}
	x.Min, x.Max, x.Tick.Marker = -0.7, max(float64(len(columns)), 12)-0.3, ticks
	x.Tick.Label = textStyle(x.Tick.Label, min(8, 330/math.Max(1, float64(len(columns)))))
	x.Tick.Label.Rotation, x.Tick.Label.XAlign, x.Tick.Label.YAlign = math.Pi/2, 1.15*draw.XRight, draw.YCenter
	x.Tick.Length = vg.Points(1.5)
	return fig
}

// Key adds an entry to the legend: a glyph with what it means.
func (f *Figure) Key(label string, style Style) {
	f.legend = append(f.legend, entry{label, func(c *draw.Canvas) { c.DrawGlyph(style.glyph(vg.Points(3)), c.Center()) }})
}

// Above puts another figure below this one, in the same drawing.
func (f *Figure) Above(g *Figure) *Figure {
	last := f
	for last.below != nil {
		last = last.below
	}
	last.below = g
	return f
}

type column struct {
	Column
	x         float64
	low, high float64
}

// Plot draws the column.
func (l column) Plot(c draw.Canvas, p *plot.Plot) {
	tx, ty := transforms(p, &c)
	half := (tx(1) - tx(0)) / 2
	x := tx(l.x)
	within := func(v float64) float64 { return min(max(v, l.low), l.high) }
	if l.WantedFrom <= l.WantedUntil && l.WantedFrom <= l.high && l.WantedUntil >= l.low {
		from, until := ty(within(l.WantedFrom)), ty(within(l.WantedUntil))
		if until-from < 1.2 { // a value without a tolerance is a line
			from, until = from-0.6, until+0.6
		}
		c.FillPolygon(grid, []vg.Point{{X: x - 0.8*half, Y: from}, {X: x + 0.8*half, Y: from}, {X: x + 0.8*half, Y: until}, {X: x - 0.8*half, Y: until}})
	}
	stroke := func(from, until float64, width vg.Length) {
		if from <= until && from <= l.high && until >= l.low {
			c.StrokeLine2(draw.LineStyle{Color: l.Style.color(), Width: width}, x, ty(within(from)), x, ty(within(until)))
		}
	}
	stroke(l.Least, l.Most, vg.Points(0.7))
	stroke(l.Low, l.High, vg.Points(2))
	if !finite(l.Value) {
		return
	}
	glyph := l.Style.glyph(min(vg.Points(2.6), 0.9*half))
	if within(l.Value) != l.Value {
		glyph.Shape = draw.CrossGlyph{}
	}
	c.DrawGlyph(glyph, vg.Point{X: x, Y: ty(within(l.Value))})
}
