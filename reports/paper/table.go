package paper

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/font/liberation"
	"gonum.org/v1/plot/vg"

	"schedgap/reports/summary"
	"schedgap/reports/words"
)

// A table has the algorithms' distances from one reference.
type table struct {
	Name, Caption string
	Head          []string
	Rows          [][]string // of LaTeX
	Apart         []bool     // by row: not to be compared with those above
	Notes         []string
	Gap           float64 // points on either side of a column
}

// column is the width of a column of a two-column page when nothing else is said.
const column = 3.3 * vg.Inch

// size is that of a table's text, \footnotesize, in points; gap is what stands between two columns.
const size, gap = 8, 6

// newTable takes as many of the asked-for columns as the width allows.
func newTable(p *summary.Problem, reference string, regret bool, o Options) (*table, error) {
	what := "ratio to " + reference
	if p.Objective != "" {
		what += " of the " + p.Objective
	}
	t := &table{Name: p.Name + "-" + reference, Gap: gap / 2.0}
	if regret {
		what = "regret" + strings.TrimPrefix(what, "ratio")
		t.Name += "-regret"
	}
	rows := p.Table(reference, regret)
	if len(rows) == 0 {
		return t, nil
	}
	notes := &footnotes{}
	best, common := 0, 0
	for _, r := range rows {
		if r.Best {
			best++
		}
		if _, n := r.Even(); r.Contender() {
			common = max(common, n)
		}
	}
	t.Head = []string{"algorithm"}
	for _, c := range o.Columns {
		t.Head = append(t.Head, strings.Replace(c, "compared", "$n$", 1))
	}
	for i, r := range rows {
		isBest := r.Best && best == 1 // which is to say that it is better than all others
		t.Apart = append(t.Apart, i > 0 && r.Mark != "" && rows[i-1].Mark == "")
		label := Escape(r.Label)
		if base, rest, long := strings.Cut(r.Label, " "); long && len(r.Label) > 16 {
			label = Escape(base) + notes.mark(rest)
		}
		if _, n := r.Even(); n != common {
			label += notes.mark(fmt.Sprintf("on %d instances", n))
		}
		row := []string{bold(label, isBest)}
		for _, c := range o.Columns {
			row = append(row, bold(cell(c, r, notes), isBest && c == "mean"))
		}
		t.Rows = append(t.Rows, row)
	}
	t.Caption = fmt.Sprintf("%s: %s on %d of %d instances", p.Name, what, common, p.Instances)
	if common == p.Instances {
		t.Caption = fmt.Sprintf("%s: %s on %d instances", p.Name, what, common)
	}
	if err := t.fit(cmp.Or(o.Width, column)); err != nil {
		return nil, err
	}
	of := "Geometric mean"
	if regret {
		of = "Mean"
	}
	t.Notes = []string{of + " over instances, the same for all. Bold: better than all others (Wilcoxon, Holm, 5\\,\\%)."}
	says := func(found func(cell string) bool, note string) {
		if slices.ContainsFunc(t.Rows, func(row []string) bool { return slices.ContainsFunc(row, found) }) {
			t.Notes = append(t.Notes, note)
		}
	}
	says(func(c string) bool { return strings.Contains(c, "--") && c != "--" }, "$a$--$b$: range, since some optima are open.")
	says(func(c string) bool { return strings.HasPrefix(c, "[") },
		"$[c, d]$: 95\\,\\% confidence interval.")
	says(func(c string) bool { return c == "--" }, "--: not defined, or known on other instances only.")
	if slices.ContainsFunc(rows, func(r *summary.Ratios) bool { return r.Mark != "" }) {
		t.Notes = append(t.Notes, "*: not comparable.")
	}
	if used := notes.used(t.Rows); used != "" {
		t.Notes = append(t.Notes, used)
	}
	return t, nil
}

