package plots

import (
	"cmp"
	"slices"
	"strings"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"schedgap/reports/words"
)

// most is how many lines of a figure have a look of their own. The others are its background.
const most = 8

// Background names the series that a figure of these lines draws in grey, without a label; empty: none.
func Background(lines []Line) (labels []string) {
	n := 0
	for _, l := range lines {
		if !l.series() {
			continue
		}
		n++
		if n > most {
			labels = append(labels, l.Label)
		}
	}
	return labels
}

// apart gives each of the first eight series its own colour and dash, with what is drawn in its style, and makes the others grey.
func apart(lines []Line) []Line {
	var styles []Style
	for _, l := range lines {
		if l.series() && len(styles) < most {
			styles = append(styles, l.Style)
		}
	}
	own, out := distinct(styles), slices.Clone(lines)
	n := 0
	for i := range out {
		l := &out[i]
		switch {
		case l.series() && n == most:
			l.Grey, l.Label, l.Points, l.Edge = true, "", false, nil
		case l.series():
			l.Style, n = own[n], n+1
		default: // an addition to a series
			if k := slices.IndexFunc(styles, func(s Style) bool { return s.Index == l.Style.Index }); k >= 0 {
				l.Style.Index, l.Style.Dash = own[k].Index, own[k].Dash
			}
		}
	}
	slices.SortStableFunc(out, func(a, b Line) int { // the background first
		return map[bool]int{true: 0, false: 1}[a.Grey] - map[bool]int{true: 0, false: 1}[b.Grey]
	})
	return out
}

// An end is the right end of a line with its label.
type end struct {
	label string
	x, y  float64
	mean  float64 // the line's mean height, which orders labels of one end
	line  Line
}

const (
	besideShare = 0.36 // of the figure's width, at most, for labels beside the plot
	apartFrom   = 10   // points between the plot and the labels
)

// lines breaks a label into at most two lines that fit the room beside the plot; what does not fit is cut in its middle.
func (f *Figure) lines(label string) (lines []string) {
	style := f.text(text.Style{}, 8.5)
	room := besideShare*f.width - apartFrom - thumbWidth
	if style.Width(label) <= room {
		return []string{label}
	}
	lines = []string{label}
	least := style.Width(label)
	for i, r := range label { // where the longer line is shortest
		if r != ' ' {
			continue
		}
		if w := max(style.Width(label[:i]), style.Width(label[i+1:])); w < least {
			lines, least = []string{label[:i], label[i+1:]}, w
		}
	}
	for i, line := range lines {
		lines[i] = fitted(style, line, room)
	}
	return lines
}

// fitted is a text, cut in its middle if it is wider than the room.
func fitted(style text.Style, says string, room vg.Length) string {
	cut := says
	for n := len([]rune(says)) - 1; n > 2 && style.Width(cut) > room; n-- {
		cut = words.Middle(says, n)
	}
	return cut
}

// beside is the width of the labels beside the plot.
func (f *Figure) beside() (width vg.Length) {
	style := f.text(text.Style{}, 8.5)
	for _, e := range f.ends {
		for _, line := range f.lines(e.label) {
			width = max(width, apartFrom+thumbWidth+style.Width(line))
		}
	}
	return width
}

// least is the height that labels beside the plot need, with its axis and title.
func (f *Figure) least() (height vg.Length) {
	for _, e := range f.ends {
		height += f.tall(e)
	}
	if len(f.ends) > 0 {
		height += vg.Length(f.scale)*45 + titleHeight
	}
	return height
}

func (f *Figure) tall(e end) vg.Length {
	return vg.Length(len(f.lines(e.label))) * vg.Length(f.scale) * 10.5
}

// drawEnds labels lines beside the plot, each as near to its end as the others allow, with a leader between them.
func (f *Figure) drawEnds(s sheet) {
	type place struct {
		end
		at, tall vg.Length
	}
	var list []place
	for _, e := range f.ends {
		list = append(list, place{e, min(max(s.y(e.y), s.Min.Y), s.Max.Y), f.tall(e)})
	}
	slices.SortStableFunc(list, func(a, b place) int { return cmp.Or(cmp.Compare(b.at, a.at), cmp.Compare(b.mean, a.mean)) })
	for i := range list { // downwards
		if i > 0 {
			list[i].at = min(list[i].at, list[i-1].at-(list[i-1].tall+list[i].tall)/2)
		}
	}
	floor := s.Min.Y - list[len(list)-1].tall/2
	for i := len(list) - 1; i >= 0; i-- { // and up again from the floor
		list[i].at = max(list[i].at, floor+list[i].tall/2)
		floor = list[i].at + list[i].tall/2
	}
	style := f.text(text.Style{XAlign: draw.XLeft, YAlign: draw.YCenter}, 8.5)
	for _, p := range list {
		from := vg.Point{X: min(s.x(p.x), s.Max.X), Y: min(max(s.y(p.y), s.Min.Y), s.Max.Y)}
		to := vg.Point{X: s.Max.X + apartFrom - 2, Y: p.at}
		s.StrokeLines(draw.LineStyle{Color: p.line.Style.band(), Width: vg.Points(0.8)},
			[]vg.Point{from, {X: s.Max.X, Y: from.Y}, to})
		p.line.thumbnail(&draw.Canvas{Canvas: s.Canvas.Canvas, Rectangle: vg.Rectangle{
			Min: vg.Point{X: to.X, Y: p.at - 5}, Max: vg.Point{X: to.X + thumbWidth - 4, Y: p.at + 5},
		}})
		s.FillText(style, vg.Point{X: s.Max.X + apartFrom + thumbWidth, Y: p.at + 1}, strings.Join(f.lines(p.label), "\n"))
	}
}
