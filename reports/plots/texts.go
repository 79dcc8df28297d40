package plots

import (
	"bytes"
	"io"
	"regexp"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// families are the fonts of SVG files and pages. Liberation Sans and Arial have the same widths; DejaVu Sans is wider.
const families = `'Liberation Sans',Arial,'DejaVu Sans',sans-serif`

// dejaVu has the advance widths of DejaVu Sans for the characters from space to tilde, in thousandths of the font's size.
var dejaVu = [...]vg.Length{
	317, 400, 459, 837, 636, 950, 779, 274, 390, 390, 500, 837, 317, 360, 317, 336, 636, 636, 636, 636, 636, 636, 636, 636, 636, 636,
	336, 336, 837, 837, 837, 530, 1000, 684, 686, 698, 770, 631, 575, 774, 751, 294, 294, 655, 557, 862, 748, 787, 603, 787, 694, 634,
	610, 731, 684, 988, 685, 610, 685, 390, 336, 390, 837, 500, 500, 612, 634, 549, 634, 615, 352, 634, 633, 277, 277, 579, 277, 974,
	633, 611, 634, 634, 411, 520, 392, 633, 591, 817, 591, 591, 524, 636, 336, 636, 837,
}

// texts measures texts in the wider one of Liberation Sans and DejaVu Sans, since an SVG file is shown in the reader's font. A
// character that the table lacks takes the size of the font.
type texts struct{ text.Plain }

var measured = texts{text.Plain{Fonts: font.DefaultCache}}

// Box is the room that a line takes.
func (t texts) Box(line string, f font.Font) (width, height, depth vg.Length) {
	width, height, depth = t.Plain.Box(line, f)
	wide := vg.Length(0)
	for _, r := range line {
		if i := int(r) - ' '; i >= 0 && i < len(dejaVu) {
			wide += dejaVu[i] * f.Size / 1000
		} else {
			wide += f.Size
		}
	}
	return max(width, wide), height, depth
}

// Draw draws a text. In an SVG file it is anchored where its style aligns it, so that it is in its place in any font.
func (t texts) Draw(c vg.Canvas, says string, style text.Style, at vg.Point) {
	if on, is := innermost(c).(*svgCanvas); is {
		on.anchor = style.XAlign
		defer func() { on.anchor = draw.XLeft }()
		style.XAlign = draw.XLeft
	}
	t.Plain.Draw(c, says, style, at)
}

// innermost is the canvas that the areas of a drawing are on.
func innermost(c vg.Canvas) vg.Canvas {
	switch area := c.(type) {
	case *draw.Canvas:
		return innermost(area.Canvas)
	case draw.Canvas:
		return innermost(area.Canvas)
	}
	return c
}

// An svgCanvas writes texts with their anchors.
type svgCanvas struct {
	*vgsvg.Canvas
	anchor text.XAlignment
}

// The characters that mark an anchor until the file is written; printable lets none of them through.
const centred, right = "\ue000", "\ue001"

// FillString writes a text, with the mark of its anchor before it.
func (c *svgCanvas) FillString(f font.Face, at vg.Point, says string) {
	switch c.anchor {
	case draw.XCenter:
		says = centred + says
	case draw.XRight:
		says = right + says
	}
	c.Canvas.FillString(f, at, says)
}

var (
	anchors    = regexp.MustCompile(`(<text [^>]*)>([` + centred + right + `])`)
	liberation = regexp.MustCompile(`font-family:Liberation Sans;`)
)

// WriteTo writes the file.
func (c *svgCanvas) WriteTo(w io.Writer) (int64, error) {
	var b bytes.Buffer
	if _, err := c.Canvas.WriteTo(&b); err != nil {
		return 0, err
	}
	data := anchors.ReplaceAllFunc(b.Bytes(), func(found []byte) []byte {
		end := bytes.LastIndexByte(found, '>')
		anchor := map[string]string{centred: "middle", right: "end"}[string(found[end+1:])]
		return append(append([]byte{}, found[:end]...), ` text-anchor="`+anchor+`">`...)
	})
	n, err := w.Write(liberation.ReplaceAll(data, []byte("font-family:"+families+";")))
	return int64(n), err
}

// textStyle sets the font of figures.
func textStyle(t text.Style, size float64) text.Style {
	t.Font = font.From(font.Font{Typeface: "Liberation", Variant: "Sans"}, vg.Points(size))
	t.Color = ink
	t.Handler = measured
	return t
}

// embedded sets texts that are shown in the font that they are measured in, as a PDF has it.
func embedded(t text.Style) text.Style {
	t.Handler = plot.DefaultTextHandler
	return t
}
