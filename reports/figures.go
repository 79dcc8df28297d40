package reports

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"schedgap/models"
	"schedgap/reports/page"
	"schedgap/reports/plots"
	"schedgap/reports/stats"
	"schedgap/reports/summary"
	"schedgap/reports/words"
)

const (
	shortest   = 1e-6 // seconds, below which times are not distinguished
	steps      = 300  // of a distribution curve, more than a figure can show
	maxBins    = 12   // distinct values of a numeric feature
	leastBins  = 4    // however few instances there are
	fill       = 3    // instances to a value, or means and worst cases are those of single instances
	maxCounts  = 20   // distinct values of one that only has integers
	maxWords   = 16   // of a text feature
	maxPanels  = 3    // of one feature and reference: one for each of the kinds of instances that have the most
	minToTrend = 6    // instances for a panel
)

// An artist draws the figures of one problem. Every algorithm has the same style in all of them.
type artist struct {
	problem *summary.Problem
	style   map[string]plots.Style // by label
	out     []page.Drawing
}

// draw makes all figures of a problem, those of different views on different processors.
func draw(p *summary.Problem) []page.Drawing {
	style := map[string]plots.Style{}
	for variant, index := range p.Styles {
		style[variant.Label] = plots.Style{Index: index, Marked: variant.Mark != ""}
	}
	artists := make([]artist, len(p.Views)+1)
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i := range artists {
		a := &artists[i]
		a.problem, a.style = p, style
		g.Go(func() error {
			if i < len(p.Views) {
				a.view(p.Views[i])
			} else {
				a.times()
				a.solverProfiles()
			}
			return nil
		})
	}
	_ = g.Wait() // they have no errors
	var out []page.Drawing
	for _, a := range artists {
		out = append(out, a.out...)
	}
	return out
}

func (a *artist) view(v *summary.View) {
	list := shown(v, summary.Class{})
	if len(list) > 0 {
		classes := []summary.Class{{}}
		for _, list := range [][]summary.Class{v.Classes()[1:], v.Suites()} {
			classes = append(classes, list[:min(len(list), maxClasses)]...)
		}
		for _, c := range classes {
			a.strips(v, c)
		}
		if v.Regret || !complete(v, list) { // else it is the profile
			a.distribution(v, list)
		}
		for _, c := range classes {
			a.boxes(v, c)
		}
	}
	if !v.Regret {
		if len(list) > 0 {
			a.profile(v, list)
		}
		a.augmentation(v)
	}
	if len(list) > 0 {
		a.trends(v, list)
	}
	a.overTime(v)
}

var notName = regexp.MustCompile(`[^a-z0-9]+`)

// add takes a figure of a view, or of the whole problem if v is nil; the parts of its name become a file name.
func (a *artist) add(f *plots.Figure, title, caption string, v *summary.View, name ...string) {
	file := notName.ReplaceAllString(strings.ToLower(a.problem.Name+"-"+strings.Join(name, "-")), "-")
	about := summary.Figure{Name: strings.Trim(file, "-"), Title: title, Caption: caption}
	if v != nil {
		about.Reference, about.Regret = v.Reference, v.Regret
	}
	a.out = append(a.out, page.Drawing{Figure: about, Plot: f})
}

// addOf takes a figure of a class of a view's instances.
func (a *artist) addOf(class summary.Class, l *plots.Layout, f *plots.Figure, title, caption string, v *summary.View,
	name ...string,
) {
	a.add(f, title, caption, v, append(name, class.String())...)
	d := &a.out[len(a.out)-1]
	d.Strips, d.Strip, d.By, d.Part = l, l != nil, class.By(), class.String()
}

// none is the base of an axis without a base line.
var none = math.NaN()

// bare is an axis without a base line.
func bare(label string, scale plots.Scale) plots.Axis {
	return plots.Axis{Label: label, Scale: scale, Base: none}
}

