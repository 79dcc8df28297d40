package paper

import (
	"bytes"
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
	name, caption string
	head          []string
	rows          [][]string // of LaTeX
	apart         []bool     // by row: not to be compared with the others
	notes         []string
}

// column is the width of a column of a two-column page when nothing else is said.
const column = 3.3 * vg.Inch

// size is that of a table's text, \footnotesize, in points; gap is what stands between two columns.
const size, gap = 8, 6

// newTable takes as many of the asked-for columns as the width allows.
func newTable(p *summary.Problem, reference string, regret bool, o Options) (*table, error) {
	what := "ratio to " + reference
	t := &table{name: p.Name + "-" + reference}
	if regret {
		what = "regret to " + reference
		t.name += "-regret"
	}
	rows := p.Table(reference, regret)
	if len(rows) == 0 {
		return t, nil
	}
	notes := &footnotes{}
	cells := map[string][]string{}
	best, common := 0, 0
	for _, r := range rows {
		if r.Best {
			best++
		}
		if _, n := r.Even(); r.Contender() {
			common = max(common, n)
		}
	}
	for _, r := range rows {
		isBest := r.Best && best == 1 // which is to say that it is better than all others
		t.apart = append(t.apart, r.Mark != "")
		label := Escape(r.Label)
		if base, rest, long := strings.Cut(r.Label, " "); long && len(r.Label) > 16 {
			label = Escape(base) + notes.mark(rest)
		}
		if _, n := r.Even(); n != common {
			label += notes.mark(fmt.Sprintf("on %d instances", n))
		}
		cells[""] = append(cells[""], bold(label, isBest))
		for _, c := range o.Columns {
			cells[c] = append(cells[c], bold(cell(c, r, notes), isBest && c == "mean"))
		}
	}
	t.caption = fmt.Sprintf("%s: %s on %d of %d instances", p.Name, what, common, p.Instances)
	if common == p.Instances {
		t.caption = fmt.Sprintf("%s: %s on %d instances", p.Name, what, common)
	}
	width := o.Width
	if width == 0 {
		width = column
	}
	columns, err := fit(o.Columns, cells, width)
	if err != nil {
		return nil, err
	}
	t.head = []string{"algorithm"}
	for _, c := range columns {
		t.head = append(t.head, heads[c])
	}
	for i := range rows {
		row := []string{cells[""][i]}
		for _, c := range columns {
			row = append(row, cells[c][i])
		}
		t.rows = append(t.rows, row)
	}
	of := "Geometric mean"
	if regret {
		of = "Mean"
	}
	t.notes = []string{of + " over instances, the same for all. Bold: better than all others (Wilcoxon, Holm, 5\\,\\%)."}
	says := func(found func(cell string) bool, note string) {
		if slices.ContainsFunc(t.rows, func(row []string) bool { return slices.ContainsFunc(row, found) }) {
			t.notes = append(t.notes, note)
		}
	}
	says(func(c string) bool { return strings.Contains(c, "--") && c != "--" }, "$a$--$b$: as far as optima are not known.")
	says(func(c string) bool { return strings.HasPrefix(c, "[") },
		"Interval: 95\\,\\%, with the sampling of instances (Imbens and Manski 2004).")
	says(func(c string) bool { return c == "--" }, "--: not defined, or known on other instances only.")
	if slices.Contains(t.apart, true) {
		t.notes = append(t.notes, "*: not comparable.")
	}
	if used := notes.used(t.rows); used != "" {
		t.notes = append(t.notes, used)
	}
	return t, nil
}

var heads = map[string]string{
	"mean": "mean", "interval": "interval", "median": "median", "p90": "p90", "worst": "worst", "optimal": "optimal",
	"compared": "$n$", "time": "time",
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
		if r.Outside || r.Proven == 0 {
			return "--"
		}
		return words.Percent(r.Optimal, r.Proven) + "\\,\\%"
	case "compared":
		return strconv.Itoa(n)
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

// fit drops columns from the end until the table is no wider than the width. The first must fit.
func fit(columns []string, cells map[string][]string, width vg.Length) ([]string, error) {
	face := font.NewCache(liberation.Collection()).Lookup(font.Font{Typeface: "Liberation", Variant: "Serif"}, size)
	widest := func(texts []string) vg.Length {
		w := vg.Length(0)
		for _, text := range texts {
			w = max(w, face.Width(plain(text)))
		}
		return w
	}
	const safe = 1.06 // Times is no wider than Liberation Serif; other fonts of papers are by a little
	total := widest(cells[""])
	for i, c := range columns {
		total += gap + widest(append([]string{heads[c]}, cells[c]...))
		if safe*total > width {
			if i == 0 {
				return nil, fmt.Errorf("no table fits a width of %.2f in", float64(width/vg.Inch))
			}
			return columns[:i], nil
		}
	}
	return columns, nil
}

// plain is about what LaTeX prints of a cell.
func plain(s string) string {
	s = strings.NewReplacer(`\textbf{`, "", `\textsuperscript{`, "", `\textmu`, "µ", `\textbackslash{}`, `\`, `\,`, " ", "--", "–",
		"$", "").Replace(s)
	return strings.NewReplacer(`\`, "", "{", "", "}", "").Replace(s)
}

// latex is the table as a float of one column.
func (t *table) latex() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "\\begin{table}[t]\n\\centering\\footnotesize\n\\caption{%s}\n\\label{tab:%s}\n\\setlength{\\tabcolsep}{%gpt}\n",
		Escape(t.caption), t.name, gap/2.0)
	fmt.Fprintf(&b, "\\begin{tabular}{@{}l%s@{}}\n\\toprule\n%s \\\\\n\\midrule\n", strings.Repeat("r", len(t.head)-1),
		strings.Join(t.head, " & "))
	for i, row := range t.rows {
		if t.apart[i] && i > 0 && !t.apart[i-1] {
			b.WriteString("\\addlinespace\n")
		}
		b.WriteString(strings.Join(row, " & ") + " \\\\\n")
	}
	fmt.Fprintf(&b, "\\bottomrule\n\\end{tabular}\n\n\\smallskip\n\\parbox{\\columnwidth}{\\raggedright\\scriptsize "+
		"%s}\n\\end{table}\n", strings.Join(t.notes, " "))
	return b.Bytes()
}
