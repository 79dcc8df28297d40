// Package nearest finds what somebody who mistyped a name may have meant.
package nearest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Name returns the known name that is most like the given one; empty if none is near enough to be meant. Upper and lower case
// count as equal. Among equally near names the first counts.
//
// A name is near when a third of the longer one's letters, at least one, can be wrong, missing, added or swapped with the
// next, or when the given text, of three letters or more, is how the name begins.
func Name(given string, known []string) string {
	best, least := "", 0
	g := []rune(strings.ToLower(given))
	for _, name := range known {
		k := []rune(strings.ToLower(name))
		longest := max(len(g), len(k))
		wrong := max(1, longest/3)
		begins := len(g) >= 3 && len(g) <= len(k) && slices.Equal(g, k[:len(g)])
		if !begins && longest-min(len(g), len(k)) > wrong {
			continue // the distance is at least that; measuring it would take minutes where a text is megabytes long
		}
		d := distance(g, k)
		if near := d <= wrong && d < longest && d < len(k); (near || begins) && (best == "" || d < least) {
			best, least = name, d
		}
	}
	return best
}

// Unknown says that there is no such thing as the given one, and asks for the nearest of the known or else lists them.
func Unknown(what, given string, known []string) error {
	if name := Name(given, known); name != "" {
		return fmt.Errorf("unknown %s %q; did you mean %q?", what, given, name)
	}
	if len(known) == 0 {
		return fmt.Errorf("unknown %s %q; there is none", what, given)
	}
	if len(known) <= mostListed {
		return fmt.Errorf("unknown %s %q; known: %s", what, given, strings.Join(known, ", "))
	}
	return fmt.Errorf("unknown %s %q; known: %s (the nearest of %d)", what, given, strings.Join(few(given, known), ", "), len(known))
}

// Of more than mostListed names an error shows the fewListed nearest.
const (
	mostListed = 12
	fewListed  = 5
)

// few are the names most like the given one, the nearest first. Of a long text the beginning counts.
func few(given string, known []string) []string {
	g := []rune(strings.ToLower(given))
	g = g[:min(len(g), 100)]
	far := map[string]int{}
	for _, name := range known {
		far[name] = distance(g, []rune(strings.ToLower(name)))
	}
	near := slices.Clone(known)
	slices.SortStableFunc(near, func(a, b string) int { return cmp.Compare(far[a], far[b]) })
	return near[:min(fewListed, len(near))]
}

// Some lists the known names most like a pattern's text, to show how names look.
func Some(pattern string, known []string) string {
	return strings.Join(few(strings.Trim(pattern, "*?"), known), ", ")
}

// distance is the least number of letters to add, to leave out, to replace, or to swap with the next, that makes b out of a
// (optimal string alignment).
func distance(a, b []rune) int {
	before, last := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range a {
		now := make([]int, len(b)+1)
		now[0] = i + 1
		for j := range b {
			replace := 1
			if a[i] == b[j] {
				replace = 0
			}
			now[j+1] = min(last[j+1]+1, now[j]+1, last[j]+replace)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				now[j+1] = min(now[j+1], before[j-1]+1)
			}
		}
		before, last = last, now
	}
	return last[len(b)]
}