// what names a view's quantity, its axis and the files of its figures.
func what(v *summary.View) (name string, axis plots.Axis, file string) {
	if v.Regret {
		return "regret to " + v.Reference, plots.Axis{Label: "regret to " + v.Reference, Base: 0}, v.Reference + "-regret"
	}
	return "ratio to " + v.Reference, plots.Axis{Label: "ratio to " + v.Reference, Base: 1}, v.Reference
}

// A series is what figures show of one algorithm in a view: the instances on which it is compared, with the low and the high
// ends of its ratios or regrets. Infinite ones have no place in a figure, but a part in every share.
type series struct {
	*summary.Variant
	cells    []*summary.Cell
	los, his []float64
	infinite int
	open     bool // some low end is not the high end
}

func (s *series) add(c *summary.Cell) {
	s.cells, s.los, s.his = append(s.cells, c), append(s.los, c.Lo), append(s.his, c.Hi)
	s.open = s.open || c.Lo != c.Hi
}

// shown lists the algorithms of a view that figures show of a class: those that are neither exact nor augmented, and compared
// anywhere.
func shown(v *summary.View, class summary.Class) []series {
	var list []series
	for _, variant := range v.Variants {
		if variant.Kind == string(models.Exact) || augmentation(v, variant) != 1 {
			continue
		}
		cells := v.Cells[variant]
		s := series{
			Variant: variant, cells: make([]*summary.Cell, 0, len(cells)), los: make([]float64, 0, len(cells)),
			his: make([]float64, 0, len(cells)),
		}
		for i := range cells {
			switch c := &cells[i]; {
			case !class.Has(c.In):
			case c.Finite():
				s.add(c)
			case c.Counted():
				s.infinite++
			}
		}
		if len(s.cells) > 0 {
			list = append(list, s)
		}
	}
	return list
}

// complete reports whether every algorithm is compared on all instances of the view.
func complete(v *summary.View, list []series) bool {
	return !slices.ContainsFunc(list, func(s series) bool { return len(s.cells) < len(v.Instances) })
}

// maxDots is how many instances a row of dots shows.
const maxDots = 400

// maxClasses is how many classes have figures of their own.
const maxClasses = 12

// among says of a class how many instances it has, and what titles of its figures end in.
func among(v *summary.View, class summary.Class) (n int, title string) {
	for _, in := range v.Instances {
		if class.Has(in) {
			n++
		}
	}
	if class != (summary.Class{}) {
		title = " (" + class.String() + ")"
	}
	return n, title
}

// bestFirst lists what figures show of a class, contenders by their rank, with their rows, and then the others.
func (a *artist) bestFirst(v *summary.View, class summary.Class) (list []series, rows map[summary.Variant]*summary.Ratios) {
	list, rows = shown(v, class), map[summary.Variant]*summary.Ratios{}
	rank := map[summary.Variant]int{}
	for i, r := range a.problem.Ranked(v, class) {
		rows[r.Variant], rank[r.Variant] = r, i-len(list)
	}
	slices.SortStableFunc(list, func(x, y series) int { return rank[*x.Variant] - rank[*y.Variant] })
	return list, rows
}

