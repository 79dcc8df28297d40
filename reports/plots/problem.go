package plots

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
	"schedgap/reports/stats"
	"schedgap/reports/summary"
	"schedgap/reports/words"
)

const (
	steps      = 300 // of a distribution curve, more than a figure can show
	maxDots    = 400 // instances in a row of dots
	maxClasses = 12  // families, or suites, with figures of their own
)

// A Drawing is a figure with its title and caption.
type Drawing struct {
	summary.Figure
	Plot   *Figure
	Layout *Layout // of a strip of dots; nil: it is none
}

// An artist draws the figures of one problem. Every algorithm has the same style in all of them.
type artist struct {
	problem *summary.Problem
	style   map[string]Style // by label
	out     []Drawing
}

// A picture is the frame of a figure, with its title, caption and subject.
type picture struct {
	view           *summary.View // nil: the whole problem
	class          summary.Class
	title, caption string // without the problem's name, and without what follows from the view
	brief          string // behind the title, in the drawing only
	x, y           Axis
	name           []string // parts of the file's name
}

// Problem makes all figures of a problem, those of different views on different processors.
func Problem(p *summary.Problem) []Drawing {
	style := map[string]Style{}
	for variant, index := range p.Styles {
		style[variant.Label] = Style{Index: index, Marked: variant.Mark != ""}
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
				return nil
			}
			for _, group := range summary.SameAlgorithm(p.Solvers) {
				a.proven(group)
			}
			a.relaxations()
			a.gaps()
			return nil
		})
	}
	_ = g.Wait() // they have no errors
	var out []Drawing
	for _, a := range artists {
		out = append(out, a.out...)
	}
	return out
}

func (a *artist) view(v *summary.View) {
	whole, parts := a.classes(v)
	if len(shown(v, summary.Class{})) > 0 {
		for _, c := range slices.Concat(whole, parts) {
			a.strips(v, c)
		}
		for _, c := range whole {
			a.profile(v, c)
		}
		for _, c := range slices.Concat(whole, parts) {
			a.boxes(v, c)
		}
		for _, c := range whole {
			a.features(v, c)
		}
	}
	for _, c := range whole {
		if !v.Regret {
			a.augmentations(v, c)
		}
	}
}

// classes are the classes of a view that have figures. Where values measure several things, no figure mixes them: whole has each
// objective, the main one first, in place of all instances, and parts has the families and the suites with one objective only.
func (a *artist) classes(v *summary.View) (whole, parts []summary.Class) {
	whole = []summary.Class{{}}
	if objectives := v.Objectives(); len(objectives) > 0 {
		_, lead := a.problem.Lead()
		slices.SortStableFunc(objectives, func(x, y summary.Class) int {
			size := cmp.Compare(v.Size(y), v.Size(x))
			return cmp.Or(map[bool]int{true: -1}[x == lead]-map[bool]int{true: -1}[y == lead], size)
		})
		whole = objectives
	}
	if a.problem.Pooled {
		return whole, nil
	}
	for _, part := range [][]summary.Class{v.Classes()[1:], v.Suites()} {
		part = slices.DeleteFunc(part, func(c summary.Class) bool { return len(measures(v, c)) > 1 })
		parts = append(parts, part[:min(len(part), maxClasses)]...)
	}
	return whole, parts
}

// measures lists what the values of a class's instances measure.
func measures(v *summary.View, class summary.Class) (list []string) {
	for _, in := range v.Instances {
		if class.Has(in) && !slices.Contains(list, in.Objective) {
			list = append(list, in.Objective)
		}
	}
	return list
}

// objective names what the values of a class measure.
func objective(v *summary.View, class summary.Class) string {
	return cmp.Or(strings.Join(measures(v, class), " or "), "objective")
}

var notName = regexp.MustCompile(`[^a-z0-9]+`)

// add takes a figure, drawn in the frame of its picture.
func (a *artist) add(p picture, plot func(f Frame) *Figure) *Drawing {
	about := summary.Figure{Title: a.problem.Name + ": " + p.title, Caption: p.caption}
	if v := p.view; v != nil {
		about.Reference, about.Regret = v.Reference, v.Regret
		file := v.Reference
		if v.Regret {
			file += "-regret"
		}
		p.name = append([]string{file}, p.name...)
	}
	about.By, about.Part = p.class.By(), p.class.String()
	if about.Part != "" {
		about.Title += " (" + about.Part + ")"
		p.name = append(p.name, about.Part)
	}
	about.Name = strings.Trim(notName.ReplaceAllString(strings.ToLower(a.problem.Name+"-"+strings.Join(p.name, "-")), "-"), "-")
	frame := Frame{Title: about.Title, X: p.x, Y: p.y}
	if p.brief != "" {
		frame.Title += ", " + p.brief
	}
	a.out = append(a.out, Drawing{Figure: about, Plot: plot(frame)})
	return &a.out[len(a.out)-1]
}

