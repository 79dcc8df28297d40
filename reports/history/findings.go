package history

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"schedgap/reports/stats"
	"schedgap/reports/summary"
)

// A Finding is a step of a series, or values of different runs that contradict each other.
type Finding struct {
	Kind string `json:"kind"` // step or contradiction
	Key
	Worse bool `json:"worse"`
	// Run is the first run after a step, Before the commit of the one before.
	Run    string `json:"run"`
	Commit string `json:"commit"`
	Date   string `json:"date"`
	Before string `json:"commit_before"`
	// Unchanged: the program is the same before and after a step, which is not its doing.
	Unchanged bool `json:"unchanged_program"`
	// From and To are what the metric was and then is: a mean ratio, a mean difference relative to the largest value, a share, or
	// a mean time in seconds. Change is To over From less 1 for ratios and times, and To less From otherwise, with its 95 %
	// interval, null where there are too few instances for one.
	From   summary.Number `json:"from"`
	To     summary.Number `json:"to"`
	Change summary.Number `json:"change"`
	Low    summary.Number `json:"low"`
	High   summary.Number `json:"high"`
	// Exact: the values have no noise, so that any change counts, at once. Else P is how likely noise alone makes one as clear.
	Exact bool           `json:"exact"`
	P     summary.Number `json:"p"`
	// Changed are the instances that an exact step is on, of Instances.
	Changed   int `json:"changed"`
	Instances int `json:"instances"`
	// Recent: it came in the last few runs. Stands: at least half of it is still there in the last run.
	Recent bool   `json:"recent"`
	Stands bool   `json:"stands"`
	Text   string `json:"text"`

	run int // its number from 0
}

// wrong bounds how likely noise alone makes a step in any of the noisy series. Runs come night after night, and each is another
// chance.
const wrong = 0.001

// follow fills in the points of the series, and what is found in them.
func follow(list []*Series, runs []*Run, recent int, seed uint64) {
	type place struct {
		metric  Metric
		machine string
	}
	noise, noisySeries := map[place][][]float64{}, 0 // what disturbs one series of a machine disturbs the others likewise
	noisy := make([]course, len(list))               // of the units that are not steady
	for i, s := range list {
		noisy[i] = s.describe(runs)
		k := place{s.Metric, s.Machine}
		noise[k] = append(noise[k], noisy[i].effects)
		noisySeries += min(1, len(noisy[i].effects))
	}
	for i, s := range list {
		correlation := stats.Correlation(noise[place{s.Metric, s.Machine}]...)
		for _, step := range stats.FindSteps(noisy[i].effects, correlation, wrong/float64(noisySeries)) {
			s.findings = append(s.findings, s.found(step, noisy[i], runs))
		}
		s.findings = append(s.findings, s.exact(runs, seed)...)
		slices.SortStableFunc(s.findings, func(a, b Finding) int { return cmp.Compare(a.run, b.run) })
		for k := range s.findings {
			f := &s.findings[k]
			f.Recent = f.run >= len(runs)-recent
			f.Text = f.words()
		}
	}
}

// describe fills in what a series has without its findings, and returns the course of its noisy units.
func (s *Series) describe(runs []*Run) (noisy course) {
	names := map[string]bool{}
	for _, name := range s.units {
		names[name] = true
	}
	s.Instances = len(names)
	whole := fit(s.values)
	if s.Metric == Time {
		s.Adjusted = whole.adjust(runs)
		noisy = whole
	} else {
		noisy = fit(slices.DeleteFunc(slices.Clone(s.values), func(xs []float64) bool { return steady(xs, runs) }))
	}
	for k, run := range whole.runs {
		s.Points = append(s.Points, Point{runs[run].ID, runs[run].Commit, s.show(whole.level + whole.effects[k]), run})
	}
	return noisy
}

// equal are two values that differ by rounding only.
func equal(a, b float64) bool { return math.Abs(a-b) <= 1e-9 }

