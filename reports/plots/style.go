package plots

import (
	"fmt"
	"image/color"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// The neutral colours. None of them is pure black, which the SVG writer leaves out of its styles; a page recolours by them.
var (
	ink   = color.NRGBA{0x1f, 0x23, 0x28, 0xff}
	muted = color.NRGBA{0x6e, 0x77, 0x81, 0xff}
	grid  = color.NRGBA{0xe1, 0xe4, 0xe8, 0xff}
	paper = color.NRGBA{0xff, 0xff, 0xff, 0xff}
	ghost = color.NRGBA{0xb8, 0xbe, 0xc5, 0xff} // of lines in the background
)

// palette has 15 colours, found by a search for colours far apart: every two differ by at least 17 in CIEDE2000, and each has
// a contrast of at least 3 on white. The first three are by Okabe and Ito.
var palette = [...]color.NRGBA{
	{0x00, 0x72, 0xb2, 0xff}, // blue
	{0xd5, 0x5e, 0x00, 0xff}, // vermillion
	{0x00, 0x87, 0x5f, 0xff}, // green
	{0xa8, 0x6b, 0xab, 0xff}, // purple
	{0xa4, 0x7b, 0x08, 0xff}, // gold
	{0x15, 0x9f, 0xc2, 0xff}, // sky blue
	{0xb3, 0x12, 0x3f, 0xff}, // crimson
	{0x83, 0x62, 0xfb, 0xff}, // violet
	{0x5f, 0x7a, 0x00, 0xff}, // olive
	{0x78, 0x35, 0x0b, 0xff}, // brown
	{0xff, 0x3c, 0x79, 0xff}, // pink
	{0x4f, 0x72, 0x75, 0xff}, // slate
	{0x1f, 0x26, 0xcd, 0xff}, // indigo
	{0x0b, 0x42, 0x31, 0xff}, // dark green
	{0x5e, 0x5b, 0x75, 0xff}, // grey
}

// dark has the palette's counterparts on a dark page.
var dark = [len(palette)]string{
	"#3fa2f5", "#ff9a33", "#21e0b0", "#f08be6", "#a89a2c", "#7fe3ff", "#ff3d7f", "#ced5ff", "#c3ee2a", "#f2502a", "#ffc4c0",
	"#6f9391",
	"#8a74ff", "#1f9a4b", "#98837c",
}

// Properties are the palette as custom properties of a page, --s0 and so on, for a light and a dark scheme.
func Properties() string {
	var b strings.Builder
	b.WriteString(":root {")
	for i, c := range palette {
		fmt.Fprintf(&b, " --s%d: light-dark(#%02x%02x%02x, %s);", i, c.R, c.G, c.B, dark[i])
	}
	b.WriteString(" }\n")
	return b.String()
}

// Each of the glyphs and dashes is one of the lines of a figure, see distinct.
var (
	glyphs = [most]draw.GlyphDrawer{
		draw.CircleGlyph{},
		draw.SquareGlyph{},
		draw.PyramidGlyph{},
		draw.RingGlyph{},
		draw.BoxGlyph{},
		draw.TriangleGlyph{},
		draw.PlusGlyph{},
		diamond{},
	}
	dashes = [most][]vg.Length{nil, {6, 2}, {2, 2}, {8, 2, 2, 2}, {12, 3}, {4, 4}, {8, 2, 2, 2, 2, 2}, {1, 3}}
	dotted = []vg.Length{1.5, 1.5}
)

// diamond is a square on its corner.
type diamond struct{}

// DrawGlyph implements draw.GlyphDrawer.
func (diamond) DrawGlyph(c *draw.Canvas, sty draw.GlyphStyle, pt vg.Point) {
	r := 1.25 * sty.Radius
	var p vg.Path
	p.Move(vg.Point{X: pt.X, Y: pt.Y + r})
	p.Line(vg.Point{X: pt.X + r, Y: pt.Y})
	p.Line(vg.Point{X: pt.X, Y: pt.Y - r})
	p.Line(vg.Point{X: pt.X - r, Y: pt.Y})
	p.Close()
	c.Fill(p)
}

// A Style is the look of one series: a colour, a dash and a glyph, so that series differ without colours, too. Index is that of
// the colour plus a multiple of 15; one algorithm should have one Index in all figures.
type Style struct {
	Index int
	// Marked says that the series is not comparable with the others: it does not stretch the axes.
	Marked bool

	Dash int // 1 and so on, as a figure of lines tells them apart; 0: by the index
}

func (s Style) color() color.NRGBA { return palette[s.Index%len(palette)] }

// place numbers looks in such a way that neighbours and variants of one colour differ in dash and glyph.
func (s Style) place() int {
	if s.Dash > 0 {
		return s.Dash - 1
	}
	return (s.Index%len(palette) + s.Index/len(palette)) % most
}

// distinct gives each of at most eight series a colour and a dash that no other has: its own if it is the first that has it, else one
// that none of them has.
func distinct(list []Style) []Style {
	var colours, looks []int
	for _, s := range list {
		colours, looks = append(colours, s.Index%len(palette)), append(looks, s.place())
	}
	colours, looks = unequal(colours, len(palette)), unequal(looks, most)
	out := make([]Style, len(list))
	for i, s := range list {
		out[i] = Style{Index: colours[i], Marked: s.Marked, Dash: looks[i] + 1}
	}
	return out
}

// unequal replaces each number that stands before by the next that is not in the list; they are below n, and at most n.
func unequal(list []int, n int) []int {
	taken := make([]bool, n)
	for _, x := range list {
		taken[x] = true
	}
	out := slices.Clone(list)
	for i, x := range list {
		if !slices.Contains(list[:i], x) {
			continue
		}
		for taken[out[i]] {
			out[i] = (out[i] + 1) % n
		}
		taken[out[i]] = true
	}
	return out
}

func (s Style) line(width vg.Length) draw.LineStyle {
	return draw.LineStyle{Color: s.color(), Width: width, Dashes: dashes[s.place()]}
}

func (s Style) glyph(radius vg.Length) draw.GlyphStyle {
	return draw.GlyphStyle{Color: s.color(), Radius: radius, Shape: glyphs[s.place()]}
}

func (s Style) band() color.Color {
	c := s.color()
	c.A = 0x38
	return c
}
