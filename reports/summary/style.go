package summary

import (
	"hash/fnv"
	"slices"

	"schedgap/models"
	"schedgap/reports/ratio"
)

// Colours is how many colours figures have.
const Colours = 15

// styles numbers the variants of a problem for figures. The number modulo Colours is the algorithm's colour, the same in all
// reports: heuristics take them by their place in the problem's list of algorithms, exact methods from the end, and commands
// by their names. Variants of one algorithm share its colour and differ in dash and glyph.
func styles(p *ratio.Problem, of variants, list []*Variant) map[Variant]int {
	algorithm := map[*Variant]string{}
	for _, u := range p.Units {
		algorithm[of[u.Setup]] = u.Algorithm
	}
	place, taken := map[string]int{}, map[int]bool{}
	heuristics, exact := 0, Colours
	for _, a := range p.Algorithms {
		switch a.Kind {
		case models.Heuristic:
			place[a.Name] = heuristics % Colours
			heuristics++
		case models.Exact:
			exact--
			place[a.Name] = (exact + Colours*len(p.Algorithms)) % Colours
		}
	}
	for _, i := range place {
		taken[i] = true
	}
	var others []string
	for _, v := range list {
		if _, known := place[algorithm[v]]; !known && v.Kind != string(models.Bound) && !slices.Contains(others, algorithm[v]) {
			others = append(others, algorithm[v])
		}
	}
	slices.Sort(others)
	for _, name := range others {
		h := fnv.New32a()
		h.Write([]byte(name)) // never fails
		i := int(h.Sum32() % Colours)
		for tries := 0; taken[i] && tries < Colours; tries++ {
			i = (i + 1) % Colours
		}
		place[name], taken[i] = i, true
	}
	out, seen := map[Variant]int{}, map[string]int{}
	for _, v := range list {
		name := algorithm[v]
		if v.Kind == string(models.Bound) {
			continue
		}
		out[*v] = place[name] + Colours*seen[name]
		if v.Kind == string(models.Exact) { // which may have to share the colour of a heuristic
			out[*v] += Colours
		}
		seen[name]++
	}
	return out
}
