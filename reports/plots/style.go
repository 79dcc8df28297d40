package plots

import (
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// The neutral colours. None of them is pure black, which the SVG writer leaves out of its styles; a page recolours by them.
var (
	ink   = color.NRGBA{0x1f, 0x23, 0x28, 0xff}
	muted = color.NRGBA{0x6e, 0x77, 0x81, 0xff}
	grid  = color.NRGBA{0xe1, 0xe4, 0xe8, 0xff}
	paper = color.NRGBA{0xff, 0xff, 0xff, 0xff}
)

// palette is that of Okabe and Ito without the yellow, which disappears on white, and with a grey for its black.
var palette = [...]color.NRGBA{
	{0x00, 0x72, 0xb2, 0xff}, // blue
	{0xd5, 0x5e, 0x00, 0xff}, // vermillion
	{0x00, 0x9e, 0x73, 0xff}, // bluish green
	{0xcc, 0x79, 0xa7, 0xff}, // reddish purple
	{0xe6, 0x9f, 0x00, 0xff}, // orange
	{0x56, 0xb4, 0xe9, 0xff}, // sky blue
	{0x5a, 0x5a, 0x5a, 0xff}, // grey
}

var glyphs = [...]draw.GlyphDrawer{
	draw.CircleGlyph{},
	draw.SquareGlyph{},
	draw.PyramidGlyph{},
	draw.RingGlyph{},
	draw.BoxGlyph{},
	draw.TriangleGlyph{},
	draw.PlusGlyph{},
	draw.CrossGlyph{},
}

var dashes = [...][]vg.Length{nil, {6, 2}, {2, 2}, {8, 2, 2, 2}}

// A Style is the look of one series. Series of different Index look different up to 7·4; one algorithm should have one
// Index in all figures of a report.
type Style struct {
	Index int
	// Marked draws dotted: the series is not comparable with the others.
	Marked bool
}

func (s Style) color() color.NRGBA { return palette[s.Index%len(palette)] }

func (s Style) line(width vg.Length) draw.LineStyle {
	l := draw.LineStyle{Color: s.color(), Width: width, Dashes: dashes[s.Index/len(palette)%len(dashes)]}
	if s.Marked {
		l.Dashes = []vg.Length{1.5, 1.5}
	}
	return l
}

func (s Style) glyph(radius vg.Length) draw.GlyphStyle {
	return draw.GlyphStyle{Color: s.color(), Radius: radius, Shape: glyphs[s.Index%len(glyphs)]}
}

func (s Style) band() color.Color {
	c := s.color()
	c.A = 0x38
	return c
}

// textStyle sets the one font of all figures. There is only one because the PDF writer lists several in random order.
func textStyle(t text.Style, size float64) text.Style {
	t.Font = font.From(font.Font{Typeface: "Liberation", Variant: "Sans"}, vg.Points(size))
	t.Color = ink
	t.Handler = plot.DefaultTextHandler
	return t
}
