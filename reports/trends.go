package reports

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"schedgap/reports/plots"
	"schedgap/reports/ratio"
	"schedgap/reports/stats"
	"schedgap/reports/summary"
)

// A panel is a kind of instances over which a feature is drawn.
type panel struct{ suite, source, metric string }

func (p panel) String() string {
	return strings.Join(slices.DeleteFunc([]string{p.suite, p.source, p.metric}, func(s string) bool { return s == "" }), ", ")
}

// trends draws a view against every feature of its instances. Text features are drawn over all instances; for numeric
// ones, which would otherwise mix objectives and experiments, every kind of instances has a panel of its own.
func (a *artist) trends(v *summary.View, list []series) {
	numeric, words := features(v)
	for _, f := range words {
		a.groups(v, f, list)
	}
	kinds, members := panels(v, list)
	for _, f := range numeric {
		drawn := 0
		for _, k := range kinds {
			if drawn < maxPanels && largest(members[k]) >= minToTrend && a.lines(v, f, k, len(kinds), members[k]) {
				drawn++
			}
		}
	}
}

// panels splits the instances of algorithms by kind, the kind with the most instances first.
func panels(v *summary.View, list []series) ([]panel, map[panel][]series) {
	several, sources := map[string]bool{}, map[string]bool{}
	for _, s := range list {
		for _, c := range s.cells {
			several[c.Units[0].Suite], sources[c.In.Source] = true, true
		}
	}
	members := map[panel][]series{}
	for _, s := range list {
		at := map[panel]*series{}
		for _, c := range s.cells {
			k := panel{metric: c.In.Metric()}
			if len(several) > 1 {
				k.suite = c.Units[0].Suite
			}
			if len(sources) > 1 { // a line through two sources would be a zigzag that neither has
				k.source = c.In.Source
			}
			if at[k] == nil {
				at[k] = &series{Variant: s.Variant}
			}
			at[k].add(c)
		}
		for k, mine := range at {
			members[k] = append(members[k], *mine)
		}
	}
	return slices.SortedFunc(maps.Keys(members), func(x, y panel) int {
		return cmp.Or(cmp.Compare(largest(members[y]), largest(members[x])), cmp.Compare(x.suite, y.suite),
			cmp.Compare(x.source, y.source), cmp.Compare(x.metric, y.metric))
	}), members
}

func largest(list []series) int {
	most := 0
	for _, s := range list {
		most = max(most, len(s.cells))
	}
	return most
}

// A feature is one property of a view's instances, by their index.
type feature struct {
	name    string
	numbers []float64 // NaN: the instance has none
	words   []string  // empty: it has none
}

// features lists the features of a view's instances, numeric ones with the number of jobs first.
func features(v *summary.View) (numeric, words []feature) {
	total := len(v.Problem.Instances)
	jobs := feature{name: "n_jobs", numbers: make([]float64, total)}
	for _, in := range v.Instances {
		jobs.numbers[in.Index] = in.Jobs()
	}
	kind := v.Problem.Axes()
	numeric = []feature{jobs}
	for _, name := range slices.Sorted(maps.Keys(kind)) {
		if kind[name] {
			f := feature{name: name, numbers: make([]float64, total)}
			for _, in := range v.Instances {
				f.numbers[in.Index] = in.Number(name)
			}
			numeric = append(numeric, f)
		} else {
			f := feature{name: name, words: make([]string, total)}
			for _, in := range v.Instances {
				f.words[in.Index] = in.Word(name)
			}
			words = append(words, f)
		}
	}
	return numeric, words
}

// A binning rounds the values of a numeric feature, so that few enough are left to draw.
type binning struct {
	round func(float64) float64
	note  string // how, for the caption
	scale plots.Scale
}

// wide is the quotient of largest and smallest value from which on a feature has a logarithmic axis.
const wide = 50

// bins leaves up to maxBins distinct values, of integers up to maxCounts, as they are, rounding noise aside, if there are about
// fill instances to each. More of them are rounded to multiples of a round number, or to powers of two if they are at least 1 and
// span orders of magnitude.
func bins(xs []float64) binning {
	exact := func(x float64) float64 { // 0.1+0.2 is 0.3
		r, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 9, 64), 64)
		return r
	}
	distinct := map[float64]bool{}
	lo, hi, most := math.Inf(1), math.Inf(-1), maxCounts
	for _, x := range xs {
		distinct[exact(x)] = true
		lo, hi = min(lo, x), max(hi, x)
		if x != math.Trunc(x) {
			most = maxBins
		}
	}
	if full := max(leastBins, len(xs)/fill); len(distinct) > full {
		most = min(most, full)
	}
	b := binning{round: exact, scale: plots.Linear}
	if lo > 0 && hi >= wide*lo {
		b.scale = plots.Log
	}
	switch {
	case len(distinct) <= most:
	case lo >= 1 && b.scale == plots.Log:
		b.round = func(x float64) float64 { return math.Exp2(math.Round(math.Log2(x))) }
		b.note = ", rounded to powers of two"
	default:
		least := (hi - lo) / float64(min(most, maxBins))
		decade := math.Pow(10, math.Floor(math.Log10(least)))
		step := decade
		for _, m := range []float64{2, 2.5, 5, 10} {
			if step < least {
				step = m * decade
			}
		}
		b.round = func(x float64) float64 { return exact(math.Round(x/step) * step) }
		b.note = fmt.Sprintf(", rounded to multiples of %.3g", step)
		b.scale = plots.Linear
	}
	return b
}

