package reports

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"schedgap/models"
	"schedgap/reports/plots"
	"schedgap/reports/stats"
	"schedgap/reports/summary"
)

// augmentation is the speed or capacity factor that a variant was given; 1: none.
func augmentation(v *summary.View, variant *summary.Variant) float64 {
	if cells := v.Cells[variant]; len(cells) > 0 {
		return cells[0].Units[0].Augmentation
	}
	return 1
}

// A sweep is one algorithm at several augmentations.
type sweep struct {
	algorithm string // with its argument
	label     string
	variants  []*summary.Variant
	cells     map[float64][]summary.Cell // by augmentation
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
			if label = base; len(kept) > 0 {
				label += " (" + strings.Join(kept, ", ") + ")"
			}
		}
		i := slices.IndexFunc(list, func(s *sweep) bool { return s.label == label })
		if i < 0 {
			i = len(list)
			list = append(list, &sweep{label: label, cells: map[float64][]summary.Cell{}})
		}
		list[i].variants = append(list[i].variants, variant)
	}
	return slices.DeleteFunc(list, func(s *sweep) bool { return !s.fill(v) })
}

// fill collects the cells; it reports false if they are not of several augmentations.
func (s *sweep) fill(v *summary.View) bool {
	compared := func(yield func(c *summary.Cell) bool) {
		for _, variant := range s.variants {
			for i := range v.Cells[variant] {
				if c := &v.Cells[variant][i]; c.Finite() && !yield(c) {
					return
				}
			}
		}
	}
	first, several := none, false
	for c := range compared {
		if x := c.Units[0].Augmentation; math.IsNaN(first) {
			first = x
		} else if x != first {
			several = true
			break
		}
	}
	if !several { // as most are, which need no copy of their cells
		return false
	}
	for c := range compared {
		s.algorithm = c.Units[0].Algorithm
		x := c.Units[0].Augmentation
		s.cells[x] = append(s.cells[x], *c)
	}
	return true
}

// augmentation draws mean and worst ratio against the augmentation, with what each algorithm's source proves.
func (a *artist) augmentation(v *summary.View) {
	list := sweeps(v)
	if len(list) == 0 {
		return
	}
	var lines, worsts, proofs []plots.Line
	var sizes, statements []string
	for _, s := range list {
		colour := a.style[s.variants[0].Label].Index // an augmentation is no other algorithm
		mean := plots.Line{Label: s.label, Style: plots.Style{Index: colour}, Points: true}
		worst := plots.Line{Style: mean.Style, Thin: true}
		least, most := math.MaxInt, 0
		for x := range s.cells {
			mean.X = append(mean.X, x)
		}
		slices.Sort(mean.X)
		worst.X = mean.X
		for _, x := range mean.X {
			his := make([]float64, len(s.cells[x]))
			far := 0.0
			for j := range s.cells[x] {
				c := &s.cells[x][j]
				_, his[j] = v.Arithmetic(c)
				_, hi := v.Furthest(c)
				far = max(far, hi)
			}
			mean.Y, worst.Y = append(mean.Y, stats.Mean(his)), append(worst.Y, far)
			least, most = min(least, len(his)), max(most, len(his))
		}
		lines, worsts = append(lines, mean), append(worsts, worst)
		sizes = append(sizes, fmt.Sprintf("%s %d to %d", s.label, least, most))
		proof, statement := proof(v, s, mean)
		if statement != "" {
			proofs, statements = append(proofs, proof), append(statements, s.label+": "+statement)
		}
	}
	name, axis, file := what(v)
	title := fmt.Sprintf("%s: %s against augmentation", a.problem.Name, name)
	fig := plots.Lines(plots.Frame{
		Title: title, X: plots.Axis{Label: "speed or capacity factor", Base: none}, Y: axis,
	}, slices.Concat(lines, worsts, proofs))
	proven := ""
	if len(statements) > 0 {
		proven = " Dotted: what is proven. " + strings.Join(statements, "; ") + "."
	}
	a.add(fig, title, fmt.Sprintf("Arithmetic mean (solid) and worst case (dashed) of the %s, at the high end where the optimum is "+
		"not proven, against the augmentation that the algorithm has and the optimum has not; instances: %s.%s",
		name, strings.Join(sizes, ", "), proven), v, file, "augmentation")
}

// proof is the line of the ratio proven for the algorithm of s, at each augmentation the largest over its instances; an empty
// statement: nothing is proven.
func proof(v *summary.View, s *sweep, mean plots.Line) (line plots.Line, statement string) {
	algorithm, arg, err := v.Problem.Find(s.algorithm)
	if err != nil || algorithm.Guarantee == nil { // an external command has no entry
		return line, ""
	}
	line = plots.Line{Style: plots.Style{Index: mean.Style.Index, Marked: true}}
	for _, x := range mean.X {
		most := 0.0
		for _, c := range s.cells[x] {
			if r, ok := algorithm.Guarantee.Ratio(c.In.Features, arg, x); ok && algorithm.Guarantee.Covers(c.Units[0].Params) {
				most = max(most, r)
			}
		}
		if most > 0 {
			line.X, line.Y = append(line.X, x), append(line.Y, most)
		}
	}
	if len(line.X) == 0 {
		return line, ""
	}
	statement = algorithm.Guarantee.Doc
	if algorithm.Guarantee.Shape {
		statement += " (its shape, the constant taken as 1)"
	}
	return line, statement
}
