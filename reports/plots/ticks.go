package plots

import (
	"fmt"
	"math"

	"gonum.org/v1/plot"
)

func shareTicks() plot.Ticker {
	var ticks plot.ConstantTicks
	for pc := 0; pc <= 100; pc += 10 {
		t := plot.Tick{Value: float64(pc) / 100}
		if pc%20 == 0 {
			t.Label = fmt.Sprintf("%d %%", pc)
		}
		ticks = append(ticks, t)
	}
	return ticks
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
	for k := math.Floor(lo / step); k <= math.Ceil(hi/step); k++ {
		ticks = append(ticks, plot.Tick{Value: k * step, Label: compact(k * step)})
		if !l.whole || step >= 2 {
			ticks = append(ticks, plot.Tick{Value: (k + 0.5) * step})
		}
	}
	return within(ticks, lo, hi)
}

// logTicks labels as many of the round numbers of each decade as the range has room for.
type logTicks struct{}

func (logTicks) Ticks(lo, hi float64) []plot.Tick {
	var labelled []float64
	switch span := hi / lo; {
	case span <= 2:
		return linearTicks{}.Ticks(lo, hi)
	case span <= 6:
		labelled = []float64{1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8}
	case span <= 100:
		labelled = []float64{1, 2, 3, 5}
	default:
		labelled = []float64{1}
	}
	var ticks []plot.Tick
	for e := math.Floor(math.Log10(lo)); e <= math.Ceil(math.Log10(hi)); e++ {
		decade := math.Pow(10, e)
		for _, m := range labelled {
			ticks = append(ticks, plot.Tick{Value: m * decade, Label: compact(m * decade)})
		}
		for m := 2.0; m < 10; m++ {
			ticks = append(ticks, plot.Tick{Value: m * decade})
		}
	}
	return within(ticks, lo, hi)
}

// timeTicks labels powers of ten of a second.
type timeTicks struct{}

func (timeTicks) Ticks(lo, hi float64) []plot.Tick {
	var ticks []plot.Tick
	for e := math.Floor(math.Log10(lo)); e <= math.Ceil(math.Log10(hi)); e++ {
		decade := math.Pow(10, e)
		ticks = append(ticks, plot.Tick{Value: decade, Label: duration(int(e))})
		for m := 2.0; m < 10; m++ {
			ticks = append(ticks, plot.Tick{Value: m * decade})
		}
	}
	return within(ticks, lo, hi)
}

// duration writes 10^e seconds.
func duration(e int) string {
	units := []struct {
		e    int
		name string
	}{{0, "s"}, {-3, "ms"}, {-6, "µs"}}
	for _, u := range units {
		if e >= u.e {
			return fmt.Sprintf("%.0f %s", math.Pow10(e-u.e), u.name)
		}
	}
	return fmt.Sprintf("1e%d s", e)
}

func within(ticks []plot.Tick, lo, hi float64) []plot.Tick {
	var out []plot.Tick
	for _, t := range ticks {
		if slack := 1e-9 * (hi - lo); t.Value >= lo-slack && t.Value <= hi+slack {
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
