package summary

import "slices"

// Mine makes the report one on the command of that name: it comes first in the headline, tables and figures, and is marked as
// yours. Its lead view comes first, too. A pooled one is about all instances, without families and suites.
func (r *Report) Mine(name string, pooled bool) {
	for _, p := range r.Problems {
		p.Yours, p.Pooled = name, pooled
		if i := slices.Index(p.Views, p.LeadView()); i > 0 {
			lead := p.Views[i]
			p.Views = slices.Insert(slices.Delete(p.Views, i, i+1), 0, lead)
		}
		slices.SortStableFunc(p.Outcomes, func(a, b Outcome) int { return p.Precedence(a.Label) - p.Precedence(b.Label) })
	}
	r.Headlines = headlines(r)
}

// Marked is how a label is shown: that of the command that the report is on says so.
func (p *Problem) Marked(label string) string {
	if p.Precedence(label) == 0 {
		return label + " (yours)"
	}
	return label
}

// Precedence sorts by labels: 0 for the command that the report is on, 1 for all others.
func (p *Problem) Precedence(label string) int {
	if p.Yours != "" && label == p.Yours {
		return 0
	}
	return 1
}

// MineFirst puts, in each class of rows, that of the command that the report is on before the others. Rows of a class are
// together.
func (p *Problem) MineFirst(rows []*Ratios) {
	for from := 0; from < len(rows); {
		to := from
		for to < len(rows) && rows[to].Class == rows[from].Class {
			to++
		}
		slices.SortStableFunc(rows[from:to], func(a, b *Ratios) int { return p.Precedence(a.Label) - p.Precedence(b.Label) })
		from = to
	}
}
