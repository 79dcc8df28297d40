package page

import (
	"fmt"
	"strings"
	"time"

	"schedgap/bench"
	"schedgap/reports/summary"
	"schedgap/reports/words"
)

// A notice is a doubt about the numbers, or says that there is none.
type notice struct {
	Level string // alarm, note or clear
	Text  string // before the links
	Links []link
}

// A link leads to where the static page and the interactive one say more.
type link struct{ Text, Anchor, Problem string }

// notices lists contradictions, failures and open optima; it is never empty if there are results.
func notices(r *summary.Report) []notice {
	var out []notice
	collect := func(level, text string, of func(p *summary.Problem) (n, total int), rest string) {
		var links []link
		sum, all := 0, 0
		for _, p := range r.Problems {
			n, total := of(p)
			sum, all = sum+n, all+total
			if n > 0 {
				links = append(links, link{fmt.Sprintf("%s %d", p.Name, n), p.Name + "-trouble", p.Name})
			}
		}
		if len(r.Problems) == 1 && sum > 0 {
			links[0].Text, text = fmt.Sprintf(text+rest, sum, all), ""
		} else if sum > 0 {
			text = fmt.Sprintf(text+rest+": ", sum, all)
		}
		if sum > 0 {
			out = append(out, notice{level, text, links})
		}
	}
	if r.WhatIf != "" {
		out = append(out, notice{"note", r.WhatIf + ".", nil})
	}
	if n := len(r.Contradictions); n > 0 {
		out = append(out, notice{"alarm", "", []link{{fmt.Sprintf("%s: a value lies beyond a bound that is claimed",
			words.Count(n, "contradiction")), "contradictions", ""}}})
	}
	collect("alarm", "%d of %d units", func(p *summary.Problem) (n, total int) {
		for _, o := range p.Outcomes {
			n += summary.Failed(o.Statuses)
		}
		return n, p.Units
	}, " failed")
	collect("note", "%d of %d units", func(p *summary.Problem) (n, total int) {
		for _, o := range p.Outcomes {
			n += o.Statuses[string(bench.Timeout)]
		}
		return n, p.Units
	}, " ran into their time limit")
	collect("note", "%d of %d optima", func(p *summary.Problem) (n, total int) { return unproven(p), p.Instances },
		" are not proven")
	collect("note", "%d of %d ratios", func(p *summary.Problem) (n, total int) {
		for _, row := range p.Ratios {
			if row.Reference == p.References[0].Name && row.Class == (summary.Class{}) {
				total += row.Instances
			}
		}
		return undefined(p), total
	}, " are infinite or undefined")
	if len(out) == 0 && len(r.Problems) > 0 {
		out = append(out, notice{"clear", "", []link{{
			"All clear: no unit failed, every optimum is proven, nothing contradicts a proof",
			r.Problems[0].Name + "-trouble", r.Problems[0].Name,
		}}})
	}
	if n := len(r.Warnings); n > 0 {
		out = append(out, notice{"note", "", []link{{words.Count(n, "warning"), "warnings", ""}}})
	}
	return out
}

// facts are where the numbers come from: suites, date, machines and versions.
func facts(r *summary.Report) []string {
	e := &r.Environment
	var out []string
	few := func(what string, list []string) {
		switch n := len(list); {
		case n == 0:
		case n <= 3:
			out = append(out, what+" "+strings.Join(list, ", "))
		default:
			out = append(out, fmt.Sprintf("%s %s and %d more", what, strings.Join(list[:2], ", "), n-2))
		}
	}
	few("suite", e.Suites)
	if day, ok := date(e.First); ok {
		if last, _ := date(e.Last); last != day {
			day += " to " + last
		}
		out = append(out, day)
	}
	few("on", e.CPUs)
	few("host", e.Hosts)
	if r.Records > 0 {
		out = append(out, words.Count(r.Records, "unit"))
	}
	return out
}

func date(stamp string) (day string, ok bool) {
	t, err := time.Parse(time.RFC3339, stamp)
	if err != nil {
		return "", false
	}
	return t.Format("2 January 2006"), true
}
