package oracle

import (
	"math/big"

	"schedgap/models/flex"
)

// mps returns the completion times of the malleable packing scheme for a priority order of job indices. It is Figure 3 of the paper line
// by line, except that the loop of lines 7 to 11 ends when no job is left in L as well: the maxima of the unfinished jobs may sum to less
// than S. Jobs that complete together leave in priority order.
func mps(in *flex.Instance, order []int) []*big.Rat {
	now := new(big.Rat)                  // 1
	list := append([]int(nil), order...) // 2
	left := works(in)
	completion := make([]*big.Rat, len(in.Jobs))
	for len(list) > 0 { // 3
		alloc := make([]int, len(in.Jobs))
		s := in.Slots
		for _, j := range list { // 4, 6
			alloc[j] = in.Jobs[j].Min
			s -= in.Jobs[j].Min
		}
		for _, j := range list { // 5, 7, 9
			extra := min(s, in.Jobs[j].Max-in.Jobs[j].Min)
			alloc[j] += extra // 8
			s -= extra        // 10
		}
		now = add(now, completeFirst(&list, left, completion, now, func(j int) *big.Rat { return whole(alloc[j]) }))
	}
	return completion
}

// completeFirst is lines 12 to 15: it finds the first job of list to complete at the given rates, writes down when, takes
// it off the list, updates the work left of the others and returns the time that has passed.
func completeFirst(list *[]int, left, completion []*big.Rat, now *big.Rat, rate func(j int) *big.Rat) *big.Rat {
	first, passed := -1, new(big.Rat)
	for i, j := range *list {
		var need *big.Rat
		switch {
		case left[j].Sign() == 0: // completes together with the job before, perhaps with no slots any more
			need = new(big.Rat)
		case rate(j).Sign() == 0:
			continue
		default:
			need = quo(left[j], rate(j))
		}
		if first < 0 || less(need, passed) {
			first, passed = i, need
		}
	}
	completion[(*list)[first]] = add(now, passed)
	*list = append((*list)[:first], (*list)[first+1:]...)
	for _, j := range *list {
		left[j] = sub(left[j], mul(rate(j), passed))
	}
	return passed
}

// BestMPS returns the least objective of an MPS schedule over all n! orders, and the first such order. Ten jobs are far
// too many.
func BestMPS(in *flex.Instance) (best float64, order []int) {
	v, order := bestMPS(in)
	return rounded(v), order
}

func bestMPS(in *flex.Instance) (best *big.Rat, order []int) {
	for o := range orders(len(in.Jobs)) {
		v := value(in, mps(in, o), new(big.Rat))
		if best == nil || less(v, best) {
			best, order = v, o
		}
	}
	return best, order
}
