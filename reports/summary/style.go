package summary

import (
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

// styles numbers the variants of a problem for figures, each with a number of its own; bounds have none. The number modulo
// Colours is the colour, one for each command and for each family of algorithms. What shares a colour differs in dash and glyph.
func styles(p *ratio.Problem, of variants, list []*Variant) map[Variant]int {
	hue := map[*Variant]string{}                                 // what shares a colour
	commands, families := map[string]int{}, wishes(p.Algorithms) // the colours that they would like
	present := map[string]int{}
	for _, u := range p.Units {
		v := of[u.Setup]
		if hue[v] != "" || v.Kind == string(models.Bound) {
			continue
		}
		if v.Kind == string(models.External) {
			hue[v] = "command " + u.Algorithm
			commands[hue[v]] = 0
			continue
		}
		hue[v] = family(u.Algorithm)
		present[hue[v]] = families[hue[v]]
	}
	for i, name := range slices.Sorted(maps.Keys(commands)) {
		commands[name] = accents[i%len(accents)]
	}
	colour := map[string]int{}
	choose(colour, commands)
	choose(colour, present)
	out, used := map[Variant]int{}, [Colours]int{}
	for name := range commands { // solid lines, which every fourth number has
		used[colour[name]] = (4 - colour[name]%4) % 4
	}
	for _, v := range list {
		if name := hue[v]; name != "" {
			c := colour[name]
			out[*v] = c + Colours*used[c]
			used[c]++
		}
	}
	return out
}

// choose gives everybody the colour that they would like or, if somebody has it, the next that is free, if any is.
func choose(colour, wishes map[string]int) {
	taken := slices.Collect(maps.Values(colour))
	names := slices.SortedFunc(maps.Keys(wishes), func(a, b string) int {
		if wishes[a] != wishes[b] {
			return wishes[a] - wishes[b]
		}
		return strings.Compare(a, b)
	})
	for _, name := range names {
		c := wishes[name] % Colours
		for tries := 0; slices.Contains(taken, c) && tries < Colours; tries++ {
			c = (c + 1) % Colours
		}
		colour[name], taken = c, append(taken, c)
	}
}

// family is what names of algorithms of one kind begin with: dollymp of dollymp2 and dollymp-careful, laps of laps+r:0.5.
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
