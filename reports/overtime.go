package reports

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"schedgap/reports/anytime"
	"schedgap/reports/plots"
	"schedgap/reports/stats"
	"schedgap/reports/summary"
)

const (
	// leastGap is the smallest gap that a logarithmic axis of gaps shows; what is smaller is drawn there.
	leastGap = 1e-4
	// fixedTarget is the primal gap of the fixed-target profile.
	fixedTarget = 0.01
	// ofTheWay is how much of the way from the first value to the optimum a data profile asks for.
	ofTheWay = 0.99
)

// overTime draws, for the problem's first reference, how gaps closed over time, their integrals, and how fast targets were
// reached.
func (a *artist) overTime(v *summary.View) {
	var list []*summary.Anytime
	for i := range a.problem.OverTime {
		if row := &a.problem.OverTime[i]; row.Reference == v.Reference {
			list = append(list, row)
		}
	}
	if len(list) == 0 || v != a.problem.Views[0] || v.Reference != a.problem.References[0].Name {
		return
	}
	a.gaps(v, list)
	a.integrals(v, list)
	a.targets(v, list)
	a.progress(v, list)
}

func (a *artist) styleOf(row *summary.Anytime) plots.Style {
	return plots.Style{Index: a.problem.Styles[row.Variant], Marked: row.Mark != ""}
}

const openNote = " Where the optimum is not proven, the line takes the best proven bound for it, or of bounds the best value, " +
	"and the band reaches to the other."

// curve is the mean of gap functions as a line, in percent, with the other ends as its edge: from 100 % at the second from to the
// second until.
func (a *artist) curve(row *summary.Anytime, label string, from, until float64, los, his []anytime.Gap) plots.Line {
	lo, hi := anytime.Mean(los), anytime.Mean(his)
	line := plots.Line{Label: label, Style: a.styleOf(row), X: []float64{from}, Y: []float64{100}, Edge: []float64{100}}
	open := false
	add := func(x, l, h float64) { // a corner, and the step from it
		n := len(line.X) - 1
		l, h = 100*max(leastGap, l), 100*max(leastGap, h)
		line.X, line.Y, line.Edge = append(line.X, x, x), append(line.Y, line.Y[n], h), append(line.Edge, line.Edge[n], l)
		open = open || h-l > 1e-9
	}
	for _, x := range stats.Thin(slices.Compact(slices.Sorted(slices.Values(slices.Concat(hi.X, lo.X)))), steps) {
		if x < until {
			add(max(x, shortest), lo.At(x), hi.At(x))
		}
	}
	add(until, lo.At(until), hi.At(until))
	if !open {
		line.Edge = nil
	}
	return line
}

func (a *artist) gaps(v *summary.View, list []*summary.Anytime) {
	type kind struct {
		row    *summary.Anytime
		label  string
		dual   bool
		lo, hi []anytime.Gap
	}
	var kinds []kind
	var n []string
	from := math.Inf(1)
	for _, row := range list {
		primal, dual := kind{row: row, label: row.Label}, kind{row: row, label: row.Label + ", bound", dual: true}
		for i := range row.Traces {
			t := &row.Traces[i]
			primal.lo, primal.hi = append(primal.lo, t.Primal.Lo), append(primal.hi, t.Primal.Hi)
			dual.lo, dual.hi = append(dual.lo, t.Dual.Lo), append(dual.hi, t.Dual.Hi)
			for _, points := range [][]anytime.Point{t.Values, t.Bounds} {
				if len(points) > 0 {
					from = min(from, max(points[0].Seconds, shortest))
				}
			}
		}
		if row.PrimalHi.Known() {
			kinds = append(kinds, primal)
		}
		if row.DualHi.Known() {
			kinds = append(kinds, dual)
		}
		n = append(n, fmt.Sprintf("%s %d", row.Label, row.Units))
	}
	if until := float64(list[0].Horizon); from > until {
		return
	}
	var lines []plots.Line
	for _, k := range kinds {
		line := a.curve(k.row, k.label, from, float64(k.row.Horizon), k.lo, k.hi)
		line.Thin = k.dual
		lines = append(lines, line)
	}
	title := fmt.Sprintf("%s: gap to %s over time", a.problem.Name, v.Reference)
	f := plots.Lines(plots.Frame{Title: title, X: bare("wall time", plots.Seconds), Y: bare("mean gap, percent", plots.Log)}, lines)
	a.addTimed(v, f, title, fmt.Sprintf("Mean over units of the gap between what an algorithm had and %s, by wall time: its best "+
		"value (solid), and its best bound (thin and dashed). A gap is |x − y| / max(|x|, |y|), 100 %% before anything is known "+
		"(Berthold 2013); less than %g %% is drawn as that. Units: %s.%s",
		v.Reference, 100*leastGap, strings.Join(n, ", "), openNote), "over-time")
}

