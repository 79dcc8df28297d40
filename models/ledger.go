package models

import (
	"fmt"
	"math"
	"slices"
	"sync"
)

// Rules are what a problem says about the solutions of one class of an instance.
type Rules[S any] struct {
	Sense Sense
	// Value is the checker's objective of a solution and its accuracy, which says what bound proves it; false: it is no solution of
	// the class. A nil func leaves that to the time after the run: then the last solution counts, and nothing is optimal.
	Value func(s S) (value float64, accuracy Accuracy, ok bool)
	// Round moves a proven bound to the nearest value on its better side that a solution can have; nil: values may lie anywhere.
	Round func(bound float64) float64
}

// A Ledger holds what is known about the optimum of one class of solutions of one instance. All that algorithms say about it is
// entered here and nowhere else, so these are decided in one place: which solution is best, which bound, whether they meet, and
// what contradicts what. Several algorithms, or stages of one, may write into the same ledger, and so may threads.
type Ledger[S any] struct {
	rules Rules[S]
	// Observers are called with every better solution and bound, one at a time; a nil one is not.
	improved func(s S)
	bounded  func(bound float64)

	mu      sync.Mutex
	speaker string
	best    S
	found   bool
	value   float64  // of best; NaN where Value is nil
	exact   Accuracy // of value
	invalid *S       // the last solution that the checker refused
	by      string   // who improved value or bound last
	told    float64  // the value of the best solution that observers know
	bounds  []Entry  // each better than those before, so that one which is refused leaves the others
	refused []Refusal
}

// An Entry is a proven bound and who proved it.
type Entry struct {
	Bound float64
	// Claimed is the bound of which a solver's tolerance was taken off to have one that holds, else Bound itself. The claim proves a
	// value that it is near enough to, unless the tolerance is more than Coarse of the value.
	Claimed float64
	By      string
}

// Coarse is the largest tolerance, relative to a value, or near 0 to Accuracy.Least, with which a solver's claim proves it: twice
// the millionth that a solver's bound may lose, since the value of the solution in its point may be as far on the claim's other side.
const Coarse = 2e-6

// A Refusal is the evidence against a claim: a bound, and the value of a solution that the checker accepts and that is beyond it.
// A solution that the checker refuses has the value NaN.
type Refusal struct {
	Entry
	Value   float64
	ValueBy string
}

func (r Refusal) String() string {
	if math.IsNaN(r.Value) {
		return r.By + ": a solution is refused by the checker"
	}
	if math.IsInf(r.Bound, 0) {
		return fmt.Sprintf("%s: \"infeasible\" is refused, as a solution of value %v is known, by %s", r.By, r.Value, r.ValueBy)
	}
	return fmt.Sprintf("%s: the bound %v is refused, as a solution of value %v is known, by %s", r.By, r.Bound, r.Value, r.ValueBy)
}

// NewLedger returns a ledger in which nothing is known. The observers may be nil.
func NewLedger[S any](rules Rules[S], improved func(s S), bounded func(bound float64)) *Ledger[S] {
	worst := math.Inf(int(rules.Sense))
	return &Ledger[S]{rules: rules, improved: improved, bounded: bounded, value: worst, told: worst}
}

// Speak names who writes from now on, until the next call.
func (l *Ledger[S]) Speak(name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.speaker = name
}

// Offer keeps a solution that the checker accepts and that is better than all before, and reports whether it did.
func (l *Ledger[S]) Offer(s S) (better bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	value, exact := math.NaN(), Accuracy{}
	if l.rules.Value != nil {
		v, a, ok := l.rules.Value(s)
		if !ok {
			l.invalid = &s
			l.refuse(Refusal{Entry{By: l.speaker}, math.NaN(), l.speaker})
			return false
		}
		value, exact = v, a
		if l.found && !l.rules.Sense.Better(value, l.value) {
			return false
		}
	}
	l.best, l.found, l.value, l.exact, l.by = s, true, value, exact, l.speaker
	for len(l.bounds) > 0 {
		last := l.bounds[len(l.bounds)-1]
		if !l.contradicts(last.Bound) {
			break
		}
		l.bounds = l.bounds[:len(l.bounds)-1]
		l.refuse(Refusal{last, value, l.speaker})
	}
	l.tell(s, value)
	return true
}

// Announce passes a solution of a value on to the observers, before it is offered or instead of it: which of several threads finds
// one first must not decide which one counts.
func (l *Ledger[S]) Announce(s S, value float64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.tell(s, value)
}