// strips draws what the report begins with: how far from the optimum every algorithm is, the best first.
func (a *artist) strips(v *summary.View, class summary.Class) {
	list, rows := a.bestFirst(v, class)
	contenders := slices.DeleteFunc(list, func(s series) bool { return rows[*s.Variant] == nil })
	if len(contenders) == 0 {
		return
	}
	far := func(x float64) float64 { return a.problem.Far(v.Regret, x) }
	axis := a.problem.Apart(v.Reference, v.Regret)
	every := 1
	var out []plots.Strip
	for _, s := range contenders {
		r := rows[*s.Variant]
		lead := r.Lead()
		if !lead.Hi.Known() {
			lead.Hi = summary.Number(none)
		}
		strip := plots.Strip{
			Label: s.Label, Style: a.style[s.Label], Mean: far(float64(lead.Hi)), CILo: far(float64(lead.CILo)),
			CIHi: far(float64(lead.CIHi)),
		}
		cells := slices.SortedFunc(slices.Values(s.cells), func(x, y *summary.Cell) int { return cmp.Compare(x.Hi, y.Hi) })
		worst := cells[len(cells)-1]
		_, furthest := v.Furthest(worst)
		if strip.Worst, strip.Name = far(furthest), worst.In.Name; s.infinite > 0 {
			strip.Name += fmt.Sprintf(", ∞ on %d", s.infinite)
		}
		step := (len(cells) + maxDots - 1) / maxDots
		every = max(every, step)
		for i := len(cells) - 1; i >= 0; i -= step { // the worst is among them
			lo, hi := far(cells[i].Lo), far(cells[i].Hi)
			strip.Lo, strip.Hi = append(strip.Lo, lo), append(strip.Hi, hi)
			strip.Instances = append(strip.Instances, cells[i].In.Index)
			strip.Texts = append(strip.Texts, words.Percentage(lo, hi))
		}
		strip.Says = words.Percentage(far(float64(lead.Lo)), strip.Mean)
		if ci := words.Interval(lead.CILo, lead.CIHi, func(x summary.Number) string {
			return words.Percentage(far(float64(x)), far(float64(x)))
		}); ci != words.None {
			strip.Says += " " + ci
		}
		out = append(out, strip)
	}
	_, _, file := what(v)
	total, which := among(v, class)
	brief, n := counts(contenders, total)
	title := fmt.Sprintf("%s: distance from %s%s", a.problem.Name, v.Reference, which)
	f := plots.Strips(plots.Frame{Title: title + ", " + brief, X: bare(axis, plots.Auto), Y: bare("", plots.Auto)}, out)
	thinned := ""
	if every > 1 {
		thinned = fmt.Sprintf(" One dot in up to %d is drawn, the worst among them.", every)
	}
	a.addOf(class, plots.NewLayout(axis, out), f, title, fmt.Sprintf("Percent %s by algorithm, the best first: a dot an instance, a bar from the low to the high end "+
		"where the optimum is not proven; a tick at the mean, at its high end, with the 95 %% interval; the worst instance by name; "+
		"%s.%s",
		axis, n, thinned), v, file, "overview")
}

// counts says how many instances stand behind the algorithms, briefly for a title and one by one for a caption.
func counts(list []series, of int) (brief, full string) {
	least, most := of, 0
	var parts []string
	for _, s := range list {
		n := len(s.cells)
		least, most = min(least, n), max(most, n)
		parts = append(parts, fmt.Sprintf("%s %d", s.Label, n))
	}
	switch {
	case least == of:
		brief = fmt.Sprintf("n = %d", of)
		return brief, brief + " instances"
	case least == most:
		brief = fmt.Sprintf("n = %d of %d", most, of)
		return brief, brief + " instances"
	}
	brief = fmt.Sprintf("n = %d to %d of %d", least, most, of)
	return brief, fmt.Sprintf("n of %d instances: %s", of, strings.Join(parts, ", "))
}

const (
	bandNote = " Where an optimum is not proven, the line uses the best proven bound and the band reaches to the best known value."
	markNote = " Dotted and *: not comparable, see the list of algorithms; the axes are for the others."
)

func notes(list []series) string {
	note := ""
	if slices.ContainsFunc(list, func(s series) bool { return s.Mark != "" }) {
		note = markNote
	}
	if slices.ContainsFunc(list, func(s series) bool { return s.open }) {
		return bandNote + note
	}
	return note
}

// band is the distribution of intervals: the line for the high ends, the edge for the low ends.
func (a *artist) band(s series, total int) plots.Line {
	hi := stats.Distribution(s.his, total).Thin(steps)
	line := plots.Line{Label: s.Label, Style: a.style[s.Label], Step: true, X: hi.X, Y: hi.Y}
	if !s.open {
		return line
	}
	lo := stats.Distribution(s.los, total).Thin(steps)
	line.X = slices.Compact(slices.Sorted(slices.Values(append(slices.Clone(hi.X), lo.X...))))
	line.Y, line.Edge = make([]float64, len(line.X)), make([]float64, len(line.X))
	for i, x := range line.X {
		line.Y[i], line.Edge[i] = hi.At(x), lo.At(x)
	}
	return line
}

