package plots

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"schedgap/models"
	"schedgap/reports/ratio"
	"schedgap/reports/stats"
	"schedgap/reports/summary"
	"schedgap/reports/words"
)

const (
	maxBins    = 12 // distinct values of a numeric feature
	leastBins  = 4  // however few instances there are
	fill       = 3  // instances to a value; with fewer, means and worst cases are about single instances
	maxCounts  = 20 // distinct values of one that only has integers
	maxWords   = 16 // of a text feature
	maxPanels  = 3  // of one feature and reference: one for each of the families that have the most instances
	minToTrend = 6  // instances for a panel
)

// A factor is the x axis of a figure of ratios: a feature of instances, a parameter that suites vary, or an augmentation.
type factor struct {
	name, label string
	xs          []float64                 // its values
	names       []string                  // of the values, where they are words
	place       func(c *summary.Cell) int // in xs; −1: the cell has none
	scale       Scale
	note        string // how values are rounded
}

// A family is a kind of instances. Numeric features are drawn within one, not to mix objectives and experiments.
type family struct{ source, metric string }

func (f family) String() string {
	return strings.Join(slices.DeleteFunc([]string{f.source, f.metric}, func(s string) bool { return s == "" }), ", ")
}

// features draws a class of a view against every feature of its instances: words over all instances, numbers family by family. The
// metric is none: figures are by objective.
func (a *artist) features(v *summary.View, class summary.Class) {
	list, _ := a.bestFirst(v, class)
	kind := v.Problem.Axes()
	delete(kind, "metric")
	names := slices.Sorted(maps.Keys(kind))
	for _, name := range names {
		if !kind[name] {
			a.against(v, class, list, wordFactor(v, class, name), "")
		}
	}
	families, members := familiesOf(list)
	numeric := slices.DeleteFunc(names, func(name string) bool { return !kind[name] })
	for _, name := range append([]string{"n_jobs"}, numeric...) {
		number := func(in *ratio.Instance) float64 { return in.Number(name) }
		if name == "n_jobs" {
			number = (*ratio.Instance).Jobs
		}
		drawn := 0
		for _, f := range families {
			of := ""
			if len(families) > 1 {
				of = f.String()
			}
			if drawn < maxPanels && largestOf(members[f]) >= minToTrend &&
				a.against(v, class, members[f], numberFactor(name, members[f], number), of) {
				drawn++
			}
		}
	}
}

// familiesOf splits the instances of algorithms, the family with the most instances first.
func familiesOf(list []series) ([]family, map[family][]series) {
	members := map[family][]series{}
	for _, s := range list {
		at := map[family]*series{}
		for _, c := range s.cells {
			f := family{c.In.Source, c.In.Metric()}
			if at[f] == nil {
				at[f] = &series{Variant: s.Variant}
			}
			at[f].add(c)
		}
		for f, mine := range at {
			members[f] = append(members[f], *mine)
		}
	}
	return slices.SortedFunc(maps.Keys(members), func(x, y family) int {
		return cmp.Or(cmp.Compare(largestOf(members[y]), largestOf(members[x])), cmp.Compare(x.String(), y.String()))
	}), members
}

func largestOf(list []series) int {
	most := 0
	for _, s := range list {
		most = max(most, len(s.cells))
	}
	return most
}

// numberFactor is a numeric feature, its values rounded so that few enough are left.
func numberFactor(name string, list []series, number func(in *ratio.Instance) float64) factor {
	var values []float64
	seen := map[*ratio.Instance]bool{}
	for _, s := range list {
		for _, c := range s.cells {
			if x := number(c.In); stats.IsFinite(x) && !seen[c.In] {
				values, seen[c.In] = append(values, x), true
			}
		}
	}
	bin := bins(values)
	for i, x := range values {
		values[i] = bin.round(x)
	}
	slices.Sort(values)
	values = slices.Compact(values)
	return factor{
		name: name, label: summary.Words(name), xs: values, scale: bin.scale, note: bin.note,
		place: func(c *summary.Cell) int {
			if i, found := slices.BinarySearch(values, bin.round(number(c.In))); found {
				return i
			}
			return -1
		},
	}
}

