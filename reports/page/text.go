package page

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"schedgap/reports/paper"
	"schedgap/reports/summary"
	"schedgap/reports/words"
)

// Markdown writes summary.md.
func Markdown(w io.Writer, r *summary.Report) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# schedgap report\n\n")
	if len(r.Contradictions) > 0 {
		fmt.Fprintf(&b, "## CONTRADICTIONS\n\nResults contradict each other. The instances below have no ratios, and nothing else "+
			"that rests on the same checker or solver should be believed before they are explained.\n\n")
		for _, c := range r.Contradictions {
			fmt.Fprintf(&b, "* %s\n", c)
		}
		b.WriteByte('\n')
	}
	if r.WhatIf != "" {
		fmt.Fprintf(&b, "**%s.**\n\n", words.Markdown.Replace(r.WhatIf))
	}
	for _, h := range r.Headlines {
		fmt.Fprintf(&b, "* %s\n", words.Markdown.Replace(h.Text))
	}
	if len(r.Headlines) > 0 {
		b.WriteByte('\n')
	}
	if how := r.Reading(); how != "" {
		fmt.Fprintf(&b, "%s\n\n", how)
	}
	if r.Records == 0 && len(r.Simulations) == 0 {
		b.WriteString("There are no results.\n\n")
	}
	list(&b, "## Warnings", r.Warnings)
	for _, problem := range r.Problems {
		fmt.Fprintf(&b, "## %s: %s\n\n%d units on %d instances, %s.\n\n", problem.Name, problem.Title, problem.Units, problem.Instances,
			sense(problem.Sense))
		if text := claims(problem); text != "" {
			fmt.Fprintf(&b, "%s\n\n", text)
		}
		for _, t := range tables(problem) {
			markdownTable(&b, t)
		}
	}
	markdownTable(&b, Simulations(r))
	if pr := r.Provenance; pr != nil {
		fmt.Fprintf(&b, "---\n\nGenerated at %s by schedgap %s.\n", pr.GeneratedAt.Format(timeFormat), pr.Version)
	}
	_, err := w.Write(b.Bytes())
	return err
}

const timeFormat = "2006-01-02 15:04:05 MST"

func sense(s string) string {
	if s == "max" {
		return "maximisation"
	}
	return "minimisation"
}

func list(b *bytes.Buffer, title string, items []string) {
	if len(items) == 0 {
		return
	}
	fmt.Fprintf(b, "%s\n\n", title)
	for _, s := range items {
		fmt.Fprintf(b, "* %s\n", words.Markdown.Replace(s))
	}
	b.WriteByte('\n')
}

func markdownTable(b *bytes.Buffer, t Table) {
	if len(t.Rows) == 0 {
		return
	}
	fmt.Fprintf(b, "### %s\n\n", t.Title)
	words.MarkdownRow(b, t.Head)
	numbers := len(t.Head) - t.Text
	b.WriteString(strings.Repeat("| --- ", t.Text) + strings.Repeat("| ---: ", numbers) + "|\n")
	for _, row := range t.Rows {
		words.MarkdownRow(b, row.Cells)
	}
	b.WriteByte('\n')
	for _, n := range t.Notes {
		fmt.Fprintf(b, "%s\n\n", words.Markdown.Replace(n))
	}
}

// tables are all of a problem's.
func tables(problem *summary.Problem) []Table {
	list := []Table{Outcomes(problem), Reasons(problem), References(problem)}
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
