package plots

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
)

// A PNG holds the pixels of its canvas: those of a figure, whose paper is white, and random ones, of which some rows are the row above.
func TestPNG(t *testing.T) {
	figure := vgimg.NewWith(vgimg.UseWH(300, 200), vgimg.UseDPI(resolution))
	f := figures()["lines"]
	f.draw(draw.New(figure))
	if at := figure.Image().At(0, 0); color.NRGBAModel.Convert(at) != paper {
		t.Errorf("the paper is %v, want %v", at, paper)
	}
	random := image.NewRGBA(image.Rect(0, 0, 37, 23))
	rng := rand.New(rand.NewPCG(1, 2))
	for y := range 23 {
		for x := range 37 {
			c := color.RGBA{byte(rng.Uint32()), byte(rng.Uint32()), byte(rng.Uint32()), 0xff}
			if y%3 == 1 {
				c = random.RGBAAt(x, y-1)
			}
			random.SetRGBA(x, y, c)
		}
	}
	noise := vgimg.NewWith(vgimg.UseImage(random))
	copy(noise.Image().(*image.RGBA).Pix, random.Pix)
	for _, c := range []*vgimg.Canvas{figure, noise} {
		var file bytes.Buffer
		if _, err := (quick{c}).WriteTo(&file); err != nil {
			t.Fatal(err)
		}
		got, err := png.Decode(&file)
		if err != nil {
			t.Fatal(err)
		}
		want := c.Image()
		if got.Bounds() != want.Bounds() {
			t.Fatalf("%v, want %v", got.Bounds(), want.Bounds())
		}
		for y := range want.Bounds().Dy() {
			for x := range want.Bounds().Dx() {
				if color.RGBAModel.Convert(got.At(x, y)) != want.At(x, y) {
					t.Fatalf("pixel %d, %d is %v, want %v", x, y, got.At(x, y), want.At(x, y))
				}
			}
		}
	}
}
