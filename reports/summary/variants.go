package summary

import "schedgap/reports/ratio"

// Variants assigns every unit of a problem the algorithm as which the report's tables count it.
func Variants(p *ratio.Problem) map[*ratio.Unit]*Variant {
	of, _ := variants(p)
	return of
}
