package tree

import "math"

// An Incumbent is the best solution that a search, or a part of it, knows.
type Incumbent[P any] struct {
	Best     float64 // its value, or another one that is known; infinite: none is
	Plan     P
	Found    bool // whether Plan is there
	announce func(plan P, value float64)
}

// NewIncumbent returns one that announces what it and those of other threads keep, see models.Ledger.Announce; a nil func is not
// called. What is announced depends on the threads, and a search whose result must not depend on them does not look there.
func NewIncumbent[P any](announce func(plan P, value float64)) Incumbent[P] {
	return Incumbent[P]{Best: math.Inf(1), announce: announce}
}

// Keep keeps a solution if it is the best so far.
func (i *Incumbent[P]) Keep(plan P, value float64) {
	if value < i.Best {
		i.Best, i.Plan, i.Found = value, plan, true
		if i.announce != nil {
			i.announce(plan, value)
		}
	}
}

// begin has i know the value of another, and no solution.
func (i *Incumbent[P]) begin(known *Incumbent[P]) {
	*i = Incumbent[P]{Best: known.Best, announce: i.announce}
}

// take keeps the solution that a part found and announced.
func (i *Incumbent[P]) take(found *Incumbent[P]) {
	if found.Found && found.Best < i.Best {
		i.Best, i.Plan, i.Found = found.Best, found.Plan, true
	}
}
