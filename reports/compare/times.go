package compare

import (
	"fmt"
	"math"
	"strings"

	"schedgap/bench"
	"schedgap/reports/ratio"
	"schedgap/reports/stats"
	"schedgap/reports/summary"
	"schedgap/reports/words"
)

// timeShift is added to both times before they are compared, in seconds: what takes much less than a millisecond is timer
// and cache, and twenty per cent of it is nothing to anybody.
const timeShift = 1e-3

// Time is how the processor times of an algorithm changed, which other work on the machine stretches much less than wall times;
// a unit without them on either side is compared by wall times. A unit that ran to its end on one side only is compared at its
// limit, so its change is understated; units that did on neither are left out. Several seeds are aggregated first.
type Time struct {
	Instances int `json:"instances"`
	Unended   int `json:"unended"`   // matched units that ran to their end on neither side, or failed
	Elsewhere int `json:"elsewhere"` // matched units on another kind of processor than before

	BaseMedian summary.Number `json:"base_median_seconds"`
	HeadMedian summary.Number `json:"head_median_seconds"`

	// Change is the geometric mean of (head + 1 ms)/(base + 1 ms) with its paired bootstrap 95 % interval. Above 1: head is
	// slower.
	Change   summary.Number `json:"change"`
	ChangeCI CI             `json:"change_ci"`
	// Least is the smallest quotient, which stands in for the interval where the instances are too few for one.
	Least summary.Number `json:"least_change"`

	WilcoxonP summary.Number  `json:"wilcoxon_p"` // as in Quality
	Warnings  []stats.Warning `json:"warnings"`

	// Verdict is slower or faster by more than the gate's threshold (20 % where the gate is off), similar, or not enough samples,
	// where the intervals allow none of these.
	Verdict Verdict `json:"verdict"`
}

// A Verdict says in words how times changed.
type Verdict string

// The verdicts on times.
const (
	Slower    Verdict = "slower"
	Faster    Verdict = "faster"
	Similar   Verdict = "similar"
	NotEnough Verdict = "not enough samples"
)

func times(pairs []*pair, seed uint64) Time {
	t := Time{Warnings: []stats.Warning{}, Least: summary.Missing}
	var base, head, logs sample
	all := map[*ratio.Instance]bool{}
	for _, p := range pairs {
		in, b, h := p.head.In, p.base, p.head
		all[in] = true
		if b.CPUModel != h.CPUModel || b.NCPUs != h.NCPUs {
			t.Elsewhere++
			continue
		}
		endB, before := ran(b)
		endH, after := ran(h)
		if before == nil || after == nil || !endB && !endH {
			t.Unended++
			continue
		}
		if x := stats.Value(b.CPUSeconds) + stats.Value(h.CPUSeconds); stats.IsFinite(x) && min(*b.CPUSeconds, *h.CPUSeconds) >= 0 {
			before, after = b.CPUSeconds, h.CPUSeconds
		}
		base.add(in, *before, true)
		head.add(in, *after, true)
		logs.add(in, math.Log((*after+timeShift)/(*before+timeShift)), true)
	}
	changes := logs.means(stats.Mean)
	t.Instances = len(changes)
	t.BaseMedian = summary.Number(stats.Median(base.means(stats.Mean)))
	t.HeadMedian = summary.Number(stats.Median(head.means(stats.Mean)))
	t.Change = summary.Number(math.Exp(stats.Mean(changes)))
	t.ChangeCI = ci(exp(summary.Bootstrap(seed).Mean(changes)[0]))
	for _, l := range changes {
		if q := summary.Number(math.Exp(l)); !(q >= t.Least) {
			t.Least = q
		}
	}
	t.WilcoxonP = summary.Number(stats.ComparePaired(changes).WilcoxonP)
	t.Warnings = append(t.Warnings, stats.SampleWarnings(t.Instances, len(all))...)
	return t
}

// ran is the wall time of a unit that ran at all so that its time means something, nil: it did not, and whether it ended.
func ran(u *ratio.Unit) (ended bool, seconds *float64) {
	switch bench.Status(u.Status) {
	case bench.Optimal, bench.Feasible, bench.Infeasible:
		return true, u.WallSeconds
	case bench.Timeout:
		return false, u.WallSeconds
	}
	return false, nil
}

// verdict says whether the change is certain.
func (t *Time) verdict(threshold float64) Verdict {
	limit := summary.Number(1 + threshold)
	switch {
	case t.slow(threshold):
		return Slower
	case t.Instances < stats.MinSample:
		return NotEnough
	case t.Change < 1/limit && t.ChangeCI.Hi < 1:
		return Faster
	case t.ChangeCI.Hi <= limit:
		return Similar
	}
	return NotEnough
}

// slow reports whether times grew for certain by more than the threshold.
func (t *Time) slow(threshold float64) bool {
	limit := summary.Number(1+threshold) + rounding
	if t.Instances < stats.MinSample {
		return t.Instances >= fewest && t.Least > limit && t.Change > limit
	}
	return t.Change > limit && t.ChangeCI.Lo > 1
}

// words put a change of times into words.
func (t *Time) words() string {
	certainty := fmt.Sprintf("95 %% interval %s to %s", percent(t.ChangeCI.Lo), percent(t.ChangeCI.Hi))
	if t.Instances < stats.MinSample {
		certainty = "too few for an interval, but all slower by at least " + strings.TrimPrefix(percent(t.Least), "+")
	}
	return fmt.Sprintf("CPU seconds %s over %d instances (%s), median %s → %s", percent(t.Change), t.Instances, certainty,
		words.Seconds(t.BaseMedian), words.Seconds(t.HeadMedian))
}
