package reports

import (
	"fmt"
	"slices"
	"strings"

	"schedgap/models"
	"schedgap/reports/plots"
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
	series
	label string
	at    []float64 // the augmentations
}

// place is where a cell's augmentation is among those of the sweep.
func (s *sweep) place(c *summary.Cell) int { return slices.Index(s.at, c.Units[0].Augmentation) }

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
			list = append(list, &sweep{series: series{Variant: variant}, label: label})
		}
		for k := range v.Cells[variant] {
			if c := &v.Cells[variant][k]; c.Finite() {
				list[i].cells = append(list[i].cells, c)
				if list[i].place(c) < 0 {
					list[i].at = append(list[i].at, c.Units[0].Augmentation)
				}
			}
		}
		slices.Sort(list[i].at)
	}
	return slices.DeleteFunc(list, func(s *sweep) bool { return len(s.at) < 2 })
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
		mean, worst := a.against(v, s.series, s.at, s.place)
		mean.Label, mean.Edge = s.label, nil
		mean.Style.Marked, worst.Style.Marked = false, false // an augmentation is no other algorithm
		lines, worsts = append(lines, mean), append(worsts, worst)
		size := make([]int, len(s.at))
		for _, c := range s.cells {
			size[s.place(c)]++
		}
		sizes = append(sizes, fmt.Sprintf("%s %d to %d", s.label, slices.Min(size), slices.Max(size)))
		if proof, statement := proof(v, s); statement != "" {
			proof.Style = plots.Style{Index: mean.Style.Index, Marked: true}
			proofs, statements = append(proofs, proof), append(statements, s.label+": "+statement)
		}
	}
	name, axis, file := what(v)
	title := fmt.Sprintf("%s: %s against augmentation", a.problem.Name, name)
	frame := plots.Frame{Title: title, X: bare("speed or capacity factor", plots.Auto), Y: axis}
	fig := plots.Lines(frame, slices.Concat(lines, worsts, proofs))
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
func proof(v *summary.View, s *sweep) (line plots.Line, statement string) {
	algorithm, arg, err := v.Problem.Find(s.cells[0].Units[0].Algorithm)
	if err != nil || algorithm.Guarantee == nil { // an external command has no entry
		return line, ""
	}
	most := make([]float64, len(s.at))
	for _, c := range s.cells {
		i := s.place(c)
		if r, ok := algorithm.Guarantee.Ratio(c.In.Features, arg, s.at[i]); ok && algorithm.Guarantee.Covers(c.Units[0].Params) {
			most[i] = max(most[i], r)
		}
	}
	for i, x := range s.at {
		if most[i] > 0 {
			line.X, line.Y = append(line.X, x), append(line.Y, most[i])
		}
	}
	if len(line.X) == 0 {
		return line, ""
	}
	return line, algorithm.Guarantee.Statement()
}
