package summary

import "schedgap/reports/ratio"

// Variants assigns every setup of a problem's units the algorithm as which the report's tables count it.
func Variants(p *ratio.Problem) map[*ratio.Setup]*Variant {
	of, _ := findVariants(p)
	return of
}
