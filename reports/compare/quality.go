package compare

import (
	"math"
	"math/rand/v2"
	"slices"

	"schedgap/models"
	"schedgap/reports/ratio"
	"schedgap/reports/stats"
	"schedgap/reports/summary"
)

// Quality is how the values of an algorithm changed on the instances that it solved on both sides: objectives, or of a
// bounding algorithm its bounds. Several seeds are aggregated first, so that every instance counts once.
type Quality struct {
	Instances int `json:"instances"`
	Better    int `json:"better"` // beyond 1e-9, relatively
	Same      int `json:"same"`
	Worse     int `json:"worse"`

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

	// Paired tests of the scaled differences of all instances; both p-values are adjusted by Holm's method for the number of
	// algorithms.
	SignP     summary.Number `json:"sign_p"`
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
	Instance string  `json:"instance"`
	SHA256   string  `json:"instance_sha256"`
	Seed     int64   `json:"seed"`
	UnitID   string  `json:"unit_id"`
	Base     float64 `json:"base"`
	Head     float64 `json:"head"`
	// Scaled is (head − base)/max(|head|, |base|), positive where head is worse.
	Scaled  float64 `json:"scaled"`
	Command string  `json:"command"`
}

// quality compares the values of the pairs.
func quality(a *Algorithm, rng *rand.Rand) Quality {
	q := Quality{Warnings: []stats.Warning{}}
	var scaled, logs, baseGap, headGap sample
	var ends [4]sample // low and high ends of base's ratios, and of head's
	for _, p := range a.pairs {
		b, h := worth(p.base), worth(p.head)
		if b == nil || h == nil || p.redefined() {
			continue
		}
		in := p.head.In
		d, log, quotient := p.move(*b, *h)
		if d > 0 && (q.Worst == nil || d > q.Worst.Scaled) {
			q.Worst = &Change{
				Instance: in.Name, SHA256: in.SHA256, Seed: p.head.Seed, UnitID: p.id,
				Base: *b, Head: *h, Scaled: d, Command: summary.Command(p.head.Record),
			}
		}
		scaled.add(in, d, true)
		logs.add(in, log, quotient)
		reference := p.problem.Reported[0]
		base, head := p.problem.Distance(p.base, reference), p.problem.Distance(p.head, reference)
		baseRatio, headRatio := base.RatioHi-1, head.RatioHi-1
		if in.Comparison.ByRegret() {
			baseRatio, headRatio = base.DifferenceHi/base.Scale, head.DifferenceHi/head.Scale
		}
		known := !math.IsNaN(baseRatio) && !math.IsNaN(headRatio)
		baseGap.add(in, baseRatio, known)
		headGap.add(in, headRatio, known)
		four := []float64{base.RatioLo, base.RatioHi, head.RatioLo, head.RatioHi}
		for i, x := range four {
			ends[i].add(in, x, quotient && !slices.ContainsFunc(four, func(x float64) bool { return !stats.IsFinite(x) }))
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
	q.SignP, q.WilcoxonP = summary.Number(t.SignP), summary.Number(t.WilcoxonP)
	q.Quotients, q.Differences = len(changes), len(shifts)
	q.Change, q.Shift = summary.Number(math.Exp(stats.Mean(changes))), summary.Number(stats.Mean(shifts))
	q.ChangeCI, q.ShiftCI = ci(exp(summary.Bootstrap.Mean(rng, changes)[0])), ci(summary.Bootstrap.Mean(rng, shifts)[0])
	q.BaseGap, q.HeadGap = summary.Number(baseGap.mean()), summary.Number(headGap.mean())
	q.Base, q.RatioInstances = span(rng, &ends[0], &ends[1])
	q.Head, _ = span(rng, &ends[2], &ends[3])
	q.Warnings = append(q.Warnings, stats.SampleWarnings(q.Instances, a.Instances)...)
	q.Warnings = append(q.Warnings, t.Warnings()...)
	return q
}

// move is the scaled difference of a pair's values, positive where head is worse, and the logarithm of their quotient, if they
// have one.
func (p *pair) move(base, head float64) (scaled, log float64, quotient bool) {
	sign := float64(p.problem.Sense)
	if p.head.Kind == string(models.Bound) {
		sign = -sign // a bound is worse the further from the values it lies
	}
	if !ratio.Equal(base, head) {
		scaled = sign * (head - base) / max(math.Abs(base), math.Abs(head))
	}
	same := scaled == 0 && (math.Abs(base) < ratio.Zero || base > 0)
	if quotient = same || base >= ratio.Zero && head >= ratio.Zero; quotient && !same {
		log = sign * math.Log(head/base)
	}
	return scaled, log, quotient && p.head.In.Comparison != models.Difference
}

// span is the geometric mean of the low and of the high ends of ratios, and of how many instances.
func span(rng *rand.Rand, lo, hi *sample) (s summary.Span, n int) {
	los, his := lo.means(stats.GeoMean), hi.means(stats.GeoMean)
	intervals := summary.Bootstrap.Mean(rng, stats.Logs(los), stats.Logs(his))
	return summary.Span{
		Lo: summary.Number(stats.GeoMean(los)), Hi: summary.Number(stats.GeoMean(his)),
		CILo: summary.Number(math.Exp(intervals[0].Lo)), CIHi: summary.Number(math.Exp(intervals[1].Hi)),
	}, len(los)
}

// adjust corrects the tests of each family for their number.
func adjust(algorithms []Algorithm) {
	for _, of := range []func(a *Algorithm) *summary.Number{
		func(a *Algorithm) *summary.Number { return &a.Quality.SignP },
		func(a *Algorithm) *summary.Number { return &a.Time.SignP },
		func(a *Algorithm) *summary.Number { return &a.Quality.WilcoxonP },
		func(a *Algorithm) *summary.Number { return &a.Time.WilcoxonP },
	} {
		ps := make([]float64, len(algorithms))
		for i := range algorithms {
			ps[i] = float64(*of(&algorithms[i]))
		}
		for i, p := range stats.Holm(ps) {
			*of(&algorithms[i]) = summary.Number(p)
		}
	}
}
