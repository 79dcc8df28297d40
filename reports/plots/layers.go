package plots

import (
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A Line is one series of points from left to right.
type Line struct {
	Label  string // empty: not in the legend
	Style  Style
	X, Y   []float64
	Step   bool      // a step function, Y[i] from X[i] to X[i+1] and on to the right edge
	Points bool      // glyphs at the points
	Loose  bool      // glyphs only, no line between them
	Thin   bool      // a secondary line: thin and dashed
	Edge   []float64 // if not nil, a band is drawn from Edge[i] to Y[i]
	// Low and High, if not nil, are the ends of a bar at each point; one that is not finite is none.
	Low, High []float64
	// Crosses draws crosses only, no line between them: values that something else is to be held against.
	Crosses bool
}

// known returns the line without the points that have no place. One whose value is infinite has: beyond the axis.
func (l Line) known() Line {
	k := l
	k.X, k.Y, k.Edge, k.Low, k.High = nil, nil, nil, nil, nil
	for i := range l.X {
		if !finite(l.X[i]) || math.IsNaN(l.Y[i]) || (l.Edge != nil && math.IsNaN(l.Edge[i])) {
			continue
		}
		k.X, k.Y = append(k.X, l.X[i]), append(k.Y, l.Y[i])
		if l.Edge != nil {
			k.Edge = append(k.Edge, l.Edge[i])
		}
		if l.Low != nil {
			k.Low, k.High = append(k.Low, l.Low[i]), append(k.High, l.High[i])
		}
	}
	return k
}

// Lines draws lines over a common frame.
func Lines(f Frame, lines []Line) *Figure {
	x, y := emptySpan(), emptySpan()
	all := !slices.ContainsFunc(lines, func(l Line) bool { return !l.Style.Marked && len(l.X) > 0 })
	for _, l := range lines {
		if !l.Style.Marked || all { // what is not comparable does not stretch the axes
			x.add(l.X...)
			y.add(l.Y...)
			y.add(l.Edge...)
			y.add(l.Low...)
			y.add(l.High...)
		}
	}
	fig := newFigure(f, standard, x, y)
	for _, l := range lines {
		l = l.known()
		fig.plot.Add(l)
		if l.Label != "" {
			label := l.Label
			if !l.within(fig.plot) {
				label += " (beyond the axes)"
			}
			fig.legend = append(fig.legend, entry{label, l.thumbnail})
		}
	}
	return fig
}

// within reports whether the line has a point inside the axes, or no point at all.
func (l Line) within(p *plot.Plot) bool {
	for i, x := range l.X {
		if x >= p.X.Min && x <= p.X.Max && l.Y[i] >= p.Y.Min && l.Y[i] <= p.Y.Max {
			return true
		}
	}
	return len(l.X) == 0
}

func (l Line) stroke() draw.LineStyle {
	s := l.Style.line(vg.Points(1.6))
	if l.Thin {
		s.Width, s.Dashes = vg.Points(1.1), []vg.Length{4, 2}
	}
	return s
}

func (l Line) cross() draw.GlyphStyle {
	return draw.GlyphStyle{Color: l.Style.color(), Radius: vg.Points(3.8), Shape: draw.CrossGlyph{}}
}

// Plot draws the band, the bars, the line and the glyphs.
func (l Line) Plot(c draw.Canvas, p *plot.Plot) {
	if l.Edge != nil {
		band, edge := l.path(c, p, l.Y), l.path(c, p, l.Edge)
		slices.Reverse(edge)
		c.FillPolygon(l.Style.band(), c.ClipPolygonXY(append(band, edge...)))
	}
	if l.Low != nil {
		low, high := l.path(c, p, l.Low), l.path(c, p, l.High)
		style := draw.LineStyle{Color: l.Style.color(), Width: vg.Points(0.9)}
		for i := range l.X {
			if finite(l.Low[i]) && finite(l.High[i]) {
				c.StrokeLines(style, c.ClipLinesXY([]vg.Point{low[i], high[i]})...)
			}
		}
	}
	if l.Crosses {
		for _, pt := range l.path(c, p, l.Y) {
			if c.Contains(pt) {
				c.DrawGlyph(l.cross(), pt)
			}
		}
		return
	}
	if !l.Loose {
		c.StrokeLines(l.stroke(), c.ClipLinesXY(l.path(c, p, l.Y))...)
	}
	if l.Points || l.Loose {
		for _, pt := range l.path(c, p, l.Y) {
			if c.Contains(pt) {
				c.DrawGlyph(l.Style.glyph(vg.Points(2.8)), pt)
			}
		}
	}
}

func (l Line) path(c draw.Canvas, p *plot.Plot, ys []float64) []vg.Point {
	tx, ty := transforms(p, &c)
	var pts []vg.Point
	for i, x := range l.X {
		pt := vg.Point{X: tx(x), Y: ty(ys[i])}
		if l.Step {
			before := ty(math.Max(0, p.Y.Min))
			if i > 0 {
				before = pts[len(pts)-1].Y
			}
			pts = append(pts, vg.Point{X: pt.X, Y: before})
		}
		pts = append(pts, pt)
	}
	if l.Step && len(pts) > 0 {
		pts = append(pts, vg.Point{X: c.Max.X, Y: pts[len(pts)-1].Y})
	}
	return pts
}

func (l Line) thumbnail(c *draw.Canvas) {
	y := c.Center().Y
	if l.Crosses {
		c.DrawGlyph(l.cross(), c.Center())
		return
	}
	if !l.Loose {
		c.StrokeLine2(l.stroke(), c.Min.X, y, c.Max.X, y)
	}
	if l.Points || l.Loose {
		c.DrawGlyph(l.Style.glyph(vg.Points(2.8)), c.Center())
	}
}

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
		fig.plot.Add(row{b, -float64(i)})
	}
	return fig
}

