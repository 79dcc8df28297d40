package redundancy

import (
	"fmt"
	"math"
	"strconv"

	"schedgap/models"
	"schedgap/models/redundancy/sim"
)

// SRPTRule is SRPT+R (Xu, Lau et al. 2018, Algorithm 1) over the jobs by remaining work.
func SRPTRule(n, machines int) sim.Allotment {
	if n >= machines {
		return sim.Allotment{Served: machines, First: 1, Others: 1, Share: 1}
	}
	return spread(n, machines)
}

// FairRule is Fair+R (Algorithm 2) over the jobs by arrival, the latest first: where there are more jobs than machines, the n
// mod M oldest wait.
func FairRule(n, machines int) sim.Allotment {
	if n < machines {
		return spread(n, machines)
	}
	each := n / machines // jobs on a machine
	return sim.Allotment{Served: machines * each, First: 1, Others: 1, Share: 1 / float64(each)}
}

// LAPSRule is LAPS+R(β), 0 < β ≤ 1, with the option remainder.
func LAPSRule(beta float64, v models.Values) sim.Rule {
	if sim.RemainderShares(v) {
		return LAPSSharedRule(beta)
	}
	return LAPSWaitingRule(beta)
}

// LAPSWaitingRule is Fair+R restricted to the ⌈βn⌉ latest arrivals.
func LAPSWaitingRule(beta float64) sim.Rule {
	return func(n, machines int) sim.Allotment { return FairRule(latest(beta, n), machines) }
}

// LAPSSharedRule is LAPS+R(β) as section 5.3 prints it. Of k = ⌈βn⌉ = mM + q jobs, 0 < q < M, none waits: with m+1 shares on
// every machine, each job gets one and the latest the M−q that are left over as well.
func LAPSSharedRule(beta float64) sim.Rule {
	return func(n, machines int) sim.Allotment {
		k := latest(beta, n)
		if k < machines || k%machines == 0 {
			return FairRule(k, machines)
		}
		each := k/machines + 1
		return sim.Allotment{Served: k, First: machines*each - (k - 1), Others: 1, Share: 1 / float64(each)}
	}
}

// Single is the rule without redundancy: copies capped at one.
func Single(rule sim.Rule) sim.Rule {
	return func(n, machines int) sim.Allotment {
		a := rule(n, machines)
		a.First, a.Others = 1, 1
		return a
	}
}

// spread gives each of n < machines jobs the same number of whole machines, and the remaining machines to the first job.
func spread(n, machines int) sim.Allotment {
	each := machines / n
	return sim.Allotment{Served: n, First: machines - (n-1)*each, Others: each, Share: 1}
}

// latest is ⌈βn⌉, at least 1; products that are integers on paper may come out a bit above.
func latest(beta float64, n int) int {
	return min(n, max(1, int(math.Ceil(beta*float64(n)*(1-1e-9)))))
}

// ParseBeta reads the β of LAPS as it follows the colon of a name.
func ParseBeta(text string) (float64, error) {
	beta, err := strconv.ParseFloat(text, 64)
	if err != nil || !(beta > 0 && beta <= 1) {
		return 0, fmt.Errorf("beta %q must be a number greater than 0 and at most 1", text)
	}
	return beta, nil
}
