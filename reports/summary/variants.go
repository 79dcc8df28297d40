package summary

import "schedgap/reports/ratio"

// Variants assigns every setup of a problem's units the algorithm as which the report's tables count it.
func Variants(p *ratio.Problem) map[*ratio.Setup]*Variant {
	of, _ := findVariants(p)
	return of
}

// Styles are the looks of the variants in figures, the same in all reports; bounds have none.
func Styles(p *ratio.Problem) map[Variant]int {
	of, list := findVariants(p)
	return styles(p, of, list)
}
