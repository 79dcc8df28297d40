package plots

import (
	"fmt"
	"math"

	"gonum.org/v1/plot"
)

// relabelled are linear ticks with labels of another kind.
func relabelled(lo, hi float64, label func(x float64) string) (ticks plot.ConstantTicks) {
	for _, t := range (linearTicks{}).Ticks(lo, hi) {
		if t.Label != "" {
			t.Label = label(t.Value)
		}
		ticks = append(ticks, t)
	}
	return ticks
}

// mostTicks bounds the ticks of an axis, whatever its range.
const mostTicks = 200

// multiples are the multiples of a step from lo to hi; none if they would be more than an axis has, or the step is no number.
func multiples(lo, hi, step float64) []float64 {
	first, last := math.Floor(lo/step), math.Ceil(hi/step)
	if n := last - first; !(n >= 0 && n < mostTicks) {
		return nil
	}
	out := make([]float64, 0, int(last-first)+1)
	for i := range int(last-first) + 1 {
		out = append(out, (first+float64(i))*step)
	}
	return out
}

// linearTicks labels five or so multiples of 1, 2 or 5 times a power of ten, with minor ticks half way if they are no fractions
// of whole numbers.
type linearTicks struct{ whole bool }

func (l linearTicks) Ticks(lo, hi float64) []plot.Tick {
	least := (hi - lo) / 7
	decade := math.Pow(10, math.Floor(math.Log10(least)))
	step := decade
	for _, m := range []float64{2, 5, 10} {
		if step < least {
			step = m * decade
		}
	}
	var ticks []plot.Tick
	if l.whole {
		step = max(1, step)
	}
	for _, x := range multiples(lo, hi, step) {
		ticks = append(ticks, plot.Tick{Value: x, Label: compactTo(x, step)})
		if !l.whole || step >= 2 {
			ticks = append(ticks, plot.Tick{Value: x + step/2})
		}
	}
	slack := rounding * (hi - lo)
	return within(ticks, lo-slack, hi+slack)
}

// decadeTicks are powers of ten with their labels, every few of them if there are many, and with minor ticks at multiples if not.
func decadeTicks(lo, hi float64, label func(e int) string) []plot.Tick {
	first, last := math.Floor(math.Log10(lo)), math.Ceil(math.Log10(hi))
	if n := last - first; !(n >= 0 && n < 1000) { // no range of positive numbers
		return nil
	}
	every := int(last-first)/12 + 1
	var ticks []plot.Tick
	for e := int(first); e <= int(last); e++ {
		if e%every != 0 {
			continue
		}
		ticks = append(ticks, plot.Tick{Value: math.Pow(10, float64(e)), Label: label(e)})
		for m := 2.0; m < 10 && every == 1; m++ {
			ticks = append(ticks, plot.Tick{Value: m * math.Pow(10, float64(e))})
		}
	}
	return within(ticks, lo*(1-rounding), hi*(1+rounding))
}

// logTicks labels as many of the round numbers of each decade as the range has room for.
type logTicks struct{}

func (logTicks) Ticks(lo, hi float64) []plot.Tick {
	ticks := decadeTicks(lo, hi, func(e int) string { return compact(math.Pow(10, float64(e))) })
	var labelled []float64
	switch span := hi / lo; {
	case span <= 2:
		return linearTicks{}.Ticks(lo, hi)
	case span <= 6:
		labelled = []float64{1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8}
	case span <= 100:
		labelled = []float64{2, 3, 5}
	}
	for e := math.Floor(math.Log10(lo)); len(labelled) > 0 && e <= math.Ceil(math.Log10(hi)); e++ { // three decades at most
		for _, m := range labelled {
			x := m * math.Pow(10, e)
			ticks = append(ticks, plot.Tick{Value: x, Label: compact(x)})
		}
	}
	return within(ticks, lo*(1-rounding), hi*(1+rounding))
}

// timeTicks labels powers of ten of a second.
type timeTicks struct{}

func (timeTicks) Ticks(lo, hi float64) []plot.Tick { return decadeTicks(lo, hi, duration) }

// duration writes 10^e seconds.
func duration(e int) string {
	units := []struct {
		e    int
		name string
	}{{0, "s"}, {-3, "ms"}, {-6, "µs"}}
	for _, u := range units {
		if e >= u.e && e < 6 {
			return fmt.Sprintf("%.0f %s", math.Pow10(e-u.e), u.name)
		}
	}
	return fmt.Sprintf("1e%d s", e)
}

func within(ticks []plot.Tick, lo, hi float64) []plot.Tick {
	var out []plot.Tick
	for _, t := range ticks {
		if t.Value >= lo && t.Value <= hi {
			out = append(out, t)
		}
	}
	return out
}

// nameTicks label at most eight of the values from 0 on that are within a span.
func nameTicks(names []string, s span) plot.ConstantTicks {
	first, last := max(0, int(math.Ceil(s.lo))), min(len(names)-1, int(math.Floor(s.hi)))
	every := (last-first)/8 + 1
	var ticks plot.ConstantTicks
	for i := first; i <= last; i++ {
		t := plot.Tick{Value: float64(i)}
		if (last-i)%every == 0 {
			t.Label = printable(names[i])
		}
		ticks = append(ticks, t)
	}
	return ticks
}
