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
	Kind      string `json:"kind"` // step or contradiction
	Problem   string `json:"problem"`
	Algorithm string `json:"algorithm"`
	Metric    Metric `json:"metric"`
	Machine   string `json:"machine,omitempty"` // of times
	Worse     bool   `json:"worse"`
	// Run is the first run after a step, Before the commit of the one before.
	Run    string `json:"run"`
	Commit string `json:"commit"`
	Date   string `json:"date"`
	Before string `json:"commit_before"`
	// Unchanged: the program is the same before and after a step, which is not its doing.
	Unchanged bool `json:"unchanged_program"`
	// From and To are what the metric was and then is: a mean ratio, a mean difference relative to the largest value, a share, or
	// a mean time in seconds. Change is To over From less 1 for ratios and times, and To less From otherwise, with its 95 % interval, null
	// where there are too few instances for one.
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

// missing is the number that there is not.
var missing = summary.Number(math.NaN())

// wrong bounds how likely noise alone makes a step in any of the noisy series. Runs come night after night, and each is another chance.
const wrong = 0.001

var bootstrap = stats.Bootstrap{Draws: 1000, Level: 0.95}

// A Series is a metric of an algorithm over the runs.
type Series struct {
	Problem   string  `json:"problem"`
	Algorithm string  `json:"algorithm"`
	Metric    Metric  `json:"metric"`
	Machine   string  `json:"machine,omitempty"`
	Instances int     `json:"instances"`
	Points    []Point `json:"points"`
	// Adjusted: the machine's speed is taken out of times.
	Adjusted bool `json:"adjusted,omitempty"`

	table    *table
	course   course // of all units
	noisy    course // of those that are not steady, in which changes are looked for
	findings []Finding
}

// A Point is what the mean over all instances is, or would be, in a run.
type Point struct {
	Run    string         `json:"run"`
	Commit string         `json:"commit"`
	Value  summary.Number `json:"value"`

	run int
}

// follow makes the series of the tables with what is found in them.
func follow(tables []*table, runs []*Run, recent int, seed uint64) []*Series {
	list := make([]*Series, len(tables))
	for i, t := range tables {
		list[i] = t.series(runs)
	}
	type place struct {
		metric  Metric
		machine string
	}
	noise, noisySeries := map[place][][]float64{}, 0 // what disturbs one series of a machine disturbs the others likewise
	for _, s := range list {
		k := place{s.Metric, s.Machine}
		noise[k] = append(noise[k], s.noisy.effects)
		noisySeries += min(1, len(s.noisy.effects))
	}
	for _, s := range list {
		correlation := stats.Correlation(noise[place{s.Metric, s.Machine}]...)
		for _, step := range stats.FindSteps(s.noisy.effects, correlation, wrong/float64(noisySeries)) {
			s.findings = append(s.findings, s.found(step, runs))
		}
		s.findings = append(s.findings, s.steps(runs, seed)...)
		slices.SortStableFunc(s.findings, func(a, b Finding) int { return cmp.Compare(a.run, b.run) })
		for i := range s.findings {
			f := &s.findings[i]
			f.Recent = f.run >= len(runs)-recent
			f.Text = f.words()
		}
	}
	return list
}

// series is a table's course, without what is found in it.
func (t *table) series(runs []*Run) *Series {
	s := &Series{Problem: t.problem, Algorithm: t.algorithm, Metric: t.metric, Machine: t.machine, Instances: distinct(t.units), table: t}
	s.course = fit(t.values)
	var noisy [][]float64
	for _, xs := range t.values {
		if t.metric == Time || !steady(xs, runs) {
			noisy = append(noisy, xs)
		}
	}
	switch {
	case t.metric == Time:
		s.Adjusted = s.course.adjust(runs)
		s.noisy = s.course
	case len(noisy) > 0:
		s.noisy = fit(noisy)
	}
	for k, run := range s.course.runs {
		r := runs[run]
		s.Points = append(s.Points, Point{r.ID, r.Commit, t.show(s.course.level + s.course.effects[k]), run})
	}
	return s
}

// adjust takes the machine's speed out of the logarithms of times, as the reference unit tells it, where all runs have it and the
// series has less noise without.
func (c *course) adjust(runs []*Run) bool {
	adjusted := slices.Clone(c.effects)
	mean := 0.0
	for k, run := range c.runs {
		if !runs[run].MachineSeconds.Known() {
			return false
		}
		speed := math.Log(float64(runs[run].MachineSeconds))
		adjusted[k] -= speed
		mean += speed / float64(len(c.runs))
	}
	for k := range adjusted {
		adjusted[k] += mean
	}
	if !(stats.Noise(adjusted) < stats.Noise(c.effects)) {
		return false
	}
	c.effects = adjusted
	return true
}

