package cloning

import "math"

// A crowd is a span of slots, from+1..to, in which copies on a server exceed its capacity within the checker's tolerance, which
// the definition does not have.
type crowd struct {
	from, to, copies int
}

// An amount is the demand of copies on a server for a resource, once as a float64 and once in whole units, which may be more than
// an int64 holds.
type amount struct {
	scale     Scale
	sum       float64
	high, low int64
}

// amountBits is where an amount is cut in two.
const amountBits = 31

func (a *amount) add(demand float64, copies int) {
	size := a.scale.Size(demand)
	a.sum += float64(copies) * demand
	a.high += int64(copies) * (size >> amountBits)
	a.low += int64(copies) * (size & (1<<amountBits - 1))
}

// fits reports whether so much may be taken.
func (a *amount) fits() bool {
	high, low := a.high+a.low>>amountBits, a.low&(1<<amountBits-1)
	room := a.scale.Room
	return high < room>>amountBits || high == room>>amountBits && low <= room&(1<<amountBits-1)
}

// slotsAlone is how many slots of a single copy do no less than any further copy in a slot: one, where speedups are concave
// without tolerance.
func (c *checker) slotsAlone() float64 {
	most := 1.0
	for j := range c.in.Jobs {
		for k := 0; len(c.crowds) > 0 && k < len(c.in.Jobs[j].Phases); k++ {
			before := 0.0
			for _, h := range c.in.Jobs[j].Phases[k].Speedup {
				most, before = max(most, h-before), h
			}
		}
	}
	return math.Ceil(most)
}

// delay returns the number of slots by which a completion in the given slot is later in a schedule without crowds, or a
// slotsAlone-th of it. In that schedule each copy in a crowd gets slotsAlone slots of its own, so it fits on some server while
// everything else waits. A task makes no less progress in single copies than with all of them at once, since h is concave with
// h(0) = 0. So no tolerance lets a schedule beat the optimum.
func (c *checker) delay(slot int) float64 {
	total := 0.0
	for _, w := range c.crowds {
		if slot > w.from {
			total += float64(w.copies) * slots(min(slot, w.to), w.from)
		}
	}
	return total
}
