package bench

import (
	"cmp"
	"encoding/json"
	"math/bits"
	"time"
)

// A Moment is a time of a run, since the algorithm's start, in seconds.
type Moment struct {
	Wall float64  `json:"wall"`
	CPU  *float64 `json:"cpu,omitempty"` // user and system, of all threads; nil: not known
}

// An Event is an incumbent or a bound that was known before the end of a run.
type Event struct {
	Moment
	Objective *float64 `json:"objective,omitempty"` // of an incumbent, the independent checker's; nil: this is a bound
	Bound     *float64 `json:"bound,omitempty"`     // proven, by the algorithm's account; nil: this is an incumbent
}

// A Track collects what a running algorithm tells of, in the order of time. It keeps the first, the last, and of what is closer
// together than spacing (or, early in a run, apart) the last: a few hundred, however many and however long. The zero value is
// ready.
type Track[T any] struct {
	at    []Moment
	items []T
}

const (
	spacing = 1.03
	apart   = 1e-3 // seconds
)

// Add takes what was told at a moment.
func (t *Track[T]) Add(at Moment, item T) {
	if n := len(t.at); n >= 2 && at.Wall < max(spacing*t.at[n-2].Wall, t.at[n-2].Wall+apart) {
		t.at[n-1], t.items[n-1] = at, item
		return
	}
	t.at, t.items = append(t.at, at), append(t.items, item)
}

// Len is how much is kept.
func (t *Track[T]) Len() int { return len(t.at) }

// Halve forgets every second item, but neither the first nor the last.
func (t *Track[T]) Halve() {
	n := 0
	for i := range t.at {
		if i%2 == 0 || i == len(t.at)-1 {
			t.at[n], t.items[n] = t.at[i], t.items[i]
			n++
		}
	}
	clear(t.items[n:])
	t.at, t.items = t.at[:n], t.items[:n]
}

// inTurn calls see with the numbers below n, the first and the last first and then ever finer steps in between, until it returns
// false.
func inTurn(n int, see func(i int) bool) {
	if n == 0 || !see(0) || n == 1 || !see(n-1) {
		return
	}
	for step := 1 << bits.Len(uint(n-1)); step > 0; step /= 2 {
		for i := step; i < n-1; i += 2 * step {
			if !see(i) {
				return
			}
		}
	}
}

// Checking incumbents may take so much of the run's wall time, but at least leastCheck; the first and the last are always
// checked.
const (
	checkShare = 0.005
	leastCheck = time.Millisecond
)

// Follow enters into res, the result of r on in, what the run told of: the incumbents that the checker accepts in the class of
// the result, each better than those before, and the bounds, each better than those before. It is called when the run has ended,
// on nobody's time; incumbents that it has no time to check are left out. solution gives the solution file of what was found.
func Follow[T any](res *Result, in *Instance, r Request, found *Track[T], solution func(T) (json.RawMessage, error),
	bounds *Track[float64],
) {
	p := in.Problem
	values := make([]*float64, found.Len())
	allowed := max(leastCheck, time.Duration(checkShare*res.WallSeconds*float64(time.Second)))
	began, checked := time.Now(), 0
	inTurn(found.Len(), func(i int) bool {
		if checked++; checked > 2 && time.Since(began)*time.Duration(checked)/time.Duration(checked-1) > allowed {
			return false
		}
		file, err := solution(found.items[i])
		one := p.Blank(r)
		if err == nil && p.Judge(one, in, "incumbent", file) == nil && *one.Feasible &&
			one.Reference == res.Reference && one.Augmentation == cmp.Or(res.Augmentation, 1) {
			values[i] = one.Objective
		}
		return true
	})
	var best, bound *float64
	i, k := 0, 0
	for i < found.Len() || k < bounds.Len() {
		if k == bounds.Len() || i < found.Len() && found.at[i].Wall <= bounds.at[k].Wall {
			if v := values[i]; v != nil && (best == nil || p.Sense.Better(*v, *best)) {
				best = v
				res.Progress = append(res.Progress, Event{Moment: found.at[i], Objective: v})
			}
			i++
			continue
		}
		// A bound is better the farther it is on the objective's worse side.
		if b := bounds.items[k]; bound == nil || p.Sense.Better(*bound, b) {
			bound = &b
			res.Progress = append(res.Progress, Event{Moment: bounds.at[k], Bound: &b})
		}
		k++
	}
}