// steady reports whether a unit's values are those of a deterministic program: changed by few versions, and not again and again
// without one. Others, such as those of searches that end with their time, have noise.
func steady(xs []float64, runs []*Run) bool {
	last, changes, alone, known := -1, 0, 0, 0
	for run, x := range xs {
		if math.IsNaN(x) {
			continue
		}
		known++
		if last >= 0 && !equal(x, xs[last]) {
			changes++
			if runs[run].same(runs[last]) {
				alone++
			}
		}
		last = run
	}
	return alone <= 1 && changes <= max(2, known/5)
}

// show turns a value of a series into what readers know.
func (s *Series) show(x float64) summary.Number {
	switch s.Metric {
	case Ratio:
		return summary.Number(math.Exp(x))
	case Time:
		return summary.Number(max(0, math.Exp(x)-timeShift))
	}
	return summary.Number(x)
}

// finding is a step between two values of a series, with the interval of their difference.
func (s *Series) finding(before, now int, runs []*Run, from, to float64, interval stats.Interval) Finding {
	change := func(x float64) summary.Number {
		if s.Metric == Ratio || s.Metric == Time {
			return summary.Number(math.Expm1(x))
		}
		return summary.Number(x)
	}
	return Finding{
		Kind: "step", Key: s.Key, Run: runs[now].ID, Commit: runs[now].Commit, Date: runs[now].date(), Before: runs[before].Commit,
		Unchanged: runs[now].same(runs[before]), From: s.show(from), To: s.show(to), Change: change(to - from),
		Low: change(interval.Lo), High: change(interval.Hi), Worse: to != from && to > from == (s.Metric != Proofs),
		Instances: s.Instances, P: summary.Missing, run: now,
	}
}

// found is a step of the units with noise.
func (s *Series) found(step stats.Step, c course, runs []*Run) Finding {
	f := s.finding(c.runs[step.At-1], c.runs[step.At], runs, c.level+step.Before, c.level+step.After, step.Interval)
	f.P = summary.Number(step.P)
	last := stats.Median(c.effects[len(c.effects)-3:])
	f.Stands = math.Abs(last-step.Before) >= math.Abs(step.After-step.Before)/2
	return f
}

// exact are the changes of steady units, each at the first run that has it. A unit that a run lacks counts as it was.
func (s *Series) exact(runs []*Run, seed uint64) []Finding {
	if s.Metric == Time {
		return nil
	}
	var units []int
	for i, xs := range s.values {
		if steady(xs, runs) {
			units = append(units, i)
		}
	}
	last := slices.Repeat([]float64{math.NaN()}, len(s.values))
	var out []Finding
	var sizes []float64 // of the findings
	before := -1
	for run := range runs {
		changes := map[string][]float64{} // by instance
		known, was, sum, here, changed := 0.0, 0.0, 0.0, false, map[string]bool{}
		for _, i := range units {
			x := s.values[i][run]
			if math.IsNaN(x) {
				x = last[i]
			} else {
				here = true
			}
			if !math.IsNaN(last[i]) {
				d := 0.0
				if !equal(x, last[i]) {
					d, changed[s.units[i]] = x-last[i], true
				}
				known, was, sum = known+1, was+last[i], sum+d
				changes[s.units[i]] = append(changes[s.units[i]], d)
			}
			last[i] = x
		}
		if len(changed) > 0 {
			var means []float64
			for _, instance := range slices.Sorted(maps.Keys(changes)) {
				means = append(means, stats.Mean(changes[instance]))
			}
			interval := summary.Bootstrap.Mean(stats.NewResampler(uint32(seed), uint32(seed>>32), uint32(run)), means)[0]
			f := s.finding(before, run, runs, was/known, (was+sum)/known, interval)
			f.Exact, f.Changed, f.Instances = true, len(changed), len(changes)
			out, sizes = append(out, f), append(sizes, sum/known)
		}
		if here {
			before = run
		}
	}
	since := 0.0 // of a finding on
	for i := len(out) - 1; i >= 0; i-- {
		since += sizes[i]
		out[i].Stands = math.Abs(since) >= math.Abs(sizes[i])/2 && (since > 0) == (sizes[i] > 0)
	}
	return out
}
