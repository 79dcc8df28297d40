package verdicts

import (
	"regexp"
	"strconv"

	"schedgap/bench/experiment"
	"schedgap/datasets/claims"
	"schedgap/reports"
)

// mean matches statistics that are a metric's mean, which a report can show the paper's value beside.
var mean = regexp.MustCompile(`^m\("([^"]+)", *"([^"]+)"(?:, *([0-9.]+))?\)$`)

// Sweep tells a report of an experiment: its title, its axis and what the paper reports.
func Sweep(name string) (s reports.Sweep) {
	e, err := experiment.Find(name)
	if err != nil {
		return s // of another version of the program
	}
	s.Title, s.Metrics = e.Title, e.Metrics
	if len(e.Figures) > 0 {
		s.Axis = e.Figures[0].X
	}
	all, err := claims.All()
	if err != nil {
		return s
	}
	for _, c := range all {
		found := mean.FindStringSubmatch(c.Statistic)
		if c.Experiment != name || found == nil || c.Paper.Low == nil && c.Paper.High == nil {
			continue
		}
		b := c.Paper.Bounds()
		v := reports.PaperValue{Metric: found[1], Policy: found[2], X: e.Cases[0].X, Low: b.Low, High: b.High, Middle: b.Middle()}
		if x, err := strconv.ParseFloat(found[3], 64); err == nil {
			v.X = x
		}
		s.Paper = append(s.Paper, v)
	}
	return s
}
