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
// mixes a translucent colour with black; this one embeds the glyphs that are used.
type pdfCanvas struct {
	doc    *fpdf.Fpdf
	w, h   vg.Length
	state  pdfState
	pushed []pdfState
	fonts  map[string]bool
}

// A pdfState is what Push keeps. The matrix maps to points from the lower left corner.
type pdfState struct {
	a, b, c, d, e, f float64 // x' = a·x + c·y + e, y' = b·x + d·y + f
	width            vg.Length
}

func newPDF(w, h vg.Length) *pdfCanvas {
	doc := fpdf.NewCustom(&fpdf.InitType{UnitStr: "pt", Size: fpdf.SizeType{Wd: w.Points(), Ht: h.Points()}})
	doc.SetCatalogSort(true) // the same figure gives the same bytes
	doc.SetCreationDate(time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC))
	doc.SetModificationDate(time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC))
	doc.SetMargins(0, 0, 0)
	doc.SetAutoPageBreak(false, 0)
	doc.AddPage()
	c := &pdfCanvas{doc: doc, w: w, h: h, state: pdfState{a: 1, d: 1}, fonts: map[string]bool{}}
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

func (c *pdfCanvas) Rotate(rad float64) {
	s, sin, cos := c.state, math.Sin(rad), math.Cos(rad)
	c.state.a, c.state.b = s.a*cos+s.c*sin, s.b*cos+s.d*sin
	c.state.c, c.state.d = s.c*cos-s.a*sin, s.d*cos-s.b*sin
}

func (c *pdfCanvas) Translate(pt vg.Point) {
	x, y := pt.X.Points(), pt.Y.Points()
	c.state.e += c.state.a*x + c.state.c*y
	c.state.f += c.state.b*x + c.state.d*y
}

func (c *pdfCanvas) Scale(x, y float64) {
	c.state.a, c.state.b, c.state.c, c.state.d = c.state.a*x, c.state.b*x, c.state.c*y, c.state.d*y
}

func (c *pdfCanvas) Push() { c.pushed = append(c.pushed, c.state) }

func (c *pdfCanvas) Pop() {
	c.state = c.pushed[len(c.pushed)-1]
	c.pushed = c.pushed[:len(c.pushed)-1]
	c.doc.SetLineWidth(c.state.width.Points())
}

// at is where a point is on the page, whose y grows downwards.
func (c *pdfCanvas) at(x, y vg.Length) (float64, float64) {
	s, px, py := c.state, x.Points(), y.Points()
	return s.a*px + s.c*py + s.e, c.h.Points() - (s.b*px + s.d*py + s.f)
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
		x, y := c.at(comp.Pos.X, comp.Pos.Y)
		switch comp.Type {
		case vg.MoveComp:
			c.doc.MoveTo(x, y)
		case vg.LineComp:
			c.doc.LineTo(x, y)
		case vg.ArcComp:
			c.arc(comp, i == 0)
		case vg.CurveComp:
			x0, y0 := c.at(comp.Control[0].X, comp.Control[0].Y)
			if len(comp.Control) == 1 {
				c.doc.CurveTo(x0, y0, x, y)
				break
			}
			x1, y1 := c.at(comp.Control[1].X, comp.Control[1].Y)
			c.doc.CurveBezierCubicTo(x0, y0, x1, y1, x, y)
		case vg.CloseComp:
			c.doc.ClosePath()
		}
	}
}

// arc draws an arc of a circle as cubic curves of at most a quarter each.
func (c *pdfCanvas) arc(comp vg.PathComp, first bool) {
	n := max(1, int(math.Ceil(math.Abs(comp.Angle)/(math.Pi/2))))
	step := comp.Angle / float64(n)
	k := comp.Radius * vg.Length(4.0/3*math.Tan(step/4))
	on := func(angle float64) (x, y, dx, dy vg.Length) {
		cos, sin := vg.Length(math.Cos(angle)), vg.Length(math.Sin(angle))
		return comp.Pos.X + comp.Radius*cos, comp.Pos.Y + comp.Radius*sin, -k * sin, k * cos
	}
	x, y, dx, dy := on(comp.Start)
	if px, py := c.at(x, y); first {
		c.doc.MoveTo(px, py)
	} else {
		c.doc.LineTo(px, py)
	}
	for i := 1; i <= n; i++ {
		ax, ay := c.at(x+dx, y+dy)
		x, y, dx, dy = on(comp.Start + float64(i)*step)
		bx, by := c.at(x-dx, y-dy)
		ex, ey := c.at(x, y)
		c.doc.CurveBezierCubicTo(ax, ay, bx, by, ex, ey)
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
	x, y := c.at(pt.X, pt.Y)
	angle := math.Atan2(c.state.b, c.state.a)
	if angle == 0 {
		c.doc.Text(x, y, text)
		return
	}
	c.doc.TransformBegin()
	c.doc.TransformRotate(angle*180/math.Pi, x, y)
	c.doc.Text(x, y, text)
	c.doc.TransformEnd()
}

// DrawImage is for pictures, which no figure has.
func (c *pdfCanvas) DrawImage(vg.Rectangle, image.Image) {
	c.doc.SetError(fmt.Errorf("figures have no pictures"))
}

// WriteTo writes the page, after which nothing can be drawn.
func (c *pdfCanvas) WriteTo(w io.Writer) (int64, error) {
	var b bytes.Buffer
	if err := c.doc.Output(&b); err != nil {
		return 0, err
	}
	return b.WriteTo(w)
}