// cell is what a column says of an algorithm; the worst instance's name becomes a footnote.
func cell(column string, r *summary.Ratios, notes *footnotes) string {
	mean, n := r.Even()
	own := n == r.Compared+r.Unsolved
	switch column {
	case "mean":
		if math.IsInf(float64(mean.Hi), 1) && own {
			return fmt.Sprintf("%s (%d/%d)", span(mean.Lo, mean.Hi), r.LeadInfinite(), n)
		}
		return span(mean.Lo, mean.Hi)
	case "interval":
		return strings.Replace(words.Interval(mean.CILo, mean.CIHi, number), words.None, "--", 1)
	case "median", "p90":
		p := map[string]float64{"median": 0.5, "p90": 0.9}[column]
		for _, q := range r.Quantiles {
			if q.P == p && own {
				return span(q.Lo, q.Hi)
			}
		}
		return "--"
	case "worst":
		switch {
		case r.Worst == nil:
			return "--"
		case !own:
			return number(r.CommonWorst)
		case number(r.Worst.Hi) == number(summary.Number(1)) && !r.Regret:
			return span(r.Worst.Lo, r.Worst.Hi) // all are as good
		}
		return span(r.Worst.Lo, r.Worst.Hi) + notes.mark(r.Worst.Instance)
	case "optimal":
		k, n := r.OptimalOf()
		if r.Outside || n == 0 {
			return "--"
		}
		return words.Percent(k, n) + "\\,\\%"
	case "compared":
		return strconv.Itoa(r.Compared)
	}
	return seconds(r.Seconds.ShiftedGeoMean)
}

// number is one of the page's, for LaTeX.
func number(x summary.Number) string { return Escape(words.Number(x)) }

// span is one number where low and high end agree.
func span(lo, hi summary.Number) string { return words.Range(number(lo), "--", number(hi)) }

func seconds(x summary.Number) string {
	return Escape(strings.ReplaceAll(words.Seconds(x), " ", "\u00a0"))
}

func bold(s string, yes bool) string {
	if yes {
		return `\textbf{` + s + `}`
	}
	return s
}

// footnotes are marked a, b, c and so on; the same text has the same mark.
type footnotes struct{ texts []string }

func (f *footnotes) mark(text string) string {
	i := slices.Index(f.texts, text)
	if i < 0 {
		i = len(f.texts)
		f.texts = append(f.texts, text)
	}
	return `\textsuperscript{` + letters(i) + `}`
}

// letters counts a to z, aa, ab and so on.
func letters(i int) string {
	if i < 26 {
		return string(rune('a' + i))
	}
	return letters(i/26-1) + letters(i%26)
}

// used lists the footnotes that some cell has, column dropped or not.
func (f *footnotes) used(rows [][]string) string {
	var parts []string
	for i, text := range f.texts {
		mark := `\textsuperscript{` + letters(i) + `}`
		if slices.ContainsFunc(rows, func(row []string) bool {
			return slices.ContainsFunc(row, func(c string) bool { return strings.Contains(c, mark) })
		}) {
			parts = append(parts, mark+`\,`+Escape(text))
		}
	}
	return strings.Join(parts, ", ")
}

// fit drops columns from the end until the table is no wider than the width. Those of the names and the first number must fit.
func (t *table) fit(width vg.Length) error {
	face := font.NewCache(liberation.Collection()).Lookup(font.Font{Typeface: "Liberation", Variant: "Serif"}, size)
	const safe = 1.06 // Times is no wider than Liberation Serif; other fonts of papers are by a little
	total := vg.Length(0)
	for i, head := range t.Head {
		widest := vg.Length(0)
		if i > 0 {
			widest = face.Width(plain(head))
			total += gap
		}
		for _, row := range t.Rows {
			widest = max(widest, face.Width(plain(row[i])))
		}
		if total += widest; i == 0 || safe*total <= width {
			continue
		}
		if i == 1 {
			return fmt.Errorf("no table fits a width of %.2f in", float64(width/vg.Inch))
		}
		t.Head = t.Head[:i]
		for k := range t.Rows {
			t.Rows[k] = t.Rows[k][:i]
		}
		break
	}
	return nil
}

// plain is about what LaTeX prints of a cell.
func plain(s string) string {
	s = strings.NewReplacer(`\textbf{`, "", `\textsuperscript{`, "", `\textmu`, "µ", `\textbackslash{}`, `\`, `\,`, " ", "--", "–",
		"$", "").Replace(s)
	return strings.NewReplacer(`\`, "", "{", "", "}", "").Replace(s)
}
