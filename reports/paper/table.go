package paper

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/font/liberation"
	"gonum.org/v1/plot/vg"

	"schedgap/reports/summary"
	"schedgap/reports/tables"
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

// size is the size of a table's text, \footnotesize, and gap the space between two columns, in points.
const size, gap = 8, 6

// newTable takes as many of the asked-for columns as the width allows.
func newTable(p *summary.Problem, v *summary.View, o Options) (*table, error) {
	model := tables.Ratios(p, v.Reference, v.Regret, "")
	t := &table{Name: model.Name, Gap: gap / 2.0}
	rows := p.Table(v.Reference, v.Regret)
	if len(rows) == 0 {
		return t, nil
	}
	notes := &footnotes{}
	t.Head = []string{"algorithm"}
	columns := columnsOf(p, v, rows, o.Columns)
	for _, c := range columns {
		t.Head = append(t.Head, Escape(c.Head))
	}
	most := 0
	for _, r := range rows {
		most = max(most, r.Compared+r.Unsolved)
	}
	for i, r := range rows {
		t.Apart = append(t.Apart, i > 0 && r.Mark != "" && rows[i-1].Mark == "")
		label := p.Marked(r.Label)
		if base, rest, long := strings.Cut(label, " "); long && len(label) > 16 {
			label = Escape(base) + notes.mark(rest)
		} else {
			label = Escape(label)
		}
		if n := r.Compared + r.Unsolved; n != most {
			label += notes.mark("on " + words.Count(n, "instance"))
		}
		row := []string{bold(label, r.Bold)}
		for _, c := range columns {
			row = append(row, bold(set(c, r, notes), r.Bold))
		}
		t.Rows = append(t.Rows, row)
	}
	t.Caption = fmt.Sprintf("%s: %s. %s", p.Name, model.Title, model.About)
	if err := t.fit(cmp.Or(o.Width, column)); err != nil {
		return nil, err
	}
	of := "Geometric mean"
	if v.Regret {
		of = "Mean"
	}
	t.Notes = []string{of + " over instances."}
	says := func(found func(cell string) bool, note string) {
		if slices.ContainsFunc(t.Rows, func(row []string) bool { return slices.ContainsFunc(row, found) }) {
			t.Notes = append(t.Notes, note)
		}
	}
	says(func(c string) bool { return strings.HasPrefix(c, `\textbf{`) },
		"Bold: the best mean, and every other that is not certainly worse (Wilcoxon, Holm, 5\\,\\%).")
	says(func(c string) bool { return strings.Contains(c, "--") && c != "--" }, "$a$--$b$: range, since some optima are open.")
	says(func(c string) bool { return strings.Contains(c, "[") }, "$[c, d]$: 95\\,\\% confidence interval.")
	says(func(c string) bool { return c == "--" }, "--: not defined.")
	if slices.ContainsFunc(rows, func(r *summary.Ratios) bool { return r.Mark != "" }) {
		t.Notes = append(t.Notes, "*: not comparable.")
	}
	if used := notes.used(t.Rows); used != "" {
		t.Notes = append(t.Notes, used)
	}
	return t, nil
}

// columnsOf picks the columns of the tables that a paper asks for by name. Where algorithms are compared on different instances,
// the means over their common instances follow the means.
func columnsOf(p *summary.Problem, v *summary.View, rows []*summary.Ratios, names []string) (columns []tables.Column) {
	all := tables.Columns(p, v.Reference, v.Regret)
	if i := slices.Index(names, "mean"); i >= 0 && tables.Uneven(rows) {
		names = slices.Insert(slices.Clone(names), i+1, "common")
	}
	for _, name := range names {
		columns = append(columns, all[slices.IndexFunc(all, func(c tables.Column) bool { return c.Name == name })])
	}
	return columns
}

// set is a cell of a column; the worst instance's name becomes a footnote, and a share stands for its two numbers.
func set(c tables.Column, r *summary.Ratios, notes *footnotes) string {
	cell := c.Cell(r)
	text := ends(cell)
	switch {
	case c.Name == "optimal" && cell.More != "":
		return share(cell)
	case c.Name == "worst" && cell.More != "":
		return text + notes.mark(cell.More)
	case cell.More != "":
		return text + " (" + Escape(strings.Replace(cell.More, " of ", "/", 1)) + ")"
	}
	return text
}

func ends(c tables.Cell) string {
	return Escape(strings.ReplaceAll(words.Range(c.Lo, "–", c.Hi), " ", "\u00a0"))
}

func share(c tables.Cell) string { return strings.Replace(Escape(c.More), " ", `\,`, 1) }

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
