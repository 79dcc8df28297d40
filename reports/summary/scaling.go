package summary

import (
	"cmp"
	"math"
	"slices"

	"schedgap/bench"
	"schedgap/reports/ratio"
	"schedgap/reports/stats"
	"schedgap/reports/words"
)

// A Scaling is how much of a family of instances, such as those of one size, an exact method proves within its limits, and how long
// that takes. Runs with several seeds count as one, which is proven if all are. Every run counts: what is not proven took +Inf
// seconds, so no number is about proven instances only.
type Scaling struct {
	Algorithm string `json:"algorithm"`
	Model     string `json:"model"` // empty: a combinatorial method
	Solver    string `json:"solver"`
	Start     string `json:"start,omitempty"` // as in Solver
	Family    string `json:"family"`          // as in ratios
	Instances int    `json:"instances"`       // of the family that it was run on
	All       int    `json:"all"`             // of the family that any exact method was run on
	Proven    int    `json:"proven"`
	// Lo and Hi are the ends of the exact 95 % interval of the share proven.
	Lo Number `json:"proven_ci_lo"`
	Hi Number `json:"proven_ci_hi"`
	// Median is that of the processor time, or of the wall time where that is not known; MedianLo and MedianHi are the ends of its 95 %
	// interval by order statistics, null for fewer than 6 instances. An infinite one is more than Stopped, or never if nothing was stopped.
	Median   Number `json:"median_seconds"`
	MedianLo Number `json:"median_ci_lo"`
	MedianHi Number `json:"median_ci_hi"`
	// Stopped is the least processor time after which the limit stopped an unproven instance. It is null if there is none: all were
	// proven, or the method ended by itself.
	Stopped Number `json:"stopped_seconds"`
}

// scalings lists the algorithms that have models and were run on several families, by algorithm, family, model and solver.
func scalings(list []Solver) []Scaling {
	out := []Scaling{}
	for _, group := range SameAlgorithm(list) {
		if !slices.ContainsFunc(group, func(s Solver) bool { return s.Model != "" }) {
			continue
		}
		instances := map[string]map[*ratio.Instance]bool{}
		var rows []Scaling
		for i := range group {
			s := &group[i]
			for family, of := range s.byFamily() {
				rows = append(rows, s.scaling(family, of))
				if instances[family] == nil {
					instances[family] = map[*ratio.Instance]bool{}
				}
				for _, l := range of {
					instances[family][l.in] = true
				}
			}
		}
		if len(instances) < 2 {
			continue
		}
		for i := range rows {
			rows[i].All = len(instances[rows[i].Family])
		}
		out = append(out, rows...)
	}
	slices.SortFunc(out, func(a, b Scaling) int {
		return cmp.Or(cmp.Compare(a.Algorithm, b.Algorithm), words.Natural(a.Family, b.Family), cmp.Compare(a.Model, b.Model),
			cmp.Compare(b.Start, a.Start), cmp.Compare(a.Solver, b.Solver))
	})
	return out
}

// byFamily groups a solver's instances.
func (s *Solver) byFamily() map[string][]seeded {
	of := map[string][]seeded{}
	for _, l := range s.bySeeds() {
		of[l.in.Family()] = append(of[l.in.Family()], l)
	}
	return of
}

func (s *Solver) scaling(family string, of []seeded) Scaling {
	c := Scaling{
		Algorithm: s.Algorithm, Model: s.Model, Solver: s.Solver, Start: s.Start, Family: family, Instances: len(of), Stopped: Missing,
	}
	var took []float64
	for _, l := range of {
		if l.mean().Solved {
			c.Proven++
			took = append(took, l.worked())
		} else {
			took = append(took, math.Inf(1))
			if l.stopped() && !(c.Stopped <= Number(l.worked())) {
				c.Stopped = Number(l.worked())
			}
		}
	}
	lo, hi := stats.Share(c.Proven, c.Instances)
	c.Lo, c.Hi = Number(lo), Number(hi)
	lo, hi = stats.MedianInterval(took)
	c.Median, c.MedianLo, c.MedianHi = Number(stats.Median(took)), Number(lo), Number(hi)
	return c
}

// stopped says whether more time might have proven an instance: no seed ended without a proof before its limit.
func (l *seeded) stopped() bool {
	return !slices.ContainsFunc(l.times, func(t InstanceTime) bool { return !t.Solved && t.Unit.Status != string(bench.Timeout) })
}

// worked is the mean over the seeds.
func (l *seeded) worked() float64 {
	sum := 0.0
	for _, t := range l.times {
		sum += t.worked()
	}
	return sum / float64(len(l.times))
}

// Seconds writes a time of the row, of which an infinite one is more than Stopped.
func (c *Scaling) Seconds(x Number) string {
	switch {
	case !math.IsInf(float64(x), 1):
		return words.Seconds(x)
	case math.IsNaN(float64(c.Stopped)):
		return "never"
	}
	return "> " + words.Seconds(c.Stopped)
}
