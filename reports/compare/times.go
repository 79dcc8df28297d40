package compare

import (
	"math"
	"math/rand/v2"

	"schedgap/bench"
	"schedgap/reports/ratio"
	"schedgap/reports/stats"
	"schedgap/reports/summary"
)

// timeShift is added to both times before they are compared, in seconds: what takes much less than a millisecond is timer
// and cache, and twenty per cent of it is nothing to anybody.
const timeShift = 1e-3

// speedTolerance is the factor by which the reference unit may be slower in head without a remark.
const speedTolerance = 1.1

// Time is how the wall times of an algorithm changed. A unit that ran to its end on one side only is compared at its limit,
// so its change is understated; units that did on neither are left out. Several seeds are aggregated first.
type Time struct {
	Instances int `json:"instances"`
	Unended   int `json:"unended"`   // matched units that ran to their end on neither side, or failed
	Elsewhere int `json:"elsewhere"` // matched units on another kind of processor than before

	BaseMedian   summary.Number `json:"base_median_seconds"`
	BaseMedianCI CI             `json:"base_median_ci"`
	HeadMedian   summary.Number `json:"head_median_seconds"`
	HeadMedianCI CI             `json:"head_median_ci"`

	// Change is the geometric mean of (head + 1 ms)/(base + 1 ms) with its paired bootstrap 95 % interval, Median the median of
	// these quotients with the interval between order statistics. Above 1: head is slower.
	Change   summary.Number `json:"change"`
	ChangeCI CI             `json:"change_ci"`
	Median   summary.Number `json:"median_change"`
	MedianCI CI             `json:"median_change_ci"`
	// CPUChange is Change of the processor times, over the instances where both sides have them. Other processes on the machine
	// stretch wall times much more than these, so verdicts go by these where all instances have them.
	CPUChange   summary.Number `json:"cpu_change"`
	CPUChangeCI CI             `json:"cpu_change_ci"`
	CPUs        int            `json:"cpu_instances"`
	// Least is the smallest quotient, which stands in for the interval where the instances are too few for one.
	Least summary.Number `json:"least_change"`
	// Machine is by what factor the machine itself was slower in head, 1 where it was not or nobody measured.
	Machine float64 `json:"machine"`

	SignP     summary.Number  `json:"sign_p"`
	WilcoxonP summary.Number  `json:"wilcoxon_p"` // adjusted as in Quality
	Warnings  []stats.Warning `json:"warnings"`

	// Verdict is slower or faster by more than the gate's threshold (20 % where the gate is off), similar, or not enough samples,
	// where the intervals allow none of these.
	Verdict Verdict `json:"verdict"`
	Rounds  int     `json:"rounds"` // how often the units were run on both sides
}

// A Verdict says in words how times changed.
type Verdict string

const (
	Slower    Verdict = "slower"
	Faster    Verdict = "faster"
	Similar   Verdict = "similar"
	NotEnough Verdict = "not enough samples"
)

// A change is the logarithms of head over base of an algorithm's wall or processor times.
type change struct {
	sample             // the medians of the rounds
	rounds [][]float64 // by round and unit
}

// add enters a unit's quotients, one a round in which both sides have the time.
func (c *change) add(in *ratio.Instance, rounds [][2]*ratio.Record, of func(r *ratio.Record) *float64) {
	var logs []float64
	for k, r := range rounds {
		for len(c.rounds) <= k { // a round that the unit is not in keeps its place for the others
			c.rounds = append(c.rounds, nil)
		}
		if r[0] == nil {
			continue
		}
		if b, h := stats.Value(of(r[0])), stats.Value(of(r[1])); stats.IsFinite(b) && stats.IsFinite(h) {
			log := math.Log((h + timeShift) / (b + timeShift))
			logs, c.rounds[k] = append(logs, log), append(c.rounds[k], log)
		}
	}
	if len(logs) > 0 {
		c.sample.add(in, stats.Median(logs), true)
	}
}

