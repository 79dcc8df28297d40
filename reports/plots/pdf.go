package plots

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"io"
	"math"
	"strings"
	"time"

	"codeberg.org/go-fonts/liberation/liberationmonoregular"
	"codeberg.org/go-fonts/liberation/liberationsansregular"
	"codeberg.org/go-fonts/liberation/liberationserifregular"
	"codeberg.org/go-pdf/fpdf"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// A pdfCanvas is a page of PDF. The plotting library's own embeds whole fonts of 200 kB, knows no character beyond Latin 1 and
// mixes a translucent colour with black; this one embeds the glyphs that are used. Of transformations it knows the one that
// figures have, the rotation of labels.
type pdfCanvas struct {
	doc    *fpdf.Fpdf
	w, h   vg.Length
	state  pdfState
	pushed []pdfState
	fonts  map[string]bool
}

// A pdfState is the state that Push saves.
type pdfState struct {
	angle float64 // in radians, around the lower left corner
	width vg.Length
}

func newPDF(w, h vg.Length) *pdfCanvas {
	doc := fpdf.NewCustom(&fpdf.InitType{UnitStr: "pt", Size: fpdf.SizeType{Wd: w.Points(), Ht: h.Points()}})
	doc.SetCatalogSort(true) // the same figure gives the same bytes
	doc.SetCreationDate(time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC))
	doc.SetModificationDate(time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC))
	doc.SetMargins(0, 0, 0)
	doc.SetAutoPageBreak(false, 0)
	doc.AddPage()
	c := &pdfCanvas{doc: doc, w: w, h: h, fonts: map[string]bool{}}
	vg.Initialize(c)
	return c
}

func (c *pdfCanvas) Size() (w, h vg.Length) { return c.w, c.h }

func (c *pdfCanvas) SetLineWidth(w vg.Length) {
	c.state.width = w
	c.doc.SetLineWidth(w.Points())
}

func (c *pdfCanvas) SetLineDash(pattern []vg.Length, offset vg.Length) {
	dashes := make([]float64, len(pattern))
	for i, d := range pattern {
		dashes[i] = d.Points()
	}
	c.doc.SetDashPattern(dashes, offset.Points())
}

func (c *pdfCanvas) SetColor(to color.Color) {
	if to == nil {
		to = color.Black
	}
	plain := color.NRGBAModel.Convert(to).(color.NRGBA)
	r, g, b := int(plain.R), int(plain.G), int(plain.B)
	c.doc.SetFillColor(r, g, b)
	c.doc.SetDrawColor(r, g, b)
	c.doc.SetTextColor(r, g, b)
	c.doc.SetAlpha(float64(plain.A)/math.MaxUint8, "Normal")
}

func (c *pdfCanvas) Rotate(rad float64) { c.state.angle += rad }

// Translate, Scale and DrawImage, as free curves, are for what no figure has.
func (c *pdfCanvas) Translate(vg.Point) { c.unknown() }

func (c *pdfCanvas) Scale(float64, float64) { c.unknown() }

func (c *pdfCanvas) DrawImage(vg.Rectangle, image.Image) { c.unknown() }

func (c *pdfCanvas) unknown() {
	c.doc.SetError(fmt.Errorf("figures are neither moved nor scaled, and have no pictures and free curves"))
}

func (c *pdfCanvas) Push() { c.pushed = append(c.pushed, c.state) }

func (c *pdfCanvas) Pop() {
	c.state = c.pushed[len(c.pushed)-1]
	c.pushed = c.pushed[:len(c.pushed)-1]
	c.doc.SetLineWidth(c.state.width.Points())
}

// at is where a point is on the page, whose y grows downwards.
func (c *pdfCanvas) at(pt vg.Point) (x, y float64) {
	sin, cos := math.Sincos(c.state.angle)
	return cos*pt.X.Points() - sin*pt.Y.Points(), c.h.Points() - sin*pt.X.Points() - cos*pt.Y.Points()
}

func (c *pdfCanvas) Stroke(p vg.Path) {
	if c.state.width > 0 {
		c.path(p)
		c.doc.DrawPath("D")
	}
}

func (c *pdfCanvas) Fill(p vg.Path) {
	c.path(p)
	c.doc.DrawPath("F")
}

func (c *pdfCanvas) path(p vg.Path) {
	for i, comp := range p {
		x, y := c.at(comp.Pos)
		switch comp.Type {
		case vg.MoveComp:
			c.doc.MoveTo(x, y)
		case vg.LineComp:
			c.doc.LineTo(x, y)
		case vg.ArcComp:
			const degree = math.Pi / 180
			r, from := comp.Radius.Points(), comp.Start+c.state.angle
			if i == 0 {
				c.doc.MoveTo(x+r*math.Cos(from), y-r*math.Sin(from))
			}
			c.doc.ArcTo(x, y, r, r, 0, from/degree, (from+comp.Angle)/degree)
		case vg.CloseComp:
			c.doc.ClosePath()
		default:
			c.unknown()
		}
	}
}

// sources are the fonts of figures.
var sources = map[font.Variant][]byte{
	"Sans": liberationsansregular.TTF, "Serif": liberationserifregular.TTF, "Mono": liberationmonoregular.TTF,
}

func (c *pdfCanvas) FillString(f font.Face, pt vg.Point, text string) {
	if f.Font.Size <= 0 || strings.TrimSpace(text) == "" {
		return
	}
	name := string(f.Font.Variant)
	if !c.fonts[name] {
		c.doc.AddUTF8FontFromBytes(name, "", sources[f.Font.Variant])
		c.fonts[name] = true
	}
	c.doc.SetFont(name, "", f.Font.Size.Points())
	x, y := c.at(pt)
	if c.state.angle == 0 {
		c.doc.Text(x, y, text)
		return
	}
	c.doc.TransformBegin()
	c.doc.TransformRotate(c.state.angle*180/math.Pi, x, y)
	c.doc.Text(x, y, text)
	c.doc.TransformEnd()
}

// WriteTo writes the page, after which nothing can be drawn.
func (c *pdfCanvas) WriteTo(w io.Writer) (int64, error) {
	var b bytes.Buffer
	if err := c.doc.Output(&b); err != nil {
		return 0, err
	}
	return b.WriteTo(w)
}
