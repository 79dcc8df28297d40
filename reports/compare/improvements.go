package compare

import (
	"fmt"

	"schedgap/bench"
	"schedgap/reports/summary"
)

// An Improvement is what head does better.
type Improvement struct {
	Problem   string `json:"problem"`
	Algorithm string `json:"algorithm"`
	Text      string `json:"text"`
}

// improvements lists what a regression in the other direction would be.
func improvements(r *Report) []Improvement {
	var out []Improvement
	for i := range r.Algorithms {
		a := &r.Algorithms[i]
		say := func(when bool, format string, args ...any) {
			if when {
				out = append(out, Improvement{a.Problem, a.Algorithm, fmt.Sprintf(format, args...)})
			}
		}
		q, t, limit := &a.Quality, &a.Time, 0.0
		if r.Gates.Ratio != nil {
			limit = *r.Gates.Ratio
		}
		ended, proved := 0, 0
		for _, p := range a.pairs {
			base, head := bench.Status(p.base.Status), bench.Status(p.head.Status)
			switch {
			case base.Broken() && !head.Broken() || worth(p.base) == nil && worth(p.head) != nil:
				ended++
			case !p.base.Proved() && p.head.Proved():
				proved++
			}
		}
		say(float64(q.Change) < 1/(1+limit)-rounding, "mean ratio %s over %d instances, better on %d", percent(q.Change), q.Quotients,
			q.Better)
		say(float64(q.Shift) < -limit-rounding, "values %s in the mean of the %d instances without a quotient, better on %d in all",
			percent(1+q.Shift), q.Differences, q.Better)
		say(t.Verdict == Faster, "%s", t.words())
		say(ended > 0, "%d units have a result that had none", ended)
		say(proved > 0, "%d units are proven that were not", proved)
	}
	return out
}

// Unsure lists the algorithms whose times the gate needs to see again before it fails or passes: those that look slower or faster
// by more than the threshold, and those of which the former cannot be excluded.
func (r *Report) Unsure() []string {
	var names []string
	for i := range r.Algorithms {
		t := &r.Algorithms[i].Time
		_, ci := t.decisive()
		near := ci.Hi > summary.Number(1+r.Gates.threshold()/2) // a busy machine may hide half of the threshold
		if t.Instances > 0 && (t.Verdict != Similar || near) {
			names = append(names, r.Algorithms[i].Algorithm)
		}
	}
	return names
}
