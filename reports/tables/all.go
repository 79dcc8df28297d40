package tables

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"text/template"

	"schedgap/reports/summary"
	"schedgap/reports/words"
)

// All lists the tables of a problem, some of them without rows.
func All(problem *summary.Problem) []Table {
	list := []Table{Number(problem), Outcomes(problem), Reasons(problem), References(problem)}
	for _, v := range problem.Views {
		list = append(list, OfView(problem, v)...)
	}
	return append(list,
		OverTime(problem), WorstCases(problem), Published(problem), Prices(problem), NotKnowing(problem), Pairs(problem), Effects(problem),
		Solvers(problem), Scaling(problem), Variability(problem), Formulations(problem))
}

// OfView lists the ratio tables of a view: over all instances unless factors vary, by objective, by family and by suite where there
// are several.
func OfView(problem *summary.Problem, v *summary.View) (list []Table) {
	if problem.Yours != "" || !v.Stratified() {
		list = append(list, Ratios(problem, v.Reference, v.Regret, ""))
	}
	for _, by := range []string{"objective", "family", "suite"} {
		if problem.Pooled && by != "objective" {
			continue
		}
		if t := Ratios(problem, v.Reference, v.Regret, by); len(t.Rows) > 0 {
			list = append(list, t)
		}
	}
	return list
}

//go:embed notes.tmpl
var paragraphs string

var below = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("notes").Funcs(template.FuncMap{"share": words.Share}).Parse(paragraphs))
})

// notes are the paragraphs that stand below a table.
func notes(name string, about any) []string {
	var b strings.Builder
	if err := below().ExecuteTemplate(&b, name, about); err != nil {
		return []string{err.Error()} // a test makes all of them
	}
	return strings.Split(strings.TrimSpace(b.String()), "\n\n")
}

// Narrow is the table with the columns that fit a paper.
func (t Table) Narrow() Table {
	narrow := t
	narrow.Head, narrow.Rows = nil, slices.Clone(t.Rows)
	for k := range narrow.Rows {
		narrow.Rows[k].Cells = nil
	}
	for i, h := range t.Head {
		if h.Low {
			continue
		}
		narrow.Head = append(narrow.Head, h)
		for k := range t.Rows {
			narrow.Rows[k].Cells = append(narrow.Rows[k].Cells, t.Rows[k].Cells[i])
		}
	}
	return narrow
}