// integrals draws the mean gap over the time until the horizon, by instance.
func (a *artist) integrals(v *summary.View, list []*summary.Anytime) {
	var out []plots.Strip
	add := func(row *summary.Anytime, label string, ends func(t *summary.Trace) summary.Ends, mean summary.Number) {
		if !mean.Known() {
			return
		}
		strip := plots.Strip{
			Label: label, Style: a.styleOf(row), Mean: float64(mean / row.Horizon), CILo: none, CIHi: none,
			Worst: math.Inf(-1),
		}
		for i := range row.Traces {
			t := &row.Traces[i]
			lo, hi := ends(t).Lo.Integral(float64(row.Horizon)), ends(t).Hi.Integral(float64(row.Horizon))
			strip.Lo, strip.Hi = append(strip.Lo, lo/float64(row.Horizon)), append(strip.Hi, hi/float64(row.Horizon))
			if share := hi / float64(row.Horizon); share > strip.Worst {
				strip.Worst, strip.Name = share, t.In.Name
			}
		}
		if step := (len(strip.Hi) + maxDots - 1) / maxDots; step > 1 {
			strip.Lo, strip.Hi = every(strip.Lo, step), every(strip.Hi, step)
		}
		out = append(out, strip)
	}
	byPrimal := slices.Clone(list)
	slices.SortStableFunc(byPrimal, func(x, y *summary.Anytime) int { return cmp.Compare(x.PrimalHi, y.PrimalHi) })
	for _, row := range byPrimal {
		add(row, row.Label, func(t *summary.Trace) summary.Ends { return t.Primal }, row.PrimalHi)
	}
	for _, row := range byPrimal {
		add(row, row.Label+", bound", func(t *summary.Trace) summary.Ends { return t.Dual }, row.DualHi)
	}
	if len(out) == 0 {
		return
	}
	horizon := list[0].Horizon
	title := fmt.Sprintf("%s: primal and dual integrals, to %s", a.problem.Name, v.Reference)
	x := bare(fmt.Sprintf("mean gap over the first %g s", float64(horizon)), plots.Auto)
	f := plots.Strips(plots.Frame{Title: title, X: x, Y: bare("", plots.Auto)}, out)
	a.addTimed(v, f, title, fmt.Sprintf("The integral of the gap over the first %g s, divided by these: a dot a unit, a bar from "+
		"the low to the high end where the optimum is not proven; a tick at the mean of the high ends; the worst instance by name. "+
		"Values first, then bounds.", float64(horizon)), "integrals")
}

func every(xs []float64, step int) []float64 {
	var out []float64
	for i := 0; i < len(xs); i += step {
		out = append(out, xs[i])
	}
	return out
}

// profileLines are the shares of units that reach something by a time, at the high end as lines and at the low end as edges.
func (a *artist) profileLines(list []*summary.Anytime, reach func(t *summary.Trace) (lo, hi float64)) []plots.Line {
	var lines []plots.Line
	for _, row := range list {
		if !row.PrimalHi.Known() {
			continue
		}
		s := series{Variant: &row.Variant}
		for i := range row.Traces {
			lo, hi := reach(&row.Traces[i])
			s.los, s.his = append(s.los, max(lo, shortest)), append(s.his, max(hi, shortest)) // NaN stays NaN
			s.open = s.open || lo != hi && !(math.IsNaN(lo) && math.IsNaN(hi))
		}
		if line := a.band(s, len(row.Traces)); len(line.X) > 0 {
			lines = append(lines, line)
		}
	}
	return lines
}

