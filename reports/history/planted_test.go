package history

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"schedgap/reports/summary"
)

// nights are the runs of so many nights, each of a commit of its own.
func nights(n int) []*Run {
	list := make([]*Run, n)
	for i := range list {
		at := time.Date(2026, 1, 1+i, 2, 0, 0, 0, time.UTC)
		list[i] = &Run{
			ID: fmt.Sprint(i), Version: fmt.Sprintf("v%d", i), Commit: fmt.Sprintf("c%d", i), At: at, Started: at,
			MachineSeconds: summary.Missing,
		}
	}
	return list
}

// planted is a history of 20 algorithms on 30 instances whose times vary by 5 %, with what shift adds to the logarithms of the
// first algorithm's.
func planted(seed uint64, n int, shift func(night int) float64) []*Series {
	rng := rand.New(rand.NewPCG(seed, 7))
	var list []*Series
	for a := range 20 {
		t := &Series{Key: Key{"flex", fmt.Sprintf("a%02d", a), Time, "m"}, style: a}
		for u := range 30 {
			xs := make([]float64, n)
			level := rng.NormFloat64()
			for night := range xs {
				xs[night] = level + 0.05*rng.NormFloat64()
				if a == 0 {
					xs[night] += shift(night)
				}
			}
			t.units, t.values = append(t.units, fmt.Sprint(u)), append(t.values, xs)
		}
		list = append(list, t)
	}
	follow(list, nights(n), 3, 1)
	return list
}

// In histories of 20 algorithms a step of 5 % is found in its third night, at its commit, in at least 95 of 100; a drift of
// half a percent a night is a step in at most 5, as is noise in still ones.
func TestPlanted(t *testing.T) {
	const seeds = 100
	drifts, steps, alarms := 0, 0, 0
	for seed := range uint64(seeds) {
		for _, s := range planted(seed, 30, func(night int) float64 { return 0.005 * float64(night) }) {
			drifts += min(1, len(s.findings))
		}
		for _, s := range planted(seed+seeds, 40, func(night int) float64 { return 0.05 * float64(night/37) }) {
			for _, f := range s.findings {
				if s.Algorithm == "a00" && f.Commit == "c37" && f.Before == "c36" && f.Worse && f.Stands && f.Recent {
					steps++
				}
			}
		}
		for _, s := range planted(seed+2*seeds, 30, func(int) float64 { return 0 }) {
			alarms += min(1, len(s.findings))
		}
	}
	t.Logf("of %d histories: step found in %d, steps in %d with a drift and %d still ones", seeds, steps, drifts, alarms)
	if steps < 95 || drifts > 5 || alarms > 5 {
		t.Error("the step is missed, or what is none is a step, too often")
	}
}
