package history

import (
	"fmt"
	"math"
	"regexp"
	"strings"

	"schedgap/reports/plots"
)

// A drawing is a figure of a history.
type drawing struct {
	Name, Title, Caption string
	SVG                  string // for the page

	figure *plots.Figure
	found  bool // of one series
}

// draw draws every series in which something is found, with what that is, and every metric of every problem.
func draw(r *Report) []drawing {
	var list []drawing
	for _, s := range r.Series {
		if len(s.findings) > 0 && len(s.Points) > 1 {
			list = append(list, r.one(s))
		}
	}
	for start := 0; start < len(r.Series); {
		end := start
		for end < len(r.Series) && r.Series[end].Problem == r.Series[start].Problem && r.Series[end].Metric == r.Series[start].Metric {
			end++
		}
		if d, ok := r.all(r.Series[start:end]); ok {
			list = append(list, d)
		}
		start = end
	}
	return list
}

// labels are those of the axes of values.
var labels = map[Metric]string{
	Ratio: "mean ratio to the best known", Value: "mean difference, of the largest",
	Proofs: "share proven", Failures: "share failed", Time: "mean time, first run = 1",
}

func (r *Report) frame(title string, m Metric) plots.Frame {
	names := make([]string, len(r.Runs))
	for i, run := range r.Runs {
		names[i] = short(run.Commit)
	}
	f := plots.Frame{
		Title: title, X: plots.Axis{Label: "commit", Base: math.NaN(), Names: names},
		Y: plots.Axis{Label: labels[m], Base: math.NaN(), Scale: plots.Linear},
	}
	if m == Proofs || m == Failures {
		f.Y.Scale = plots.Share
	}
	return f
}

// short is a commit with as many digits as an axis has room for.
func short(commit string) string { return commit[:min(7, len(commit))] }

// all draws one metric of a problem; ok is false where there is nothing to see.
func (r *Report) all(series []*Series) (drawing, bool) {
	first := series[0]
	var lines []plots.Line
	machines := map[string]bool{}
	for _, s := range series {
		machines[s.Machine] = true
	}
	seen := false
	for i, s := range series {
		l := s.line()
		l.Label, l.Style = s.Algorithm, plots.Style{Index: max(0, s.table.style)}
		if s.table.style < 0 {
			l.Style = plots.Style{Index: i, Marked: true}
		}
		if len(machines) > 1 {
			l.Label += ", " + s.Machine
		}
		for _, y := range l.Y {
			seen = seen || y != 0
		}
		lines = append(lines, l)
	}
	title := fmt.Sprintf("%s: %s", first.Problem, first.Metric)
	caption := "Each point is the mean over all instances; where a run lacks some, what it would be by those that it has."
	if first.Metric == Time {
		caption += " Times are those of one kind of machine, over the time in the first run."
	}
	return drawing{Name: first.Problem + "-" + string(first.Metric), Title: title, Caption: caption, figure: plots.Lines(r.frame(title, first.Metric), lines)}, seen
}

// line is the series over the numbers of the runs.
func (s *Series) line() plots.Line {
	l := plots.Line{Points: len(s.Points) <= 60}
	for _, p := range s.Points {
		y := float64(p.Value)
		if s.Metric == Time {
			y /= float64(s.Points[0].Value)
		}
		l.X, l.Y = append(l.X, float64(p.run)), append(l.Y, y)
	}
	return l
}

// one draws a series with the steps that are found in it.
func (r *Report) one(s *Series) drawing {
	measured := s.line()
	measured.Label, measured.Style = s.Algorithm, plots.Style{Index: max(0, s.table.style)}
	steps := plots.Line{Style: plots.Style{Index: measured.Style.Index + 1}, Thin: true}
	start, first := float64(s.Points[0].run), 1.0
	if s.Metric == Time {
		first = float64(s.Points[0].Value)
	}
	var captions []string
	for i, f := range s.findings {
		at, end := float64(f.run)-0.5, float64(s.Points[len(s.Points)-1].run)
		if i+1 < len(s.findings) {
			end = float64(s.findings[i+1].run) - 0.5
		}
		steps.X = append(steps.X, start, at, at, end)
		steps.Y = append(steps.Y, float64(f.From)/first, float64(f.From)/first, float64(f.To)/first, float64(f.To)/first)
		captions = append(captions, f.Text+".")
		start = at
	}
	title := fmt.Sprintf("%s %s: %s", s.Problem, s.Algorithm, s.Metric)
	name := s.Problem + "-" + s.Algorithm + "-" + string(s.Metric)
	if s.Machine != "" {
		name += "-" + s.Machine
	}
	return drawing{
		found: true, Name: unnamed.ReplaceAllString(name, "_"), Title: title, Caption: strings.Join(captions, " "),
		figure: plots.Lines(r.frame(title, s.Metric), []plots.Line{measured, steps}),
	}
}

// unnamed is what names of files do not have.
var unnamed = regexp.MustCompile(`[^A-Za-z0-9.=+-]+`)
