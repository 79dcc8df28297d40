package oracle

import (
	"math/big"

	"schedgap/models/flex"
)

// Moldable returns the least objective when every job holds one constant integer number of slots for its whole life, at
// least max(1, m_j) and at most M_j, and all start at 0. It tries all allocations. It is infeasible when the least of them
// need more than S slots.
func Moldable(in *flex.Instance) (best float64, feasible bool) {
	var exact *big.Rat
	c := make([]*big.Rat, len(in.Jobs))
	var try func(j, free int)
	try = func(j, free int) {
		if j == len(c) {
			if v := value(in, c, new(big.Rat)); exact == nil || less(v, exact) {
				exact = v
			}
			return
		}
		job := in.Jobs[j]
		for s := max(1, job.Min); s <= min(job.Max, free); s++ {
			c[j] = quo(exactly(job.Work), whole(s))
			try(j+1, free-s)
		}
	}
	try(0, in.Slots)
	if exact == nil {
		return 0, false
	}
	return rounded(exact), true
}
