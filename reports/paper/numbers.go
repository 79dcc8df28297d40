package paper

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"

	"schedgap/reports/summary"
)

// numbers defines a macro for every number of the ratio tables: \flexOptFairMean and so on, so that a text cannot disagree with
// them.
func numbers(r *summary.Report) []byte {
	var b bytes.Buffer
	b.WriteString("% One macro a number: \\PROBLEM REFERENCE ALGORITHM QUANTITY as one word; Lo and Hi where an optimum is not " +
		"proven.\n")
	version := "of unknown version"
	if r.Provenance != nil {
		version = r.Provenance.Version
	}
	taken := map[string]bool{}
	define := func(value string, name ...string) {
		macro := word(name...)
		for taken[macro] { // two labels that differ in signs only
			macro += "X"
		}
		taken[macro] = true
		fmt.Fprintf(&b, "\\newcommand{\\%s}{%s}\n", macro, value)
	}
	define(Escape(version), "schedgap", "version")
	for _, p := range r.Problems {
		define(fmt.Sprint(p.Instances), p.Name, "instances")
		define(fmt.Sprint(p.Units), p.Name, "units")
		for _, v := range p.Views {
			for _, t := range p.Table(v.Reference, v.Regret) {
				name := []string{p.Name, v.Reference, t.Label}
				if v.Regret {
					name = append(name, "regret")
				}
				lead, n := t.Even()
				add := func(value string, what ...string) {
					if value != "--" {
						define(value, append(name[:len(name):len(name)], what...)...)
					}
				}
				both := func(lo, hi summary.Number, what string) {
					if a, z := number(lo), number(hi); a == z {
						add(a, what)
					} else {
						add(a, what, "lo")
						add(z, what, "hi")
					}
				}
				both(lead.Lo, lead.Hi, "mean")
				add(number(lead.CILo), "mean", "from")
				add(number(lead.CIHi), "mean", "to")
				switch {
				case n < t.Compared+t.Unsolved: // as in the table
					add(number(t.CommonWorst), "worst")
				case t.Worst != nil:
					both(t.Worst.Lo, t.Worst.Hi, "worst")
					add(Escape(t.Worst.Instance), "worst", "instance")
				}
				add(fmt.Sprint(n), "compared")
				add(cell("optimal", t, nil), "optimal")
				add(seconds(t.Seconds.ShiftedGeoMean), "time")
			}
		}
	}
	return b.Bytes()
}

// spelled are characters that names of macros cannot have.
var spelled = strings.NewReplacer(
	"0", " zero ", "1", " one ", "2", " two ", "3", " three ", "4", " four ", "5", " five ", "6", " six ", "7", " seven ", "8",
	" eight ", "9", " nine ",
	"+", " plus ", "*", " star ", ".", " point ", "=", " is ", "∞", " infinity ",
)

// word joins names to one word of letters, each part with a capital but the first.
func word(names ...string) string {
	parts := strings.FieldsFunc(spelled.Replace(strings.Join(names, " ")),
		func(r rune) bool { return r > unicode.MaxASCII || !unicode.IsLetter(r) })
	for i, p := range parts {
		p = strings.ToLower(p)
		if i > 0 {
			p = strings.ToUpper(p[:1]) + p[1:]
		}
		parts[i] = p
	}
	return strings.Join(parts, "")
}
