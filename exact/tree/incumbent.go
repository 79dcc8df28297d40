package tree

import (
	"math"
	"sync"
)

// An Incumbent is the best solution that a search, or a part of it, knows.
type Incumbent[P any] struct {
	Best  float64 // its value, or another one that is known; infinite: none is
	Plan  P
	Found bool // whether Plan is there
	told  *told[P]
}

// NewIncumbent returns one that passes each solution better than all before on to improved, one at a time.
// Which ones these are depends on the threads; a search whose result must not depend on them does not look there.
func NewIncumbent[P any](improved func(P)) Incumbent[P] {
	return Incumbent[P]{Best: math.Inf(1), told: &told[P]{best: math.Inf(1), improved: improved}}
}

// Keep keeps a solution if it is the best so far.
func (i *Incumbent[P]) Keep(plan P, value float64) {
	if value < i.Best {
		i.Best, i.Plan, i.Found = value, plan, true
		i.told.found(value, plan)
	}
}

// begin has i know the value of another, and no solution.
func (i *Incumbent[P]) begin(known *Incumbent[P]) { *i = Incumbent[P]{Best: known.Best, told: i.told} }

// take keeps the solution that a part found and passed on.
func (i *Incumbent[P]) take(found *Incumbent[P]) {
	if found.Found && found.Best < i.Best {
		i.Best, i.Plan, i.Found = found.Best, found.Plan, true
	}
}

// told passes on the solutions of several threads.
type told[P any] struct {
	mu       sync.Mutex
	best     float64
	improved func(P)
}

func (t *told[P]) found(value float64, plan P) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if value < t.best {
		t.best = value
		t.improved(plan)
	}
}
