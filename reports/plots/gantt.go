package plots

import (
	"fmt"
	"image/color"
	"math"

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

// mostLanes is how many lanes a drawing has room for: it grows with them.
const mostLanes = 500

// Schedules draws schedules one above the other on one axis, each lane of a job or machine at the same place in all of them, each
// job in one colour, bars that overlap above each other, and clones hatched. It is an error if there is nothing to draw, or too
// much.
func Schedules(list []Schedule) (*Figure, error) {
	lanes, jobs, clones := map[string]int{}, map[string]Style{}, false
	var names []string
	end, most, levels := emptySpan(), 0.0, 1
	stacks := make([]models.Stack, len(list))
	for i, s := range list {
		stacks[i] = s.Stack()
		most, levels = max(most, stacks[i].Height), max(levels, stacks[i].Levels)
		for _, b := range s.Bars {
			end.add(b.Start, b.End)
			clones = clones || b.Clone
			if _, known := lanes[b.Lane]; !known {
				lanes[b.Lane] = len(names)
				names = append(names, b.Lane)
			}
			if _, known := jobs[owner(b)]; !known {
				jobs[owner(b)] = Style{Index: len(jobs)}
			}
		}
	}
	switch {
	case len(names) == 0:
		return nil, fmt.Errorf("no bars to draw: the solutions are empty, or their problem has no drawings")
	case len(names) > mostLanes:
		return nil, fmt.Errorf("%d lanes to draw, and a drawing has room for %d", len(names), mostLanes)
	}
	end.add(0)
	var first *Figure
	lane := 18 * (1 + 0.6*float64(min(levels, 8)-1))
	for i, s := range list {
		frame := Frame{Title: s.Title, X: Axis{Label: s.Axis, Scale: Linear, Base: math.NaN()}, Y: Axis{Base: math.NaN()}}
		f := newFigure(frame, vg.Length(60+lane*float64(len(names))), end, span{0, 1})
		f.rows(names)
		f.plot.Y.Min, f.plot.Y.Max, f.plot.Y.Tick.Length = 0.5-float64(len(names)), 0.5, 0
		f.plot.X.Min = min(0, end.lo)
		for k, b := range s.Bars {
			y := -float64(lanes[b.Lane]) - 0.42 + 0.84*stacks[i].Below[k]/most
			f.add(func(s sheet) { drawBar(s, b, y, y+0.84*b.Amount/most, jobs[owner(b)].color()) })
		}
		if i == 0 {
			first = f
		} else {
			first.Above(f)
		}
	}
	if clones {
		first.legend = append(first.legend, entry{"hatched: clones", func(c *draw.Canvas) {
			box(*c, vg.Rectangle{Min: vg.Point{X: c.Min.X + 2, Y: c.Min.Y + 1}, Max: vg.Point{X: c.Max.X - 2, Y: c.Max.Y - 1}}, muted,
				true)
		}})
	}
	return first, nil
}

func owner(b models.Bar) string {
	if b.Job != "" {
		return b.Job
	}
	return b.Lane
}

// box fills a rectangle and, of a clone, hatches it.
func box(c draw.Canvas, r vg.Rectangle, fill color.Color, clone bool) {
	c.SetColor(fill)
	c.Fill(r.Path())
	if clone {
		const apart = 4
		height := r.Max.Y - r.Min.Y
		for x := r.Min.X - height; x < r.Max.X; x += apart {
			from, to := max(x, r.Min.X), min(x+height, r.Max.X)
			c.StrokeLine2(draw.LineStyle{Color: paper, Width: 0.9}, from, r.Min.Y+from-x, to, r.Min.Y+to-x)
		}
	}
	c.SetLineStyle(draw.LineStyle{Color: paper, Width: vg.Points(0.6)})
	c.Stroke(r.Path())
}

// drawBar draws a bar between two heights, with its label if that fits.
func drawBar(s sheet, b models.Bar, low, high float64, fill color.NRGBA) {
	from, to := vg.Point{X: max(s.x(b.Start), s.Min.X), Y: s.y(low)}, vg.Point{X: min(s.x(b.End), s.Max.X), Y: s.y(high)}
	box(s.Canvas, vg.Rectangle{Min: from, Max: to}, fill, b.Clone)
	label := textStyle(text.Style{XAlign: draw.XCenter, YAlign: draw.YCenter}, 7)
	label.Font.Variant = s.plot.X.Tick.Label.Font.Variant
	label.Color = readable(fill)
	says := printable(b.Label)
	if b.Job == "" && b.Amount != 1 { // a lane holds an amount, one of its own holds one
		says = compact(b.Amount) + " " + says
	}
	if width := label.Width(says); says != "" && width+2 < to.X-from.X && to.Y-from.Y > 5.5 {
		if b.Clone { // or the hatching would run through it
			plate := vg.Rectangle{Min: vg.Point{X: (from.X + to.X - width) / 2, Y: (from.Y+to.Y)/2 - 3.5}}
			plate.Max = vg.Point{X: plate.Min.X + width, Y: plate.Min.Y + 7}
			s.SetColor(fill)
			s.Fill(plate.Path())
		}
		s.FillText(label, vg.Point{X: (from.X + to.X) / 2, Y: (from.Y + to.Y) / 2}, says)
	}
}

// readable is the one of black and white with more contrast on a colour.
func readable(on color.NRGBA) color.Color {
	if 299*int(on.R)+587*int(on.G)+114*int(on.B) > 140_000 {
		return ink
	}
	return paper
}
