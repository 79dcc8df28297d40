package history

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"
)

// nights are the runs of so many nights, each of a commit of its own.
func nights(n int) []*Run {
	list := make([]*Run, n)
	for i := range list {
		at := time.Date(2026, 1, 1+i, 2, 0, 0, 0, time.UTC)
		list[i] = &Run{ID: fmt.Sprint(i), Version: fmt.Sprintf("v%d", i), Commit: fmt.Sprintf("c%d", i), At: at, Started: at, MachineSeconds: missing}
	}
	return list
}

// planted is a history of 20 algorithms on 30 instances whose times vary by 5 %, with what shift adds to the logarithms of the first
// algorithm's.
func planted(seed uint64, n int, shift func(night int) float64) []*Series {
	rng := rand.New(rand.NewPCG(seed, 7))
	var list []*table
	for a := range 20 {
		t := &table{key: key{"flex", fmt.Sprintf("a%02d", a), Time, "m"}, style: a}
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
	return follow(list, nights(n), 3, 1)
}

// A drift of half a percent a night is found in at least 95 of 100 histories of 30 nights, as a drift with its slope in the
// interval; a step of 5 % in the third night after it, at its commit; in still histories there are at most 5 alarms.
func TestPlanted(t *testing.T) {
	const seeds = 100
	drifts, steps, alarms := 0, 0, 0
	for seed := range uint64(seeds) {
		for _, s := range planted(seed, 30, func(night int) float64 { return 0.005 * float64(night) }) {
			for _, f := range s.findings {
				if s.Algorithm == "a00" && f.Kind == "drift" && f.Worse && f.Stands && f.Recent && f.Each > 0.003 && f.Each < 0.007 {
					drifts++
					break
				}
			}
		}
		for _, s := range planted(seed+seeds, 40, func(night int) float64 { return 0.05 * float64(night/37) }) {
			for _, f := range s.findings {
				if s.Algorithm == "a00" && f.Kind == "step" && f.Commit == "c37" && f.Before == "c36" && f.Worse && f.Stands && f.Recent {
					steps++
				}
			}
		}
		for _, s := range planted(seed+2*seeds, 30, func(int) float64 { return 0 }) {
			if len(s.findings) > 0 {
				alarms++
				break
			}
		}
	}
	t.Logf("of %d histories: drift found in %d, step in %d, alarms in %d still ones", seeds, drifts, steps, alarms)
	if drifts < 95 || steps < 95 || alarms > 5 {
		t.Errorf("of %d histories: drift found in %d, step in %d, alarms in %d still ones", seeds, drifts, steps, alarms)
	}
}
