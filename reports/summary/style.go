package summary

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"schedgap/bench"
	"schedgap/models"
	"schedgap/reports/ratio"
)

// Colours is how many colours figures have.
const Colours = 15

// accents are the colours that commands take, which a reader looks for first: crimson and pink, strong on light and dark pages,
// then colours that few algorithms of a list come to.
var accents = []int{6, 10, 8, 9, 11, 12, 13, 7}

// Styles numbers the variants of a problem for figures, each with a number of its own; bounds have none. The number modulo
// Colours is the colour, one for each command and for each family of algorithms: the one that it would like or, if another has
// it, the next that is free, if any is. Commands choose first. What shares a colour differs in dash and glyph.
func Styles(p *ratio.Problem, of Variants, list []*Variant) map[Variant]int {
	hue := map[*Variant]string{}  // what shares a colour
	commands := map[string]bool{} // hues
	wish, families := map[string]int{}, wishes(p.Algorithms)
	for setup, v := range of {
		switch v.Kind {
		case string(models.Bound):
		case string(models.External):
			hue[v] = "command " + setup.Algorithm
			commands[hue[v]] = true
		default:
			hue[v] = family(setup.Algorithm)
			wish[hue[v]] = families[hue[v]]
		}
	}
	for i, name := range slices.Sorted(maps.Keys(commands)) {
		wish[name] = accents[i%len(accents)]
	}
	last := map[bool]int{false: 1}
	order := slices.SortedFunc(maps.Keys(wish), func(a, b string) int {
		return cmp.Or(cmp.Compare(last[commands[a]], last[commands[b]]), cmp.Compare(wish[a], wish[b]), cmp.Compare(a, b))
	})
	colour, used, taken := map[string]int{}, [Colours]int{}, [Colours]bool{}
	for _, name := range order {
		c := wish[name] % Colours
		for tries := 0; taken[c] && tries < Colours; tries++ {
			c = (c + 1) % Colours
		}
		colour[name], taken[c] = c, true
		if commands[name] { // solid lines, which every fourth number has
			used[c] = (4 - c%4) % 4
		}
	}
	out := map[Variant]int{}
	for _, v := range list {
		if name := hue[v]; name != "" {
			c := colour[name]
			out[*v] = c + Colours*used[c]
			used[c]++
		}
	}
	return out
}

// family is the common beginning of related names: dollymp of dollymp2 and dollymp-careful, laps of laps+r:0.5.
func family(algorithm string) string {
	if i := strings.IndexAny(algorithm, "-+:0123456789"); i > 0 {
		return algorithm[:i]
	}
	return algorithm
}

// wishes are the colours of families where nobody else has them, the same in all reports: those of heuristics by their place in
// the list of algorithms, those of exact methods from the end.
func wishes(list []bench.Algorithm) map[string]int {
	wish := map[string]int{}
	heuristics, exact := 0, 100*Colours
	for _, a := range list {
		if _, known := wish[family(a.Name)]; known {
			continue
		}
		switch a.Kind {
		case models.Heuristic:
			wish[family(a.Name)] = heuristics
			heuristics++
		case models.Exact:
			exact--
			wish[family(a.Name)] = exact
		}
	}
	return wish
}