// mean is the geometric mean over the instances with its bootstrap interval, which is widened to that of the rounds' means by
// Student's t: what happens to all units of a round tells nothing of the algorithm.
func (c *change) mean(rng *rand.Rand) (summary.Number, CI) {
	logs := c.means(stats.Mean)
	interval := summary.Bootstrap.Mean(rng, logs)[0]
	var means []float64
	for _, r := range c.rounds {
		if len(r) > 0 {
			means = append(means, stats.Mean(r))
		}
	}
	interval = interval.Union(stats.MeanT(means, summary.Bootstrap.Level)) // there is none of a single round
	return summary.Number(math.Exp(stats.Mean(logs))), ci(exp(interval))
}

// rounds are the unit's records on both sides by round, nil in one where it did not end as in the first.
func (p *pair) rounds(again map[string][][2]*ratio.Record) [][2]*ratio.Record {
	all := [][2]*ratio.Record{{p.base.Record, p.head.Record}}
	for _, r := range again[p.id] {
		if b, h := r[0], r[1]; b == nil || h == nil || b.Status != p.base.Status || h.Status != p.head.Status {
			r = [2]*ratio.Record{}
		}
		all = append(all, r)
	}
	return all
}

func times(pairs []*pair, again map[string][][2]*ratio.Record, machine float64, rng *rand.Rand) Time {
	t := Time{Machine: machine, Warnings: []stats.Warning{}}
	var wall, cpu change
	var base, head sample
	all := map[*ratio.Instance]bool{}
	for _, p := range pairs {
		all[p.head.In] = true
		b, h := p.base, p.head
		if b.CPUModel != h.CPUModel || b.NCPUs != h.NCPUs {
			t.Elsewhere++
			continue
		}
		endB, ranB := ran(b)
		endH, ranH := ran(h)
		if !ranB || !ranH || !endB && !endH {
			t.Unended++
			continue
		}
		base.add(h.In, *b.WallSeconds, true)
		head.add(h.In, *h.WallSeconds, true)
		records := p.rounds(again)
		wall.add(h.In, records, func(r *ratio.Record) *float64 { return r.WallSeconds })
		cpu.add(h.In, records, func(r *ratio.Record) *float64 { return r.CPUSeconds })
	}
	logs := wall.means(stats.Mean)
	t.Instances, t.CPUs = len(logs), len(cpu.order)
	t.BaseMedian, t.BaseMedianCI = median(base.means(stats.Mean))
	t.HeadMedian, t.HeadMedianCI = median(head.means(stats.Mean))
	t.Change, t.ChangeCI = wall.mean(rng)
	t.CPUChange, t.CPUChangeCI = cpu.mean(rng)
	t.Median, t.MedianCI = summary.Number(math.Exp(stats.Median(logs))), ci(exp(stats.MedianInterval(logs, summary.Bootstrap.Level)))
	t.Least = summary.Missing
	for _, l := range logs {
		if q := summary.Number(math.Exp(l)); !(q >= t.Least) {
			t.Least = q
		}
	}
	test := stats.ComparePaired(logs)
	t.SignP, t.WilcoxonP = summary.Number(test.SignP), summary.Number(test.WilcoxonP)
	t.Warnings = append(t.Warnings, stats.SampleWarnings(t.Instances, len(all))...)
	return t
}

func median(xs []float64) (summary.Number, CI) {
	return summary.Number(stats.Median(xs)), ci(stats.MedianInterval(xs, summary.Bootstrap.Level))
}

// ran reports whether a unit ran at all so that its time means something, and whether to its end.
func ran(u *ratio.Unit) (ended, ran bool) {
	if u.WallSeconds == nil || !stats.IsFinite(*u.WallSeconds) || *u.WallSeconds < 0 {
		return false, false
	}
	switch bench.Status(u.Status) {
	case bench.Optimal, bench.Feasible, bench.Infeasible:
		return true, true
	case bench.Timeout:
		return false, true
	}
	return false, false
}

// slower is the factor by which the machine was slower in head, at least 1.
func slower(base, head float64) float64 {
	if base > 0 && head > base {
		return head / base
	}
	return 1
}
