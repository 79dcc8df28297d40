package paper

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/font/liberation"
	"gonum.org/v1/plot/vg"

	"schedgap/bench"
	"schedgap/reports/summary"
	"schedgap/reports/tables"
	"schedgap/reports/words"
)

// A table has the algorithms' distances from one reference, or those of its columns that fit beside each other.
type table struct {
	Name, Caption string
	Head          []string
	Rows          []row
	Notes         []string
	Size          string
	Gap           float64 // points on either side of a column
}

// A row is one algorithm, of LaTeX.
type row struct {
	Group string // a line above it, with the name of a family; empty: none
	Apart bool   // it is not to be compared with those above
	Cells []string
}

// A cell is what a table says of an algorithm, before its footnotes have letters.
type cell struct {
	text  string
	notes []string
	bold  bool
}

// column is the width of a column of a two-column page when nothing else is said.
const column = 3.3 * vg.Inch

// sizes are those of a table's text in points, the first of which is taken unless only the second has room for all columns. Gap is the
// space between two columns.
var sizes = []struct {
	name   string
	points vg.Length
}{{"footnotesize", 8}, {"scriptsize", 7}}

const gap = 4

// mostRows is how many rows a table has on one page, with those between families.
const mostRows = 40

// newTables makes the tables of a view: over all instances, or by objective or family. Columns that do not fit the width go to a
// further table, and so do rows that do not fit a page.
func newTables(p *summary.Problem, v *summary.View, by string, o Options) ([]*table, error) {
	model := tables.Ratios(p, v.Reference, v.Regret, by)
	rows := p.Rows(v.Reference, v.Regret, func(r *summary.Ratios) bool {
		return r.Class.By() == by && (r.Label != bench.FromLibrary || o.Library)
	})
	summary.Rank(rows)
	columns := columnsOf(p, v, o.Columns)
	head, cells := []string{"algorithm"}, make([][]cell, len(rows))
	for _, c := range columns {
		head = append(head, c.Name)
	}
	for k, r := range rows {
		cells[k] = []cell{name(r)}
		for _, c := range columns {
			cells[k] = append(cells[k], set(c, r))
		}
	}
	var parts [][]int
	size := ""
	for _, s := range sizes {
		list, err := split(head, cells, cmp.Or(o.Width, column), s.points)
		if err != nil {
			return nil, err
		}
		if parts == nil || len(list) == 1 {
			parts, size = list, s.name
		}
		if len(list) == 1 {
			break
		}
	}
	var out []*table
	for from := 0; from < len(rows); {
		to := page(rows, from)
		for _, part := range parts {
			t := &table{Name: model.Name, Size: size, Gap: gap / 2.0, Caption: fmt.Sprintf("%s: %s. %s", p.Name, model.Title, model.About)}
			if n := len(out); n > 0 {
				t.Name, t.Caption = fmt.Sprintf("%s-%d", model.Name, n+1), fmt.Sprintf("%s: %s, continued.", p.Name, model.Title)
			}
			t.fill(part, head, cells[from:to], rows[from:to])
			t.note(v, rows[from:to])
			out = append(out, t)
		}
		from = to
	}
	return out, nil
}

// page is the end of the rows that are on one page with a first one. Families are not divided, unless one alone is too long.
func page(rows []*summary.Ratios, from int) int {
	lines, end := 0, from
	for i := from; i < len(rows); i++ {
		if i > from && rows[i].Class != rows[i-1].Class {
			end = i
			lines++
		}
		lines++
		if lines > mostRows {
			if end == from {
				return i
			}
			return end
		}
	}
	return len(rows)
}

// name is the first cell of an algorithm's row: what its parameters are, and where it has no solution, are footnotes.
func name(r *summary.Ratios) cell {
	c := cell{text: Escape(r.Label), bold: r.Bold}
	if base, rest, long := strings.Cut(r.Label, " "); long && len(r.Label) > 16 {
		c.text, c.notes = Escape(base), append(c.notes, rest)
	}
	if r.Missing > 0 {
		c.notes = append(c.notes, r.Lost())
	}
	return c
}

// fill writes some columns of rows, whose footnotes are marked a, b, c and so on in the order of their marks; the same text has the
// same mark.
func (t *table) fill(columns []int, head []string, cells [][]cell, rows []*summary.Ratios) {
	var notes []string
	for _, i := range columns {
		t.Head = append(t.Head, head[i])
	}
	for k, r := range rows {
		line := row{Apart: k > 0 && r.Mark != "" && rows[k-1].Mark == ""}
		if group := r.Class.String(); k == 0 || r.Class != rows[k-1].Class {
			line.Group = Escape(group)
		}
		for _, i := range columns {
			c := cells[k][i]
			var marks []string
			for _, note := range c.notes {
				at := slices.Index(notes, note)
				if at < 0 {
					at, notes = len(notes), append(notes, note)
				}
				marks = append(marks, letters(at))
			}
			line.Cells = append(line.Cells, c.set(marks))
		}
		t.Rows = append(t.Rows, line)
	}
	for i, note := range notes {
		t.Notes = append(t.Notes, mark(letters(i))+`\,`+Escape(note)+".")
	}
}

