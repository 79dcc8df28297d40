package plots

import (
	"bytes"
	"math"
	"testing"

	"gonum.org/v1/plot"
	"pgregory.net/rapid"

	"schedgap/models/trials/property"
)

// extremes are values that axes have to cope with: neighbours of one number, the ends of what numbers are, and what is none.
var extremes = []float64{
	0, 1, math.Nextafter(1, 2), math.Nextafter(1, 0), 1 + 1e-9, 1 + 1e-8, 1.5, 42, -1, -42, 1e-300, 1e300, -1e300, 1e15, 1e15 + 1,
	1e-9,
	math.MaxFloat64, -math.MaxFloat64, math.SmallestNonzeroFloat64, 3e-323, math.Inf(1), math.Inf(-1), math.NaN(),
}

// An axis has a bounded number of ticks, within its range, whatever the range is.
func TestTicksAreBounded(t *testing.T) {
	tickers := map[string]plot.Ticker{"linear": linearTicks{}, "whole": linearTicks{true}, "log": logTicks{}, "time": timeTicks{}}
	check := func(lo, hi float64) {
		for name, ticker := range tickers {
			ticks := ticker.Ticks(lo, hi)
			if len(ticks) > 2*mostTicks {
				t.Errorf("%s: %d ticks from %g to %g", name, len(ticks), lo, hi)
			}
		}
	}
	for _, lo := range extremes {
		for _, hi := range extremes {
			check(lo, hi)
		}
	}
	property.Check(t, func(t *rapid.T) { check(rapid.Float64().Draw(t, "lo"), rapid.Float64().Draw(t, "hi")) })
}

// An axis of any values is longer than nothing, and so many of its ticks have labels that it can be read: between 1 and 20.
func TestAxesOfAnyRange(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		s := emptySpan()
		s.add(rapid.SliceOfN(value, 1, 4).Draw(t, "values")...)
		a := Axis{Scale: Scale(rapid.IntRange(int(Auto), int(Seconds)).Draw(t, "scale")), Base: math.NaN()}
		var axis plot.Axis
		axis.Scale = plot.LinearScale{}
		a.fit(&axis, s)
		if !(axis.Max > axis.Min) || math.IsInf(axis.Max, 0) || math.IsInf(axis.Max-axis.Min, 0) {
			t.Fatalf("from %g to %g", axis.Min, axis.Max)
		}
		labels, written := 0, map[string]bool{}
		for _, tick := range axis.Tick.Marker.Ticks(axis.Min, axis.Max) {
			if x := axis.Norm(tick.Value); !(x > -0.01 && x < 1.01) {
				t.Errorf("the tick at %g is not on the axis from %g to %g", tick.Value, axis.Min, axis.Max)
			}
			if tick.Label != "" {
				if written[tick.Label] {
					t.Errorf("two ticks from %g to %g have the label %s", axis.Min, axis.Max, tick.Label)
				}
				written[tick.Label] = true
				labels++
			}
		}
		if labels < 1 || labels > 20 {
			t.Errorf("%d labels from %g to %g", labels, axis.Min, axis.Max)
		}
	})
}

var value = rapid.OneOf(rapid.SampledFrom(extremes), rapid.Float64())

// Every figure can be drawn of any values, within a size that its numbers bound.
func TestFiguresOfAnyValues(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 3).Draw(t, "n")
		list := func(name string) []float64 { return rapid.SliceOfN(value, n, n).Draw(t, name) }
		one := func(name string) float64 { return value.Draw(t, name) }
		x := Axis{Scale: Scale(rapid.IntRange(int(Auto), int(Share)).Draw(t, "x")), Base: math.NaN()}
		y := Axis{Scale: Scale(rapid.IntRange(int(Auto), int(Share)).Draw(t, "y")), Base: 1}
		f, style := Frame{"title", x, y}, Style{Marked: rapid.Bool().Draw(t, "marked")}
		low, high := list("low"), list("high")
		for name, figure := range map[string]*Figure{
			"lines": Lines(f, []Line{
				{X: list("x"), Y: list("y"), Edge: list("edge"), Style: style, Label: "a"},
				{X: list("x"), Y: list("y"), Low: low, High: high, Step: true, Points: true},
				{X: list("x"), Y: list("y"), Crosses: true},
			}),
			"boxes": Boxes(f, []Box{{
				"box", style, one("low"), one("q1"), one("median"), one("q3"), one("high"), one("worst"),
				one("mean"),
			}, {}}),
			"strips": Strips(f, []Strip{{
				Label: "strip", Style: style, Lo: low, Hi: high, Mean: one("mean"), CILo: one("ci"), CIHi: one("ci"),
				Worst: one("worst"), Name: "name",
			}}),
		} {
			svg, err := figure.SVG()
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if len(svg) > 200_000 || bytes.Contains(svg, []byte("NaN")) || bytes.Contains(svg, []byte("Inf")) {
				t.Errorf("%s: %d bytes, or a number that is none: %s", name, len(svg), svg[:min(len(svg), 2000)])
			}
		}
	})
}