// none is the base of an axis without a base line.
var none = math.NaN()

// bare is an axis without a base line.
func bare(label string, scale Scale) Axis { return Axis{Label: label, Scale: scale, Base: none} }

// what names a view's quantity, with its axis.
func what(v *summary.View) (name string, axis Axis) {
	if v.Regret {
		return "regret to " + v.Reference, Axis{Label: "regret to " + v.Reference, Base: 0}
	}
	return "ratio to " + v.Reference, Axis{Label: "ratio to " + v.Reference, Base: 1}
}

// A series is one algorithm in the figures of a view: the instances on which it is compared, with the low and the high
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
		s := series{Variant: variant}
		for i := range v.Cells[variant] {
			switch c := &v.Cells[variant][i]; {
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

// bestFirst lists what figures show of a class, contenders by their rank, with their rows, and then the others.
func (a *artist) bestFirst(v *summary.View, class summary.Class) (list []series, rows map[summary.Variant]*summary.Ratios) {
	list, rows = shown(v, class), map[summary.Variant]*summary.Ratios{}
	rank := map[summary.Variant]int{}
	ranked := a.problem.Ranked(v, class)
	a.problem.MineFirst(ranked)
	for i, r := range ranked {
		rows[r.Variant], rank[r.Variant] = r, i-len(list)
	}
	slices.SortStableFunc(list, func(x, y series) int { return rank[*x.Variant] - rank[*y.Variant] })
	return list, rows
}

// strips draws the figure that the report begins with: how far from the optimum every algorithm is, the best first.
func (a *artist) strips(v *summary.View, class summary.Class) {
	list, rows := a.bestFirst(v, class)
	contenders := slices.DeleteFunc(list, func(s series) bool { return rows[*s.Variant] == nil })
	if len(contenders) == 0 {
		return
	}
	every, open := 1, false
	var out []Strip
	for _, s := range contenders {
		strip, step := a.strip(v, s, rows[*s.Variant])
		out, every, open = append(out, strip), max(every, step), open || s.open
	}
	axis := a.problem.Apart(v.Reference, v.Regret)
	brief, n := counts(contenders, v.Size(class))
	first := "the best algorithm first"
	if a.problem.Yours != "" {
		first = "yours first, then the best algorithm"
	}
	caption := fmt.Sprintf("%s, in percent %s, %s: a dot for each instance, a tick at the mean with its 95 %% "+
		"interval, the worst instance by name; %s.", words.Capital(objective(v, class)), axis, first, n)
	if open {
		caption += " A bar reaches from the low to the high end where an optimum is open; the mean is of the high ends."
	}
	if every > 1 {
		caption += fmt.Sprintf(" One dot in up to %d is drawn, the worst among them.", every)
	}
	if scale := newStripScale(out); scale.unit > 0 {
		caption += fmt.Sprintf(" The axis is logarithmic in 1 + the distance over %s.", scale.write(scale.unit))
	}
	d := a.add(picture{
		view: v, class: class, title: "distance from " + v.Reference, brief: brief, caption: caption, name: []string{"overview"},
		x: bare(axis, Auto), y: bare("", Auto),
	}, func(f Frame) *Figure { return Strips(f, out) })
	d.Layout, d.Strip = NewLayout(axis, out), true
}

// strip is an algorithm's row, and of how many dots one is drawn.
func (a *artist) strip(v *summary.View, s series, r *summary.Ratios) (strip Strip, step int) {
	far := func(x float64) float64 { return a.problem.Far(v.Regret, x) }
	lead := r.Lead()
	strip = Strip{
		Label: a.problem.Marked(s.Label), Style: a.style[s.Label], Mean: far(float64(lead.Hi)), CILo: far(float64(lead.CILo)),
		CIHi: far(float64(lead.CIHi)), Says: a.problem.LeadText(r), Worst: far(float64(r.Worst.Hi)), Name: r.Worst.Instance,
	}
	cells := slices.SortedFunc(slices.Values(s.cells), func(x, y *summary.Cell) int { return cmp.Compare(x.Hi, y.Hi) })
	step = (len(cells) + maxDots - 1) / maxDots
	for i := len(cells) - 1; i >= 0; i -= step { // the worst is among them
		lo, hi := far(cells[i].Lo), far(cells[i].Hi)
		strip.Lo, strip.Hi = append(strip.Lo, lo), append(strip.Hi, hi)
		strip.Instances = append(strip.Instances, cells[i].In.Index)
		strip.Texts = append(strip.Texts, words.Percentage(lo, hi))
	}
	if finite(strip.CILo) && finite(strip.CIHi) {
		strip.Says += " " + words.PercentageInterval(strip.CILo, strip.CIHi)
	}
	return strip, step
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

const bandNote = " Where an optimum is open, the line uses the best proven bound and the band reaches to the best known value."

// notes explains what of a list of series needs it.
func notes(list []series) string {
	note := ""
	if slices.ContainsFunc(list, func(s series) bool { return s.open }) {
		note = bandNote
	}
	if slices.ContainsFunc(list, func(s series) bool { return s.Mark != "" }) {
		note += " *: not comparable; the axes are for the others."
	}
	return note
}

// band is the distribution of intervals: the line for the high ends, the edge for the low ends.
func (a *artist) band(s series, total int) Line {
	hi := stats.Distribution(s.his, total).Thin(steps)
	line := Line{Label: a.problem.Marked(s.Label), Style: a.style[s.Label], Step: true, X: hi.X, Y: hi.Y}
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

// grey says which series are the background of a figure of lines.
func grey(lines []Line) string {
	if rest := Background(lines); len(rest) > 0 {
		return fmt.Sprintf(" Grey: %s.", strings.Join(rest, ", "))
	}
	return ""
}

// profile draws the share of a class's instances, solved or not, on which an algorithm is within a distance of the optimum.
func (a *artist) profile(v *summary.View, class summary.Class) {
	list, _ := a.bestFirst(v, class)
	if len(list) == 0 {
		return
	}
	name, axis := what(v)
	if !v.Regret {
		axis.Scale = Log
	}
	total := v.Size(class)
	var lines []Line
	for _, s := range list {
		lines = append(lines, a.band(s, total))
	}
	a.add(picture{
		view: v, class: class, title: name + " profile", brief: fmt.Sprintf("n = %d", total), name: []string{"profile"}, x: axis,
		y: bare("all instances", Share),
		caption: fmt.Sprintf("The share of all %d instances, solved or not, on which the %s of the %s is at most x. Higher and further "+
			"left is better; failures are never reached.%s%s", total, name, objective(v, class), notes(list), grey(lines)),
	}, func(f Frame) *Figure { return Lines(f, lines) })
}

func (a *artist) boxes(v *summary.View, class summary.Class) {
	list, _ := a.bestFirst(v, class)
	if len(list) == 0 {
		return
	}
	name, axis := what(v)
	mean, meanName := stats.GeoMean, "geometric mean"
	if v.Regret {
		mean, meanName = stats.Mean, "mean"
	}
	var boxes []Box
	for _, s := range list {
		xs := slices.Sorted(slices.Values(s.his))
		q := func(p float64) float64 { return stats.Quantile(xs, p) }
		b := Box{
			Label: a.problem.Marked(s.Label), Style: a.style[s.Label], Low: q(0.05), Q1: q(0.25), Median: q(0.5), Q3: q(0.75), High: q(0.95),
			Worst: q(1), Mean: mean(xs),
		}
		for _, c := range s.cells {
			_, far := v.Furthest(c)
			b.Worst = max(b.Worst, far)
		}
		boxes = append(boxes, b)
	}
	brief, n := counts(list, v.Size(class))
	a.add(picture{
		view: v, class: class, title: name + " by algorithm", brief: brief, name: []string{"box"}, x: axis, y: bare("", Auto),
		caption: fmt.Sprintf("The %s of the %s, at its high end where the optimum is open: quartiles, whiskers from the 5th to the "+
			"95th percentile, dot at the %s, cross at the worst unit; %s.", name, objective(v, class), meanName, n),
	}, func(f Frame) *Figure { return Boxes(f, boxes) })
}