// show turns a value of a table into what readers know.
func (t *table) show(x float64) summary.Number {
	switch t.metric {
	case Ratio:
		return summary.Number(math.Exp(x))
	case Time:
		return summary.Number(max(0, math.Exp(x)-timeShift))
	}
	return summary.Number(x)
}

// change is the difference between two values of a table as readers know it.
func (t *table) change(x float64) summary.Number {
	if t.metric == Ratio || t.metric == Time {
		return summary.Number(math.Expm1(x))
	}
	return summary.Number(x)
}

// found is a step of the units with noise.
func (s *Series) found(c stats.Step, runs []*Run) Finding {
	t, course := s.table, s.noisy
	f := s.finding(course.runs[c.At], runs)
	f.after(runs[course.runs[c.At-1]], runs[course.runs[c.At]])
	size := c.After - c.Before
	f.From, f.To = t.show(course.level+c.Before), t.show(course.level+c.After)
	f.Change, f.Low, f.High = t.change(size), t.change(c.Interval.Lo), t.change(c.Interval.Hi)
	f.P = summary.Number(c.P)
	f.Worse = size > 0 == (s.Metric != Proofs)
	last := course.effects[len(course.effects)-3:]
	f.Stands = math.Abs(stats.Median(last)-c.Before) >= math.Abs(size)/2
	return f
}

// steps are the changes of steady units, each at the first run that has it. A unit that a run lacks counts as it was.
func (s *Series) steps(runs []*Run, seed uint64) []Finding {
	if s.Metric == Time {
		return nil
	}
	t := s.table
	var values [][]float64
	var instances []string
	for i, xs := range t.values {
		if steady(xs, runs) {
			values, instances = append(values, xs), append(instances, t.units[i])
		}
	}
	last := slices.Repeat([]float64{math.NaN()}, len(values))
	var out []Finding
	var sizes []float64 // of the findings
	before := -1
	for run := range runs {
		changes := map[string][]float64{} // by instance
		known, was, sum, here := 0.0, 0.0, 0.0, false
		for i, xs := range values {
			x := xs[run]
			if math.IsNaN(x) {
				x = last[i]
			} else {
				here = true
			}
			if !math.IsNaN(last[i]) {
				d := x - last[i]
				if equal(x, last[i]) {
					d = 0
				}
				known, was, sum = known+1, was+last[i], sum+d
				changes[instances[i]] = append(changes[instances[i]], d)
			}
			last[i] = x
		}
		means, changed := means(changes)
		if changed > 0 {
			f := s.finding(run, runs)
			f.after(runs[before], runs[run])
			f.Exact, f.Changed, f.Instances = true, changed, len(changes)
			f.From, f.To, f.Change = t.show(was/known), t.show((was+sum)/known), t.change(sum/known)
			interval := bootstrap.Mean(stats.NewResampler(uint32(seed), uint32(seed>>32), uint32(run)), means)[0]
			f.Low, f.High = t.change(interval.Lo), t.change(interval.Hi)
			f.Worse = sum > 0 == (s.Metric != Proofs) && sum != 0
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

// means are the mean changes of the instances, and how many of them have any.
func means(changes map[string][]float64) (list []float64, changed int) {
	for _, instance := range slices.Sorted(maps.Keys(changes)) {
		ds := changes[instance]
		list = append(list, stats.Mean(ds))
		if slices.ContainsFunc(ds, func(d float64) bool { return d != 0 }) {
			changed++
		}
	}
	return list, changed
}

// after says which run was before a step.
func (f *Finding) after(before, now *Run) { f.Before, f.Unchanged = before.Commit, now.same(before) }

// distinct is how many different names there are.
func distinct(names []string) int {
	seen := map[string]bool{}
	for _, name := range names {
		seen[name] = true
	}
	return len(seen)
}

func (s *Series) finding(run int, runs []*Run) Finding {
	r := runs[run]
	return Finding{
		Kind: "step", Problem: s.Problem, Algorithm: s.Algorithm, Metric: s.Metric, Machine: s.Machine, Run: r.ID, Commit: r.Commit,
		Date: r.date(), Instances: s.Instances, P: missing, run: run,
	}
}
