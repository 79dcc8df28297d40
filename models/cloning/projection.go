package cloning

// A crowd is a span of slots, from+1..to, in which copies on a server exceed its capacity by what the checker accepts and
// algorithms, which go by FitTolerance, do not.
type crowd struct {
	from, to, copies int
}

// crowded reports an excess that is neither the checker's to refuse nor rounding; the 1.001 is for the rounding of sums.
func crowded(over, capacity float64) bool { return over > 1.001*FitTolerance*capacity }

// delay is by how many slots a completion in the given slot is later in a schedule without crowds. There each copy in a crowd
// gets a slot of its own in which nothing else runs, so that it fits on some server, and everything else waits. A task makes
// no less progress in single copies than with all of them at once, since h is concave with h(0) = 0. So no tolerance lets a
// schedule beat the optimum.
func (c *checker) delay(slot int) float64 {
	total := 0.0
	for _, w := range c.crowds {
		if slot > w.from {
			total += float64(w.copies) * slots(min(slot, w.to), w.from)
		}
	}
	return total
}
