package verdicts

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"schedgap/bench/experiment"
	"schedgap/reports/plots"
	"schedgap/reports/stats"
	"schedgap/reports/words"
)

// A Drawing is a picture with the name that its file gets, without an ending.
type Drawing struct {
	Name string
	*plots.Figure
}

// Drawings are the figures of the experiments in the paper's form, at the default, with the paper's values where a claim gives
// one.
func Drawings(entries []*Entry) []Drawing {
	var list []Drawing
	for _, e := range ExperimentsOf(entries) {
		if e.Measured == nil {
			continue
		}
		for _, f := range e.Figures {
			if fig := e.draw(f); fig != nil {
				list = append(list, Drawing{strings.TrimSuffix(e.Name, "-"+f.Name) + "-" + f.Name, fig})
			}
		}
	}
	return list
}

// draw draws a figure of the experiment; nil: nothing was stored of it.
func (e *Experiment) draw(f experiment.Figure) *plots.Figure {
	marks := slices.DeleteFunc(slices.Clone(e.Measured.Series), func(m experiment.Mark) bool { return m.Figure != f.Name })
	if len(marks) == 0 {
		return nil
	}
	label := cmp.Or(f.Label, f.Y)
	if f.Form == "cdf" {
		label = "share"
	}
	frame := plots.Frame{
		Title: fmt.Sprintf("%s: %s (%s)", e.Name, e.Title, ascii.Replace(e.Source)),
		X:     plots.Axis{Label: f.X, Scale: plots.Linear, Base: math.NaN()},
		Y:     plots.Axis{Label: label, Scale: plots.Linear, Base: math.NaN()},
	}
	if f.Form == "bars" {
		return e.bars(f, frame, marks)
	}
	var lines, papers []plots.Line
	for i, policy := range e.Policies {
		line := plots.Line{Label: policy, Style: plots.Style{Index: i}, Points: f.Form != "cdf", Step: f.Form == "cdf"}
		paper := plots.Line{Style: line.Style, Crosses: true}
		for _, m := range marks {
			if m.Policy != policy {
				continue
			}
			line.X, line.Y = append(line.X, m.X), append(line.Y, m.Mean)
			if f.Form != "cdf" {
				line.Low, line.High = append(line.Low, m.Low), append(line.High, m.High)
			}
			if v := e.paperAt(f, m); stats.IsFinite(v) {
				paper.X, paper.Y = append(paper.X, m.X), append(paper.Y, v)
			}
		}
		if f.Form == "cdf" && len(line.X) > 0 {
			paper.X, paper.Y = e.sharesOf(f, policy)
		}
		if len(line.X) > 0 {
			lines = append(lines, line)
		}
		if len(paper.X) > 0 {
			if len(papers) == 0 {
				paper.Label = "the paper"
			}
			papers = append(papers, paper)
		}
	}
	return plots.Lines(frame, append(lines, papers...))
}

// bars draws a bar for each place and policy; where there is one place, a bar for each policy.
func (e *Experiment) bars(f experiment.Figure, frame plots.Frame, marks []experiment.Mark) *plots.Figure {
	var places []float64
	var names []string
	for _, m := range marks {
		if !slices.Contains(places, m.X) {
			places, names = append(places, m.X), append(names, e.caseName(m.X))
		}
	}
	var series []plots.Bars
	for i, policy := range e.Policies {
		nan := slices.Repeat([]float64{math.NaN()}, len(places))
		bar := plots.Bars{
			Label: policy, Style: plots.Style{Index: i}, Mean: nan, Low: slices.Clone(nan), High: slices.Clone(nan),
			Paper: slices.Clone(nan),
		}
		has := false
		for _, m := range marks {
			if k := slices.Index(places, m.X); m.Policy == policy {
				has = true
				bar.Mean[k], bar.Low[k], bar.High[k], bar.Paper[k] = m.Mean, m.Low, m.High, e.paperAt(f, m)
			}
		}
		if has {
			series = append(series, bar)
		}
	}
	if len(places) > 1 {
		return plots.GroupedBars(frame, names, series)
	}
	names = nil
	n := len(series)
	for i := range series { // one group a policy
		s := &series[i]
		names = append(names, s.Label)
		spread := func(v []float64) []float64 {
			out := slices.Repeat([]float64{math.NaN()}, n)
			out[i] = v[0]
			return out
		}
		s.Label, s.Mean, s.Low, s.High, s.Paper = "", spread(s.Mean), spread(s.Low), spread(s.High), spread(s.Paper)
	}
	return plots.GroupedBars(frame, names, series)
}

func (e *Experiment) caseName(x float64) string {
	for _, c := range e.Cases {
		if c.X == x && c.Label != "" {
			return c.Label
		}
	}
	return strings.Replace(words.Significant(x), "−", "-", 1)
}

// The words that stand for a mark's place in what a figure draws.
var (
	wordPolicy = regexp.MustCompile(`\bpolicy\b`)
	wordX      = regexp.MustCompile(`\bx\b`)
)

// paperAt is the paper's value at a mark of a figure: that of the claim whose statistic is what the figure draws there; NaN:
// there is no such claim. Of a half-line it is the end.
func (e *Experiment) paperAt(f experiment.Figure, m experiment.Mark) float64 {
	quoted, x := fmt.Sprintf("%q", m.Policy), fmt.Sprint(m.X)
	var texts []string
	if slices.Contains(e.Metrics, f.Y) {
		texts = append(texts, fmt.Sprintf("m(%q,%s,%s)", f.Y, quoted, x))
	}
	texts = append(texts, squeeze(wordX.ReplaceAllLiteralString(wordPolicy.ReplaceAllLiteralString(f.Y, quoted), x)),
		fmt.Sprintf("%s(%s,%s)", f.Y, quoted, x))
	for _, entry := range e.Entries {
		statistic := squeeze(entry.Statistic)
		for _, text := range texts {
			if statistic == text || len(e.Cases) == 1 && statistic == strings.Replace(text, ","+x+")", ")", 1) {
				return entry.Paper.Bounds().Middle()
			}
		}
	}
	return math.NaN()
}

// share matches a statistic that is a point of a distribution.
var share = regexp.MustCompile(`^share\("([^"]+)","([^"]+)",(?:([0-9.]+),)?([0-9.]+)\)$`)

// sharesOf are the paper's points of a distribution: limits, and the shares of jobs within them.
func (e *Experiment) sharesOf(f experiment.Figure, policy string) (limits, shares []float64) {
	for _, entry := range e.Entries {
		found := share.FindStringSubmatch(squeeze(entry.Statistic))
		if found == nil || found[1] != f.Y || found[2] != policy || f.At != nil && found[3] != fmt.Sprint(*f.At) {
			continue
		}
		if limit, err := strconv.ParseFloat(found[4], 64); err == nil {
			limits, shares = append(limits, limit), append(shares, entry.Paper.Bounds().Middle())
		}
	}
	return limits, shares
}

func squeeze(s string) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(s), ""), "'", `"`)
}

// ascii writes what figures have no characters for.
var ascii = strings.NewReplacer("§", "section ", "−", "-", "–", "-", "…", "..", "’", "'", "ξ", "xi", "θ", "theta", "λ", "lambda",
	"σ", "sigma", "β", "beta", "μ", "mu", "ε", "eps", "≤", "<=", "≥", ">=")
