package history

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"schedgap/reports/page"
	"schedgap/reports/plots"
	"schedgap/reports/summary"
)

// draw draws every series in which something is found, with what that is, and every metric of every problem.
func (r *Report) draw() (found, all []page.Drawing) {
	for _, s := range r.Series {
		if len(s.findings) > 0 && len(s.Points) > 1 {
			found = append(found, r.one(s))
		}
	}
	for left := r.Series; len(left) > 0; {
		first := left[0]
		n := slices.IndexFunc(left, func(s *Series) bool { return s.Problem != first.Problem || s.Metric != first.Metric })
		if n < 0 {
			n = len(left)
		}
		if lines := together(left[:n]); len(lines) > 0 {
			caption := "Each point is the mean over all instances; where a run lacks some, what it would be by those that it has."
			if first.Metric == Time {
				caption += " Times are those of one kind of machine, over the time in the first run."
			}
			name, title := first.Problem+"-"+string(first.Metric), fmt.Sprintf("%s: %s", first.Problem, first.Metric)
			all = append(all, r.drawing(first.Metric, name, title, caption, lines))
		}
		left = left[n:]
	}
	return found, all
}

// labels are those of the axes of values.
var labels = map[Metric]string{
	Ratio: "mean ratio to the best known", Value: "mean difference, of the largest",
	Proofs: "share proven", Failures: "share failed", Time: "mean time, first run = 1",
}

func (r *Report) drawing(m Metric, name, title, caption string, lines []plots.Line) page.Drawing {
	f := plots.Frame{
		Title: title, X: plots.Axis{Label: "commit", Base: math.NaN()}, Y: plots.Axis{
			Label: labels[m], Base: math.NaN(),
			Scale: plots.Linear,
		},
	}
	for _, run := range r.Runs {
		f.X.Names = append(f.X.Names, run.Commit[:min(7, len(run.Commit))]) // as many digits as an axis has room for
	}
	if m == Proofs || m == Failures {
		f.Y.Scale = plots.Share
	}
	return page.Drawing{Figure: summary.Figure{Name: name, Title: title, Caption: caption}, Plot: plots.Lines(f, lines)}
}

// together are the lines of one metric of a problem; none where there is nothing to see.
func together(series []*Series) (lines []plots.Line) {
	seen := false
	for i, s := range series {
		l := s.line()
		if s.style < 0 {
			l.Style = plots.Style{Index: i, Marked: true}
		}
		if slices.ContainsFunc(series, func(other *Series) bool { return other.Machine != s.Machine }) {
			l.Label += ", " + s.Machine
		}
		seen = seen || slices.ContainsFunc(l.Y, func(y float64) bool { return y != 0 })
		lines = append(lines, l)
	}
	if !seen {
		return nil
	}
	return lines
}

// scale is what values are drawn over: times those of the first run.
func (s *Series) scale() float64 {
	if s.Metric == Time {
		return float64(s.Points[0].Value)
	}
	return 1
}

// line is the series over the numbers of the runs.
func (s *Series) line() plots.Line {
	l := plots.Line{Label: s.Algorithm, Style: plots.Style{Index: max(0, s.style)}, Points: len(s.Points) <= 60}
	for _, p := range s.Points {
		l.X, l.Y = append(l.X, float64(p.run)), append(l.Y, float64(p.Value)/s.scale())
	}
	return l
}

// one draws a series with the steps that are found in it.
func (r *Report) one(s *Series) page.Drawing {
	measured := s.line()
	steps := plots.Line{Style: plots.Style{Index: measured.Style.Index + 1}, Thin: true}
	start := measured.X[0]
	var captions []string
	for i, f := range s.findings {
		at, end := float64(f.run)-0.5, measured.X[len(measured.X)-1]
		if i+1 < len(s.findings) {
			end = float64(s.findings[i+1].run) - 0.5
		}
		from, to := float64(f.From)/s.scale(), float64(f.To)/s.scale()
		steps.X, steps.Y = append(steps.X, start, at, at, end), append(steps.Y, from, from, to, to)
		captions = append(captions, f.Text+".")
		start = at
	}
	name := strings.Join([]string{s.Problem, s.Algorithm, string(s.Metric), s.Machine}, "-")
	return r.drawing(s.Metric, unnamed.ReplaceAllString(strings.TrimSuffix(name, "-"), "_"),
		fmt.Sprintf("%s %s: %s", s.Problem, s.Algorithm, s.Metric), strings.Join(captions, " "), []plots.Line{measured, steps})
}

// unnamed is what names of files do not have.
var unnamed = regexp.MustCompile(`[^A-Za-z0-9.=+-]+`)
