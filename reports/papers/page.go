package papers

import (
	"fmt"
	"math"
	"strings"

	"schedgap/reports/plots"
	"schedgap/reports/words"
)

// Cells are a statement's row: where, the paper's statement, what was measured, its range over settings, what moves it most, and the
// entry.
func (e *Entry) Cells(statement int, rows []Row) []string {
	s := &e.Statements[statement-1]
	r := e.Row(rows, statement)
	cells := []string{s.Where, s.Says, s.Argument, "–", "–", "–"}
	if r == nil {
		return cells
	}
	cells[5] = "`" + e.ID + "`"
	value := s.measured(r.Value)
	switch {
	case s.Bound:
		cells[2] = e.worst(rows)
		return cells
	case s.Theorem != nil && r.Value > *s.Theorem*(1+1e-9):
		cells[2] = fmt.Sprintf("counter-example: %s, not %s", value, words.Significant(*s.Theorem))
		return cells
	case s.Theorem != nil:
		cells[2] = fmt.Sprintf("no counter-example among %d instances; worst %s", r.Count, value)
		return cells
	case math.IsNaN(r.Low):
		cells[2] = value
	default:
		cells[2] = s.interval(r.Value, r.Low, r.High)
	}
	if r.Settings > 0 {
		cells[3] = fmt.Sprintf("%s … %s, %d settings", s.interval(r.Least, r.LeastLow, r.LeastHigh), s.interval(r.Most, r.MostLow, r.MostHigh),
			r.Settings)
	} else if len(e.Open) > 0 {
		cells[3] = "not measured"
	}
	if r.Mover != "" {
		unit := strings.TrimPrefix(s.Unit, "%")
		if s.Unit == "%" {
			unit = "points"
		}
		cells[4] = fmt.Sprintf("%s, by %s: %s to %s", r.Mover, strings.TrimSpace(words.Significant(r.Moved)+" "+unit), r.MoverFrom, r.MoverTo)
	}
	if r.Met != "" {
		cells[4] += fmt.Sprintf("; the paper's number is met at %s alone: %s", r.Met, s.interval(r.MetValue, r.MetLow, r.MetHigh))
	}
	return cells
}

// worst says the worst value that was found in each case, which is all that can be measured of a bound of an unknown constant.
func (e *Entry) worst(rows []Row) string {
	var xs, values []string
	n := 0
	for _, r := range rows {
		if r.Entry == e.ID && r.Statement == 0 {
			xs, values, n = append(xs, words.Significant(r.X)), append(values, words.Significant(r.Value)), r.Count
		}
	}
	return fmt.Sprintf("worst of %d instances at %s = %s: %s", n, e.Draw.X, strings.Join(xs, ", "), strings.Join(values, ", "))
}

// interval writes a value and its interval.
func (s *Statement) interval(x, low, high float64) string {
	return fmt.Sprintf("%s [%s]", s.measured(x), s.span(low, high, ", "))
}

// less says whether values are percentages by which something is less. Tables then have the words less and more instead of signs.
func (s *Statement) less() bool { return s.As == "reduction" && s.From == nil }

// measured writes a value with its unit.
func (s *Statement) measured(x float64) string {
	text := strings.TrimSpace(words.Significant(x) + " " + s.Unit)
	switch {
	case s.less() && x < 0:
		return words.Significant(-x) + " " + s.Unit + " more"
	case s.less():
		return text + " less"
	}
	return text
}

// span writes the ends of an interval around a measured value, without the words that the value already has.
func (s *Statement) span(low, high float64, between string) string {
	switch {
	case s.less() && low < 0 && high > 0:
		return s.measured(low) + between + s.measured(high)
	case s.less() && high <= 0:
		low, high = -high, -low
	}
	return words.Significant(low) + between + words.Significant(high)
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
