// Package paper sets a report for the page of a paper: tables that fit a column, every number as a macro, and what to cite.
package paper

import (
	"bytes"
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"schedgap/reports/plots"
	"schedgap/reports/summary"
)

// Options say how.
type Options struct {
	plots.Paper
	Columns []string // of Names; empty: mean, interval, worst, optimal
}

// Names are the columns that tables can have beside the algorithm.
var Names = []string{"mean", "interval", "median", "p90", "worst", "optimal", "compared", "time"}

// Columns reads a list of names separated by commas.
func Columns(list string) ([]string, error) {
	if list == "" {
		return []string{"mean", "interval", "worst", "optimal"}, nil
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
	files := map[string][]byte{"numbers.tex": numbers(r), "references.bib": bibliography(r)}
	var tables []string
	for _, problem := range r.Problems {
		for _, v := range problem.Views {
			t, err := newTable(problem, v.Reference, v.Regret, o)
			if err != nil {
				return nil, err
			}
			if len(t.rows) > 0 {
				files["tables/"+t.name+".tex"] = t.latex()
				tables = append(tables, t.name)
			}
		}
	}
	files["page.tex"] = page(r, tables, figures)
	return files, nil
}

//go:embed preamble.tex
var preamble string

// page is a document that shows everything at the size of a column.
func page(r *summary.Report, tables []string, figures []summary.Figure) []byte {
	var b bytes.Buffer
	b.WriteString(preamble)
	var cited []string
	for _, problem := range r.Problems {
		if key, _ := source(problem.Name); key != "" {
			cited = append(cited, key)
		}
	}
	fmt.Fprintf(&b, "Measured with schedgap \\schedgapVersion~\\cite{%s}.\n\n",
		strings.Join(append([]string{software}, cited...), ","))
	for _, h := range r.Headlines {
		fmt.Fprintf(&b, "%s\n\n", Escape(h.Text))
	}
	for _, name := range tables {
		fmt.Fprintf(&b, "\\input{tables/%s}\n", name)
	}
	for _, f := range figures {
		fmt.Fprintf(&b, "\\begin{figure}[tbp]\n  \\centering\\includegraphics[width=\\columnwidth]{figures/%s.pdf}\n  "+
			"\\caption[%s]{%s}\n  \\label{fig:%s}\n\\end{figure}\n",
			f.Name, Escape(f.Title), Escape(f.Caption), f.Name)
	}
	b.WriteString("\\bibliographystyle{plain}\n\\bibliography{references}\n\\end{document}\n")
	return b.Bytes()
}

var special = strings.NewReplacer(
	`\`, `\textbackslash{}`, "{", `\{`, "}", `\}`, "$", `\$`, "&", `\&`, "#", `\#`, "_", `\_`, "%", `\%`, "~", `\textasciitilde{}`,
	"^", `\textasciicircum{}`, "–", "--", "\u00a0", "~", "…", `\ldots{}`, "µ", `\textmu{}`, "<", `\textless{}`, ">",
	`\textgreater{}`,
	"α", `$\alpha$`, "β", `$\beta$`, "λ", `$\lambda$`, "θ", `$\theta$`, "≤", `$\le$`, "≥", `$\ge$`, "×", `$\times$`, "→", `$\to$`,
	"∞", `$\infty$`, "−", `$-$`,
	"\n", " ",
)

// Escape writes a text so that LaTeX sets it as it is.
func Escape(s string) string { return special.Replace(s) }
