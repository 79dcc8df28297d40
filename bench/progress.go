package bench

import (
	"cmp"
	"encoding/json"
	"errors"
	"math/bits"
	"slices"
	"time"

	"schedgap/models"
)

// A Moment is a time of a run, since the algorithm's start, in seconds.
type Moment struct {
	Wall float64  `json:"wall"`
	CPU  *float64 `json:"cpu,omitempty"` // user and system, of all threads; nil: not known
}

func (m Moment) record(kind string, objective, bound *float64) ProgressRecord {
	return ProgressRecord{Kind: kind, WallSeconds: m.Wall, CPUSeconds: m.CPU, Objective: objective, Bound: bound}
}

// ProgressLog collects the incumbents and bounds that a running algorithm reports, in the order of time. It keeps the first, the last,
// and the last of each group that is closer together than spacing (early in a run: apart). So it keeps a few hundred of any
// number. The zero value is ready.
type ProgressLog struct {
	incumbents series[json.RawMessage]
	bounds     series[float64]
}

// A series is reports with their times.
type series[T any] struct {
	at    []Moment
	items []T
}

const (
	spacing = 1.03
	apart   = 1e-3 // seconds
	// maxUnchecked is about how many bytes of incumbents are held until they are checked.
	maxUnchecked = 16 << 20
)

func (t *series[T]) add(at Moment, item T) {
	if n := len(t.at); n >= 2 && at.Wall < max(spacing*t.at[n-2].Wall, t.at[n-2].Wall+apart) {
		t.at[n-1], t.items[n-1] = at, item
		return
	}
	t.at, t.items = append(t.at, at), append(t.items, item)
}

// Incumbent takes a solution file. Where the files are many and large, every second is forgotten, but neither the first nor the
// last.
func (f *ProgressLog) Incumbent(at Moment, solution json.RawMessage) {
	t := &f.incumbents
	t.add(at, solution)
	if len(t.items)*len(solution) <= maxUnchecked {
		return
	}
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

// Bound takes a proven bound.
func (f *ProgressLog) Bound(at Moment, bound float64) { f.bounds.add(at, bound) }

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

// Follow enters the reports of a run into res, the result of r on in: the incumbents that the checker accepts in the class of the
// result, and the bounds, each better than the ones before. It is called after the run, so it takes none of the run's time.
// Incumbents that it has no time to check are left out.
func (f *ProgressLog) Follow(res *Result, in *Instance, r Request) {
	p, found := in.Problem, &f.incumbents
	allowed := max(leastCheck, time.Duration(checkShare*res.WallSeconds*float64(time.Second)))
	began, checked := time.Now(), 0
	var events []ProgressRecord
	inTurn(len(found.at), func(i int) bool {
		if res.Fault() != nil {
			return false // its checker is not asked again
		}
		checked++
		if checked > 2 && time.Since(began)*time.Duration(checked)/time.Duration(checked-1) > allowed {
			return false
		}
		one := p.Blank(r)
		err := p.Judge(one, in, "incumbent", found.items[i])
		if fault := new(models.Fault); errors.As(err, &fault) {
			res.Fail(err)
			return false
		}
		if err == nil && *one.Feasible && one.Objective != nil &&
			one.Reference == res.Reference && one.Augmentation == cmp.Or(res.Augmentation, 1) {
			events = append(events, found.at[i].record(KindIncumbent, one.Objective, nil))
		}
		return true
	})
	for k, b := range f.bounds.items {
		events = append(events, f.bounds.at[k].record(KindBound, nil, &b))
	}
	slices.SortStableFunc(events, func(a, b ProgressRecord) int { return cmp.Compare(a.WallSeconds, b.WallSeconds) })
	var best, bound *float64
	for _, e := range events {
		switch v := e.Objective; {
		case v != nil && (best == nil || p.Sense.Better(*v, *best)):
			best = v
		case v == nil && (bound == nil || p.Sense.Better(*bound, *e.Bound)): // the farther on the objective's worse side
			bound = e.Bound
		default:
			continue
		}
		e.Seq = int64(len(res.Progress))
		res.Progress = append(res.Progress, e)
	}
}
