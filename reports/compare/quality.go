package compare

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"

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

	// BaseGap and HeadGap are means of ratio − 1, or of regret where that leads, at their high ends, over the instances that have them on
	// both sides: the growth that is certain, wherever an open optimum lies.
	BaseGap summary.Number `json:"base_gap"`
	HeadGap summary.Number `json:"head_gap"`

	// Paired tests of the scaled differences of all instances; both p-values are adjusted by Holm's method for the number of algorithms.
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

// moves are the changes of one instance, one a seed.
type moves struct {
	scaled, logs      []float64
	baseLo, baseHi    []float64
	headLo, headHi    []float64
	baseGap, headGap  []float64
	quotient, bounded bool
}

// quality compares the values of the pairs, which are grouped by instance.
func quality(a *Algorithm, rng *rand.Rand) Quality {
	q := Quality{
		Base: noSpan(), Head: noSpan(), Change: missing, Shift: missing, BaseGap: missing, HeadGap: missing, ChangeCI: ci(stats.NoInterval()), ShiftCI: ci(stats.NoInterval()),
		SignP: missing, WilcoxonP: missing, Warnings: []stats.Warning{},
	}
	var order []*ratio.Instance
	at := map[*ratio.Instance]*moves{}
	for _, p := range a.pairs {
		b, h := worth(p.base), worth(p.head)
		if b == nil || h == nil || p.redefined() {
			continue
		}
		in := p.head.In
		if at[in] == nil {
			at[in] = &moves{quotient: in.Comparison != models.Difference, bounded: true}
			order = append(order, in)
		}
		if d := at[in].add(p, *b, *h); d > 0 && (q.Worst == nil || d > q.Worst.Scaled) {
			q.Worst = &Change{
				Instance: in.Name, SHA256: in.SHA256, Seed: p.head.Seed, UnitID: strings.TrimPrefix(p.head.UnitID, headPrefix),
				Base: *b, Head: *h, Scaled: d, Command: summary.Command(p.head.Record),
			}
		}
	}
	var all, logs, shifts []float64
	var baseLo, baseHi, headLo, headHi, baseGap, headGap []float64
	for _, in := range order {
		m := at[in]
		d := stats.Mean(m.scaled)
		all = append(all, d)
		if m.quotient {
			logs = append(logs, stats.Mean(m.logs))
		} else {
			shifts = append(shifts, d)
		}
		if len(m.baseGap) == len(m.scaled) {
			baseGap, headGap = append(baseGap, stats.Mean(m.baseGap)), append(headGap, stats.Mean(m.headGap))
		}
		if m.bounded && m.quotient {
			baseLo, baseHi = append(baseLo, stats.GeoMean(m.baseLo)), append(baseHi, stats.GeoMean(m.baseHi))
			headLo, headHi = append(headLo, stats.GeoMean(m.headLo)), append(headHi, stats.GeoMean(m.headHi))
		}
	}
	t := stats.ComparePaired(all)
	q.Instances, q.Better, q.Same, q.Worse = t.N, t.Win, t.Tie, t.Loss
	q.SignP, q.WilcoxonP = summary.Number(t.SignP), summary.Number(t.WilcoxonP)
	q.Quotients, q.Differences, q.RatioInstances = len(logs), len(shifts), len(baseLo)
	q.Change, q.Shift = summary.Number(math.Exp(stats.Mean(logs))), summary.Number(stats.Mean(shifts))
	q.ChangeCI, q.ShiftCI = ci(exp(bootstrap.Mean(rng, logs)[0])), ci(bootstrap.Mean(rng, shifts)[0])
	q.BaseGap, q.HeadGap = summary.Number(stats.Mean(baseGap)), summary.Number(stats.Mean(headGap))
	q.Base, q.Head = span(rng, baseLo, baseHi), span(rng, headLo, headHi)
	q.Warnings = append(q.Warnings, stats.SampleWarnings(q.Instances, a.Instances)...)
	q.Warnings = append(q.Warnings, t.Warnings()...)
	return q
}

// add enters one pair of values and returns its scaled difference, positive where head is worse.
func (m *moves) add(p *pair, base, head float64) float64 {
	sign := float64(p.problem.Sense)
	if p.head.Kind == string(models.Bound) {
		sign = -sign // a bound is worse the further from the values it lies
	}
	scaled := 0.0
	if !ratio.Equal(base, head) {
		scaled = sign * (head - base) / max(math.Abs(base), math.Abs(head))
	}
	m.scaled = append(m.scaled, scaled)
	switch {
	case scaled == 0 && math.Abs(base) < ratio.Zero, scaled == 0 && base > 0:
		m.logs = append(m.logs, 0)
	case base >= ratio.Zero && head >= ratio.Zero:
		m.logs = append(m.logs, sign*math.Log(head/base))
	default:
		m.quotient = false
	}
	reference := p.problem.Reported[0]
	b, h := p.problem.Row(p.base, reference), p.problem.Row(p.head, reference)
	switch byRegret := p.head.In.Comparison.ByRegret(); {
	case byRegret && b.RegretHi != nil && h.RegretHi != nil:
		m.baseGap, m.headGap = append(m.baseGap, *b.RegretHi), append(m.headGap, *h.RegretHi)
	case !byRegret && b.RatioHi != nil && h.RatioHi != nil:
		m.baseGap, m.headGap = append(m.baseGap, *b.RatioHi-1), append(m.headGap, *h.RatioHi-1)
	}
	if !defined(b.RatioLo, b.RatioHi, h.RatioLo, h.RatioHi) {
		m.bounded = false
		return scaled
	}
	m.baseLo, m.baseHi = append(m.baseLo, *b.RatioLo), append(m.baseHi, *b.RatioHi)
	m.headLo, m.headHi = append(m.headLo, *h.RatioLo), append(m.headHi, *h.RatioHi)
	return scaled
}

// defined reports whether there are finite numbers.
func defined(xs ...*float64) bool {
	return !slices.ContainsFunc(xs, func(x *float64) bool { return x == nil || !finite(*x) })
}

// span is the geometric mean of the low and of the high ends of ratios.
func span(rng *rand.Rand, los, his []float64) summary.Span {
	intervals := bootstrap.Mean(rng, stats.Logs(los), stats.Logs(his))
	return summary.Span{
		Lo: summary.Number(stats.GeoMean(los)), Hi: summary.Number(stats.GeoMean(his)),
		CILo: summary.Number(math.Exp(intervals[0].Lo)), CIHi: summary.Number(math.Exp(intervals[1].Hi)),
	}
}

func noSpan() summary.Span {
	return summary.Span{Lo: missing, Hi: missing, CILo: missing, CIHi: missing}
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

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
