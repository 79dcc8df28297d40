package reports

import (
	"cmp"
	"fmt"
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
type panel struct{ suite, metric string }

func (p panel) String() string {
	return strings.TrimPrefix(strings.TrimRight(p.suite+", "+p.metric, ", "), ", ")
}

// trends draws a view against every feature of its instances. Text features are drawn over all instances; for numeric
// ones, which would otherwise mix objectives and experiments, every kind of instances has a panel of its own.
func (a *artist) trends(v *summary.View) {
	variants, cells := shown(v)
	if len(variants) == 0 {
		return
	}
	numeric, words := features(v)
	for _, f := range words {
		a.groups(v, f, variants, cells)
	}
	several := map[string]bool{}
	for _, variant := range variants {
		for _, c := range cells[variant] {
			several[c.Units[0].Suite] = true
		}
	}
	members := map[panel]map[*summary.Variant][]summary.Cell{}
	size := map[panel]int{}
	for _, variant := range variants {
		mine := map[panel]int{}
		for _, c := range cells[variant] {
			k := panel{metric: c.In.Metric()}
			if len(several) > 1 {
				k.suite = c.Units[0].Suite
			}
			if members[k] == nil {
				members[k] = map[*summary.Variant][]summary.Cell{}
			}
			members[k][variant] = append(members[k][variant], c)
			mine[k]++
			size[k] = max(size[k], mine[k])
		}
	}
	var kinds []panel
	for k := range members {
		kinds = append(kinds, k)
	}
	slices.SortFunc(kinds, func(x, y panel) int {
		return cmp.Or(cmp.Compare(size[y], size[x]), cmp.Compare(x.suite, y.suite), cmp.Compare(x.metric, y.metric))
	})
	for _, f := range numeric {
		drawn := 0
		for _, k := range kinds {
			if drawn < maxPanels && size[k] >= minToTrend && a.lines(v, f, k, len(kinds), variants, members[k]) {
				drawn++
			}
		}
	}
}

// A feature reads one property of an instance.
type feature struct {
	name   string
	number func(in *ratio.Instance) float64 // NaN: it has none
	word   func(in *ratio.Instance) string  // empty: it has none
}

// features lists the features of a view's instances, numeric ones with the number of jobs first.
func features(v *summary.View) (numeric, words []feature) {
	jobs := func(in *ratio.Instance) float64 {
		for _, u := range in.Units {
			if u.NJobs != nil {
				return float64(*u.NJobs)
			}
		}
		return none
	}
	numeric = []feature{{name: "n_jobs", number: jobs}}
	kind := map[string]bool{} // by name, whether it is numeric
	for _, in := range v.Instances {
		for name, value := range in.Features {
			kind[name] = finite(number(value))
		}
	}
	names := make([]string, 0, len(kind))
	for name := range kind {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if kind[name] {
			numeric = append(numeric, feature{name: name, number: func(in *ratio.Instance) float64 { return number(in.Features[name]) }})
		} else {
			words = append(words, feature{name: name, word: func(in *ratio.Instance) string { return word(in.Features[name]) }})
		}
	}
	return numeric, words
}

func number(value any) float64 {
	switch x := value.(type) {
	case float64:
		return x
	case int:
		return float64(x)
	case int64:
		return float64(x)
	}
	return none
}

func word(value any) string {
	switch x := value.(type) {
	case string:
		return x
	case bool:
		return strconv.FormatBool(x)
	}
	return ""
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// A binning rounds the values of a numeric feature, so that few enough are left to draw.
type binning struct {
	round func(float64) float64
	note  string // how, for the caption
	scale plots.Scale
}

// wide is the quotient of largest and smallest value from which on a feature has a logarithmic axis.
const wide = 50

// bins leaves up to maxBins distinct values, of integers up to maxCounts, as they are, but for rounding noise. More of them
// are rounded to multiples of a round number, or to powers of two if they are at least 1 and span orders of magnitude.
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
		least := (hi - lo) / maxBins
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
func (a *artist) lines(
	v *summary.View, f feature, k panel, kinds int, variants []*summary.Variant, cells map[*summary.Variant][]summary.Cell,
) bool {
	var xs []float64
	for _, variant := range variants {
		for _, c := range cells[variant] {
			if x := f.number(c.In); finite(x) {
				xs = append(xs, x)
			}
		}
	}
	bin := bins(xs)
	var lines, dashed []plots.Line
	var present []*summary.Variant
	points := map[float64]bool{}
	for _, variant := range variants {
		los, his := map[float64][]float64{}, map[float64][]float64{}
		for _, c := range cells[variant] {
			if x := f.number(c.In); finite(x) {
				x = bin.round(x)
				points[x] = true
				los[x], his[x] = append(los[x], c.Lo), append(his[x], c.Hi)
			}
		}
		if len(his) == 0 {
			continue
		}
		present = append(present, variant)
		mean := plots.Line{Label: variant.Label, Style: a.style[variant.Label], Points: true}
		worst := plots.Line{Style: mean.Style, Thin: true}
		var edge []float64
		for x := range his {
			mean.X = append(mean.X, x)
		}
		slices.Sort(mean.X)
		worst.X = mean.X
		for _, x := range mean.X {
			mean.Y, edge = append(mean.Y, stats.Mean(his[x])), append(edge, stats.Mean(los[x]))
			worst.Y = append(worst.Y, slices.Max(his[x]))
		}
		if !slices.Equal(edge, mean.Y) {
			mean.Edge = edge
		}
		lines, dashed = append(lines, mean), append(dashed, worst)
	}
	if len(points) < 2 {
		return false
	}
	name, axis, file := what(v)
	brief, n := counts(present, cells, instancesIn(cells))
	title := fmt.Sprintf("%s: %s against %s", a.problem.Name, name, f.name)
	if s := k.String(); s != "" {
		title += " (" + s + ")"
	}
	fig := plots.Lines(plots.Frame{Title: title + ", " + brief, X: plots.Axis{Label: f.name, Scale: bin.scale, Base: none}, Y: axis}, append(lines, dashed...))
	suffix := ""
	if kinds > 1 {
		suffix = k.String()
	}
	a.add(fig, title, fmt.Sprintf("Arithmetic mean (solid) and worst case (dashed) of the %s against %s%s; %s. Other features are "+
		"not held fixed.%s", name, f.name, bin.note, n, a.notes(present, cells)), v, file, "by", f.name, suffix)
	return true
}

func instancesIn(cells map[*summary.Variant][]summary.Cell) int {
	seen := map[*ratio.Instance]bool{}
	for _, cs := range cells {
		for _, c := range cs {
			seen[c.In] = true
		}
	}
	return len(seen)
}

// groups draws mean and worst case for every word of a text feature, if there are several.
func (a *artist) groups(v *summary.View, f feature, variants []*summary.Variant, cells map[*summary.Variant][]summary.Cell) {
	size := map[string]int{}
	for _, in := range v.Instances {
		if w := f.word(in); w != "" {
			size[w]++
		}
	}
	var categories []string
	for w := range size {
		categories = append(categories, w)
	}
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
	var series []plots.Dots
	for _, variant := range variants {
		d := plots.Dots{Label: variant.Label, Style: a.style[variant.Label]}
		his := map[string][]float64{}
		for _, c := range cells[variant] {
			his[f.word(c.In)] = append(his[f.word(c.In)], c.Hi)
		}
		for _, w := range categories {
			mean, worst := none, none
			if len(his[w]) > 0 {
				mean, worst = stats.Mean(his[w]), slices.Max(his[w])
			}
			d.Mean, d.Worst = append(d.Mean, mean), append(d.Worst, worst)
		}
		series = append(series, d)
	}
	name, axis, file := what(v)
	brief, n := counts(variants, cells, len(v.Instances))
	title := fmt.Sprintf("%s: %s by %s", a.problem.Name, name, f.name)
	fig := plots.Groups(plots.Frame{Title: title + ", " + brief, X: plots.Axis{Label: f.name, Base: none}, Y: axis}, categories, series)
	a.add(fig, title, fmt.Sprintf("Arithmetic mean (glyph) and worst case (bar) of the %s for each %s, at the high end where the "+
		"optimum is not proven; %s.%s", name, f.name, n, left), v, file, "by", f.name)
}
