package verdicts

import (
	"math"
	"slices"
	"strings"

	"schedgap/datasets/claims"
	"schedgap/reports/plots"
)

// styles are the looks of the verdicts: colour and glyph.
var styles = map[claims.Verdict]plots.Style{
	claims.Reproduced:    {Index: 2},
	claims.InPart:        {Index: 4},
	claims.Consistent:    {Index: 3},
	claims.NotReproduced: {Index: 1},
	claims.Refuted:       {Index: 6},
	claims.Proof:         {Index: 0},
	claims.NotMeasurable: {Index: 5},
	claims.Unworked:      {Index: 14},
}

// farthest is the largest ratio to the paper's value that the picture tells apart; what is further is drawn at its edge.
const farthest = 8

// Picture draws every claim as a dot: above, values as ratios to the paper's; below, orders and shapes by how far they are to the
// paper's side, as a share of the farthest that the box allows, and what is not measured at the bottom.
func Picture(title string, entries []*Entry) *plots.Figure {
	var values, sides []plots.Column
	var seen []claims.Verdict
	for _, e := range entries {
		if !slices.Contains(seen, e.Grade.Verdict) {
			seen = append(seen, e.Grade.Verdict)
		}
		label := e.ID[strings.LastIndexByte(e.ID, '-')+1:]
		c := plots.Column{Label: label, Style: styles[e.Grade.Verdict], Value: math.NaN(), Low: math.NaN(), WantedFrom: math.NaN()}
		if base := e.base(); e.Grade.Measured() && base != 0 {
			c = e.column(c, func(x float64) float64 { return ratio(x, base) })
			values = append(values, c)
			continue
		}
		if e.Grade.Measured() {
			sides = append(sides, e.column(c, e.side()))
			continue
		}
		c.Value = -1.25
		sides = append(sides, c)
	}
	frame := func(title, label string, scale plots.Scale, base float64) plots.Frame {
		return plots.Frame{Title: title, X: plots.Axis{Base: math.NaN()}, Y: plots.Axis{Label: label, Scale: scale, Base: base}}
	}
	top := title + ": values, and bounds that are not 0"
	var fig *plots.Figure
	if len(values) > 0 {
		fig = plots.Columns(frame(top, "ours / the paper's", plots.Log, 1), values, 1./farthest, farthest)
		top = "Orders, shapes and differences; at the bottom what is not measured"
	} else {
		top = title + ": orders, shapes and differences; at the bottom what is not measured"
	}
	if len(sides) > 0 {
		lower := plots.Columns(frame(top, "against .. as the paper says", plots.Linear, 0), sides, -1.3, 1.1)
		if fig == nil {
			fig = lower
		} else {
			fig.Above(lower)
		}
	}
	if fig == nil {
		fig = plots.Columns(frame(title, "", plots.Linear, 0), nil, -1, 1)
	}
	for _, v := range claims.Verdicts {
		if slices.Contains(seen, v) {
			fig.Key(string(v), styles[v])
		}
	}
	return fig
}

// column is a claim's column, its values as place puts them.
func (e *Entry) column(c plots.Column, place func(float64) float64) plots.Column {
	ends := func(b claims.Bounds) (float64, float64) {
		x, y := place(b.Low), place(b.High)
		return min(x, y), max(x, y)
	}
	c.Value = place(e.Grade.Value)
	c.Low, c.High = ends(e.Grade.Interval)
	c.Least, c.Most = ends(e.Grade.Envelope)
	c.WantedFrom, c.WantedUntil = ends(e.Bounds())
	return c
}

// base is the paper's value that ours is divided by: the one end of a half-line, or the middle of a range; 0: the claim is an order or
// a shape, or has a value of 0.
func (e *Entry) base() float64 {
	p := e.Paper
	switch {
	case e.Kind == claims.Order || e.Kind == claims.Shape:
		return 0
	case p.Low != nil && p.High != nil && *p.Low**p.High > 0:
		return math.Copysign(math.Sqrt(*p.Low**p.High), *p.Low)
	case p.Low != nil && p.High != nil:
		return 0
	case p.Low != nil:
		return *p.Low
	case p.High != nil:
		return *p.High
	}
	return 0
}

// ratio is x over the paper's value; of another sign it is a ratio of 0, at the lower edge.
func ratio(x, base float64) float64 { return max(x/base, 1e-12) }

// side is where values lie from the end of the paper's half-line: above 0 on the paper's side. It is linear, with the farthest end of
// the box at 1 or -1.
func (e *Entry) side() func(float64) float64 {
	p := e.Bounds()
	end, sign := p.Low, 1.
	if !finite(end) {
		end, sign = p.High, -1
	}
	if !finite(end) {
		end = 0
	}
	if p.Low == 1 && e.Grade.Envelope.Inside(claims.Bounds{Low: 0, High: 1}) { // a truth value: how often it holds
		return func(x float64) float64 { return 2*x - 1 }
	}
	far := 0.
	for _, x := range []float64{e.Grade.Envelope.Low, e.Grade.Envelope.High} {
		if finite(x) {
			far = max(far, math.Abs(x-end))
		}
	}
	return func(x float64) float64 {
		if far == 0 {
			return 0
		}
		return sign * (x - end) / far
	}
}
