package flex_test

import (
	"math/rand/v2"
	"strconv"
	"testing"

	"schedgap/models/flex"
)

// Checking a packed schedule of a thousand jobs, as it is and printed with twelve digits, with a little more than all slots.
func BenchmarkCheck(b *testing.B) {
	rng := rand.New(rand.NewPCG(70, 1))
	jobs := make([]flex.Job, 1000)
	for j := range jobs {
		jobs[j] = flex.Job{Work: 1 + 100*rng.Float64(), Max: 1 + rng.IntN(20)}
	}
	in := instance(100, flex.Response, flex.Sum, jobs...)
	order := flex.OrderBy(in, func(j int) float64 { return in.Jobs[j].Work })
	exact := flex.NewPacker(in).Pack(order)
	rounded := make(flex.Schedule, len(exact))
	short := func(x float64) float64 {
		y, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 12, 64), 64)
		if err != nil {
			b.Fatal(err)
		}
		return y
	}
	for q, iv := range exact {
		rounded[q] = flex.Interval{Start: short(iv.Start), End: short(iv.End)}
		for _, c := range iv.Changes {
			rounded[q].Changes = append(rounded[q].Changes, flex.Share{Job: c.Job, Slots: short(c.Slots) * (1 + 1e-8)})
		}
	}
	for name, s := range map[string]flex.Schedule{"exact": exact, "rounded": rounded} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if r := flex.Problem.Check(in, s); len(r.Violations) > 0 {
					b.Fatal(r.Violations)
				}
			}
		})
	}
}
