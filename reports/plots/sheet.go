package plots

import (
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A sheet is the data area of a figure while it is drawn on. What lies outside is cut off.
type sheet struct {
	draw.Canvas
	plot *plot.Plot
}

// A mark draws something on a sheet.
type mark func(s sheet)

// Plot lets the plotting library draw marks.
func (m mark) Plot(c draw.Canvas, p *plot.Plot) { m(sheet{c, p}) }

// add draws marks in their order.
func (f *Figure) add(m mark) { f.plot.Add(m) }

// x and y place values. Infinite values, and those that are not positive on a logarithmic axis, lie a hundred lengths of the
// axis beyond it, as does what is further away: far enough to be cut off, and a number. So does what is NaN, at the low end.
func (s sheet) x(v float64) vg.Length { return s.X(on(&s.plot.X, v)) }
func (s sheet) y(v float64) vg.Length { return s.Y(on(&s.plot.Y, v)) }

func (s sheet) at(x, y float64) vg.Point { return vg.Point{X: s.x(x), Y: s.y(y)} }

func on(a *plot.Axis, v float64) float64 {
	const far = 100
	_, log := a.Scale.(plot.LogScale)
	if !(v > 0) && log || math.IsNaN(v) {
		return -far
	}
	return min(max(a.Norm(v), -far), 1+far)
}

func (s sheet) line(style draw.LineStyle, pts ...vg.Point) {
	s.StrokeLines(style, s.ClipLinesXY(pts)...)
}

func (s sheet) fill(c color.Color, pts ...vg.Point) { s.FillPolygon(c, s.ClipPolygonXY(pts)) }

func (s sheet) glyph(style draw.GlyphStyle, pt vg.Point) {
	if s.Contains(pt) {
		s.DrawGlyph(style, pt)
	}
}

// grid draws the grid and the base lines of a frame.
func (f Frame) grid(s sheet) {
	thin := draw.LineStyle{Color: grid, Width: vg.Points(0.5)}
	base := draw.LineStyle{Color: muted, Width: vg.Points(0.8)}
	upright := func(style draw.LineStyle, x vg.Length) {
		s.line(style, vg.Point{X: x, Y: s.Min.Y}, vg.Point{X: x, Y: s.Max.Y})
	}
	level := func(style draw.LineStyle, y vg.Length) {
		s.line(style, vg.Point{X: s.Min.X, Y: y}, vg.Point{X: s.Max.X, Y: y})
	}
	for _, t := range s.plot.X.Tick.Marker.Ticks(s.plot.X.Min, s.plot.X.Max) {
		if !t.IsMinor() {
			upright(thin, s.x(t.Value))
		}
	}
	for _, t := range s.plot.Y.Tick.Marker.Ticks(s.plot.Y.Min, s.plot.Y.Max) {
		if !t.IsMinor() {
			level(thin, s.y(t.Value))
		}
	}
	if finite(f.X.Base) {
		upright(base, s.x(f.X.Base))
	}
	if finite(f.Y.Base) {
		level(base, s.y(f.Y.Base))
	}
}
