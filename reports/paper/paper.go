// Package paper writes a report in LaTeX. Tables makes the files of tables/; Files makes the folder paper/ of report --for
// paper: tables that fit a column, every number as a macro, references, and a page that shows all of them. Cells are texts of
// package tables. reports.Write calls both.
package paper

import (
	"bytes"
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"
	"text/template"

	"schedgap/reports/plots"
	"schedgap/reports/summary"
)

// Options say how.
type Options struct {
	plots.Paper
	Columns []string // of Names; empty: mean, interval, worst, optimal, compared
	Library bool     // the answers of the library have a row, too
}

// Names are the columns that tables can have beside the algorithm.
var Names = []string{"mean", "interval", "median", "p90", "worst", "optimal", "compared", "time"}

// Columns reads a list of names separated by commas.
func Columns(list string) ([]string, error) {
	if list == "" {
		return []string{"mean", "interval", "worst", "optimal", "compared"}, nil
	}
	names := strings.Split(list, ",")
	for i, name := range names {
		if !slices.Contains(Names, name) {
			return nil, fmt.Errorf("no column %q; there are %s", name, strings.Join(Names, ", "))
		}
		if slices.Contains(names[:i], name) {
			return nil, fmt.Errorf("column %q is named twice", name)
		}
	}
	return names, nil
}

// Files returns the files: tables/*.tex, numbers.tex, references.bib, and page.tex, a two-column page with all of them and with
// the figures, which are named without folder and ending.
func Files(r *summary.Report, o Options, figures []summary.Figure) (map[string][]byte, error) {
	files := map[string][]byte{"numbers.tex": numbers(r)}
	page := struct {
		*summary.Report
		Sources []source
		Tables  []string
		Figures []summary.Figure
	}{Report: r, Figures: figures}
	for _, problem := range r.Problems {
		if s := sourceOf(problem.Name); s.Key != "" {
			page.Sources = append(page.Sources, s)
		}
		for _, v := range problem.Views {
			for _, by := range []string{"", "objective", "family"} {
				list, err := newTables(problem, v, by, o)
				if err != nil {
					return nil, err
				}
				for _, t := range list {
					page.Tables = append(page.Tables, t.Name)
					files["tables/"+t.Name+".tex"], err = render("table", t)
					if err != nil {
						return nil, err
					}
				}
			}
		}
	}
	for _, name := range []string{"page.tex", "references.bib"} {
		var err error
		files[name], err = render(name, page)
		if err != nil {
			return nil, err
		}
	}
	return files, nil
}

//go:embed paper.tex.tmpl
var templates string

var parsed = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("paper").Delims("<<", ">>").
		Funcs(template.FuncMap{"escape": Escape, "join": strings.Join}).Parse(templates))
})

func render(name string, data any) ([]byte, error) {
	var b bytes.Buffer
	if err := parsed().ExecuteTemplate(&b, name, data); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return b.Bytes(), nil
}

//go:embed sources.bib
var sources string

// A source is the paper whose problem and algorithms are measured: BibTeX's key and entry; empty: none.
type source struct{ Key, Entry string }

func sourceOf(problem string) source {
	_, entry, _ := strings.Cut("\n"+sources, "\n% "+problem+"\n")
	entry, _, _ = strings.Cut(entry, "\n\n")
	_, key, _ := strings.Cut(entry, "{")
	key, _, _ = strings.Cut(key, ",")
	return source{key, strings.TrimSpace(entry)}
}

var special = strings.NewReplacer(
	`\`, `\textbackslash{}`, "{", `\{`, "}", `\}`, "$", `\$`, "&", `\&`, "#", `\#`, "_", `\_`, "%", `\%`, "~", `\textasciitilde{}`,
	"^", `\textasciicircum{}`, "–", "--", "\u00a0", "~", "…", `\ldots{}`, "µ", `\textmu{}`, "<", `\textless{}`, ">",
	`\textgreater{}`,
	"α", `$\alpha$`, "β", `$\beta$`, "λ", `$\lambda$`, "θ", `$\theta$`, "Σ", `$\Sigma$`, "Δ", `$\Delta$`,
	"ε", `$\varepsilon$`, "√", `$\surd$`, "≤", `$\le$`, "≥", `$\ge$`, "×", `$\times$`, "→", `$\to$`,
	"∞", `$\infty$`, "−", `$-$`,
	"\n", " ",
)

// Escape writes a text so that LaTeX sets it as it is. A character that the usual fonts lack is written by its number.
func Escape(s string) string {
	var b strings.Builder
	for _, r := range special.Replace(s) {
		if r > 0x17f && !strings.ContainsRune("—‘’“”•†‡", r) {
			fmt.Fprintf(&b, "U+%04X", r)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}
