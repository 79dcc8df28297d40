package plots

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

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
	for _, s := range series {
		y.add(s.Mean...)
		y.add(s.Low...)
		y.add(s.High...)
		y.add(s.Paper...)
		for _, p := range s.Paper {
			papers = papers || finite(p)
		}
	}
	f.Y.Scale = Linear
	fig := newFigure(f, standard, span{0, 1}, y)
	fig.categories(categories)
	for k, s := range series {
		fig.plot.Add(barSeries{s, (float64(k)+0.5)/float64(len(series))*0.8 - 0.4, 0.72 / float64(len(series))})
		if s.Label != "" {
			fig.legend = append(fig.legend, entry{s.Label, func(c *draw.Canvas) {
				y := c.Center().Y
				c.StrokeLine2(draw.LineStyle{Color: s.Style.color(), Width: 7}, c.Min.X+3, y, c.Max.X-3, y)
			}})
		}
	}
	if papers {
		fig.legend = append(fig.legend, entry{"the paper", func(c *draw.Canvas) {
			c.StrokeLine2(draw.LineStyle{Color: ink, Width: 2}, c.Min.X+3, c.Center().Y, c.Max.X-3, c.Center().Y)
		}})
	}
	return fig
}

// rows makes the Y axis one of names from the top down, at 0, −1 and so on.
func (f *Figure) rows(names []string) {
	ticks := make(plot.ConstantTicks, len(names))
	for i, name := range names {
		ticks[i] = plot.Tick{Value: -float64(i), Label: printable(name)}
	}
	y := &f.plot.Y
	y.Min, y.Max, y.Tick.Marker, y.Tick.LineStyle.Width = 0.4-float64(len(names)), 0.6, ticks, 0
}

// categories makes the X axis one of names at 0, 1 and so on, slanted where they are too long to stand side by side.
func (f *Figure) categories(names []string) {
	ticks, longest := make(plot.ConstantTicks, len(names)), 0
	for i, name := range names {
		ticks[i] = plot.Tick{Value: float64(i), Label: printable(name)}
		longest = max(longest, len(name))
	}
	x := &f.plot.X
	x.Min, x.Max, x.Tick.Marker = -0.5, float64(len(names))-0.5, ticks
	if longest*len(names) > 90 { // about what fits side by side
		x.Tick.Label.Rotation, x.Tick.Label.XAlign, x.Tick.Label.YAlign = math.Pi/7, draw.XRight, draw.YTop
		f.height += vg.Length(longest) * vg.Points(2.2)
	}
}

type barSeries struct {
	Bars
	offset, width float64
}

// Plot draws the bars.
func (b barSeries) Plot(c draw.Canvas, p *plot.Plot) {
	tx, ty := transforms(p, &c)
	for i, mean := range b.Mean {
		left, right := tx(float64(i)+b.offset-b.width/2), tx(float64(i)+b.offset+b.width/2)
		middle := (left + right) / 2
		if finite(mean) {
			c.FillPolygon(b.Style.color(), []vg.Point{
				{X: left, Y: ty(0)},
				{X: right, Y: ty(0)},
				{X: right, Y: ty(mean)},
				{X: left, Y: ty(mean)},
			})
		}
		if i < len(b.Low) && finite(b.Low[i]) && finite(b.High[i]) && b.Low[i] < b.High[i] {
			whisker := draw.LineStyle{Color: muted, Width: vg.Points(1)}
			c.StrokeLine2(whisker, middle, ty(b.Low[i]), middle, ty(b.High[i]))
		}
		if i < len(b.Paper) && finite(b.Paper[i]) {
			y := ty(b.Paper[i])
			c.StrokeLine2(draw.LineStyle{Color: ink, Width: vg.Points(2)}, left-1, y, right+1, y)
		}
	}
}