// set is the cell with the letters of its footnotes.
func (c cell) set(marks []string) string {
	text := c.text
	if len(marks) > 0 {
		text += mark(strings.Join(marks, ","))
	}
	return bold(text, c.bold)
}

// note puts in front of a table's footnotes what needs explaining.
func (t *table) note(v *summary.View, rows []*summary.Ratios) {
	of := "Geometric mean"
	if v.Regret {
		of = "Mean"
	}
	general := []string{of + " over instances."}
	says := func(found func(cell string) bool, note string) {
		if slices.ContainsFunc(t.Rows, func(r row) bool { return slices.ContainsFunc(r.Cells, found) }) {
			general = append(general, note)
		}
	}
	says(func(c string) bool { return strings.HasPrefix(c, `\textbf{`) },
		"Bold: the best, and every other that is not certainly worse (Wilcoxon, Bonferroni, 5\\,\\%).")
	says(func(c string) bool { return strings.Contains(c, "--") && c != "--" }, "$a$--$b$: range, since some optima are open.")
	says(func(c string) bool { return strings.Contains(c, "[") }, "$[c, d]$: 95\\,\\% confidence interval.")
	says(func(c string) bool { return c == "--" }, "--: not defined.")
	if slices.ContainsFunc(rows, func(r *summary.Ratios) bool { return r.Mark != "" }) {
		general = append(general, "*: not comparable.")
	}
	t.Notes = append(general, t.Notes...)
}

// columnsOf picks the columns of the tables that a paper asks for by name.
func columnsOf(p *summary.Problem, v *summary.View, names []string) (columns []tables.Column) {
	all := tables.Columns(p, v.Reference, v.Regret)
	for _, name := range names {
		columns = append(columns, all[slices.IndexFunc(all, func(c tables.Column) bool { return c.Name == name })])
	}
	return columns
}

// set is a cell of a column; the worst instance's name becomes a footnote, and a share stands for its two numbers.
func set(c tables.Column, r *summary.Ratios) cell {
	of := c.Cell(r)
	out := cell{text: ends(of), bold: r.Bold}
	switch {
	case c.Name == "optimal" && of.More != "":
		out.text = share(of)
	case c.Name == "worst" && of.More != "":
		out.notes = []string{of.More}
	case of.More != "":
		out.text += " (" + Escape(strings.Replace(of.More, " of ", "/", 1)) + ")"
	}
	return out
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

// mark is a mark of a footnote.
func mark(letters string) string { return `\textsuperscript{` + letters + `}` }

// letters counts a to z, aa, ab and so on.
func letters(i int) string {
	if i < 26 {
		return string(rune('a' + i))
	}
	return letters(i/26-1) + letters(i%26)
}

// split divides the columns into tables no wider than the width, each of which begins with the first column.
func split(head []string, cells [][]cell, width, size vg.Length) (parts [][]int, err error) {
	face := font.NewCache(liberation.Collection()).Lookup(font.Font{Typeface: "Liberation", Variant: "Serif"}, size)
	const safe = 1.06 // Times is no wider than Liberation Serif; other fonts of papers are by a little
	widths := make([]vg.Length, len(head))
	for i, head := range head {
		widths[i] = face.Width(plain(head))
		for _, row := range cells {
			marks := make([]string, len(row[i].notes))
			for k := range marks {
				marks[k] = "mm" // no letters are wider
			}
			widths[i] = max(widths[i], face.Width(plain(row[i].set(marks))))
		}
	}
	total := vg.Length(0)
	for i := 1; i < len(head); i++ {
		total += gap + widths[i]
		if len(parts) == 0 || safe*total > width {
			total = widths[0] + gap + widths[i]
			parts = append(parts, []int{0})
		}
		if safe*total > width {
			return nil, fmt.Errorf("no table fits a width of %.2f in", float64(width/vg.Inch))
		}
		parts[len(parts)-1] = append(parts[len(parts)-1], i)
	}
	return parts, nil
}

// plain is about what LaTeX prints of a cell.
func plain(s string) string {
	s = strings.NewReplacer(`\textbf{`, "", `\textsuperscript{`, "", `\textmu`, "µ", `\textbackslash{}`, `\`, `\,`, " ", "--", "–",
		"$", "").Replace(s)
	return strings.NewReplacer(`\`, "", "{", "", "}", "").Replace(s)
}
