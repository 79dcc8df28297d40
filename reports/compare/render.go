package compare

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"schedgap/reports/stats"
	"schedgap/reports/summary"
	"schedgap/reports/words"
)

// listed is how many findings and unmatched groups are written out; JSON has them all.
const listed = 20

// A block is a heading with what stands under it.
type block struct {
	Title string
	Lines []string
	Head  []string // of the table, what matters most first; nil: none
	Rows  [][]string

	Commands []string // to paste
}

// screen is how wide the text for a terminal is; commands, which are for pasting, may be longer.
const screen = 100

// Text writes the report for a terminal, all: with the algorithms that did not change and with all columns.
func (r *Report) Text(w io.Writer, all bool) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", wrap(r.verdict(), ""))
	for _, bl := range r.blocks(all) {
		fmt.Fprintf(&b, "\n%s\n", bl.Title)
		for _, l := range bl.Lines {
			fmt.Fprintf(&b, "  %s\n", wrap(oneLine(l), "  "))
		}
		rows := append([][]string{bl.Head}, bl.Rows...)
		if len(bl.Rows) == 0 {
			rows, bl.Head = nil, nil
		}
		var widths []int
		for _, row := range rows {
			for i, cell := range row {
				if i == len(widths) {
					widths = append(widths, 0)
				}
				widths[i] = max(widths[i], utf8.RuneCountInString(cell))
			}
		}
		used, columns := 0, 0
		for columns < len(widths) && (all || used+2+widths[columns] <= screen) {
			used += 2 + widths[columns]
			columns++
		}
		for _, row := range rows {
			line := ""
			for i := range min(columns, len(row)) {
				line += fmt.Sprintf("  %-*s", widths[i], oneLine(row[i]))
			}
			if line = strings.TrimRight(line, " "); line != "" {
				b.WriteString(line + "\n")
			}
		}
		if columns < len(bl.Head) {
			fmt.Fprintf(&b, "  %s\n", wrap("--all shows "+strings.Join(bl.Head[columns:], ", "), "  "))
		}
		for _, command := range bl.Commands {
			fmt.Fprintf(&b, "  %s\n", command)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// wrap breaks a text into lines at spaces; further lines begin with the indent.
func wrap(text, indent string) string {
	var b strings.Builder
	at := utf8.RuneCountInString(indent)
	for i, word := range strings.Split(text, " ") {
		n := utf8.RuneCountInString(word)
		switch {
		case i == 0:
		case at+1+n > screen:
			b.WriteString("\n" + indent)
			at = len(indent)
		default:
			b.WriteString(" ")
			at++
		}
		b.WriteString(word)
		at += n
	}
	return b.String()
}

func oneLine(s string) string { return strings.ReplaceAll(s, "\n", " ") }

func (r *Report) verdict() string {
	what := fmt.Sprintf("on %d matched units, %s against %s", r.Matched, r.Head.Name, r.Base.Name)
	if n := len(r.Regressions); n > 0 {
		return fmt.Sprintf("Regression: %d of the gates' conditions are violated %s", n, what)
	}
	return "No regression " + what
}

func (r *Report) blocks(all bool) []block {
	var out []block
	add := func(b block) {
		if len(b.Lines)+len(b.Rows) > 0 {
			out = append(out, b)
		}
	}
	list := func(title string, lines, commands []string) {
		add(block{Title: title, Lines: cut(lines), Commands: commands[:min(len(commands), listed)]})
	}
	add(block{Title: "Regressions", Lines: each(r.Regressions, func(g Regression) string {
		return fmt.Sprintf("%s: %s %s: %s", g.Gate, g.Problem, g.Algorithm, g.Text)
	})})
	below := each(r.Below, func(b Improvement) string { return fmt.Sprintf("%s %s (%s)", b.Problem, b.Algorithm, b.Text) })
	add(block{
		Title: "Changes for the worse that no gate refuses",
		Lines: []string{"certainly worse, below the threshold: " + cmp.Or(strings.Join(below, "; "), "none")},
	})
	list("Improvements", each(r.Improvements, func(i Improvement) string {
		return fmt.Sprintf("%s %s: %s", i.Problem, i.Algorithm, i.Text)
	}), nil)
	add(block{Title: "Warnings", Lines: r.Warnings})
	add(r.unmatched())
	list("Contradictions", each(r.Contradictions, func(c Contradiction) string {
		if c.Before {
			return c.String() + " (base contradicts itself on this instance already)"
		}
		return c.String()
	}), nil)
	list("Units that are less correct than before", each(r.Findings, func(f Finding) string { return f.Kind + ": " + f.String() }),
		each(r.Findings, func(f Finding) string { return r.again(f.Command) }))
	add(r.qualities(all))
	add(r.times(all))
	add(r.worst())
	return out
}

// each writes every item of a list.
func each[T any](list []T, write func(T) string) (lines []string) {
	for _, item := range list {
		lines = append(lines, write(item))
	}
	return lines
}

// cut shortens a list to what a reader will look at.
func cut(lines []string) []string {
	if n := len(lines); n > listed {
		return append(lines[:listed:listed], fmt.Sprintf("and %d more", n-listed))
	}
	return lines
}

func (r *Report) unmatched() block {
	b := block{Title: "Units without a counterpart, not compared", Head: []string{
		"only in", "problem", "algorithm", "units",
		"instances",
	}}
	for _, side := range []struct {
		name string
		list []Unmatched
	}{{"base", r.BaseOnly}, {"head", r.HeadOnly}} {
		for _, u := range side.list {
			names := strings.Join(u.Instances, ", ")
			if u.Units > len(u.Instances) {
				names += ", …"
			}
			b.Rows = append(b.Rows, []string{side.name, u.Problem, u.Algorithm, fmt.Sprint(u.Units), names})
		}
	}
	return b
}

// again is a command that is for the folder of the results, for whoever is where those of the comparison were named.
func (r *Report) again(command string) string {
	return fmt.Sprintf("(cd %s && %s)", summary.Quote(resultsOf(r.Head.Name)), command)
}

// resultsOf is the folder of results with the instances of a side, which is one or a file of its rows.
func resultsOf(dir string) string {
	if strings.HasSuffix(dir, ".parquet") {
		dir = filepath.Dir(dir)
	}
	if filepath.Base(dir) == "runs" {
		dir = filepath.Dir(dir)
	}
	return dir
}

// unchanged says of how many algorithms a table is silent.
func unchanged(b block, n, of int) block {
	if n > 0 && n < of || n > 0 && len(b.Rows) == 0 {
		b.Lines = append(b.Lines, fmt.Sprintf("%d of %d algorithms: no certain change; --all lists them", n, of))
	}
	return b
}

func (r *Report) qualities(all bool) block {
	b := block{
		Title: "Values",
		Lines: []string{"change: geometric mean of head's ratio over base's with its 95 % interval; shift: mean relative difference " +
			"where no quotient is defined; positive is worse. Ratios are to the best of both sets."},
		Head: []string{
			"problem", "algorithm", "better/same/worse", "change", "base ratio", "head ratio", "instances", "shift", "sign p",
			"Wilcoxon p",
		},
	}
	same := 0
	for _, a := range r.Algorithms {
		q := a.Quality
		if !all && q.Better+q.Worse == 0 {
			same++
			continue
		}
		change, shift := words.None, words.None
		if q.Quotients > 0 {
			change = words.ChangeInterval(q.Change-1, q.ChangeCI.Lo-1, q.ChangeCI.Hi-1)
		}
		if q.Differences > 0 {
			shift = words.ChangeInterval(q.Shift, q.ShiftCI.Lo, q.ShiftCI.Hi) + fmt.Sprintf(" on %d", q.Differences)
		}
		if q.Quotients == 0 {
			change = shift
		}
		b.Rows = append(b.Rows, []string{
			a.Problem, a.Algorithm, fmt.Sprintf("%d/%d/%d", q.Better, q.Same, q.Worse), change, ends(q.Base), ends(q.Head),
			fmt.Sprint(q.Instances), shift, words.P(q.SignP), words.P(q.WilcoxonP),
		})
		b.Lines = append(b.Lines, a.remarks(q.Warnings)...)
	}
	return unchanged(b, same, len(r.Algorithms))
}

func (r *Report) times(all bool) block {
	b := block{
		Title: "Times",
		Lines: []string{"medians with 95 % intervals; change: geometric mean of (head + 1 ms)/(base + 1 ms) with its paired " +
			"bootstrap 95 % interval, and the same of processor times; several rounds: medians of a unit's changes. Verdicts go by " +
			strings.TrimPrefix(words.Change(r.Gates.threshold()), "+") + "."},
		Head: []string{
			"problem", "algorithm", "verdict", "change", "base", "head", "instances", "rounds", "CPU change", "median change", "sign p",
			"Wilcoxon p",
		},
	}
	same, timed := 0, 0
	for _, a := range r.Algorithms {
		t := a.Time
		if t.Instances == 0 {
			continue
		}
		timed++
		if !all && t.Verdict != Slower && t.Verdict != Faster {
			same++
			continue
		}
		change := func(x summary.Number, c CI) string { return words.ChangeInterval(x-1, c.Lo-1, c.Hi-1) }
		median := func(x summary.Number, c CI) string {
			if all {
				return strings.TrimSuffix(words.Seconds(x)+" "+words.Interval(c.Lo, c.Hi, words.Seconds), " "+words.None)
			}
			return words.Seconds(x)
		}
		b.Rows = append(b.Rows, []string{
			a.Problem, a.Algorithm, string(t.Verdict), change(t.Change, t.ChangeCI), median(t.BaseMedian, t.BaseMedianCI),
			median(t.HeadMedian, t.HeadMedianCI),
			fmt.Sprint(t.Instances), fmt.Sprint(t.Rounds), change(t.CPUChange, t.CPUChangeCI), change(t.Median, t.MedianCI),
			words.P(t.SignP), words.P(t.WilcoxonP),
		})
		b.Lines = append(b.Lines, a.remarks(t.Warnings)...)
	}
	return unchanged(b, same, timed)
}

func (r *Report) worst() block {
	b := block{Title: "Largest change for the worse", Head: []string{"problem", "algorithm", "instance", "base", "head", "seed"}}
	for _, a := range r.Algorithms {
		if w := a.Quality.Worst; w != nil {
			b.Rows = append(b.Rows, []string{
				a.Problem, a.Algorithm, words.Middle(w.Instance, 30), fmt.Sprintf("%.9g", w.Base), fmt.Sprintf("%.9g", w.Head),
				fmt.Sprint(w.Seed),
			})
			b.Commands = append(b.Commands, r.again(w.Command))
		}
	}
	return b
}

func (a *Algorithm) remarks(ws []stats.Warning) []string {
	return each(ws, func(w stats.Warning) string { return fmt.Sprintf("%s %s: %s", a.Problem, a.Algorithm, w) })
}

// percent writes a factor as a change.
func percent(factor summary.Number) string { return words.Change(factor - 1) }

// ends writes an interval of ratios, or the ratio where its ends meet.
func ends(s summary.Span) string {
	switch {
	case !s.Lo.Known():
		return words.None
	case math.Abs(float64(s.Hi-s.Lo)) < 5e-5:
		return fmt.Sprintf("%.4f", float64(s.Lo))
	}
	return fmt.Sprintf("%.4f–%.4f", float64(s.Lo), float64(s.Hi))
}
