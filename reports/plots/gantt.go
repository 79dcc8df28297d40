package plots

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"schedgap/models"
)

// A Schedule is a solution as bars, with what stands above it.
type Schedule struct {
	Title string
	models.Chart
}

// Schedules draws schedules one above the other on one axis, each lane of a job or machine at the same place in all of them, and
// each job in one colour. It is an error if there is nothing to draw.
func Schedules(list []Schedule) (*Figure, error) {
	var lanes, jobs []string
	end, most := emptySpan(), 0.0
	for _, s := range list {
		for _, b := range s.Bars {
			end.add(b.Start, b.End)
			most = max(most, b.Amount)
			if !slices.Contains(lanes, b.Lane) {
				lanes = append(lanes, b.Lane)
			}
			if job := owner(b); !slices.Contains(jobs, job) {
				jobs = append(jobs, job)
			}
		}
	}
	if len(lanes) == 0 {
		return nil, fmt.Errorf("no bars to draw: the solutions are empty, or their problem has no drawings")
	}
	end.add(0)
	styles := map[string]Style{}
	for i, job := range jobs {
		styles[job] = Style{Index: i}
	}
	var first, last *Figure
	for _, s := range list {
		frame := Frame{Title: s.Title, X: Axis{Label: s.Axis, Scale: Linear, Base: math.NaN()}, Y: Axis{Base: math.NaN()}}
		f := newFigure(frame, vg.Length(60+18*len(lanes)), end, span{-0.5, float64(len(lanes)) - 0.5})
		f.plot.Y.Min, f.plot.Y.Max = -0.5, float64(len(lanes))-0.5
		f.plot.X.Min = min(0, end.lo)
		var ticks plot.ConstantTicks
		for i, lane := range lanes {
			ticks = append(ticks, plot.Tick{Value: float64(len(lanes) - 1 - i), Label: printable(lane)})
		}
		f.plot.Y.Tick.Marker, f.plot.Y.Tick.Length = ticks, 0
		for _, b := range s.Bars {
			y := float64(len(lanes) - 1 - slices.Index(lanes, b.Lane))
			f.plot.Add(bar{b, y, b.Amount / most, styles[owner(b)]})
		}
		if first == nil {
			first = f
		} else {
			last.below = f
		}
		last = f
	}
	return first, nil
}

func owner(b models.Bar) string {
	if b.Job != "" {
		return b.Job
	}
	return b.Lane
}

// bar is one rectangle, as high as its share of the largest amount.
type bar struct {
	models.Bar
	y, share float64
	style    Style
}

// Plot draws the bar with its label if that fits.
func (b bar) Plot(c draw.Canvas, p *plot.Plot) {
	tx, ty := transforms(p, &c)
	half := 0.15 + 0.27*b.share
	from, to := vg.Point{X: tx(b.Start), Y: ty(b.y - half)}, vg.Point{X: tx(b.End), Y: ty(b.y + half)}
	box := vg.Rectangle{Min: from, Max: to}
	c.SetColor(b.style.color())
	c.Fill(box.Path())
	c.SetLineStyle(draw.LineStyle{Color: paper, Width: vg.Points(0.6)})
	c.Stroke(box.Path())
	label := textStyle(text.Style{XAlign: draw.XCenter, YAlign: draw.YCenter}, 7)
	label.Font.Variant = p.X.Tick.Label.Font.Variant
	label.Color = readable(b.style.color())
	says := printable(b.Label)
	if b.Job == "" && b.Amount != 1 { // a lane holds an amount, one of its own holds one
		says = compact(b.Amount) + " " + says
	}
	if says != "" && label.Width(says)+2 < to.X-from.X {
		c.FillText(label, vg.Point{X: (from.X + to.X) / 2, Y: (from.Y + to.Y) / 2}, says)
	}
}

// readable is black or white, whichever has more contrast on a colour.
func readable(on color.NRGBA) color.Color {
	if 299*int(on.R)+587*int(on.G)+114*int(on.B) > 140_000 {
		return ink
	}
	return paper
}
