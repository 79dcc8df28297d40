package oracle

import (
	"math/big"
	"slices"

	"schedgap/models/flex"
)

// Fair returns the completion times of the Hadoop Fair Scheduler's allocation: minima first, then the slack fills the
// jobs like water, the lowest allocation first and none above its maximum; levels are fractional, and the allocation is made
// again whenever a job completes.
func Fair(in *flex.Instance) (completions []float64) {
	left := works(in)
	completion := make([]*big.Rat, len(in.Jobs))
	var list []int
	for j := range in.Jobs {
		list = append(list, j)
	}
	now := new(big.Rat)
	for len(list) > 0 {
		water := waterLevel(in, list)
		now = add(now, completeFirst(&list, left, completion, now, func(j int) *big.Rat { return filled(in, j, water) }))
	}
	return roundedAll(completion)
}

// filled is job j's allocation when the water stands at a level.
func filled(in *flex.Instance, j int, water *big.Rat) *big.Rat {
	m, M := whole(in.Jobs[j].Min), whole(in.Jobs[j].Max)
	if less(water, m) {
		return m
	}
	return least(water, M)
}

// waterLevel is the highest level at which the jobs of list hold at most S slots. Their total is linear between the
// levels at which a job starts or stops to rise.
func waterLevel(in *flex.Instance, list []int) *big.Rat {
	kinks := []int{0}
	for _, j := range list {
		kinks = append(kinks, in.Jobs[j].Min, in.Jobs[j].Max)
	}
	slices.Sort(kinks)
	total := func(level int) *big.Rat {
		t := new(big.Rat)
		for _, j := range list {
			t = add(t, filled(in, j, whole(level)))
		}
		return t
	}
	slots := whole(in.Slots)
	for i := 1; i < len(kinks); i++ {
		below, above := total(kinks[i-1]), total(kinks[i])
		if less(slots, above) {
			share := quo(sub(slots, below), sub(above, below))
			return add(whole(kinks[i-1]), mul(share, whole(kinks[i]-kinks[i-1])))
		}
	}
	return whole(kinks[len(kinks)-1])
}