// lines draws mean and worst case against a numeric feature; it reports false if the feature does not vary.
func (a *artist) lines(v *summary.View, f feature, k panel, kinds int, list []series) bool {
	here := instancesOf(list, len(v.Problem.Instances))
	var values []float64
	for _, in := range here {
		if x := f.numbers[in.Index]; stats.IsFinite(x) {
			values = append(values, x)
		}
	}
	bin := bins(values)
	for i, x := range values {
		values[i] = bin.round(x)
	}
	slices.Sort(values)
	if values = slices.Compact(values); len(values) < 2 {
		return false
	}
	place := make([]int, len(f.numbers)) // in values; −1: the instance has no value
	for _, in := range here {
		i, ok := slices.BinarySearch(values, bin.round(f.numbers[in.Index]))
		if place[in.Index] = i; !ok {
			place[in.Index] = -1
		}
	}
	var lines, dashed []plots.Line
	var present []series
	for _, s := range list {
		mean, worst := a.against(v, s, values, func(c *summary.Cell) int { return place[c.In.Index] })
		if len(mean.X) == 0 {
			continue
		}
		mean.Label = s.Label
		present, lines, dashed = append(present, s), append(lines, mean), append(dashed, worst)
	}
	name, axis, file := what(v)
	brief, n := counts(present, len(here))
	label := summary.Words(f.name)
	title := fmt.Sprintf("%s: %s against %s", a.problem.Name, name, label)
	if s := k.String(); s != "" {
		title += " (" + s + ")"
	}
	x := plots.Axis{Label: label, Scale: bin.scale, Base: none, Whole: whole(values)}
	fig := plots.Lines(plots.Frame{Title: title + ", " + brief, X: x, Y: axis}, append(lines, dashed...))
	suffix := ""
	if kinds > 1 {
		suffix = k.String()
	}
	a.add(fig, title, fmt.Sprintf("Arithmetic mean (solid) and worst case (dashed) of the %s against %s%s; %s. Other features are "+
		"not held fixed.%s", name, label, bin.note, n, notes(present)), v, file, "by", f.name, suffix)
	return true
}

// against is an algorithm's mean, with its low ends as the edge where they differ, and its worst case at each of the xs, by the
// place of a cell among these; −1: it has none.
func (a *artist) against(v *summary.View, s series, xs []float64, place func(c *summary.Cell) int) (mean, worst plots.Line) {
	mean, worst = plots.Line{Style: a.style[s.Label], Points: true}, plots.Line{Style: a.style[s.Label], Thin: true}
	los, his, far := make([][]float64, len(xs)), make([][]float64, len(xs)), make([]float64, len(xs))
	for _, c := range s.cells {
		if i := place(c); i >= 0 {
			lo, hi := v.Arithmetic(c)
			los[i], his[i] = append(los[i], lo), append(his[i], hi)
			_, most := v.Furthest(c)
			if far[i] = max(far[i], most); len(his[i]) == 1 {
				far[i] = most
			}
		}
	}
	for i, x := range xs {
		if len(his[i]) > 0 {
			mean.X, mean.Y, mean.Edge = append(mean.X, x), append(mean.Y, stats.Mean(his[i])), append(mean.Edge, stats.Mean(los[i]))
			worst.X, worst.Y = append(worst.X, x), append(worst.Y, far[i])
		}
	}
	if slices.Equal(mean.Edge, mean.Y) {
		mean.Edge = nil
	}
	return mean, worst
}

func whole(xs []float64) bool {
	return !slices.ContainsFunc(xs, func(x float64) bool { return x != math.Trunc(x) })
}

// instancesOf lists the instances of all algorithms, each once; total is the problem's.
func instancesOf(list []series, total int) []*ratio.Instance {
	seen := make([]bool, total)
	var all []*ratio.Instance
	for _, s := range list {
		for _, c := range s.cells {
			if !seen[c.In.Index] {
				seen[c.In.Index] = true
				all = append(all, c.In)
			}
		}
	}
	return all
}

// groups draws mean and worst case for every word of a text feature, if there are several.
func (a *artist) groups(v *summary.View, f feature, list []series) {
	size := map[string]int{}
	for _, in := range v.Instances {
		size[f.words[in.Index]]++
	}
	delete(size, "")
	categories := slices.Collect(maps.Keys(size))
	if len(categories) < 2 {
		return
	}
	slices.SortFunc(categories, func(x, y string) int { return cmp.Or(cmp.Compare(size[y], size[x]), cmp.Compare(x, y)) })
	left := ""
	if len(categories) > maxWords {
		left = fmt.Sprintf(" The %d values with the fewest instances are left out.", len(categories)-maxWords)
		categories = categories[:maxWords]
	}
	slices.Sort(categories)
	places := make([]float64, len(categories))
	for i := range places {
		places[i] = float64(i)
	}
	var dots []plots.Dots
	for _, s := range list {
		mean, worst := a.against(v, s, places, func(c *summary.Cell) int { return slices.Index(categories, f.words[c.In.Index]) })
		d := plots.Dots{Label: s.Label, Style: mean.Style, Mean: slices.Repeat([]float64{none}, len(places))}
		d.Worst = slices.Clone(d.Mean)
		for k, x := range mean.X {
			d.Mean[int(x)], d.Worst[int(x)] = mean.Y[k], worst.Y[k]
		}
		dots = append(dots, d)
	}
	name, axis, file := what(v)
	brief, n := counts(list, len(v.Instances))
	label := summary.Words(f.name)
	title := fmt.Sprintf("%s: %s by %s", a.problem.Name, name, label)
	fig := plots.Groups(plots.Frame{Title: title + ", " + brief, X: bare(label, plots.Auto), Y: axis}, categories, dots)
	a.add(fig, title, fmt.Sprintf("Arithmetic mean (glyph) and worst case (bar) of the %s for each %s, at the high end where the "+
		"optimum is not proven; %s.%s", name, label, n, left), v, file, "by", f.name)
}
