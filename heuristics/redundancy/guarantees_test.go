package redundancy_test

import (
	"math"
	"testing"

	heuristics "schedgap/heuristics/redundancy"
	"schedgap/models/redundancy"
)

// Theorem 3 is about LAPS+R as printed, where the remainder shares; the others are about runs without parameters.
func TestGuaranteeOfVariants(t *testing.T) {
	for _, c := range []struct {
		algorithm *redundancy.Algorithm
		params    string
		want      bool
	}{
		{heuristics.LAPSPlus.OnInstance, `{"remainder":"share"}`, true},
		{heuristics.LAPSPlus.OnInstance, `{"remainder":"wait"}`, false},
		{heuristics.FairPlus.OnInstance, `{}`, true},
	} {
		if got := c.algorithm.Guarantee.Covers(c.params); got != c.want {
			t.Errorf("%s with %s: the theorem covers it: %v", c.algorithm.Name, c.params, got)
		}
	}
}

// What the theorems state at which speed, and for which machines.
func TestGuarantees(t *testing.T) {
	in := &redundancy.Instance{Machines: 1, Speed: 1, Speedup: []float64{1}, Jobs: []redundancy.Job{{ID: "a", Work: 1}}}
	shared := *in
	shared.Multitasking = true
	for _, c := range []struct {
		algorithm   *redundancy.Algorithm
		arg         string
		in          *redundancy.Instance
		speed, want float64 // 0: nothing
	}{
		{heuristics.SRPTPlus.OnInstance, "", in, 1.25, 4},
		{heuristics.SRPTPlus.OnInstance, "", in, 1, 0},
		{heuristics.SRPTPlus.OnInstance, "", &shared, 1.25, 0},
		{heuristics.FairPlus.OnInstance, "", &shared, 4.5, 2},
		{heuristics.FairPlus.OnInstance, "", in, 6, 0.5},
		{heuristics.FairPlus.OnInstance, "", &shared, 4, 0},
		// β = 1/2 takes 3 + 2ε: at 4, ε = 1/2.
		{heuristics.LAPSPlus.OnInstance, "0.5", &shared, 4, 4},
		{heuristics.LAPSPlus.OnInstance, "0.5", &shared, 3, 0},
		{heuristics.LAPSPlus.OnInstance, "1", &shared, 4.5, 4},
		{heuristics.LAPSPlus.OnInstance, "2", &shared, 9, 0},
	} {
		g := c.algorithm.Guarantee
		got, ok := g.Ratio(redundancy.Problem.Features(c.in), c.arg, c.speed)
		if !g.Shape || ok != (c.want > 0) || ok && math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s:%s at %v: %v %v, want %v", c.algorithm.Name, c.arg, c.speed, got, ok, c.want)
		}
	}
}