type row struct {
	Box
	y float64
}

// Plot draws the box.
func (b row) Plot(c draw.Canvas, p *plot.Plot) {
	tx, ty := transforms(p, &c)
	y, half := ty(b.y), (ty(0)-ty(-1))*0.3
	stroke := b.Style.line(vg.Points(1.2))
	lines := func(style draw.LineStyle, pts ...vg.Point) { c.StrokeLines(style, c.ClipLinesX(pts)...) }
	if !math.IsNaN(b.Median) {
		lines(stroke, vg.Point{X: tx(b.Low), Y: y}, vg.Point{X: tx(b.Q1), Y: y})
		lines(stroke, vg.Point{X: tx(b.Q3), Y: y}, vg.Point{X: tx(b.High), Y: y})
		corners := []vg.Point{
			{X: tx(b.Q1), Y: y - half},
			{X: tx(b.Q3), Y: y - half},
			{X: tx(b.Q3), Y: y + half},
			{X: tx(b.Q1), Y: y + half},
		}
		c.FillPolygon(b.Style.band(), c.ClipPolygonX(corners))
		stroke.Dashes = nil
		lines(stroke, append(corners, corners[0])...)
		thick := draw.LineStyle{Color: b.Style.color(), Width: vg.Points(2.4)}
		lines(thick, vg.Point{X: tx(b.Median), Y: y - half}, vg.Point{X: tx(b.Median), Y: y + half})
	}
	if finite(b.Worst) && c.ContainsX(tx(b.Worst)) {
		c.DrawGlyph(draw.GlyphStyle{Color: b.Style.color(), Radius: vg.Points(3), Shape: draw.CrossGlyph{}},
			vg.Point{X: tx(b.Worst), Y: y})
	}
	if finite(b.Mean) && c.ContainsX(tx(b.Mean)) {
		c.DrawGlyph(draw.GlyphStyle{Color: ink, Radius: vg.Points(2.2), Shape: draw.CircleGlyph{}}, vg.Point{X: tx(b.Mean), Y: y})
	}
}

// Dots are one algorithm's mean and worst value in every category; NaN: none.
type Dots struct {
	Label       string
	Style       Style
	Mean, Worst []float64
}

// Groups draws, for every category, the algorithms side by side: a filled glyph at the mean, and a stem up to a bar at the
// worst value.
func Groups(f Frame, categories []string, series []Dots) *Figure {
	y := emptySpan()
	for _, s := range series {
		y.add(s.Mean...)
		y.add(s.Worst...)
	}
	fig := newFigure(f, standard, span{0, 1}, y)
	fig.categories(categories)
	for k, s := range series {
		offset := 0.7*(float64(k)+0.5)/float64(len(series)) - 0.35
		fig.plot.Add(stems{s, offset})
		fig.legend = append(fig.legend, entry{s.Label, func(c *draw.Canvas) {
			c.DrawGlyph(s.Style.glyph(vg.Points(3)), c.Center())
		}})
	}
	return fig
}

type stems struct {
	Dots
	offset float64
}

// Plot draws the stems.
func (s stems) Plot(c draw.Canvas, p *plot.Plot) {
	tx, ty := transforms(p, &c)
	for i, mean := range s.Mean {
		if math.IsNaN(mean) {
			continue
		}
		x, worst := tx(float64(i)+s.offset), ty(s.Worst[i])
		stroke := s.Style.line(vg.Points(1.2))
		c.StrokeLines(stroke, c.ClipLinesY([]vg.Point{{X: x, Y: ty(mean)}, {X: x, Y: worst}})...)
		stroke.Dashes = nil
		c.StrokeLines(stroke, c.ClipLinesY([]vg.Point{{X: x - 3, Y: worst}, {X: x + 3, Y: worst}})...)
		if pt := (vg.Point{X: x, Y: ty(mean)}); c.Contains(pt) {
			c.DrawGlyph(s.Style.glyph(vg.Points(3)), pt)
		}
	}
}

// background draws the grid and the base lines.
type background struct{ Frame }

// Plot draws them on the data area.
func (b background) Plot(c draw.Canvas, p *plot.Plot) {
	tx, ty := transforms(p, &c)
	thin := draw.LineStyle{Color: grid, Width: vg.Points(0.5)}
	base := draw.LineStyle{Color: muted, Width: vg.Points(0.8)}
	for _, t := range p.X.Tick.Marker.Ticks(p.X.Min, p.X.Max) {
		if x := tx(t.Value); !t.IsMinor() && c.ContainsX(x) {
			c.StrokeLine2(thin, x, c.Min.Y, x, c.Max.Y)
		}
	}
	for _, t := range p.Y.Tick.Marker.Ticks(p.Y.Min, p.Y.Max) {
		if y := ty(t.Value); !t.IsMinor() && c.ContainsY(y) {
			c.StrokeLine2(thin, c.Min.X, y, c.Max.X, y)
		}
	}
	if x := b.X.Base; finite(x) {
		c.StrokeLine2(base, tx(x), c.Min.Y, tx(x), c.Max.Y)
	}
	if y := b.Y.Base; finite(y) {
		c.StrokeLine2(base, c.Min.X, ty(y), c.Max.X, ty(y))
	}
}
