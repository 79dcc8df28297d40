package sim_test

import (
	"testing"

	"schedgap/models/speculation/sim"
)

// Mantri's outliers have quartiles of the even part, where the tail begins, and the tenth beyond ten; the other laws are plain.
func TestSlowdown(t *testing.T) {
	for _, c := range []struct {
		law           string
		most, u, want float64
	}{
		{sim.Mantri, 100, 0, 1.5},
		{sim.Mantri, 100, 0.4, 2},
		{sim.Mantri, 100, 0.8, 2.5},
		{sim.Mantri, 100, 0.9, 10},
		{sim.Mantri, 100, 0.95, 40},
		{sim.Mantri, 6, 0.95, 6},
		{sim.Even, 6.5, 0.2, 2.5},
		{sim.Fixed, 6.5, 0.2, 6.5},
	} {
		if got := sim.Slowdown(c.law, c.most)(c.u); !near(got, c.want) {
			t.Errorf("Slowdown(%s, %v)(%v) = %v, want %v", c.law, c.most, c.u, got, c.want)
		}
	}
}

// The mean is that of the quantiles.
func TestMeanSlowdown(t *testing.T) {
	const n = 1_000_000
	for _, law := range sim.SlowdownLaws {
		for _, most := range []float64{1.5, 2, 2.5, 6.5, 10} {
			slowdown, mean := sim.Slowdown(law, most), 0.0
			for k := range n {
				mean += slowdown((float64(k)+0.5)/n) / n
			}
			if got := sim.MeanSlowdown(law, most); got < mean-1e-6 || got > mean+1e-6 {
				t.Errorf("MeanSlowdown(%s, %v) = %v, want %v", law, most, got, mean)
			}
		}
	}
}
