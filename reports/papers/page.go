package papers

import (
	_ "embed"
	"fmt"
	"math"
	"slices"
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

var heads = []string{"where", "the paper says", "measured at our defaults, 95 % interval", "over what the paper leaves open", "command"}

//go:embed intro.md
var intro string

// Page is docs/papers.md.
func (b *Book) Page(rows []Row) []byte {
	t := &strings.Builder{}
	t.WriteString(intro)
	for _, p := range b.Papers {
		fmt.Fprintf(t, "\n## %s\n\n%s.\n\n", p.Title, p.Source)
		table(t, heads, b.table(p.ID, rows, false))
		t.WriteString("\n")
		for _, e := range b.Of(p.ID) {
			if e.Draw != nil && e.Draw.Page {
				fmt.Fprintf(t, "![%s: %s](images/%s.svg)\n", e.Source, e.Title, e.ID)
			}
		}
		for _, s := range []struct {
			title string
			list  []string
		}{
			{"Left open by the paper, with the values tried", []string{strings.Join(b.open(p.ID), "; ") + "."}},
			{"The paper against itself", p.Contradictions},
			{"Notes", p.Notes},
		} {
			fmt.Fprintf(t, "\n%s:\n\n* %s\n", s.title, strings.Join(s.list, "\n* "))
		}
	}
	return []byte(t.String())
}

// Summary is the table of README.
func (b *Book) Summary(rows []Row) string {
	t := &strings.Builder{}
	var list [][]string
	for _, p := range b.Papers {
		for _, cells := range b.table(p.ID, rows, true) {
			list = append(list, append([]string{p.Title + ", " + cells[0]}, cells[1:]...))
		}
	}
	table(t, append([]string{"paper, where"}, heads[1:]...), list)
	return t.String()
}

func (b *Book) table(paper string, rows []Row, headlines bool) (list [][]string) {
	for _, e := range b.Of(paper) {
		for i, s := range e.Statements {
			if s.Headline || !headlines {
				list = append(list, e.Cells(i+1, rows))
			}
		}
	}
	return list
}

func table(t *strings.Builder, head []string, rows [][]string) {
	for _, row := range slices.Concat([][]string{head, slices.Repeat([]string{"---"}, len(head))}, rows) {
		t.WriteString(words.MarkdownRow(row))
	}
}

// open lists the settings that a paper leaves open, each name once, with all values that its entries try.
func (b *Book) open(paper string) (list []string) {
	for _, e := range b.Of(paper) {
		for _, f := range e.Open {
			text := strings.ReplaceAll(strings.Trim(fmt.Sprint(f.Choices), "[]"), " ", "/")
			if len(f.Choices) == 0 {
				text = words.Significant(*f.Low) + "…" + words.Significant(*f.High)
			}
			i := slices.IndexFunc(list, func(s string) bool { return strings.HasPrefix(s, f.Name+" ") })
			switch {
			case i < 0:
				list = append(list, f.Name+" "+text)
			case !strings.Contains(list[i], text):
				list[i] += ", " + text
			}
		}
	}
	return list
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
