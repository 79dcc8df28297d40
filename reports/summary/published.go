package summary

import (
	"math"

	"schedgap/reports/ratio"
)

// A Published is a published optimum beside the best value and the best bound of these results.
type Published struct {
	Instance string `json:"instance"`
	SHA256   string `json:"instance_sha256"`
	ratio.Published
	Best    Number `json:"best"`  // null: no algorithm found a value
	Bound   Number `json:"bound"` // null: none is proven
	Proven  bool   `json:"proven"`
	Differs bool   `json:"differs"` // the published value cannot be the optimum if these results are right
}

// published lists the instances with a published optimum, in their order.
func published(p *ratio.Problem) []Published {
	list := []Published{}
	for _, in := range p.Instances {
		if in.Published == nil {
			continue
		}
		row := Published{
			Instance: in.Name, SHA256: in.SHA256, Published: *in.Published, Best: Number(math.NaN()), Bound: Number(math.NaN()),
		}
		best := in.Best(row.Reference)
		row.Proven = best.Proven
		if best.Value != nil {
			row.Best = Number(*best.Value)
			row.Differs = beyond(p, in, *best.Value, row.Value)
		}
		if best.Bound != nil {
			row.Bound = Number(*best.Bound)
			row.Differs = row.Differs || beyond(p, in, row.Value, *best.Bound)
		}
		list = append(list, row)
	}
	return list
}

// beyond reports whether a value is better than what bounds it.
func beyond(p *ratio.Problem, in *ratio.Instance, value, bound float64) bool {
	return p.Sense.Better(value, bound) && !in.Optimal(value, bound)
}
