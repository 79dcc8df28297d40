package summary

import (
	"cmp"
	"slices"

	"schedgap/models"
	"schedgap/reports/ratio"
	"schedgap/reports/stats"
)

// A Price is what the restriction of one class to another costs on one class of instances: the ratio of the two optima or, where
// values may be near 0, their difference over the scale.
type Price struct {
	Class
	Restricted string `json:"restricted"`
	Reference  string `json:"reference"`
	Regret     bool   `json:"difference"` // the spans are of regrets, not of ratios
	Instances  int    `json:"instances"`  // those on which both classes have a bound, and no result is contradicted
	Compared   int    `json:"compared"`   // of these, those with a value of the restricted class and of the wider one
	Proven     int    `json:"proven"`     // of these, those with both optima proven
	// Free are the compared instances on which the restriction costs nothing: the proven ones, and those on which it may be so.
	FreeLo  int    `json:"free_lo"`
	FreeHi  int    `json:"free_hi"`
	GeoMean Span   `json:"geometric_mean"` // of ratios
	Mean    Span   `json:"arithmetic_mean"`
	Worst   *Worst `json:"worst"` // the instance with the largest high end; the low end is the largest of any instance
}

// Lead is the mean that leads the tables, as of Ratios.
func (p *Price) Lead() Span {
	return (&Ratios{Regret: p.Regret, Mean: p.Mean, GeoMean: p.GeoMean}).Lead()
}

// prices summarizes what restrictions cost, over all instances and by family.
func prices(p *ratio.Problem, views []*View, b stats.Bootstrap) []Price {
	rows := slices.Collect(p.Prices())
	out := []Price{}
	for first := 0; first < len(rows); {
		from := rows[first]
		end := first
		for end < len(rows) && rows[end].Restricted == from.Restricted && rows[end].Reference == from.Reference {
			end++
		}
		for _, v := range views {
			if v.Reference != p.Reported[0] {
				continue
			}
			for _, class := range v.Classes() {
				if price := v.price(rows[first:end], class, b); price.Instances > 0 {
					out = append(out, price)
				}
			}
		}
		first = end
	}
	return out
}

// price is what one restriction costs on a class of the view's instances.
func (v *View) price(rows []ratio.PriceRow, class Class, b stats.Bootstrap) Price {
	out := Price{Class: class, Restricted: rows[0].Restricted, Reference: rows[0].Reference, Regret: v.Regret}
	var all ends
	for _, row := range rows {
		if row.In.Comparison.ByRegret() != v.Regret || !class.Has(row.In) {
			continue
		}
		out.Instances++
		lo, hi := row.PriceLo, row.PriceHi
		if v.Regret {
			lo, hi = row.RegretLo, row.RegretHi
		}
		if lo == nil || hi == nil {
			continue
		}
		out.Compared++
		if row.Exact {
			out.Proven++
		}
		switch {
		case row.Free == nil:
			out.FreeHi++
		case *row.Free:
			out.FreeLo++
			out.FreeHi++
		}
		all.add(*lo, *hi)
		if out.Worst == nil {
			out.Worst = &Worst{Lo: Number(*lo), Hi: Number(*lo) - 1}
		}
		out.Worst.Lo = max(out.Worst.Lo, Number(*lo))
		if Number(*hi) > out.Worst.Hi {
			out.Worst.Hi, out.Worst.Instance, out.Worst.SHA256 = Number(*hi), row.Instance, row.InstanceSHA256
		}
	}
	out.Mean, out.GeoMean = v.means(all, b)
	return out
}

// A Blind says what not knowing works and durations costs on one class of instances: the best of the rules that do not, beside the
// best of those that do. It bounds the price of not knowing from above, since a better rule may exist.
type Blind struct {
	Class
	Regret   bool   `json:"difference"`
	Rule     string `json:"rule"`     // with the least mean of those on most instances
	Distance Span   `json:"distance"` // of the rule from the optimum: the leading mean, as in Ratios
	Worst    *Worst `json:"worst"`
	Compared int    `json:"compared"` // instances
	Knowing  string `json:"knowing"`  // the best rule that knows; empty: there is none
	// Over is the geometric mean of the rule's values over those of the one that knows, on the instances of both; null for regrets.
	Over Span `json:"over"`
}

// blind finds the best rules of each class of a view; searches are no rules.
func (v *View) blind(rows []*Ratios, b stats.Bootstrap) []Blind {
	out := []Blind{}
	for _, class := range v.Classes() {
		best := map[bool]*Ratios{} // by Variant.Blind
		for _, r := range rows {
			if r.Class != class || r.Kind != string(models.Heuristic) || !r.Contender() || r.Search || r.Compared == 0 {
				continue
			}
			least := best[r.Blind]
			if least == nil || cmp.Or(cmp.Compare(r.Compared, least.Compared), cmp.Compare(least.Lead().Hi, r.Lead().Hi)) > 0 {
				best[r.Blind] = r
			}
		}
		rule, knowing := best[true], best[false]
		if rule == nil {
			continue
		}
		row := Blind{
			Class: class, Regret: v.Regret, Rule: rule.Label, Distance: rule.Lead(),
			Worst: rule.Worst, Compared: rule.Compared, Over: noSpan(),
		}
		if knowing != nil {
			row.Knowing = knowing.Label
			if !v.Regret {
				_, row.Over = v.means(v.quotients(rule, knowing), b)
			}
		}
		out = append(out, row)
	}
	return out
}

// quotients are one rule's values over another's on the instances of the class that both solve.
func (v *View) quotients(rule, other *Ratios) (q ends) {
	of := map[*ratio.Instance]float64{}
	cells := func(r *Ratios, use func(c *Cell)) {
		for variant, list := range v.Cells {
			for i := range list {
				if c := &list[i]; *variant == r.Variant && r.Class.Has(c.In) && c.Finite() {
					use(c)
				}
			}
		}
	}
	cells(other, func(c *Cell) { of[c.In] = c.Hi })
	cells(rule, func(c *Cell) {
		if hi, both := of[c.In]; both { // both are over the same bound
			q.add(c.Hi/hi, c.Hi/hi)
		}
	})
	return q
}
