package cloning

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

// delay returns the number of slots by which a completion in the given slot is later in a schedule without crowds. In that
// schedule each copy in a crowd gets two slots of its own, so it fits on some server while everything else waits. A task makes no
// less progress in single copies than with all of them at once: h is concave to 1e-9 with h(0) = 0 and h(1) = 1, so no further
// copy does more in a slot than one copy in two. So no tolerance lets a schedule beat the optimum.
func (c *checker) delay(slot int) float64 {
	total := 0.0
	for _, w := range c.crowds {
		if slot > w.from {
			total += 2 * float64(w.copies) * slots(min(slot, w.to), w.from)
		}
	}
	return total
}
