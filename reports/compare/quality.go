package compare

import (
	"math"

	"schedgap/models"
	"schedgap/reports/ratio"
	"schedgap/reports/stats"
	"schedgap/reports/summary"
)

// Quality is how the values of an algorithm changed: objectives, or of a bounding algorithm its bounds. Where base has a result
// and head has none, head's ratio is infinite, and so is the change. Where head alone has one, the unit counts as better and is
// in no mean, so that it makes up for nothing. Several seeds are aggregated first, so that every instance counts once.
type Quality struct {
	Instances int `json:"instances"` // on which base has a result
	Better    int `json:"better"`    // beyond 1e-9, relatively
	Same      int `json:"same"`
	Worse     int `json:"worse"`
	Lost      int `json:"lost"`  // units with a result in base alone
	Found     int `json:"found"` // units with a result in head alone

	// Base and Head are geometric mean ratios to the problem's first reference, over the RatioInstances that have both ends
	// on both sides; the optimum of an instance lies in the same interval for both.
	Base           summary.Span `json:"base_ratio"`
	Head           summary.Span `json:"head_ratio"`
	RatioInstances int          `json:"ratio_instances"`

	// Change is the geometric mean of head's ratio over base's, above 1 where head is worse, with its bootstrap 95 % interval;
	// over the Quotients instances that are compared by quotient and whose values are positive, or both zero.
	Change    summary.Number `json:"change"`
	ChangeCI  CI             `json:"change_ci"`
	Quotients int            `json:"quotients"`
	// Shift is the mean of (head − base)/max(|head|, |base|), mirrored so that it is positive where head is worse, over the
	// other Differences instances, where no quotient is defined.
	Shift       summary.Number `json:"shift"`
	ShiftCI     CI             `json:"shift_ci"`
	Differences int            `json:"differences"`

	// BaseGap and HeadGap are means of ratio − 1, or of regret where that leads, at their high ends, over the instances that have
	// them on both sides: the growth that is certain, wherever an open optimum lies.
	BaseGap summary.Number `json:"base_gap"`
	HeadGap summary.Number `json:"head_gap"`

	// The signed rank test of the scaled differences of all instances, adjusted by Holm's method for the number of algorithms.
	WilcoxonP summary.Number `json:"wilcoxon_p"`

	Worst    *Change         `json:"worst"` // null: no instance is worse
	Warnings []stats.Warning `json:"warnings"`
}

// A CI is a 95 % interval, null where the sample supports none.
type CI struct {
	Lo summary.Number `json:"lo"`
	Hi summary.Number `json:"hi"`
}

func ci(i stats.Interval) CI { return CI{summary.Number(i.Lo), summary.Number(i.Hi)} }

func exp(i stats.Interval) stats.Interval {
	return stats.Interval{Lo: math.Exp(i.Lo), Hi: math.Exp(i.Hi)}
}

// A Change is one unit whose value changed.
type Change struct {
	Instance string         `json:"instance"`
	SHA256   string         `json:"instance_sha256"`
	Seed     int64          `json:"seed"`
	UnitID   string         `json:"unit_id"`
	Base     float64        `json:"base"`
	Head     summary.Number `json:"head"` // null: none
	// Scaled is (head − base)/max(|head|, |base|), positive where head is worse; null: head has none.
	Scaled  summary.Number `json:"scaled"`
	Command string         `json:"command"`
}

// A sample collects numbers by instance, several seeds of one together.
type sample struct {
	at    map[*ratio.Instance][]float64 // nil: it is left out
	order []*ratio.Instance
}

// add enters a number; an instance without one for some seed is left out.
func (s *sample) add(in *ratio.Instance, x float64, known bool) {
	if s.at == nil {
		s.at = map[*ratio.Instance][]float64{}
	}
	xs, seen := s.at[in]
	if !seen {
		s.order = append(s.order, in)
	}
	if !known || seen && xs == nil {
		s.at[in] = nil
	} else {
		s.at[in] = append(xs, x)
	}
}

// means are the means of the instances, in the order in which they came.
func (s *sample) means(mean func([]float64) float64) []float64 {
	var out []float64
	for _, in := range s.order {
		if xs := s.at[in]; xs != nil {
			out = append(out, mean(xs))
		}
	}
	return out
}

