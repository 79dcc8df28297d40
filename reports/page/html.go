// Package page renders a report as index.html, one file that opens without a network, and as summary.md. HTML and Markdown show
// the tables of package tables; the script in app/ sorts, hides and switches between them and computes nothing. reports.Write
// calls both.
package page

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"regexp"
	"strconv"
	"strings"

	"schedgap/reports/plots"
	"schedgap/reports/ratio"
	"schedgap/reports/summary"
	"schedgap/reports/tables"
	"schedgap/reports/words"
)

//go:embed page.html
var pageHTML string

//go:embed page.css
var pageCSS string

// Style is the style of pages.
func Style() template.CSS { return template.CSS(plots.Properties() + pageCSS) }

// Options are inputs of a page besides the report.
type Options struct {
	Links  string                     // what links to instances begin with; empty: there are none
	Charts map[*ratio.Instance]string // drawings of solutions, SVG
	Strips map[string]*plots.Layout   // of figures that the page draws, by name
}

// maxRows is how many units the interactive part takes: more make a page that browsers are slow to open.
const maxRows = 250_000

// HTML writes index.html: one file that needs no network, follows the reader's light or dark scheme and can be printed. It
// holds all tables and figures, and a script that sorts them, hides rows and dots, and switches between them.
func HTML(w io.Writer, r *summary.Report, o Options) error {
	packed, why := "", ""
	code, err := script()
	switch {
	case err != nil:
	case r.Records == 0 && len(r.Simulations) == 0:
	case r.Records > maxRows:
		why = fmt.Sprintf("the interactive part takes at most %d units, and there are %d", maxRows, r.Records)
	default:
		packed, err = data(r, o)
	}
	if err != nil {
		return err
	}
	links := o.Links
	t, err := template.New("page").Funcs(template.FuncMap{
		"js":         func() template.JS { return code },
		"appcss":     func() template.CSS { return template.CSS(appCSS) },
		"why":        func() string { return why },
		"data":       func() template.HTML { return template.HTML(packed) }, // in base64, which needs no escapes
		"css":        Style,
		"meaning":    ratio.Meaning,
		"notices":    notices,
		"facts":      facts,
		"body":       func(h summary.Headline) string { return strings.TrimPrefix(h.Text, h.Problem+": ") },
		"svg":        drawing,
		"number":     tables.Number,
		"outcomes":   tables.Outcomes,
		"references": tables.References,
		"reasons":    tables.Reasons,
		"claims":     claims,
		"sections":   sections,
		"pairs":      tables.Pairs,
		"effects":    tables.Effects,
		"worstcases": tables.WorstCases,
		"published":  tables.Published,
		"overtime":   tables.OverTime,
		"prices":     tables.Prices,
		"notknowing": tables.NotKnowing,
		"timed": func(p *summary.Problem) []summary.Figure {
			return figures(p, func(f summary.Figure) bool { return f.OverTime })
		},
		"solvers":     tables.Solvers,
		"scaling":     tables.Scaling,
		"variability": tables.Variability,
		"milp":        tables.Formulations,
		"simulations": func(conditions bool) tables.Table { return tables.Simulations(r, conditions) },
		"drawn":       func() []summary.Figure { return r.SimulationFigures },
		"lead":        lead,
		"cases":       cases,
		"countof":     words.Count,
		"view": func(reference string, regret bool) string {
			return reference + map[bool]string{true: "-regret"}[regret]
		},
		"class": class,
		"cell":  cell,
		"general": func(p *summary.Problem) []summary.Figure { // those of no view, which stand nowhere else
			return figures(p, func(f summary.Figure) bool { return f.Reference == "" && !f.OverTime })
		},
		"main":      func(problem *summary.Problem, s section) bool { return s.Reference == problem.References[0].Name },
		"sense":     sense,
		"interval":  tables.Interval,
		"value":     value,
		"secs":      func(x *float64) string { return pointer(x, words.Seconds) },
		"jobs":      jobs,
		"short":     func(sha string) string { return sha[:min(12, len(sha))] },
		"limit":     func() int { return summary.CaseLimit },
		"unproven":  unproven,
		"failed":    failed,
		"undefined": undefined,
		"links":     func() string { return links },
		"join":      strings.Join,
		"time":      func() string { return r.Provenance.GeneratedAt.Format(timeFormat) },
	}).Parse(pageHTML)
	if err != nil {
		return err
	}
	return t.Execute(w, r)
}

var (
	paths    = regexp.MustCompile(` d="[^"]*"`)
	decimals = regexp.MustCompile(`(\d\.\d)\d+`)
)

// drawing is a figure made by package plots, with coordinates to a tenth of a point, which no screen tells apart from more.
func drawing(f summary.Figure) template.HTML {
	return template.HTML(paths.ReplaceAllStringFunc(f.SVG, func(d string) string { return decimals.ReplaceAllString(d, "$1") }))
}

// class are the classes of a cell: text, a column that few readers need, or one that may be broken into lines.
func class(t tables.Table, column int, cell string) string {
	out := ""
	switch {
	case t.Head[column].Words:
		out = "t"
	case strings.Contains(cell, "…"):
		out = "i"
	case len(cell) > 24:
		out = "n"
	}
	if t.Head[column].Low {
		out += " low"
	}
	return strings.TrimSpace(out)
}

// cell is a cell's text. What a number has behind it in brackets, such as the worst instance's name, is an element, for which phones
// have no room.
func cell(t tables.Table, column int, text string) template.HTML {
	number, of, found := strings.Cut(text, " (")
	if t.Head[column].Words || !found || !strings.HasSuffix(of, ")") {
		return template.HTML(template.HTMLEscapeString(text))
	}
	return template.HTML(template.HTMLEscapeString(number) + `<span class="of"> (` + template.HTMLEscapeString(of) + `</span>`)
}

// shownCases are cases with the algorithm's name as tables have it.
type shownCases struct {
	*summary.CaseList
	Shown string
}

func cases(p *summary.Problem, l *summary.CaseList) shownCases {
	return shownCases{l, p.Marked(l.Label)}
}

// lead are the strips of dots, the first thing to see: over all instances of the view that the report begins with, then others.
func lead(problem *summary.Problem) []summary.Figure {
	return figures(problem, func(f summary.Figure) bool { return f.Strip })
}

func pointer(x *float64, format func(summary.Number) string) string {
	if x == nil {
		return words.None
	}
	return format(summary.Number(*x))
}

// value writes an objective value with the digits that tell two of them apart.
func value(x *float64) string {
	return pointer(x, func(v summary.Number) string { return strconv.FormatFloat(float64(v), 'g', 8, 64) })
}

func jobs(n *int64) string {
	if n == nil {
		return words.None
	}
	return strconv.FormatInt(*n, 10)
}

// unproven is the number of instances without a proven optimum of the problem's first reference.
func unproven(problem *summary.Problem) int { return problem.Instances - problem.References[0].Proven }

// failed is the number of units that ended neither in a solution or bound nor in "not applicable".
func failed(problem *summary.Problem) int {
	n := 0
	for _, l := range problem.Failures {
		n += l.Total
	}
	return n
}

// undefined is the number of cases, an algorithm on an instance, whose ratio to the first reference is infinite or undefined,
// failures left out.
func undefined(problem *summary.Problem) int {
	n := 0
	for _, r := range problem.Ratios {
		if r.Reference == problem.References[0].Name && r.Class == (summary.Class{}) {
			n += r.Undefined + r.Infinite - r.Unsolved
		}
	}
	return n
}
