package plots

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A Line is one series of points from left to right.
type Line struct {
	Label  string // at its end; empty: none
	Style  Style
	X, Y   []float64
	Step   bool      // a step function, Y[i] from X[i] to X[i+1] and on to the right edge
	Points bool      // glyphs at the points
	Loose  bool      // glyphs only, no line between them
	Thin   bool      // a secondary line: thin and dotted
	Edge   []float64 // if not nil, a band is drawn from Edge[i] to Y[i]
	// Low and High, if not nil, are the ends of a bar at each point; one that is not finite is none.
	Low, High []float64
	// Crosses draws crosses only, no line between them: values that something else is to be held against.
	Crosses bool

	Grey bool // a part of the background
}

// series reports whether the line is one of those that a figure tells apart.
func (l Line) series() bool { return l.Label != "" && !l.Crosses }

// known returns the line without the points that have no place. One whose value is infinite has: beyond the axis.
func (l Line) known() Line {
	x, y, edge := l.X, l.Y, l.Edge
	for _, xs := range []*[]float64{&l.X, &l.Y, &l.Edge, &l.Low, &l.High} {
		var kept []float64
		for i, v := range *xs {
			if finite(x[i]) && !math.IsNaN(y[i]) && (edge == nil || !math.IsNaN(edge[i])) {
				kept = append(kept, v)
			}
		}
		*xs = kept
	}
	return l
}

// Lines draws lines over a common frame. The first eight with labels each have a colour and a dash of their own and are labelled at
// their ends; the others are grey, see Background. A line without a label has the look of the one of its style.
func Lines(f Frame, lines []Line) *Figure {
	x, y := emptySpan(), emptySpan()
	all := !slices.ContainsFunc(lines, func(l Line) bool { return !l.Style.Marked && len(l.X) > 0 })
	for _, l := range lines {
		if !l.Style.Marked || all { // values that are not comparable do not stretch the axes
			x.add(l.X...)
			y.add(slices.Concat(l.Y, l.Edge, l.Low, l.High)...)
		}
	}
	fig := newFigure(f, standard, x, y)
	if rest := len(Background(lines)); rest > 0 {
		fig.legend = append(fig.legend, entry{fmt.Sprintf("%d more", rest), Line{Grey: true}.thumbnail})
	}
	for _, l := range apart(lines) {
		l = l.known()
		fig.add(l.draw)
		switch {
		case l.Label == "":
		case l.Crosses:
			fig.legend = append(fig.legend, entry{l.Label, l.thumbnail})
		default:
			fig.ends = append(fig.ends, l.end(fig))
		}
	}
	return fig
}

// end is the line's end, with what its label says.
func (l Line) end(f *Figure) end {
	e := end{label: printable(l.Label), line: l, x: f.plot.X.Min, y: f.plot.Y.Min}
	if p := f.plot; len(l.X) > 0 && !slices.ContainsFunc(l.points(), func(pt [2]float64) bool {
		return pt[0] >= p.X.Min && pt[0] <= p.X.Max && pt[1] >= p.Y.Min && pt[1] <= p.Y.Max
	}) {
		e.label += " (beyond the axes)"
	}
	if len(l.X) == 0 {
		return e
	}
	last := len(l.X) - 1
	e.x, e.y = l.X[last], l.Y[last]
	if l.Step {
		e.x = f.plot.X.Max
	}
	const samples = 64
	at, height := -1, on(&f.plot.Y, f.plot.Y.Min)
	for i := range samples {
		for at < last && on(&f.plot.X, l.X[at+1]) <= (float64(i)+0.5)/samples {
			at++
			height = on(&f.plot.Y, l.Y[at])
		}
		e.mean += height / samples
	}
	return e
}

// thumbnail draws the line's look.
func (l Line) thumbnail(c *draw.Canvas) {
	stroke, glyph := l.looks()
	if stroke != nil {
		c.StrokeLine2(*stroke, c.Min.X, c.Center().Y, c.Max.X, c.Center().Y)
	}
	if glyph != nil {
		c.DrawGlyph(*glyph, c.Center())
	}
}

func (l Line) points() [][2]float64 {
	pts := make([][2]float64, len(l.X))
	for i, x := range l.X {
		pts[i] = [2]float64{x, l.Y[i]}
	}
	return pts
}

// looks are the styles of the line and of the glyphs at its points; nil means none.
func (l Line) looks() (stroke *draw.LineStyle, glyph *draw.GlyphStyle) {
	if l.Grey {
		return &draw.LineStyle{Color: ghost, Width: vg.Points(1)}, nil
	}
	if l.Crosses {
		return nil, &draw.GlyphStyle{Color: l.Style.color(), Radius: vg.Points(3.8), Shape: draw.CrossGlyph{}}
	}
	if l.Points || l.Loose {
		glyph = new(l.Style.glyph(vg.Points(2.8)))
	}
	if l.Loose {
		return nil, glyph
	}
	stroke = new(l.Style.line(vg.Points(1.6)))
	if l.Thin {
		stroke.Width, stroke.Dashes = vg.Points(1.1), dotted
	}
	return stroke, glyph
}

// draw draws the band, the bars, the line and the glyphs.
func (l Line) draw(s sheet) {
	path := l.path(s, l.Y)
	if l.Edge != nil {
		edge := l.path(s, l.Edge)
		slices.Reverse(edge)
		s.fill(l.Style.band(), slices.Concat(path, edge)...)
	}
	for i := range l.Low {
		if finite(l.Low[i]) && finite(l.High[i]) {
			bar := draw.LineStyle{Color: l.Style.color(), Width: vg.Points(0.9)}
			s.line(bar, s.at(l.X[i], l.Low[i]), s.at(l.X[i], l.High[i]))
		}
	}
	stroke, glyph := l.looks()
	if stroke != nil {
		s.line(*stroke, path...)
	}
	if glyph != nil {
		for _, pt := range path {
			s.glyph(*glyph, pt)
		}
	}
}

func (l Line) path(s sheet, ys []float64) (pts []vg.Point) {
	for i, x := range l.X {
		pt := s.at(x, ys[i])
		if l.Step {
			before := s.y(math.Max(0, s.plot.Y.Min))
			if i > 0 {
				before = pts[len(pts)-1].Y
			}
			pts = append(pts, vg.Point{X: pt.X, Y: before})
		}
		pts = append(pts, pt)
	}
	if l.Step && len(pts) > 0 {
		pts = append(pts, vg.Point{X: s.Max.X, Y: pts[len(pts)-1].Y})
	}
	return pts
}