func (a *artist) targets(v *summary.View, list []*summary.Anytime) {
	lines := a.profileLines(list, func(t *summary.Trace) (lo, hi float64) {
		return t.Primal.Lo.Reaches(fixedTarget), t.Primal.Hi.Reaches(fixedTarget)
	})
	if len(lines) == 0 {
		return
	}
	title := fmt.Sprintf("%s: time to within %g %% of %s", a.problem.Name, 100*fixedTarget, v.Reference)
	f := plots.Lines(plots.Frame{Title: title, X: bare("wall time", plots.Seconds), Y: bare("units", plots.Share)}, lines)
	a.addTimed(v, f, title, fmt.Sprintf("Fixed-target profile: the share of an algorithm's units whose gap to %s is at most %g %% "+
		"by a time. Higher and further left is better.%s",
		v.Reference, 100*fixedTarget, bandNote), "fixed-target")
}

// progress is a data profile: its time is by job, so that instances of several sizes are in one.
func (a *artist) progress(v *summary.View, list []*summary.Anytime) {
	sense := float64(v.Problem.Sense)
	first := map[string]float64{} // the worst first value of an instance that any of them had
	byJob := true
	for _, row := range list {
		for i := range row.Traces {
			t := &row.Traces[i]
			byJob = byJob && t.Jobs > 0
			if len(t.Values) == 0 {
				continue
			}
			x := t.Values[0].Value
			if worst, known := first[t.In.SHA256]; !known || sense*(x-worst) > 0 {
				first[t.In.SHA256] = x
			}
		}
	}
	reach := func(t *summary.Trace, optimum *float64) float64 {
		from, known := first[t.In.SHA256]
		if !known || optimum == nil {
			return none
		}
		enough := from + ofTheWay*(*optimum-from)
		for _, p := range t.Values {
			if sense*(p.Value-enough) > 1e-9*math.Abs(enough) {
				continue
			}
			if byJob {
				return p.Seconds / float64(t.Jobs)
			}
			return p.Seconds
		}
		return none
	}
	lines := a.profileLines(list, func(t *summary.Trace) (lo, hi float64) {
		best := t.In.Best(v.Reference)
		return reach(t, best.Value), reach(t, best.Bound)
	})
	if len(lines) == 0 {
		return
	}
	budget := "wall time"
	if byJob {
		budget = "wall time a job"
	}
	title := fmt.Sprintf("%s: data profile, %g %% of the way to %s", a.problem.Name, 100*ofTheWay, v.Reference)
	f := plots.Lines(plots.Frame{Title: title, X: bare(budget, plots.Seconds), Y: bare("units", plots.Share)}, lines)
	a.addTimed(v, f, title, fmt.Sprintf("Data profile (Moré and Wild 2009): the share of an algorithm's units that came %g %% of "+
		"the way from the worst first value of the instance to %s, by %s. Higher and further left is "+
		"better.%s", 100*ofTheWay, v.Reference, budget, bandNote), "data-profile")
}

// Stop makes the input what a time limit would have left of it. The report says so.
func (in *Input) Stop(limit time.Duration) {
	var did anytime.Cut
	in.Records, in.Log, did = in.Log.Cut(in.Records, limit.Seconds())
	in.whatIf = fmt.Sprintf("Not what was run, but what a time limit of %v would have given: %v", limit, did)
	if find := in.Solution; find != nil {
		in.Solution = func(runID, unitID string) ([]byte, error) {
			if did.Stopped[unitID] {
				return nil, nil // it is of a later time
			}
			return find(runID, unitID)
		}
	}
}

func (a *artist) addTimed(v *summary.View, f *plots.Figure, title, caption, name string) {
	a.add(f, title, caption, v, v.Reference, name)
	a.out[len(a.out)-1].OverTime = true
}
