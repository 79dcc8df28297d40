package paper

import (
	"bytes"
	_ "embed"
	"strings"
	"sync"
	"text/template"

	"schedgap/reports/summary"
	"schedgap/reports/tables"
)

//go:embed tables.tex.tmpl
var tablesTeX string

var latex = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("latex").Funcs(template.FuncMap{
		"tex": Escape,
		"line": func(cells []string, inBold bool) string {
			out := make([]string, len(cells))
			for i, cell := range cells {
				out[i] = bold(Escape(cell), inBold)
			}
			return strings.Join(out, " & ") + ` \\`
		},
	}).Parse(tablesTeX))
})

// Tables returns the files of tables/: one booktabs tabular a table, and figures.tex with an includegraphics for each plot.
func Tables(r *summary.Report) (map[string][]byte, error) {
	list := []tables.Table{tables.Simulations(r, false), tables.Simulations(r, true)}
	for _, problem := range r.Problems {
		list = append(list, tables.All(problem)...)
	}
	files := map[string][]byte{}
	for _, t := range list {
		if len(t.Rows) > 0 {
			var b bytes.Buffer
			if err := latex().ExecuteTemplate(&b, "table", t.Narrow()); err != nil {
				return nil, err
			}
			files[t.Name+".tex"] = b.Bytes()
		}
	}
	var figures bytes.Buffer
	err := latex().ExecuteTemplate(&figures, "figures", r)
	if figures.Len() > 0 {
		files["figures.tex"] = figures.Bytes()
	}
	return files, err
}
