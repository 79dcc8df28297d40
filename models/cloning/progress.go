package cloning

import "math"

// A Progress is the exact progress of a task: the sum of two float64s. All h(r) are whole multiples of 2^-52, so it holds the
// progress of fewer than 2^50 slots without error, in any number of steps. Zero is the start.
type Progress struct{ most, rest float64 }

// Value is the progress as a float64, in slots of one copy.
func (d Progress) Value() float64 { return d.most }

// After is the progress after some slots more in so many copies.
func (p *Phase) After(done Progress, slots, copies int) Progress {
	product := float64(slots) * p.Rate(copies)
	rest := done.rest + math.FMA(float64(slots), p.Rate(copies), -product)
	sum, lost := twoSum(done.most, product)
	sum, rest = twoSum(sum, rest+lost)
	return Progress{sum, rest}
}

// twoSum is a + b as a float64, and what that lacks.
func twoSum(a, b float64) (sum, lost float64) {
	sum = a + b
	of := sum - a
	return sum, (a - (sum - of)) + (b - of)
}

// Done reports whether a task with some progress is done. No work is so small that it takes no slot.
func (p *Phase) Done(done Progress) bool { return done.most > 0 && p.missing(done) <= 0 }

// missing is Required less the progress, with the sign that it has exactly.
func (p *Phase) missing(done Progress) float64 {
	left, lost := twoSum(p.Required(), -done.most)
	return left + (lost - done.rest)
}

// Slots is the number of slots, at least 1, after which a task is done that has made progress and runs in copies ≥ 1 copies.
func (p *Phase) Slots(done Progress, copies int) int {
	n := math.Ceil(p.missing(done) / p.Rate(copies))
	if !(n > 1) {
		n = 1
	}
	if n > maxHorizon {
		return int(min(n, 1<<62))
	}
	// Division may have rounded past a whole number.
	switch {
	case n > 1 && p.missing(p.After(done, int(n)-1, copies)) <= 0:
		n--
	case p.missing(p.After(done, int(n), copies)) > 0:
		n++
	}
	return int(n)
}

// Volume is how many copies times slots a task takes at least, at most so many copies at once: h(r) is at most r, or beyond it by
// the 1e-9 that a table may miss being concave by.
func (p *Phase) Volume(copies int) int {
	most := 1.0
	for r, h := range p.Speedup[:min(copies, len(p.Speedup))] {
		most = max(most, h/float64(r+1))
	}
	if most == 1 {
		return p.Slots(Progress{}, 1)
	}
	return max(1, int(math.Ceil(p.Required()/most*(1-0x1p-50))))
}
