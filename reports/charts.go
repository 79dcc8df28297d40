package reports

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
	maxDrawn = 20_000 // bars of all drawings, about half a megabyte of the page
	maxTried = 20_000 // units whose solution is looked for
)

// charts draws small solutions as long as there is room: instance by instance, those first on which some algorithm is
// furthest from the optimum, and of an instance all solutions that were kept. What cannot be drawn is a warning.
func charts(ctx context.Context, r *summary.Report, in Input) (map[*ratio.Unit]models.Chart, error) {
	out := map[*ratio.Unit]models.Chart{}
	if in.Solution == nil {
		return out, nil
	}
	left, tries := maxDrawn, maxTried
	for _, p := range r.Problems {
		for _, inst := range furthest(p) {
			if err := ctx.Err(); err != nil || left <= 0 || tries <= 0 {
				return out, err
			}
			var parsed *bench.Instance
			tries -= len(inst.Units)
			for _, u := range inst.Units {
				data, err := in.Solution(u.RunID, u.UnitID)
				if err != nil {
					if w := fmt.Sprintf("a solution is not drawn: %v", err); !slices.Contains(r.Warnings, w) {
						r.Warnings = append(r.Warnings, w)
					}
					continue
				}
				if data == nil || u.Value == nil {
					continue
				}
				if parsed == nil {
					if parsed, err = in.Instance(inst.SHA256); err != nil {
						break // the set has warned
					}
				}
				c, err := parsed.Chart("solution of unit "+u.UnitID, data)
				if err != nil {
					r.Warnings = append(r.Warnings, fmt.Sprintf("a solution is not drawn: %v", err))
					continue
				}
				if n := len(c.Bars); 0 < n && n <= min(maxBars, left) {
					out[u] = c
					left -= n
				}
			}
		}
	}
	return out, nil
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
