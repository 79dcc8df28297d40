package pocd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"

	"schedgap/exact/verify/core"
	"schedgap/models/pocd"
)

// Bound returns why the price of a copy does not prove that no solution of the reference is worth more than bound; nil: it
// does. For α = inf no price is needed. It stops when ctx ends.
func Bound(ctx context.Context, in *pocd.Instance, all bool, price, bound float64) error {
	c := &choices{Effort: core.Effort{Ctx: ctx}, in: in, all: all, spare: in.Spare()}
	if math.IsInf(in.Alpha, 1) {
		return c.leastAbove(bound)
	}
	if !(price >= 0) || math.IsInf(price, 1) {
		return fmt.Errorf("the multiplier %v must be a number from 0 on", price)
	}
	// Whole numbers of units; the bound has about 2^52 of them.
	_, c.exponent = math.Frexp(bound)
	c.exponent = 52 - c.exponent
	limit := math.Floor(math.Ldexp(bound, c.exponent))
	c.price = c.units(price)
	if c.price > huge/int64(max(1, c.spare)) {
		return fmt.Errorf("the multiplier %v is too large for the bound %v", price, bound)
	}
	if err := c.list(); err != nil {
		return err
	}
	return c.prove(int64(limit))
}

// choices bounds what jobs, or for α = 1 their tasks, make of numbers of copies.
type choices struct {
	core.Effort
	in       *pocd.Instance
	all      bool
	spare    int
	exponent int   // a unit is 2^-exponent
	price    int64 // of a copy, in units; any from 0 on would do

	items []item
	top   int64 // the most that all could be worth less the price of their copies, each for itself, and the price of all machines
	used  int   // copies of those choices
}

// A item has the options that a job has left: options that lose as much as the bound leaves are gone.
type item struct {
	options []option
	least   int64 // loss of the options that are not the item's best
}

// A option uses that many more copies than the item's best choice, and loses that much against it, copies at their price.
type option struct {
	move int
	loss int64
}

// huge is beyond all sums of units that prove anything.
const huge = 1 << 60

// units rounds up.
func (c *choices) units(v float64) int64 {
	u := math.Ceil(math.Ldexp(v, c.exponent))
	switch {
	case u == 0 && v > 0:
		return 1
	case u > -huge && u < huge:
		return int64(u)
	case u < 0:
		return -huge
	}
	return huge
}

// most is how many copies a task may have.
func (c *choices) most(j, i int) int {
	if !c.all && !c.in.Jobs[j].Tasks[i].Straggler {
		return 0
	}
	return min(c.in.MaxCopies, c.spare)
}

// misses is β·ln q of a job's tasks; nil: it is hopeless.
func (c *choices) misses(j int) []core.Interval {
	job := &c.in.Jobs[j]
	list := make([]core.Interval, len(job.Tasks))
	for i := range list {
		var hopeless bool
		list[i], hopeless = missOf(job, i)
		if hopeless {
			return nil
		}
	}
	return list
}

// negligible is a −ln R_i from which on further copies count as certain to help.
const negligible = 1e-20

// copySteps are the steps that a number of copies takes.
const copySteps = 4000

// affords reports whether the steps left pay for all numbers of copies that matter, up to most. From the first one that does not matter,
// none does. If they do not pay for them, affords spends them, since the outcome is known.
func (c *choices) affords(most int, matters func(r int) bool) bool {
	last := c.Left() / copySteps
	if most <= last || !matters(last) {
		return true
	}
	c.Spend(copySteps * (last + 1))
	return false
}

// frontier bounds ln p_j by numbers of copies from above. Copies of a task gain ln R_i(1) − ln R_i(0), ln R_i(2) − ln R_i(1), …,
// and no b of all gains add up to more than the b largest. Nil: the job is hopeless.
func (c *choices) frontier(j int) []float64 {
	misses := c.misses(j)
	if misses == nil {
		return nil
	}
	logP := 0.0
	var gains []float64
	for i, miss := range misses {
		before := meets(miss, 0)
		logP = core.Above(logP, before.Hi)
		if !c.affords(c.most(j, i), func(r int) bool { return -meets(miss, r).Lo > negligible }) {
			return nil
		}
		for r := 1; r <= c.most(j, i); r++ {
			if -before.Lo <= negligible {
				logP = core.Above(logP, -before.Lo)
				break
			}
			c.Spend(copySteps)
			if c.Spent() != nil {
				return nil
			}
			after := meets(miss, r)
			gains = append(gains, max(0, core.Above(after.Hi, -before.Lo)))
			before = after
		}
	}
	slices.SortFunc(gains, func(a, b float64) int { return cmp.Compare(b, a) })
	gains = gains[:min(len(gains), c.spare)]
	list := []float64{min(0, logP)}
	for _, g := range gains {
		logP = core.Above(logP, g)
		list = append(list, min(0, logP))
	}
	return list
}

