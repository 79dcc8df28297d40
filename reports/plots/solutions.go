package plots

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"schedgap/bench"
	"schedgap/models"
	"schedgap/reports/ratio"
	"schedgap/reports/summary"
)

const (
	maxBars  = 300    // of one drawing, more than a reader tells apart
	maxDrawn = 10_000 // bars of all drawings, about half a megabyte of the page
	maxTried = 20_000 // units whose solution is looked for
)

// A Source is where solutions and instances are found.
type Source struct {
	Instance func(sha256 string) (*bench.Instance, error)
	Solution func(runID, unitID string) ([]byte, error) // nil data: it was not kept; nil: none was
}

// Solutions draws small solutions as long as there is room: instance by instance, those first on which some algorithm is
// furthest from the optimum, and of an instance an exact method's solution above that of the algorithm that is furthest from it.
// What cannot be drawn is a warning.
func Solutions(ctx context.Context, r *summary.Report, in Source) (map[*ratio.Instance]string, error) {
	out := map[*ratio.Instance]string{}
	if in.Solution == nil {
		return out, nil
	}
	left, tries := maxDrawn, maxTried
	warn := func(err error) {
		if w := fmt.Sprintf("a solution is not drawn: %v", err); !slices.Contains(r.Warnings, w) {
			r.Warnings = append(r.Warnings, w)
		}
	}
	for _, p := range r.Problems {
		of, _ := summary.FindVariants(p.Views[0].Problem)
		for _, inst := range furthest(p) {
			if err := ctx.Err(); err != nil || left <= 0 || tries <= 0 {
				return out, err
			}
			var parsed *bench.Instance
			var drawn []Schedule
			var exact []bool
			tries -= len(inst.Units)
			for _, u := range telling(p, inst) {
				data, err := in.Solution(u.RunID, u.UnitID)
				if err != nil {
					warn(err)
				}
				if data == nil || err != nil || len(drawn) > 0 && exact[len(drawn)-1] == (u.Kind == string(models.Exact)) {
					continue
				}
				if parsed == nil {
					parsed, err = in.Instance(inst.SHA256)
					if err != nil {
						break // the set has warned
					}
				}
				c, err := parsed.Chart("solution of unit "+u.UnitID, data)
				if err != nil {
					warn(err)
				} else if n := len(c.Bars); 0 < n && n <= min(maxBars, left) {
					drawn = append(drawn, Schedule{Title: p.Marked(of[u.Setup].Label), Chart: c})
					exact, left = append(exact, u.Kind == string(models.Exact)), left-n
				}
			}
			if len(drawn) == 0 {
				continue
			}
			f, err := Schedules(drawn)
			if err != nil {
				warn(err)
				continue
			}
			svg, err := f.SVG()
			if err != nil {
				return out, err
			}
			out[inst] = Inline(svg, "Solutions of "+inst.Name)
		}
	}
	return out, nil
}

// telling lists the units of an instance that have a solution: exact ones with the best value first, then others by how far they
// are from the first reference.
func telling(p *summary.Problem, in *ratio.Instance) []*ratio.Unit {
	list := slices.DeleteFunc(slices.Clone(in.Units), func(u *ratio.Unit) bool { return u.Value == nil })
	slices.SortStableFunc(list, func(a, b *ratio.Unit) int {
		exact := func(u *ratio.Unit) int {
			if u.Kind == string(models.Exact) {
				return 0
			}
			return 1
		}
		x, y := float64(p.Views[0].Problem.Sense)*(*a.Value), float64(p.Views[0].Problem.Sense)*(*b.Value)
		if exact(a) == 0 {
			x, y = -x, -y
		}
		return cmp.Or(cmp.Compare(exact(a), exact(b)), cmp.Compare(y, x))
	})
	return list
}

// furthest lists the instances by how far the furthest algorithm is from the problem's first reference.
func furthest(p *summary.Problem) []*ratio.Instance {
	instances := p.Views[0].Problem.Instances
	far := make([]float64, len(instances))
	for _, v := range p.Views {
		if v.Reference != p.References[0].Name {
			continue
		}
		for _, variant := range v.Variants {
			if !variant.Contender() {
				continue
			}
			for i := range v.Cells[variant] {
				if c := &v.Cells[variant][i]; c.Finite() {
					far[c.In.Index] = max(far[c.In.Index], c.Hi)
				}
			}
		}
	}
	list := slices.Clone(instances)
	slices.SortStableFunc(list, func(a, b *ratio.Instance) int { return cmp.Compare(far[b.Index], far[a.Index]) })
	return list
}
