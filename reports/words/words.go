// Package words writes numbers, ranges, times, shares and counts as reports show them. A dash stands for an unknown number. All
// outputs of a report, and compare, call it, so that a number is written in one way.
package words

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// None stands for a number that there is not.
const None = "–"

// known reports whether there is a finite number.
func known(f float64) bool { return !math.IsNaN(f) && !math.IsInf(f, 0) }

// Known writes a finite number by a verb of fmt, such as "%.3g".
func Known[F ~float64](x F, verb string) string {
	if !known(float64(x)) {
		return None
	}
	return fmt.Sprintf(verb, float64(x))
}

// Text is a text that there may not be; empty then.
func Text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// Or is s, or a dash where it is empty.
func Or(s string) string {
	if s == "" {
		return None
	}
	return s
}

// Number writes a number of a table; ratios near 1, where a heuristic is a tenth of a percent from optimal, need four decimals.
func Number[F ~float64](x F) string {
	switch f := float64(x); {
	case math.IsInf(f, 1):
		return "∞"
	case known(f) && f == 0:
		return "0"
	case math.Abs(f) >= 1e5 || math.Abs(f) < 1e-3:
		return Known(f, "%.2e")
	default:
		return Known(f, fmt.Sprintf("%%.%df", Decimals(f, 4, 2, 1)))
	}
}

// Decimals chooses between the decimals of numbers below 10, below 100 and from 100 on.
func Decimals(f float64, ones, tens, hundreds int) int {
	switch {
	case math.Abs(f) >= 100:
		return hundreds
	case math.Abs(f) >= 10:
		return tens
	}
	return ones
}

// Significant writes three digits, four near 1, or all of a whole number, with a minus sign of typography.
func Significant(x float64) string {
	digits := 3
	if 0.9 <= math.Abs(x) && math.Abs(x) < 10 {
		digits = 4
	}
	text := strconv.FormatFloat(x, 'g', digits, 64)
	switch {
	case math.IsNaN(x):
		return None
	case math.IsInf(x, 0):
		text = strings.Replace(strings.TrimPrefix(text, "+"), "Inf", "∞", 1)
	case math.Abs(x) < 1e6 && (x == math.Trunc(x) || math.Abs(x) >= 100):
		text = strconv.FormatFloat(x, 'f', 0, 64)
	}
	return strings.Replace(text, "-", "−", 1)
}

// Percentage writes the two ends of a distance, fractions, in percent: "8.7 %", or "5.1–27.3 %" where they differ. From 1 % on
// it has one decimal, below two digits, and from 100 % on none. All distances are written by it, rounded to the nearest, so that
// a sentence, a table and a picture cannot differ.
func Percentage[F ~float64](lo, hi F) string {
	a, b := percentage(float64(lo)), percentage(float64(hi))
	if a == b {
		return a
	}
	return strings.TrimSuffix(a, " %") + "–" + b
}

func percentage(x float64) string {
	pc, decimals := 100*math.Abs(x), 1
	switch {
	case math.IsInf(x, 1):
		return "∞"
	case !known(x):
		return None
	case pc < 1e-7:
		return "0 %"
	case pc < 1e-3:
		return "< 0.001 %"
	case pc >= 1e5:
		return Known(pc, "%.2e %%")
	case pc >= 100:
		decimals = 0
	}
	for p := pc; p < 1; p *= 10 {
		decimals++
	}
	text := strconv.FormatFloat(pc, 'f', decimals, 64) + " %"
	if x < 0 {
		return "−" + text
	}
	return text
}

// PercentageInterval is a confidence interval of a distance; none: a dash.
func PercentageInterval[F ~float64](lo, hi F) string {
	return Interval(lo, hi, func(x F) string { return strings.TrimSuffix(Percentage(x, x), " %") })
}

// Times writes a multiple with two decimals, so that it says what Percentage says of the same distance.
func Times[F ~float64](x F) string { return Known(x, "%.2f times") }

// Change writes a change, a fraction, in percent with its sign.
func Change[F ~float64](x F) string {
	text := percentage(float64(x))
	if x > 0 && text != "0 %" {
		return "+" + text
	}
	return text
}

// ChangeInterval is Change with the interval of the change behind it, if there is one.
func ChangeInterval[F ~float64](x, lo, hi F) string {
	text := Change(x)
	if !known(float64(lo)) || !known(float64(hi)) || lo == hi {
		return text
	}
	return text + " [" + strings.TrimSuffix(Change(lo), " %") + ", " + strings.TrimSuffix(Change(hi), " %") + "]"
}

