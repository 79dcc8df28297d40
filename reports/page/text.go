package page

import (
	_ "embed"
	"io"
	"sync"
	"text/template"
	"time"

	"schedgap/bench"
	"schedgap/reports/summary"
	"schedgap/reports/tables"
	"schedgap/reports/words"
)

//go:embed summary.md.tmpl
var summaryMD string

var markdown = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("summary").Funcs(template.FuncMap{
		"md":  words.Markdown.Replace,
		"row": words.MarkdownRow,
		"rule": func(t tables.Table) (rule string) {
			for _, h := range t.Head {
				rule += map[bool]string{true: "| --- ", false: "| ---: "}[h.Words]
			}
			return rule + "|\n"
		},
		"sense":  sense,
		"claims": claims,
		"tables": tables.All,
		"simulations": func(r *summary.Report) []tables.Table {
			return []tables.Table{tables.Simulations(r, false), tables.Simulations(r, true)}
		},
		"time": func(t time.Time) string { return t.Format(timeFormat) },
	}).Parse(summaryMD))
})

// Markdown writes summary.md.
func Markdown(w io.Writer, r *summary.Report) error { return markdown().Execute(w, r) }

const timeFormat = "2006-01-02 15:04:05 MST"

func sense(s string) string {
	if s == "max" {
		return "maximisation"
	}
	return "minimisation"
}

// claims says how many of the solutions handed in the checker accepted; empty if there were none.
func claims(problem *summary.Problem) string {
	right, wrong := 0, 0
	for _, o := range problem.Outcomes {
		right, wrong = right+o.Solutions, wrong+o.Statuses[string(bench.Invalid)]
	}
	if right+wrong == 0 {
		return ""
	}
	return "Of the solutions handed in, the checker accepted " + words.Share(right, right+wrong) + "."
}
