package cloning

import (
	"fmt"
	"math"

	"schedgap/exact/verify/core"
)

// never is the cost of what no schedule does.
const never = 1 << 61

// paid is a lower bound on the payment of a task of phase k in slots from+1 … to, which are no fewer than the phase's span.
func (c *priced) paid(k int, from, to int64) int64 {
	n := &c.Need[k]
	if c.Spent() != nil {
		return never
	}
	w := cheapestSlots{&c.Effort, n, c.price[k], c.order[k], c.prices.Grid, from, to}
	if n.Profiles == nil {
		return max(w.units(), w.gains())
	}
	best := int64(never)
	for _, profile := range n.Profiles {
		if int64(profile[0]) <= to-from {
			best = min(best, w.profile(profile))
		}
	}
	return best
}

// cheapestSlots are the slots of a window with their prices for one phase, cheapest first.
type cheapestSlots struct {
	*core.Effort
	*Need
	price    []int64
	order    []int
	grid     []int
	from, to int64
}

// each calls take with the slots of the window, by price, until it returns false.
func (w *cheapestSlots) each(take func(slots, price int64) bool) {
	end := int64(w.grid[len(w.grid)-1])
	if late := w.to - max(w.from, end); late > 0 && !take(late, 0) {
		return
	}
	for _, i := range w.order {
		n := min(int64(w.grid[i+1]), w.to) - max(int64(w.grid[i]), w.from)
		w.Spend(8 * len(w.Gain))
		if n > 0 && !take(n, w.price[i]) {
			return
		}
	}
}

// profile is the price when the cheapest profile[0] slots have a copy, the cheapest profile[1] of them another one, and so on.
func (w *cheapestSlots) profile(profile []int) int64 {
	done, cost := int64(0), int64(0)
	w.each(func(slots, price int64) bool {
		for _, n := range profile {
			cost += price * max(0, min(int64(n)-done, slots))
		}
		done += slots
		return done < int64(profile[0])
	})
	return min(cost, never)
}

// units is the least price of the copy-slots that a task needs if h(r) = r.
func (w *cheapestSlots) units() int64 {
	left, cost := int64(w.Units), int64(0)
	w.each(func(slots, price int64) bool {
		n := left
		if most := int64(len(w.Gain)); slots < (left+most-1)/most {
			n = slots * most
		}
		left -= n
		cost += n * price
		return left > 0
	})
	return min(cost, never)
}

// gains bounds the price of fractions of copies whose gains add up to the need, from below.
func (w *cheapestSlots) gains() int64 {
	s := core.Market{Effort: w.Effort, Gain: w.Gain}
	w.each(func(slots, price int64) bool {
		s.Add(core.Integer(int(slots)).Hi, core.Integer(int(price)).Lo)
		return true
	})
	return int64(min(never, s.Payment(max(0, w.Required()), math.Inf(1))))
}

func (c *priced) paidByPhase(k int, from, to int64) int64 {
	v, n := c.paid(k, from, to), int64(c.Phases[k].Tasks)
	if v >= never/n {
		return never
	}
	return v * n
}

// job is the least of flowtime and payments of job j, in units.
func (c *priced) job(j int) (int64, error) {
	from, to, id := c.First[j], c.First[j+1], c.In.Jobs[j].ID
	earliest, free := 0, 0 // from free on no copy costs anything
	for k := from; k < to; k++ {
		n := &c.Need[k]
		earliest = max(earliest, n.Head+n.Span)
		free = max(free, max(c.prices.Grid[len(c.prices.Grid)-1], n.Head)+n.Alone+n.Tail)
	}
	last := int64(max(earliest, free))
	if last+int64(c.Need[from].Alone) >= 1<<(60-c.prices.Bits) {
		return 0, fmt.Errorf("job %s may take %d slots, too many for prices of %d bits", id, last, c.prices.Bits)
	}
	s := minFlowtime{Effort: &c.Effort, slot: 1 << c.prices.Bits, arrival: int64(c.In.Jobs[j].Arrival), best: never}
	if a := from; to == from+2 && len(c.Phases[a].Preds)+len(c.Phases[a+1].Preds) == 1 {
		b := a + 1
		if len(c.Phases[a].Preds) == 1 {
			a, b = b, a
		}
		head, span := int64(c.Need[a].Head), int64(c.Need[b].Span)
		last += int64(c.Need[a].Alone)
		s.first = func(turn int64) int64 { return c.paidByPhase(a, head, turn) }
		s.second = func(turn, end int64) int64 { return c.paidByPhase(b, turn, end) }
		turn := head + int64(c.Need[a].Span)
		s.best = s.cost(last) // everything after the grid
		s.search(turn, last, turn, last, span)
		return s.best, c.Spent()
	}
	s.first = func(int64) int64 { return 0 }
	s.second = func(_, end int64) int64 {
		total := int64(0)
		for k := from; k < to; k++ {
			total = min(never, total+c.paidByPhase(k, int64(c.Need[k].Head), end-int64(c.Need[k].Tail)))
		}
		return total
	}
	s.best = s.cost(last)
	s.search(0, 0, int64(earliest), last, 0)
	return s.best, c.Spent()
}

// A minFlowtime looks at all completions, and of a chain of two phases at all ends of the first, leaving out ranges that
// their first completion and their widest windows rule out.
type minFlowtime struct {
	*core.Effort
	slot, arrival, best int64
	first               func(turn int64) int64
	second              func(turn, end int64) int64
}

func (s *minFlowtime) cost(end int64) int64 { return (end - s.arrival) * s.slot }

// search covers ends of the first phase in firstEnd0 … firstEnd1 and completions in end0 … end1.
func (s *minFlowtime) search(firstEnd0, firstEnd1, end0, end1, span int64) {
	end0, firstEnd1 = max(end0, firstEnd0+span), min(firstEnd1, end1-span)
	s.Spend(8)
	if firstEnd0 > firstEnd1 || end0 > end1 || s.cost(end0) >= s.best || s.Spent() != nil {
		return
	}
	least := s.cost(end0) + s.first(firstEnd1)
	if least >= s.best {
		return
	}
	least += s.second(firstEnd0, end1)
	if least >= s.best {
		return
	}
	switch {
	case firstEnd0 == firstEnd1 && end0 == end1:
		s.best = least
	case end1-end0 >= firstEnd1-firstEnd0:
		mid := end0 + (end1-end0)/2
		s.search(firstEnd0, firstEnd1, end0, mid, span)
		s.search(firstEnd0, firstEnd1, mid+1, end1, span)
	default:
		mid := firstEnd0 + (firstEnd1-firstEnd0)/2
		s.search(firstEnd0, mid, end0, end1, span)
		s.search(mid+1, firstEnd1, end0, end1, span)
	}
}
