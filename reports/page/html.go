package page

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"regexp"
	"strconv"
	"strings"

	"schedgap/models"
	"schedgap/reports/plots"
	"schedgap/reports/ratio"
	"schedgap/reports/summary"
	"schedgap/reports/words"
)

//go:embed page.html
var pageHTML string

//go:embed page.css
var pageCSS string

// Style is the style of pages.
func Style() template.CSS { return template.CSS(plots.Properties() + pageCSS) }

// Options are what a page needs besides the report.
type Options struct {
	Links  string                       // what links to instances begin with; empty: there are none
	Charts map[*ratio.Unit]models.Chart // drawings of solutions
}

// HTML writes index.html: one file that needs no network, follows the reader's light or dark scheme and can be printed. It
// holds all tables and figures as they are without filters and, if the interactive part is in this binary, the data and the
// script that recompute them in the browser.
func HTML(w io.Writer, r *summary.Report, o Options) error { return html(w, r, o, bundled()) }

// maxRows is how many units the interactive part takes: more make a page that browsers are slow to open.
const maxRows = 250_000

func html(w io.Writer, r *summary.Report, o Options, interactive *app) error {
	packed, why := "", ""
	switch {
	case r.Records == 0 && len(r.Simulations) == 0:
	case interactive == nil:
		why = "the program that wrote it was built without the interactive part"
	case r.Records > maxRows:
		why = fmt.Sprintf("the interactive part takes at most %d units, and there are %d", maxRows, r.Records)
	default:
		var err error
		if packed, err = data(r, o); err != nil {
			return err
		}
	}
	links := o.Links
	t, err := template.New("page").Funcs(template.FuncMap{
		"app":        func() *app { return interactive },
		"why":        func() string { return why },
		"data":       func() template.HTML { return template.HTML(packed) }, // in base64, which needs no escapes
		"css":        Style,
		"notices":    notices,
		"facts":      facts,
		"body":       func(h summary.Headline) string { return strings.TrimPrefix(h.Text, h.Problem+": ") },
		"svg":        drawing,
		"number":     Number,
		"outcomes":   Outcomes,
		"references": References,
		"reasons":    Reasons,
		"claims":     claims,
		"sections":   sections,
		"pairs":      Pairs,
		"worstcases": WorstCases,
		"overtime":   OverTime,
		"timed": func(p *summary.Problem) []summary.Figure {
			return figures(p, func(f summary.Figure) bool { return f.OverTime })
		},
		"solvers": Solvers,
		"simulations": func() Table {
			return Simulations(r)
		},
		"drawn":  func() []summary.Figure { return r.SimulationFigures },
		"first":  func(list []summary.Figure) []summary.Figure { return list[:min(1, len(list))] },
		"others": func(list []summary.Figure) []summary.Figure { return list[min(1, len(list)):] },
		"general": func(p *summary.Problem) []summary.Figure { // those of no view
			return figures(p, func(f summary.Figure) bool { return f.Reference == "" })
		},
		"main":      func(problem *summary.Problem, s section) bool { return s.Reference == problem.References[0].Name },
		"text":      func(t Table, column int) bool { return column < t.Text },
		"sense":     sense,
		"interval":  interval,
		"value":     value,
		"secs":      func(x *float64) string { return pointer(x, words.Seconds) },
		"jobs":      jobs,
		"short":     func(sha string) string { return sha[:min(12, len(sha))] },
		"limit":     func() int { return summary.CaseLimit },
		"unproven":  unproven,
		"failed":    failed,
		"undefined": undefined,
		"breaks":    breaks,
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

// breaks is the class of a number's cell that may be broken into lines.
func breaks(cell string) string {
	switch {
	case strings.Contains(cell, "…"):
		return "i"
	case len(cell) > 24:
		return "n"
	}
	return ""
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
	return count(int(*n))
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