func (l *Ledger[S]) tell(s S, value float64) {
	if !math.IsNaN(value) && !l.rules.Sense.Better(value, l.told) {
		return
	}
	l.told = value
	if l.improved != nil {
		l.improved(s)
	}
}

// contradicts reports whether the best solution is beyond a bound by more than the definition of optimal takes for one value.
func (l *Ledger[S]) contradicts(bound float64) bool {
	return l.found && l.rules.Sense.Better(l.value, bound) && !l.proves(Entry{Bound: bound, Claimed: bound})
}

// proves reports whether a bound proves the best value.
func (l *Ledger[S]) proves(e Entry) bool {
	tolerance := 0.0
	if e.Claimed != e.Bound {
		tolerance = math.Abs(e.Claimed - e.Bound)
	}
	return l.found && l.rules.Value != nil && tolerance <= Coarse*max(math.Abs(l.value), l.exact.Least) &&
		math.Abs(l.value-e.Bound) <= l.exact.Allowed(l.value)+tolerance
}

// Bound enters a proven bound on the optimum. One that a known solution contradicts is refused and kept as evidence. An infinite
// one says nothing: a search that is exhausted may have lost its schedules to rounding, which does not prove that there is none.
func (l *Ledger[S]) Bound(bound float64) {
	if !math.IsInf(bound, 0) {
		l.Claim(bound, bound)
	}
}

// Impossible enters that there is no solution.
func (l *Ledger[S]) Impossible() {
	none := math.Inf(int(l.rules.Sense))
	l.Claim(none, none)
}

// Value is a solution's value with its accuracy; false: the checker refuses it, or has no say.
func (l *Ledger[S]) Value(s S) (value float64, accuracy Accuracy, ok bool) {
	if l.rules.Value == nil {
		return math.NaN(), Accuracy{}, false
	}
	return l.rules.Value(s)
}

// Claim enters a solver's bound, and what is left of it without the solver's tolerance. Where rounding has moved that to the
// claim or beyond, nothing of the tolerance counts.
func (l *Ledger[S]) Claim(claimed, bound float64) {
	if math.IsNaN(bound) || math.IsInf(bound, -int(l.rules.Sense)) {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.rules.Round != nil {
		bound = l.rules.Round(bound)
	}
	if !l.rules.Sense.Better(bound, claimed) {
		claimed = bound
	}
	e := Entry{bound, claimed, l.speaker}
	if l.contradicts(bound) {
		l.refuse(Refusal{e, l.value, l.by})
		return
	}
	if n := len(l.bounds); n > 0 && !l.rules.Sense.Better(l.bounds[n-1].Bound, bound) {
		return
	}
	l.bounds, l.by = append(l.bounds, e), l.speaker
	if l.bounded != nil && !math.IsInf(bound, 0) {
		l.bounded(bound)
	}
}

func (l *Ledger[S]) refuse(r Refusal) {
	same := func(x Refusal) bool { return x.By == r.By && math.IsNaN(x.Value) == math.IsNaN(r.Value) }
	if !slices.ContainsFunc(l.refused, same) { // the first of a kind says it
		l.refused = append(l.refused, r)
	}
}

// Best returns the best solution and its value, which is NaN before the checker has seen it; false: none is known.
func (l *Ledger[S]) Best() (s S, value float64, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.best, l.value, l.found
}

// Invalid returns a solution that the checker refused; false: there is none.
func (l *Ledger[S]) Invalid() (s S, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.invalid == nil {
		return s, false
	}
	return *l.invalid, true
}

// Proven returns the best bound; false: none is known. It is never beyond the value of the best solution: where rounding puts it
// there, the value, which is a weaker bound, takes its place.
func (l *Ledger[S]) Proven() (bound float64, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.bounds) == 0 {
		return 0, false
	}
	bound = l.bounds[len(l.bounds)-1].Bound
	if l.found && l.rules.Sense.Better(l.value, bound) {
		bound = l.value
	}
	return bound, true
}

// Closed reports whether the best solution is proven to be optimal or, where none is known, that there is none. It is the only
// definition of that.
func (l *Ledger[S]) Closed() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.ContainsFunc(l.bounds, func(b Entry) bool {
		return l.proves(b) || !l.found && math.IsInf(b.Bound, 0)
	})
}

// By names who improved value or bound last.
func (l *Ledger[S]) By() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.by
}

// Refused returns the claims that were refused.
func (l *Ledger[S]) Refused() []Refusal {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.refused)
}