// wordFactor is a feature that is a word, at most maxWords of them.
func wordFactor(v *summary.View, class summary.Class, name string) factor {
	size := map[string]int{}
	for _, in := range v.Instances {
		if class.Has(in) {
			size[in.Word(name)]++
		}
	}
	delete(size, "")
	f := factor{name: name, label: summary.Words(name), names: slices.Collect(maps.Keys(size)), scale: Linear}
	slices.SortFunc(f.names, func(x, y string) int { return cmp.Or(cmp.Compare(size[y], size[x]), cmp.Compare(x, y)) })
	if n := len(f.names) - maxWords; n > 0 {
		f.note = fmt.Sprintf(", without the %d values with the fewest instances", n)
		f.names = f.names[:maxWords]
	}
	slices.SortFunc(f.names, words.Natural)
	for i := range f.names {
		f.xs = append(f.xs, float64(i))
	}
	f.place = func(c *summary.Cell) int { return slices.Index(f.names, c.In.Word(name)) }
	return f
}

// A binning rounds the values of a numeric feature, so that few enough are left to draw.
type binning struct {
	round func(float64) float64
	note  string // how, for the caption
	scale Scale
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
	b := binning{round: exact, scale: Linear}
	if lo > 0 && hi >= wide*lo {
		b.scale = Log
	}
	switch {
	case len(distinct) <= most:
	case lo >= 1 && b.scale == Log:
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
		b.scale = Linear
	}
	return b
}

// against draws mean and worst case against a factor; it reports false if the factor does not vary.
func (a *artist) against(v *summary.View, class summary.Class, list []series, f factor, of string) bool {
	if len(f.xs) < 2 {
		return false
	}
	var means, worsts []Line
	var present []series
	instances := map[*ratio.Instance]bool{}
	for _, s := range list {
		for _, c := range s.cells {
			instances[c.In] = true
		}
		if mean, worst := a.trend(v, s, f); len(mean.X) > 0 {
			mean.Loose, worst.Loose = f.names != nil, f.names != nil
			present, means, worsts = append(present, s), append(means, mean), append(worsts, worst)
		}
	}
	brief, n := counts(present, len(instances))
	p := a.factorPicture(v, class, f, brief, n+". Other features are not held fixed."+notes(present)+grey(means))
	if of != "" {
		p.title += " (" + of + ")"
		p.name = append(p.name, of)
	}
	a.add(p, func(f Frame) *Figure { return twoPanels(f, means, worsts) })
	return true
}

// twoPanels draws means above worst cases.
func twoPanels(f Frame, means, worsts []Line) *Figure {
	below := f
	below.Title = ""
	f.Y.Label, below.Y.Label = "mean "+f.Y.Label, "worst "+f.Y.Label
	return Lines(f, means).Above(Lines(below, worsts))
}

func (a *artist) factorPicture(v *summary.View, class summary.Class, f factor, brief, rest string) picture {
	name, axis := what(v)
	whole := !slices.ContainsFunc(f.xs, func(x float64) bool { return x != math.Trunc(x) })
	return picture{
		view: v, class: class, title: name + " against " + f.label, brief: brief, name: []string{"by", f.name}, y: axis,
		x: Axis{Label: f.label, Scale: f.scale, Base: none, Whole: whole, Names: f.names},
		caption: fmt.Sprintf("Arithmetic mean (above) and worst case (below) of the %s of the %s against %s%s; %s",
			name, objective(v, class), f.label, f.note, rest),
	}
}

