package redundancy_test

import (
	"testing"

	heuristics "schedgap/heuristics/redundancy"
	"schedgap/models/redundancy/sim"
)

// Who gets how many machines, by hand, n active jobs on M machines.
func TestRules(t *testing.T) {
	allots := func(served, first, others int, share float64) sim.Allotment {
		return sim.Allotment{Served: served, First: first, Others: others, Share: share}
	}
	half, share := heuristics.LAPSWaitingRule(0.5), heuristics.LAPSSharedRule(1)
	for _, c := range []struct {
		name        string
		rule        sim.Rule
		n, machines int
		want        sim.Allotment
	}{
		{"one job has all machines", heuristics.SRPTRule, 1, 5, allots(1, 5, 5, 1)},
		{"5 = 3 + 2", heuristics.SRPTRule, 2, 5, allots(2, 3, 2, 1)},
		{"5 = 2 + 1 + 1 + 1", heuristics.SRPTRule, 4, 5, allots(4, 2, 1, 1)},
		{"as many jobs as machines", heuristics.SRPTRule, 5, 5, allots(5, 1, 1, 1)},
		{"two wait", heuristics.SRPTRule, 7, 5, allots(5, 1, 1, 1)},
		{"5 = 3 + 2", heuristics.FairRule, 2, 5, allots(2, 3, 2, 1)},
		{"a machine each", heuristics.FairRule, 5, 5, allots(5, 1, 1, 1)},
		{"the four oldest wait", heuristics.FairRule, 9, 5, allots(5, 1, 1, 1)},
		{"two on a machine, the oldest waits", heuristics.FairRule, 11, 5, allots(10, 1, 1, 0.5)},
		{"half of three is two", half, 3, 5, allots(2, 3, 2, 1)},
		{"half of ten", half, 10, 5, allots(5, 1, 1, 1)},
		{"eleven of 22, one of them waits", half, 22, 5, allots(10, 1, 1, 0.5)},
		// 0.1·30 is a bit above 3 in binary.
		{"a tenth of thirty is three", heuristics.LAPSWaitingRule(0.1), 30, 5, allots(3, 3, 1, 1)},
		{"at least one", heuristics.LAPSWaitingRule(1e-6), 1, 2, allots(1, 2, 2, 1)},
		// 11 = 2·5 + 1: three shares a machine, 15 in all; ten jobs take one each, which leaves five.
		{"shares of a third for all", share, 11, 5, allots(11, 5, 1, 1./3)},
		{"one share left", share, 14, 5, allots(14, 2, 1, 1./3)},
		{"no remainder", share, 10, 5, allots(10, 1, 1, 0.5)},
		{"fewer jobs than machines", share, 2, 5, allots(2, 3, 2, 1)},
		{"without copies", heuristics.Single(heuristics.SRPTRule), 2, 5, allots(2, 1, 1, 1)},
		{"without copies", heuristics.Single(heuristics.FairRule), 11, 5, allots(10, 1, 1, 0.5)},
	} {
		if got := c.rule(c.n, c.machines); got != c.want {
			t.Errorf("%s: %d jobs on %d machines: %v, want %v", c.name, c.n, c.machines, got, c.want)
		}
	}
}

// Every rule with copies gives away all machines and no more.
func TestRulesFill(t *testing.T) {
	for _, beta := range []float64{0.1, 1. / 3, 0.7, 1} {
		for name, rule := range map[string]sim.Rule{
			"srpt": heuristics.SRPTRule, "fair": heuristics.FairRule,
			"laps": heuristics.LAPSWaitingRule(beta), "laps shared": heuristics.LAPSSharedRule(beta),
		} {
			for machines := 1; machines <= 12; machines++ {
				for n := 1; n <= 40; n++ {
					a := rule(n, machines)
					used := a.Share * float64(a.First+(a.Served-1)*a.Others)
					if used > float64(machines)+1e-9 || used < float64(machines)-1e-9 || a.First > machines || a.Served > n {
						t.Errorf("%s, β %v: %d jobs on %d machines: %v uses %v", name, beta, n, machines, a, used)
					}
				}
			}
		}
	}
}

func TestParseBeta(t *testing.T) {
	for _, text := range []string{"", "0", "-0.5", "1.01", "x", "NaN", "Inf"} {
		if _, err := heuristics.ParseBeta(text); err == nil {
			t.Errorf("%q is accepted", text)
		}
	}
	if beta, err := heuristics.ParseBeta("1"); err != nil || beta != 1 {
		t.Error(beta, err)
	}
}
