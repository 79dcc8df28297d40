package paper

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"schedgap/reports/summary"
	"schedgap/reports/tables"
	"schedgap/reports/words"
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
	define := func(value, macro string) { fmt.Fprintf(&b, "\\newcommand{\\%s}{%s}\n", macro, value) }
	define(Escape(version), word("schedgap", "version"))
	for _, p := range r.Problems {
		define(fmt.Sprint(p.Instances), word(p.Name, "instances"))
		define(fmt.Sprint(p.Units), word(p.Name, "units"))
		for _, v := range p.Views {
			columns := columnsOf(p, v, []string{"mean", "worst", "optimal", "time"})
			rows := p.Rows(v.Reference, v.Regret, func(r *summary.Ratios) bool { return slices.Contains([]string{"", "objective"}, r.Class.By()) })
			summary.Rank(rows)
			for _, r := range rows {
				name := word(p.Name, v.Reference)
				if r.Objective != "" {
					name += "Objective" + Spell(r.Objective)
				}
				macros(define, name+Spell(r.Label)+map[bool]string{true: "Regret"}[v.Regret], r, columns)
			}
		}
	}
	return b.Bytes()
}

// macros defines those of an algorithm, whose names begin with name.
func macros(define func(value, macro string), name string, r *summary.Ratios, columns []tables.Column) {
	add := func(value string, what ...string) {
		if value != words.None {
			define(ends(tables.Cell{Lo: value, Hi: value}), name+strings.TrimPrefix(word(append([]string{"x"}, what...)...), "x"))
		}
	}
	define(fmt.Sprint(r.Compared), name+"Compared")
	define(fmt.Sprint(r.Missing), name+"Missing")
	if r.Rank > 0 {
		define(fmt.Sprint(r.Rank), name+"Rank")
	}
	add(words.Number(r.Lead().CILo), "mean", "from")
	add(words.Number(r.Lead().CIHi), "mean", "to")
	for _, c := range columns {
		cell := c.Cell(r)
		switch {
		case c.Name == "optimal" && cell.More != "":
			define(share(cell), name+"Optimal")
		case cell.Lo == cell.Hi:
			add(cell.Lo, c.Name)
		default:
			add(cell.Lo, c.Name, "lo")
			add(cell.Hi, c.Name, "hi")
		}
		if c.Name == "worst" && cell.More != "" {
			add(cell.More, "worst", "instance")
		}
	}
}

// signs are characters that names of macros cannot have, as they are spelled.
var signs = map[rune]string{
	'0': "Zero", '1': "One", '2': "Two", '3': "Three", '4': "Four", '5': "Five", '6': "Six", '7': "Seven", '8': "Eight", '9': "Nine",
	'-': "Dash", '_': "Under", '+': "Plus", '*': "Star", '.': "Point", ':': "Colon", '=': "Is", ',': "Comma", '(': "Open", ')': "Close",
	' ': "Space", '/': "Slash", '∞': "Infinity",
}

// Spell writes a name in letters, from the name alone, so that two names never have one spelling: signs are words, so is Cap
// before a capital, Word before letters that are one of these words, and Rune before the number of any other character.
func Spell(name string) string {
	var b strings.Builder
	var run []rune
	end := func() {
		if len(run) == 0 {
			return
		}
		word := strings.ToUpper(string(run[:1])) + string(run[1:])
		if slices.Contains([]string{"Cap", "Word", "Rune"}, word) || slices.Contains(slices.Collect(maps.Values(signs)), word) {
			b.WriteString("Word")
		}
		b.WriteString(word)
		run = nil
	}
	for _, r := range name {
		sign, known := signs[r]
		switch {
		case r >= 'a' && r <= 'z':
			run = append(run, r)
			continue
		case r >= 'A' && r <= 'Z':
			end()
			b.WriteString("Cap")
			run = append(run, unicode.ToLower(r))
			continue
		case !known:
			sign = "Rune"
			for shift := 20; shift >= 0; shift -= 4 { // six letters, always
				letter := rune('a' + r>>shift&15)
				if shift == 20 {
					letter = unicode.ToUpper(letter)
				}
				sign += string(letter)
			}
		}
		end()
		b.WriteString(sign)
	}
	end()
	return b.String()
}

// word joins names of this program's own to one word of letters, each part with a capital but the first.
func word(names ...string) string {
	parts := strings.FieldsFunc(strings.Join(names, " "),
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
