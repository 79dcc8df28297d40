package relaxed

import (
	"cmp"
	"slices"
)

// A Window is when a job must be done to be on time, and the capacity times time that it holds meanwhile, at least.
type Window struct{ From, To, Volume float64 }

// OnTime bounds from above how many of the jobs can be on time on a machine of constant capacity. Of those whose windows lie in
// an interval at most so many are as the smallest fit into it, and the late ones of disjoint intervals are different jobs.
func OnTime(windows []Window, capacity float64) int {
	sorted := slices.Clone(windows)
	slices.SortFunc(sorted, func(a, b Window) int { return cmp.Compare(a.Volume, b.Volume) })
	return len(sorted) - late(sorted, capacity, splits)
}

// splits is how often intervals are halved.
const splits = 6

// late is how many jobs are late at least; windows are by volume.
func late(windows []Window, capacity float64, depth int) int {
	if len(windows) == 0 {
		return 0
	}
	from, to := windows[0].From, windows[0].To
	for _, w := range windows {
		from, to = min(from, w.From), max(to, w.To)
	}
	room, fit := capacity*(to-from)*(1+Margin), 0
	for fit < len(windows) && windows[fit].Volume <= room {
		room -= windows[fit].Volume
		fit++
	}
	own := len(windows) - fit
	if depth == 0 || len(windows) == 1 {
		return own
	}
	middle := from + (to-from)/2
	within := func(keep func(w *Window) bool) int {
		some := make([]Window, 0, len(windows))
		for i := range windows {
			if keep(&windows[i]) {
				some = append(some, windows[i])
			}
		}
		return late(some, capacity, depth-1)
	}
	before := within(func(w *Window) bool { return w.To <= middle })
	after := within(func(w *Window) bool { return w.From >= middle })
	return max(own, before+after)
}
