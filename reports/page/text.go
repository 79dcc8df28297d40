package page

import (
	"bytes"
	_ "embed"
	"fmt"
	"io"
	"strings"
	"text/template"
	"time"

	"schedgap/reports/paper"
	"schedgap/reports/summary"
	"schedgap/reports/words"
)

//go:embed summary.md.tmpl
var markdown string

// Markdown writes summary.md.
func Markdown(w io.Writer, r *summary.Report) error {
	t, err := template.New("markdown").Funcs(template.FuncMap{
		"md":  words.Markdown.Replace,
		"row": words.MarkdownRow,
		"rule": func(t Table) string {
			return strings.Repeat("| --- ", t.Text) + strings.Repeat("| ---: ", len(t.Head)-t.Text) + "|\n"
		},
		"sense":       sense,
		"claims":      claims,
		"tables":      tables,
		"simulations": Simulations,
		"time":        func(t time.Time) string { return t.Format(timeFormat) },
	}).Parse(markdown)
	if err != nil {
		return err
	}
	return t.Execute(w, r)
}

const timeFormat = "2006-01-02 15:04:05 MST"

func sense(s string) string {
	if s == "max" {
		return "maximisation"
	}
	return "minimisation"
}

// tables are all of a problem's.
func tables(problem *summary.Problem) []Table {
	list := []Table{Number(problem), Outcomes(problem), Reasons(problem), References(problem)}
	for _, s := range sections(problem) {
		if list = append(list, s.All); s.Classes != nil {
			list = append(list, *s.Classes)
		}
	}
	return append(list, OverTime(problem), WorstCases(problem), Pairs(problem), Solvers(problem))
}

// LaTeX returns the files of tables/: one booktabs tabular a table, and figures.tex with an includegraphics for each plot.
func LaTeX(r *summary.Report) map[string][]byte {
	files := map[string][]byte{}
	add := func(t Table) {
		if len(t.Rows) > 0 {
			files[t.Name+".tex"] = latexTable(t)
		}
	}
	var figures bytes.Buffer
	for _, problem := range r.Problems {
		for _, t := range tables(problem) {
			add(t)
		}
		for _, f := range problem.Figures {
			fmt.Fprintf(&figures, "\\begin{figure}\n  \\includegraphics[width=\\linewidth]{plots/%s.pdf}\n  \\caption{%s. %s}\n"+
				"  \\label{fig:%s}\n\\end{figure}\n\n", f.Name, paper.Escape(f.Title), paper.Escape(f.Caption), f.Name)
		}
	}
	add(Simulations(r))
	if figures.Len() > 0 {
		files["figures.tex"] = figures.Bytes()
	}
	return files
}

func latexTable(t Table) []byte {
	columns := t.Brief
	if columns == nil {
		for i := range t.Head {
			columns = append(columns, i)
		}
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "%% %s\n\\begin{tabular}{", paper.Escape(t.Title))
	for _, c := range columns {
		b.WriteString(map[bool]string{true: "l", false: "r"}[c < t.Text])
	}
	b.WriteString("}\n\\toprule\n")
	line := func(cells []string, best bool) {
		for i, c := range columns {
			if i > 0 {
				b.WriteString(" & ")
			}
			cell := paper.Escape(cells[c])
			if best {
				cell = `\textbf{` + cell + "}"
			}
			b.WriteString(cell)
		}
		b.WriteString(" \\\\\n")
	}
	line(t.Head, false)
	b.WriteString("\\midrule\n")
	for i, row := range t.Rows {
		if row.Apart && i > 0 && !t.Rows[i-1].Apart {
			b.WriteString("\\addlinespace\n")
		}
		line(row.Cells, row.Best)
	}
	b.WriteString("\\bottomrule\n\\end{tabular}\n")
	for _, n := range t.Notes {
		fmt.Fprintf(&b, "%% %s\n", n)
	}
	return b.Bytes()
}
