package papers

import (
	"fmt"
	"math"
	"strings"

	"schedgap/reports/plots"
	"schedgap/reports/words"
)

// Cells are a statement's row: where, the printed number, the measured one, its range over open settings, the command.
func (e *Entry) Cells(statement int, rows []Row) []string {
	s := &e.Statements[statement-1]
	r := e.Row(rows, statement)
	cells := []string{s.Where, s.Says, s.Argument, "–", "–"}
	if r == nil {
		return cells
	}
	value := strings.TrimSpace(words.Significant(r.Value) + " " + s.Unit)
	switch {
	case s.Theorem != nil && r.Value > *s.Theorem*(1+1e-9):
		cells[2] = fmt.Sprintf("a counter-example exists: %s, not %s", value, words.Significant(*s.Theorem))
	case s.Theorem != nil:
		cells[2] = fmt.Sprintf("no counter-example among %d instances; worst %s", r.Count, value)
	case math.IsNaN(r.Low):
		cells[2] = value
	default:
		cells[2] = fmt.Sprintf("%s [%s, %s]", value, words.Significant(r.Low), words.Significant(r.High))
	}
	if s.Theorem == nil && !math.IsNaN(r.Least) {
		cells[3] = fmt.Sprintf("%s…%s", words.Significant(r.Least), words.Significant(r.Most))
	}
	cells[4] = "`schedgap paper " + e.ID + "`"
	return cells
}

// Figure draws a measurement and the paper's points in one plot; nil: the entry draws nothing.
func (e *Entry) Figure(rows []Row) *plots.Figure {
	if e.Draw == nil {
		return nil
	}
	var ours, theirs []plots.Line
	for _, r := range rows {
		if r.Entry != e.ID || r.Statement > 0 {
			continue
		}
		label := strings.TrimSuffix(r.Of+" against "+r.Against, " against ")
		if n := len(ours); n == 0 || ours[n-1].Label != label {
			ours = append(ours, plots.Line{Label: label, Style: plots.Style{Index: n}, Points: true})
			for _, p := range e.Points {
				if p.Of == r.Of && (p.Against == r.Against || p.Against == "") {
					theirs = append(theirs, plots.Line{X: []float64{p.X}, Y: []float64{p.Y}, Style: plots.Style{Index: n}, Crosses: true})
				}
			}
		}
		line := &ours[len(ours)-1]
		line.X, line.Y = append(line.X, r.X), append(line.Y, r.Value)
		line.Low, line.High = append(line.Low, r.Low), append(line.High, r.High)
	}
	if len(theirs) > 0 {
		theirs[0].Label = "the paper"
	}
	return plots.Lines(plots.Frame{
		Title: fmt.Sprintf("%s (%s)", e.Title, plain.Replace(e.Source)),
		X:     plots.Axis{Label: plain.Replace(e.Draw.X), Scale: plots.Linear, Base: math.NaN()},
		Y:     plots.Axis{Label: e.Draw.Y, Scale: plots.Linear, Base: math.NaN()},
	}, append(ours, theirs...))
}

// plain writes what figures have no characters for.
var plain = strings.NewReplacer("§", "section ", "ξ", "xi", "λ", "lambda", "σ", "sigma", "β", "beta")