// trend is an algorithm's mean, with its low ends as the edge where they differ, and its worst case at each value of a factor.
func (a *artist) trend(v *summary.View, s series, f factor) (mean, worst Line) {
	mean = Line{Label: a.problem.Marked(s.Label), Style: a.style[s.Label], Points: true}
	worst = Line{Label: mean.Label, Style: mean.Style, Points: true}
	los, his, far := make([][]float64, len(f.xs)), make([][]float64, len(f.xs)), make([]float64, len(f.xs))
	for _, c := range s.cells {
		if i := f.place(c); i >= 0 {
			los[i], his[i] = append(los[i], c.Lo), append(his[i], c.Hi)
			_, most := v.Furthest(c)
			far[i] = max(far[i], most)
			if len(his[i]) == 1 {
				far[i] = most
			}
		}
	}
	for i, x := range f.xs {
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

// augmentation is the speed or capacity factor that a variant was given; 1: none.
func augmentation(v *summary.View, variant *summary.Variant) float64 {
	if cells := v.Cells[variant]; len(cells) > 0 {
		return cells[0].Units[0].Augmentation
	}
	return 1
}

// A sweep is one algorithm at several augmentations.
type sweep struct {
	series
	label string
	factor
}

// sweeps collects the algorithms of a view that ran at more than one augmentation. Variants that differ in a parameter
// other than the augmentation stay apart.
func sweeps(v *summary.View) []*sweep {
	var list []*sweep
	for _, variant := range v.Variants {
		if variant.Kind == string(models.Exact) {
			continue
		}
		label := strings.TrimSuffix(variant.Label, "*")
		if base, params, ok := strings.Cut(label, " ("); ok {
			kept := slices.DeleteFunc(strings.Split(strings.TrimSuffix(params, ")"), ", "), func(p string) bool {
				return strings.HasPrefix(p, "capacity_factor=") || strings.HasPrefix(p, "augmentation=")
			})
			label = base
			if len(kept) > 0 {
				label += " (" + strings.Join(kept, ", ") + ")"
			}
		}
		i := slices.IndexFunc(list, func(s *sweep) bool { return s.label == label })
		if i < 0 {
			i = len(list)
			s := &sweep{series: series{Variant: variant}, label: label}
			s.place = func(c *summary.Cell) int { return slices.Index(s.xs, c.Units[0].Augmentation) }
			list = append(list, s)
		}
		for k := range v.Cells[variant] {
			if c := &v.Cells[variant][k]; c.Finite() {
				list[i].cells = append(list[i].cells, c)
				if list[i].place(c) < 0 {
					list[i].xs = append(list[i].xs, c.Units[0].Augmentation)
				}
			}
		}
		slices.Sort(list[i].xs)
	}
	return slices.DeleteFunc(list, func(s *sweep) bool { return len(s.xs) < 2 })
}

// augmentations draws mean and worst ratio against the augmentation, with what each algorithm's source proves.
func (a *artist) augmentations(v *summary.View, class summary.Class) {
	list := sweeps(v)
	for _, s := range list {
		s.cells = slices.DeleteFunc(s.cells, func(c *summary.Cell) bool { return !class.Has(c.In) })
		s.xs = slices.DeleteFunc(s.xs, func(x float64) bool {
			return !slices.ContainsFunc(s.cells, func(c *summary.Cell) bool { return c.Units[0].Augmentation == x })
		})
	}
	list = slices.DeleteFunc(list, func(s *sweep) bool { return len(s.xs) < 2 })
	if len(list) == 0 {
		return
	}
	var lines, worsts, proofs []Line
	var sizes, statements []string
	for _, s := range list {
		mean, worst := a.trend(v, s.series, s.factor)
		mean.Label, worst.Label, mean.Edge = s.label, s.label, nil
		mean.Style.Marked, worst.Style.Marked = false, false // an augmentation is no other algorithm
		lines, worsts = append(lines, mean), append(worsts, worst)
		size := make([]int, len(s.xs))
		for _, c := range s.cells {
			size[s.place(c)]++
		}
		sizes = append(sizes, fmt.Sprintf("%s %d to %d", s.label, slices.Min(size), slices.Max(size)))
		if proof, statement := proof(v, s); statement != "" {
			proof.Style, proof.Thin = Style{Index: mean.Style.Index, Marked: true}, true
			proofs, statements = append(proofs, proof), append(statements, s.label+": "+statement)
		}
	}
	f := factor{name: "augmentation", label: "speed or capacity factor", xs: list[0].xs}
	rest := fmt.Sprintf("the optimum has no such factor; instances: %s.", strings.Join(sizes, ", "))
	if len(statements) > 0 {
		rest += " Dotted: what is proven. " + strings.Join(statements, "; ") + "."
	}
	a.add(a.factorPicture(v, class, f, "", rest+grey(lines)), func(f Frame) *Figure {
		return twoPanels(f, lines, slices.Concat(worsts, proofs))
	})
}

// proof is the line of the ratio proven for the algorithm of s, at each augmentation the largest over its instances; an empty
// statement: nothing is proven.
func proof(v *summary.View, s *sweep) (line Line, statement string) {
	algorithm, arg, err := v.Problem.Find(s.cells[0].Units[0].Algorithm)
	if err != nil || algorithm.Guarantee == nil { // an external command has no entry
		return line, ""
	}
	most := make([]float64, len(s.xs))
	for _, c := range s.cells {
		i := s.place(c)
		if r, ok := algorithm.Guarantee.Ratio(c.In.Features, arg, s.xs[i]); ok && algorithm.Guarantee.Covers(c.Units[0].Params) {
			if algorithm.Guarantee.Shape {
				r = max(r, 1) // of a bound of unknown constant; no ratio is below 1
			}
			most[i] = max(most[i], r)
		}
	}
	for i, x := range s.xs {
		if most[i] > 0 {
			line.X, line.Y = append(line.X, x), append(line.Y, most[i])
		}
	}
	if len(line.X) == 0 {
		return line, ""
	}
	return line, algorithm.Guarantee.Statement()
}
