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
	best          []bool     // by row
	apart         []bool     // by row: not to be compared with the others
	notes         []string
}

// column is the width of a column of a two-column page when nothing else is said.
const column = 3.3 * vg.Inch

// size is that of a table's text, \footnotesize, in points; gap is what stands between two columns.
const size, gap = 8, 6

// newTable takes as many of the asked-for columns as the width allows.
func newTable(p *summary.Problem, reference string, regret bool, o Options) (*table, error) {
	what := "Ratio to " + reference
	t := &table{name: p.Name + "-" + reference}
	if regret {
		what = "Regret to " + reference
		t.name += "-regret"
	}
	rows := p.Table(reference, regret)
	if len(rows) == 0 {
		return t, nil
	}
	t.caption = fmt.Sprintf("%s: %s, %d instances", p.Name, strings.ToLower(what[:1])+what[1:], p.Instances)
	notes := &footnotes{}
	cells := map[string][]string{}
	for _, r := range rows {
		isBest := r.Best
		t.best, t.apart = append(t.best, isBest), append(t.apart, r.Mark != "")
		label := Escape(r.Label)
		if base, rest, long := strings.Cut(r.Label, " "); long && len(r.Label) > 16 {
			label = Escape(base) + notes.mark(rest)
		}
		cells[""] = append(cells[""], bold(label, isBest))
		for _, c := range o.Columns {
			cells[c] = append(cells[c], bold(cell(c, r, notes), isBest && c == "mean"))
		}
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
	t.notes = []string{of + " over instances; in bold the best and what is not certainly worse (Wilcoxon, Holm, 5\\,\\%). a--b: as far as optima are not known; " +
		"interval: 95\\,\\% with the sampling of instances as well (Imbens and Manski 2004)."}
	if slices.Contains(t.apart, true) {
		t.notes = append(t.notes, "*: not comparable.")
	}
	if used := notes.used(t.rows); used != "" {
		t.notes = append(t.notes, used)
	}
	return t, nil
}

var heads = map[string]string{
	"mean": "mean", "interval": "interval", "median": "median", "p90": "p90", "worst": "worst", "optimal": "optimal", "compared": "$n$", "time": "time",
}

// cell is what a column says of an algorithm; the worst instance's name becomes a footnote.
func cell(column string, r *summary.Ratios, notes *footnotes) string {
	lead := r.Lead()
	switch column {
	case "mean":
		if math.IsInf(float64(lead.Hi), 1) {
			return fmt.Sprintf("%s (%d/%d)", span(lead.Lo, lead.Hi), r.LeadInfinite(), r.Compared+r.Unsolved)
		}
		return span(lead.Lo, lead.Hi)
	case "interval":
		if !lead.CILo.Known() || !lead.CIHi.Known() {
			return "--"
		}
		return "[" + number(lead.CILo) + ", " + number(lead.CIHi) + "]"
	case "median", "p90":
		p := map[string]float64{"median": 0.5, "p90": 0.9}[column]
		for _, q := range r.Quantiles {
			if q.P == p {
				return span(q.Lo, q.Hi)
			}
		}
		return "--"
	case "worst":
		if r.Worst == nil {
			return "--"
		}
		if round(float64(r.Worst.Hi)) == 1 && !r.Regret {
			return span(r.Worst.Lo, r.Worst.Hi) // all are as good
		}
		return span(r.Worst.Lo, r.Worst.Hi) + notes.mark(r.Worst.Instance)
	case "optimal":
		if r.Outside || r.Proven == 0 {
			return "--"
		}
		return words.Percent(r.Optimal, r.Proven) + "\\,\\%"
	case "compared":
		return strconv.Itoa(r.Compared)
	}
	return seconds(r.Seconds.ShiftedGeoMean)
}

// number has four decimals, as heuristics are often a tenth of a percent from optimal, and fewer where there are more digits before.
func number(x summary.Number) string {
	f := float64(x)
	switch {
	case math.IsInf(f, 1):
		return "$\\infty$"
	case !x.Known():
		return "--"
	case math.Abs(f) >= 1e5:
		return fmt.Sprintf("$%s$", strings.Replace(strconv.FormatFloat(f, 'e', 1, 64), "e+", "\\cdot 10^{", 1)+"}")
	}
	return strconv.FormatFloat(f, 'f', words.Decimals(f, 4, 1, 0), 64)
}

func round(x float64) float64 { return math.Round(1e4*x) / 1e4 }

// span is one number where low and high end agree.
func span(lo, hi summary.Number) string { return words.Range(number(lo), "--", number(hi)) }

func seconds(x summary.Number) string {
	f := float64(x)
	switch {
	case !x.Known():
		return "--"
	case f < 1e-3:
		return fmt.Sprintf("%.0f\\,\\textmu s", f*1e6)
	case f < 1:
		return fmt.Sprintf("%.0f\\,ms", f*1e3)
	}
	return fmt.Sprintf("%.1f\\,s", f)
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
	s = strings.NewReplacer(`\textbf{`, "", `\textsuperscript{`, "", `\textmu`, "µ", `\textbackslash{}`, `\`, `\,`, " ", "--", "–", "$", "").Replace(s)
	return strings.NewReplacer(`\`, "", "{", "", "}", "").Replace(s)
}

// latex is the table as a float of one column.
func (t *table) latex() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "\\begin{table}[t]\n\\centering\\footnotesize\n\\caption{%s}\n\\label{tab:%s}\n\\setlength{\\tabcolsep}{%gpt}\n", Escape(t.caption), t.name, gap/2.0)
	fmt.Fprintf(&b, "\\begin{tabular}{@{}l%s@{}}\n\\toprule\n%s \\\\\n\\midrule\n", strings.Repeat("r", len(t.head)-1), strings.Join(t.head, " & "))
	for i, row := range t.rows {
		if t.apart[i] && i > 0 && !t.apart[i-1] {
			b.WriteString("\\addlinespace\n")
		}
		b.WriteString(strings.Join(row, " & ") + " \\\\\n")
	}
	fmt.Fprintf(&b, "\\bottomrule\n\\end{tabular}\n\n\\smallskip\n\\parbox{\\columnwidth}{\\raggedright\\scriptsize %s}\n\\end{table}\n", strings.Join(t.notes, " "))
	return b.Bytes()
}