// Capital begins a sentence.
func Capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// Middle shortens a name to so many characters in its middle: names of one kind differ at their ends.
func Middle(name string, most int) string {
	if r := []rune(name); len(r) > most {
		head := (most - 1) / 3
		return string(r[:head]) + "…" + string(r[len(r)-(most-1-head):])
	}
	return name
}

// Natural compares texts with the numbers in them as numbers: "k=5" is before "k=10". Texts that differ only in how they write a number
// are compared as they are.
func Natural(a, b string) int {
	x, y := a, b
	for x != "" && y != "" {
		var p, q string
		p, x = run(x)
		q, y = run(y)
		m, fails := strconv.ParseFloat(p, 64)
		n, fails2 := strconv.ParseFloat(q, 64)
		order := strings.Compare(p, q)
		if fails == nil && fails2 == nil {
			order = cmp.Compare(m, n)
		}
		if order != 0 {
			return order
		}
	}
	return cmp.Or(cmp.Compare(len(x), len(y)), strings.Compare(a, b))
}

// run splits a text behind the number or the character at its beginning. A number is digits, with a point between two.
func run(s string) (first, rest string) {
	digit := func(i int) bool { return i < len(s) && s[i] >= '0' && s[i] <= '9' }
	end := 0
	for digit(end) || end > 0 && end < len(s) && s[end] == '.' && digit(end+1) && !strings.Contains(s[:end], ".") {
		end++
	}
	if end == 0 {
		_, end = utf8.DecodeRuneInString(s)
	}
	return s[:end], s[end:]
}

// Range writes a low and a high end as they are written: one where they are the same.
func Range(lo, between, hi string) string {
	if lo == hi {
		return lo
	}
	return lo + between + hi
}

// Interval writes a confidence interval; none: a dash.
func Interval[F ~float64](lo, hi F, write func(F) string) string {
	if !known(float64(lo)) || !known(float64(hi)) {
		return None
	}
	return "[" + write(lo) + ", " + write(hi) + "]"
}

// Seconds writes a duration in seconds.
func Seconds[F ~float64](x F) string {
	switch f := float64(x); {
	case known(f) && (f == 0 || f >= 1000):
		return Known(f, "%.0f s")
	case f < 1e-3:
		return Known(f*1e6, "%.3g µs")
	case f < 0.9995:
		return Known(f*1e3, "%.3g ms")
	default:
		return Known(f, "%.3g s")
	}
}

// P writes a p-value.
func P[F ~float64](x F) string {
	if x < 0.001 && known(float64(x)) {
		return "< 0.001"
	}
	return Known(x, "%.3f")
}

// Percent writes a share in percent, rounded to a whole number, but never to 0 or 100 unless it is.
func Percent(n, of int) string {
	pc := 100 * float64(n) / float64(of)
	text := strconv.FormatFloat(pc, 'f', 0, 64)
	if (text == "100" && n < of) || (text == "0" && n > 0) {
		text = strconv.FormatFloat(pc, 'f', 2, 64)
	}
	return text
}

// Share writes "3/4 (75 %)".
func Share(n, of int) string {
	if of == 0 {
		return None
	}
	return fmt.Sprintf("%d/%d (%s %%)", n, of, Percent(n, of))
}

// Count writes how many there are of what one is called; its plural ends in s or, after a consonant and y, in ies.
func Count(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, plural(one))
}

func plural(one string) string {
	if stem, y := strings.CutSuffix(one, "y"); y {
		return stem + "ies"
	}
	if strings.HasSuffix(one, "ch") {
		return one + "es"
	}
	return one + "s"
}

// Have is Count with the verb, such as "1 row has".
func Have(n int, one string) string {
	if n == 1 {
		return Count(n, one) + " has"
	}
	return Count(n, one) + " have"
}

// Ordinal is first for 1, and from 11 on a figure.
func Ordinal(n int) string {
	names := []string{"first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"}
	switch {
	case 1 <= n && n <= len(names):
		return names[n-1]
	case n/10%10 == 1 || n%10 == 0 || n%10 > 3:
		return fmt.Sprintf("%dth", n)
	}
	return fmt.Sprintf("%d%s", n, [...]string{"st", "nd", "rd"}[n%10-1])
}

// Markdown escapes what Markdown would take for its own. A sign before a space or a number begins no tag, and stays as it is for
// those who read the text in a terminal.
var Markdown = strings.NewReplacer("|", `\|`, "*", `\*`, "_", `\_`, "< ", "< ", "<=", "<=", "<", `\<`, "\n", " ")

// MarkdownRow is a row of a table.
func MarkdownRow(cells []string) string {
	row := ""
	for _, c := range cells {
		row += "| " + Markdown.Replace(c) + " "
	}
	return row + "|\n"
}
