package cloning

import (
	"fmt"
	"math"

	"schedgap/exact/verify/core"
)

// never is the cost of what no schedule does.
const never = 1 << 61

// paid is a lower bound on the payment of a task of phase k in slots from+1 … to.
func (c *needs) paid(k int, from, to int64) int64 {
	ph := &c.phases[k]
	if to-from < ph.least || c.Spent() != nil {
		return never
	}
	w := cheapestSlots{Effort: &c.Effort, ph: ph, grid: c.prices.Grid, from: from, to: to}
	if ph.profiles == nil {
		return max(w.units(), w.gains())
	}
	best := int64(never)
	for _, profile := range ph.profiles {
		if profile[0] <= to-from {
			best = min(best, w.profile(profile))
		}
	}
	return best
}

// cheapestSlots are the slots of a window with their prices for one phase, cheapest first.
type cheapestSlots struct {
	*core.Effort
	ph       *phase
	grid     []int
	from, to int64
}

// each calls take with the slots of the window, by price, until it returns false.
func (w *cheapestSlots) each(take func(slots, price int64) bool) {
	end := int64(w.grid[len(w.grid)-1])
	if late := w.to - max(w.from, end); late > 0 && !take(late, 0) {
		return
	}
	for _, i := range w.ph.order {
		n := min(int64(w.grid[i+1]), w.to) - max(int64(w.grid[i]), w.from)
		w.Spend(8 * len(w.ph.gain))
		if n > 0 && !take(n, w.ph.price[i]) {
			return
		}
	}
}

// profile is the price when the cheapest profile[0] slots have a copy, the cheapest profile[1] of them another one, and so on.
func (w *cheapestSlots) profile(profile []int64) int64 {
	done, cost := int64(0), int64(0)
	w.each(func(slots, price int64) bool {
		for _, n := range profile {
			cost += price * max(0, min(n-done, slots))
		}
		done += slots
		return done < profile[0]
	})
	return min(cost, never)
}

// units is the least price of the copy-slots that a task needs if h(r) = r.
func (w *cheapestSlots) units() int64 {
	left, cost := w.ph.units, int64(0)
	w.each(func(slots, price int64) bool {
		n := left
		if most := int64(len(w.ph.gain)); slots < (left+most-1)/most {
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
	s := core.Market{Effort: w.Effort, Gain: w.ph.gain}
	w.each(func(slots, price int64) bool {
		s.Add(core.Integer(int(slots)).Hi, core.Integer(int(price)).Lo)
		return true
	})
	return int64(min(never, s.Payment(max(0, w.ph.Required()), math.Inf(1))))
}

func (c *needs) paidByPhase(k int, from, to int64) int64 {
	v, n := c.paid(k, from, to), int64(c.phases[k].Tasks)
	if v >= never/n {
		return never
	}
	return v * n
}

// job is the least of flowtime and payments of job j, in units.
func (c *needs) job(j int) (int64, error) {
	from, to := c.begin[j], c.begin[j+1]
	arrival := int64(c.in.Jobs[j].Arrival - c.first)
	earliest, last := int64(0), int64(0)
	for k := from; k < to; k++ {
		ph := &c.phases[k]
		earliest = max(earliest, ph.head+ph.span+ph.tail)
		last = max(last, max(int64(c.prices.Grid[len(c.prices.Grid)-1]), ph.head)+ph.long+ph.tail) // from then on everything is free
	}
	last = max(earliest, last)
	if last+c.phases[from].long >= 1<<(60-c.prices.Bits) {
		return 0, fmt.Errorf("job %s may take %d slots, too many for prices of %d bits", c.in.Jobs[j].ID, last, c.prices.Bits)
	}
	s := minFlowtime{Effort: &c.Effort, slot: 1 << c.prices.Bits, arrival: arrival, best: never}
	if a := from; to == from+2 && len(c.phases[a].Parents)+len(c.phases[a+1].Parents) == 1 {
		b := a + 1
		if len(c.phases[a].Parents) == 1 {
			a, b = b, a
		}
		head, span := c.phases[a].head, c.phases[b].span
		last += c.phases[a].long
		s.first = func(turn int64) int64 { return c.paidByPhase(a, head, turn) }
		s.second = func(turn, end int64) int64 { return c.paidByPhase(b, turn, end) }
		turn := head + c.phases[a].span
		s.best = s.cost(last) // everything after the grid
		s.search(turn, last-span, turn+span, last, span)
		return s.best, c.Spent()
	}
	s.first = func(int64) int64 { return 0 }
	s.second = func(_, end int64) int64 {
		total := int64(0)
		for k := from; k < to; k++ {
			total = min(never, total+c.paidByPhase(k, c.phases[k].head, end-c.phases[k].tail))
		}
		return total
	}
	s.best = s.cost(last)
	s.search(0, 0, earliest, last, 0)
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