func (a *artist) distribution(v *summary.View, list []series) {
	name, axis, file := what(v)
	var lines []plots.Line
	for _, s := range list {
		lines = append(lines, a.band(s, len(s.cells)+s.infinite))
	}
	brief, n := counts(list, len(v.Instances))
	title := fmt.Sprintf("%s: distribution of the %s", a.problem.Name, name)
	f := plots.Lines(plots.Frame{Title: title + ", " + brief, X: axis, Y: bare("compared instances", plots.Share)}, lines)
	a.add(f, title, fmt.Sprintf("Share of the instances, those without a solution among them, whose %s is at most x; %s. Higher "+
		"and further left is better.%s",
		name, n, notes(list)), v, file, "ecdf")
}

func (a *artist) profile(v *summary.View, list []series) {
	name, axis, file := what(v)
	axis.Scale = plots.Log
	total := len(v.Instances)
	var lines []plots.Line
	for _, s := range list {
		lines = append(lines, a.band(s, total))
	}
	title := fmt.Sprintf("%s: performance profile, %s", a.problem.Name, name)
	note := "Failures and infinite ratios are never reached."
	if complete(v, list) {
		note = "Every algorithm is compared on all of them, so that this is the distribution of its ratios, too."
	}
	frame := plots.Frame{Title: fmt.Sprintf("%s, n = %d", title, total), X: axis, Y: bare("all instances", plots.Share)}
	f := plots.Lines(frame, lines)
	a.add(f, title, fmt.Sprintf("Dolan-Moré profile against the optimum: share of all %d instances, solved or not, on which an "+
		"algorithm is within the factor x of %s. %s%s",
		total, v.Reference, note, notes(list)), v, file, "profile")
}

func (a *artist) boxes(v *summary.View, class summary.Class) {
	list, _ := a.bestFirst(v, class)
	if len(list) == 0 {
		return
	}
	name, axis, file := what(v)
	mean, meanName := stats.GeoMean, "geometric mean"
	if v.Regret {
		mean, meanName = stats.Mean, "mean"
	}
	var boxes []plots.Box
	for _, s := range list {
		b := a.box(s.Variant, slices.Clone(s.his), mean)
		for _, c := range s.cells {
			_, far := v.Furthest(c)
			b.Worst = max(b.Worst, far)
		}
		boxes = append(boxes, b)
	}
	total, which := among(v, class)
	brief, n := counts(list, total)
	title := fmt.Sprintf("%s: %s by algorithm%s", a.problem.Name, name, which)
	f := plots.Boxes(plots.Frame{Title: title + ", " + brief, X: axis, Y: bare("", plots.Auto)}, boxes)
	a.addOf(class, nil, f, title, fmt.Sprintf("The %s, at its high end where the optimum is not proven: quartiles, whiskers from the "+
		"5th to the 95th percentile, dot at the %s, cross at the worst unit; %s.", name, meanName, n), v, file, "box")
}

func (a *artist) box(v *summary.Variant, xs []float64, mean func([]float64) float64) plots.Box {
	slices.Sort(xs)
	q := func(p float64) float64 { return stats.Quantile(xs, p) }
	return plots.Box{
		Label: v.Label, Style: a.style[v.Label], Low: q(0.05), Q1: q(0.25), Median: q(0.5), Q3: q(0.75), High: q(0.95),
		Worst: q(1), Mean: mean(xs),
	}
}

func (a *artist) times() {
	var boxes []plots.Box
	n := 0
	sgm := func(xs []float64) float64 { return stats.ShiftedGeoMean(xs, 1) }
	for _, o := range a.problem.Outcomes {
		if xs := o.Seconds(); len(xs) > 0 && o.Kind != string(models.Bound) {
			n += len(xs)
			for i := range xs {
				xs[i] = max(xs[i], shortest)
			}
			boxes = append(boxes, a.box(&o.Variant, xs, sgm))
		}
	}
	if len(boxes) == 0 {
		return
	}
	title := a.problem.Name + ": wall time by algorithm"
	frame := plots.Frame{
		Title: fmt.Sprintf("%s, n = %d units", title, n), X: bare("wall time", plots.Seconds),
		Y: bare("", plots.Auto),
	}
	f := plots.Boxes(frame, boxes)
	a.add(f, title, fmt.Sprintf("Wall time of all %d units that ran, solved or not: quartiles, whiskers from the 5th to the 95th "+
		"percentile, dot at the geometric mean with shift 1 s, cross at the longest.", n), nil, "time")
}

