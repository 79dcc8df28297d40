package page

import (
	"bytes"
	"embed"
	"io"
	"slices"
	"strings"
	"text/template"
	"time"

	"schedgap/reports/paper"
	"schedgap/reports/summary"
	"schedgap/reports/words"
)

//go:embed summary.md.tmpl tables.tex.tmpl notes.tmpl
var templates embed.FS

// parse reads one of the texts.
func parse(name string, functions template.FuncMap) *template.Template {
	return template.Must(template.New(name).Funcs(functions).ParseFS(templates, name))
}

var (
	below = parse("notes.tmpl", template.FuncMap{"share": words.Share})

	markdown = parse("summary.md.tmpl", template.FuncMap{
		"md":  words.Markdown.Replace,
		"row": words.MarkdownRow,
		"rule": func(t Table) string {
			return strings.Repeat("| --- ", t.Text) + strings.Repeat("| ---: ", len(t.Head)-t.Text) + "|\n"
		},
		"sense":       sense,
		"claims":      claims,
		"tables":      tables,
		"simulations": func(r *summary.Report) []Table { return []Table{Simulations(r, false), Simulations(r, true)} },
		"time":        func(t time.Time) string { return t.Format(timeFormat) },
	})

	latex = parse("tables.tex.tmpl", template.FuncMap{
		"tex": paper.Escape,
		"line": func(cells []string, best bool) string {
			out := make([]string, len(cells))
			for i, cell := range cells {
				if out[i] = paper.Escape(cell); best {
					out[i] = `\textbf{` + out[i] + "}"
				}
			}
			return strings.Join(out, " & ") + ` \\`
		},
	})
)

// notes are the paragraphs that stand below a table.
func notes(name string, about any) []string {
	var b strings.Builder
	if err := below.ExecuteTemplate(&b, name, about); err != nil {
		return []string{err.Error()} // a test makes all of them
	}
	return strings.Split(strings.TrimSpace(b.String()), "\n\n")
}

// Markdown writes summary.md.
func Markdown(w io.Writer, r *summary.Report) error { return markdown.Execute(w, r) }

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
		list = append(list, s.Tables...)
	}
	return append(list, OverTime(problem), WorstCases(problem), Published(problem), Pairs(problem), Solvers(problem), Formulations(problem))
}

// LaTeX returns the files of tables/: one booktabs tabular a table, and figures.tex with an includegraphics for each plot.
func LaTeX(r *summary.Report) (map[string][]byte, error) {
	list := []Table{Simulations(r, false), Simulations(r, true)}
	for _, problem := range r.Problems {
		list = append(list, tables(problem)...)
	}
	files := map[string][]byte{}
	for _, t := range list {
		if len(t.Rows) > 0 {
			var b bytes.Buffer
			if err := latex.ExecuteTemplate(&b, "table", t.brief()); err != nil {
				return nil, err
			}
			files[t.Name+".tex"] = b.Bytes()
		}
	}
	var figures bytes.Buffer
	err := latex.ExecuteTemplate(&figures, "figures", r)
	if figures.Len() > 0 {
		files["figures.tex"] = figures.Bytes()
	}
	return files, err
}

// brief is the table with the columns that fit a paper.
func (t Table) brief() Table {
	if t.Brief == nil {
		return t
	}
	pick := func(cells []string) (out []string) {
		for _, c := range t.Brief {
			out = append(out, cells[c])
		}
		return out
	}
	t.Head, t.Rows = pick(t.Head), slices.Clone(t.Rows)
	for i := range t.Rows {
		t.Rows[i].Cells = pick(t.Rows[i].Cells)
	}
	t.Text = len(slices.DeleteFunc(slices.Clone(t.Brief), func(c int) bool { return c >= t.Text }))
	return t
}