// quality compares the values of the pairs.
func quality(a *Algorithm, seed uint64) Quality {
	q := Quality{Warnings: []stats.Warning{}}
	var scaled, logs, baseGap, headGap sample
	var ends [4]sample // low and high ends of base's ratios, and of head's
	for _, p := range a.pairs {
		if p.found() {
			q.Found++
		}
		if worth(p.base) == nil || !p.lost() && worth(p.head) == nil || p.redefined() {
			continue
		}
		in := p.head.In
		d, log, quotient := p.move()
		if p.lost() {
			q.Lost++
		}
		if d > 0 && (q.Worst == nil || d > float64(q.Worst.Scaled)) {
			q.Worst = &Change{
				Instance: in.Name, SHA256: in.SHA256, Seed: p.head.Seed, UnitID: p.id, Base: *worth(p.base),
				Head: summary.Number(stats.Value(worth(p.head))), Scaled: summary.Number(d), Command: summary.Command(p.head.Record),
			}
		}
		scaled.add(in, d, true)
		logs.add(in, log, quotient)
		_, before := distance(p.problem, p.base)
		_, after := distance(p.problem, p.head)
		if p.lost() {
			after = math.Inf(1)
		}
		known := stats.IsFinite(before) && !math.IsNaN(after)
		baseGap.add(in, before, known)
		headGap.add(in, after, known)
		reference := p.problem.Reported[0]
		base, head := p.problem.Distance(p.base, reference), p.problem.Distance(p.head, reference)
		if p.lost() {
			head.RatioLo, head.RatioHi = math.Inf(1), math.Inf(1)
		}
		for i, x := range []float64{base.RatioLo, base.RatioHi, head.RatioLo, head.RatioHi} {
			ends[i].add(in, x, quotient && stats.IsFinite(base.RatioLo) && stats.IsFinite(base.RatioHi) &&
				!math.IsNaN(head.RatioLo) && !math.IsNaN(head.RatioHi))
		}
	}
	var shifts []float64
	for _, in := range scaled.order {
		if logs.at[in] == nil {
			shifts = append(shifts, stats.Mean(scaled.at[in]))
		}
	}
	t, changes := stats.ComparePaired(scaled.means(stats.Mean)), logs.means(stats.Mean)
	q.Instances, q.Better, q.Same, q.Worse = t.N, t.Win, t.Tie, t.Loss
	q.WilcoxonP = summary.Number(t.WilcoxonP)
	q.Quotients, q.Differences = len(changes), len(shifts)
	q.Change, q.Shift = summary.Number(math.Exp(stats.Mean(changes))), summary.Number(stats.Mean(shifts))
	q.ChangeCI, q.ShiftCI = ci(exp(summary.Bootstrap(seed).Mean(changes)[0])), ci(summary.Bootstrap(seed).Mean(shifts)[0])
	q.BaseGap = summary.Number(stats.Mean(baseGap.means(stats.Mean)))
	q.HeadGap = summary.Number(stats.Mean(headGap.means(stats.Mean)))
	q.Base, q.RatioInstances = span(seed, &ends[0], &ends[1])
	q.Head, _ = span(seed, &ends[2], &ends[3])
	q.Warnings = append(q.Warnings, stats.SampleWarnings(q.Instances, a.Instances)...)
	q.Warnings = append(q.Warnings, t.Warnings()...)
	return q
}

// distance is how far a unit's value is from the optimum of the problem's first reference: ratio − 1, or regret where that leads,
// to the best value known and to the best bound. NaN: it is not known.
func distance(p *ratio.Problem, u *ratio.Unit) (toValue, toBound float64) {
	d := p.Distance(u, p.Reported[0])
	if u.In.Comparison.ByRegret() {
		return d.DifferenceLo / d.Scale, d.DifferenceHi / d.Scale
	}
	return d.RatioLo - 1, d.RatioHi - 1
}

// move is the scaled difference of a pair's values, positive where head is worse, and the logarithm of their quotient, if they
// have one; both are infinite where head has lost its value.
func (p *pair) move() (scaled, log float64, quotient bool) {
	base := *worth(p.base)
	if p.lost() {
		return math.Inf(1), math.Inf(1), p.head.In.Comparison != models.Difference
	}
	head := *worth(p.head)
	sign := float64(p.problem.Sense)
	if p.head.Kind == string(models.Bound) {
		sign = -sign // a bound is worse the further from the values it lies
	}
	in := p.head.In
	if !in.Equal(base, head) {
		scaled = sign * (head - base) / max(math.Abs(base), math.Abs(head))
	}
	same := scaled == 0 && (in.Zero(base) || base > 0)
	quotient = same || base > 0 && head > 0 && !in.Zero(base) && !in.Zero(head)
	if quotient && !same {
		log = sign * math.Log(head/base)
	}
	return scaled, log, quotient && p.head.In.Comparison != models.Difference
}

// span is the geometric mean of the low and of the high ends of ratios, and of how many instances.
func span(seed uint64, lo, hi *sample) (s summary.Span, n int) {
	los, his := lo.means(stats.GeoMean), hi.means(stats.GeoMean)
	intervals := summary.Bootstrap(seed).Mean(stats.Logs(los), stats.Logs(his))
	return summary.Span{
		Lo: summary.Number(stats.GeoMean(los)), Hi: summary.Number(stats.GeoMean(his)),
		CILo: summary.Number(math.Exp(intervals[0].Lo)), CIHi: summary.Number(math.Exp(intervals[1].Hi)),
	}, len(los)
}

// worse reports whether values are worse for certain: by an interval, by the signed rank test, on three instances or more and
// better on none, or since a result is lost.
func (q *Quality) worse() bool {
	return q.Lost > 0 || (q.Change > 1+rounding || q.Shift > rounding) &&
		(q.ChangeCI.Lo > 1 || q.ShiftCI.Lo > 0 || q.WilcoxonP < stats.Significant || q.Worse >= fewest && q.Better == 0)
}

// better is the opposite of worse.
func (q *Quality) better() bool {
	return (q.Change < 1-rounding || q.Shift < -rounding) &&
		(q.ChangeCI.Hi < 1 || q.ShiftCI.Hi < 0 || q.WilcoxonP < stats.Significant || q.Better >= fewest && q.Worse == 0)
}

// fewest is how many instances a verdict takes when all of them agree.
const fewest = 3