// solverProfiles compares the methods of each exact algorithm: the share that they prove by a time, and their times with each
// other.
func (a *artist) solverProfiles() {
	for _, group := range summary.SameAlgorithm(a.problem.Solvers) {
		if len(group) < 2 {
			continue
		}
		a.proven(group)
		a.methods(group)
	}
}

// method is what figures call an exact method.
func method(s *summary.Solver) string { return strings.Trim(s.Model+"/"+s.Solver, "/") }

// proven draws the share of the units of each method that ended with a proof by a time: of the processor, which other work on the
// machine stretches least, where it is known.
func (a *artist) proven(group []summary.Solver) {
	clock, seconds := "processor time", func(t summary.InstanceTime) float64 { return t.CPU }
	for _, s := range group {
		if slices.ContainsFunc(s.Times, func(t summary.InstanceTime) bool { return t.Solved && math.IsNaN(t.CPU) }) {
			clock, seconds = "wall time", func(t summary.InstanceTime) float64 { return t.Seconds }
		}
	}
	var lines []plots.Line
	for i := range group {
		s := &group[i]
		var solved []float64
		for _, t := range s.Times {
			if t.Solved {
				solved = append(solved, max(seconds(t), shortest))
			}
		}
		if c := stats.Distribution(solved, s.Units).Thin(steps); len(c.X) > 0 {
			lines = append(lines, plots.Line{
				Label: fmt.Sprintf("%s %d/%d", method(s), s.Solved, s.Units), Style: plots.Style{Index: i}, Step: true, X: c.X, Y: c.Y,
			})
		}
	}
	if len(lines) == 0 {
		return
	}
	title := fmt.Sprintf("%s: proofs of %s over time", a.problem.Name, group[0].Algorithm)
	f := plots.Lines(plots.Frame{Title: title, X: bare(clock, plots.Seconds), Y: bare("proven", plots.Share)}, lines)
	a.add(f, title, fmt.Sprintf("Time profile: the share of a method's units, of a model with a solver, that are proven after so "+
		"much %s; beside its name, how many are, of those that it is defined for. Higher and further left is "+
		"better.", clock), nil, group[0].Algorithm, "proven")
}

// methods draws a performance profile of the times on what all methods tried.
func (a *artist) methods(group []summary.Solver) {
	times := summary.Common(group, true)
	costs := make([][]float64, len(group))
	for s, ts := range times {
		for _, t := range ts {
			cost := none
			if t.Solved {
				cost = max(t.Seconds, shortest)
			}
			costs[s] = append(costs[s], cost)
		}
	}
	total := len(costs[0])
	if total == 0 {
		return
	}
	var lines []plots.Line
	for s, ratios := range stats.PerformanceRatios(costs) {
		c := stats.Distribution(ratios, total).Thin(steps)
		lines = append(lines, plots.Line{Label: method(&group[s]), Style: plots.Style{Index: s}, Step: true, X: c.X, Y: c.Y})
	}
	title := fmt.Sprintf("%s: methods for %s", a.problem.Name, group[0].Algorithm)
	x := plots.Axis{Label: "wall time relative to the fastest method", Scale: plots.Log, Base: 1}
	frame := plots.Frame{
		Title: fmt.Sprintf("%s, performance profile, n = %d", title, total), X: x,
		Y: bare("instances", plots.Share),
	}
	f := plots.Lines(frame, lines)
	a.add(f, title, fmt.Sprintf("Dolan-Moré profile of wall times: share of the %d instances that all methods tried which a "+
		"method solved with a proof within the factor x of the fastest one's time.", total), nil, group[0].Algorithm, "methods")
}