// list makes the items.
func (c *choices) list() error {
	c.top = c.price * int64(c.spare)
	var worth []int64
	for j := range c.in.Jobs {
		if c.in.Alpha == 1 { // a sum over tasks, which need not be told apart by jobs
			for i, miss := range c.misses(j) {
				value := func(r int) int64 { return min(0, c.units(meets(miss, r).Hi)) }
				if !c.affords(c.most(j, i), func(r int) bool { return value(r) < 0 }) {
					break
				}
				worth = worth[:0]
				for r := 0; r <= c.most(j, i) && (r == 0 || worth[r-1] < 0) && c.Spent() == nil; r++ {
					c.Spend(copySteps)
					worth = append(worth, value(r))
				}
				if err := c.Spent(); err != nil { // maybe before the first
					return err
				}
				c.add(worth)
			}
		} else if list := c.frontier(j); list != nil {
			worth = worth[:0]
			for _, logP := range list {
				worth = append(worth, c.units(utility(c.in.Alpha, core.Point(logP)).Hi))
			}
			c.add(worth)
		}
		if err := c.Spent(); err != nil {
			return err
		}
		if c.top > huge {
			return errors.New("the multiplier proves nothing: what it bounds is too large")
		}
	}
	return nil
}

// add makes an item of what 0, 1, … copies are worth at most.
func (c *choices) add(worth []int64) {
	net := func(b int) int64 { return worth[b] - c.price*int64(b) }
	best := 0
	for b := range worth {
		if net(b) > net(best) {
			best = b
		}
	}
	c.top = max(-huge, c.top+net(best)) // sums far below 0 are raised
	c.used += best
	item := item{least: math.MaxInt64}
	for b := range worth {
		loss := net(best) - net(b)
		item.options = append(item.options, option{b - best, loss})
		if b != best {
			item.least = min(item.least, loss)
		}
	}
	c.items = append(c.items, item)
}

// prove shows that nothing is worth more than limit. Choices that together use u ≤ spare copies are worth top − their losses −
// price·(spare − u) at most. So where top is more than limit, all choices that lose less than the difference are enumerated, by
// the copies that they use: of choices with as many copies, and of those with no fewer that are worth no more, one suffices.
func (c *choices) prove(limit int64) error {
	gap := c.top - limit
	if gap <= 0 {
		return nil
	}
	if c.in.Alpha >= 1 {
		return errors.New("the multiplier proves a larger bound only")
	}
	items := slices.DeleteFunc(c.items, func(item item) bool { return item.least >= gap })
	slices.SortStableFunc(items, func(a, b item) int { return cmp.Compare(a.least, b.least) })
	up, fall := make([]int, len(items)+1), make([]int, len(items)+1)
	for k := len(items) - 1; k >= 0; k-- {
		item := &items[k]
		item.options = slices.DeleteFunc(item.options, func(o option) bool { return o.loss >= gap })
		for _, o := range item.options {
			up[k], fall[k] = max(up[k], o.move), max(fall[k], -o.move)
		}
		up[k] += up[k+1]
		fall[k] += fall[k+1]
	}
	first, losses := c.used, []int64{0} // by copies, from first on
	for k := 0; ; k++ {
		// Keep the live choices.
		from, last := -1, -1
		for t, loss := range losses {
			used := first + t
			alive := loss < gap && used-fall[k] <= c.spare && loss+c.price*int64(max(0, c.spare-used-up[k])) < gap
			switch {
			case !alive || last >= 0 && !c.more(t-last, loss-losses[last]):
				losses[t] = gap
				continue
			case from < 0:
				from = t
			}
			last = t
		}
		if from < 0 {
			return nil
		}
		first, losses = first+from, losses[from:last+1]
		if k == len(items) {
			return errors.New("choices that may be worth more than the bound are left")
		}
		low, high := 0, 0
		for _, o := range items[k].options {
			low, high = min(low, o.move), max(high, o.move)
		}
		c.Spend(len(items[k].options) * len(losses))
		if err := c.Spent(); err != nil {
			return err
		}
		next := slices.Repeat([]int64{gap}, len(losses)+high-low)
		for _, o := range items[k].options {
			to := next[o.move-low:]
			for t, loss := range losses {
				to[t] = min(to[t], loss+o.loss)
			}
		}
		first, losses = first+low, next
	}
}

// more reports whether a choice of that many copies more, from 1 on, is worth more though it loses that much more: price·copies >
// loss, which a product could not tell where it overflows.
func (c *choices) more(copies int, loss int64) bool {
	return loss < 0 || c.price > 0 && int64(copies) > loss/c.price
}

// leastAbove shows for α = inf that not all jobs can have p_j > bound: they need too many copies for that, or one has never
// enough.
func (c *choices) leastAbove(bound float64) error {
	need, none := 0, true
	for j := range c.in.Jobs {
		list := c.frontier(j)
		if err := c.Spent(); err != nil {
			return err
		}
		if list == nil {
			continue
		}
		none = false
		b := sort.Search(len(list), func(b int) bool { return core.Point(list[b]).Exp().Hi > bound })
		if b == len(list) {
			return nil
		}
		need += b
		if need > c.spare {
			return nil
		}
	}
	if none && bound >= 1 {
		return nil
	}
	return errors.New("every job may have more than the bound")
}
