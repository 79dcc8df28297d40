package compare

import (
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"schedgap/reports/summary"
	"schedgap/reports/words"
)

// listed is how many findings and unmatched groups are written out; JSON has them all.
const listed = 20

// A block is a heading with what stands under it.
type block struct {
	title string
	lines []string
	head  []string // of the table, what matters most first; nil: none
	rows  [][]string

	commands []string // to paste
}

// screen is how wide the text for a terminal is; commands, which are for pasting, may be longer.
const screen = 100

// Text writes the report for a terminal, all: with the algorithms that did not change and with all columns.
func (r *Report) Text(w io.Writer, all bool) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", wrap(r.verdict(), ""))
	for _, bl := range r.blocks(all) {
		fmt.Fprintf(&b, "\n%s\n", bl.title)
		for _, l := range bl.lines {
			fmt.Fprintf(&b, "  %s\n", wrap(oneLine(l), "  "))
		}
		bl.table(&b, all)
		for _, command := range bl.commands {
			fmt.Fprintf(&b, "  %s\n", command)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// table writes the table, as many columns as a terminal has room for, or all.
func (bl *block) table(b *strings.Builder, all bool) {
	if len(bl.rows) == 0 {
		return
	}
	rows := append([][]string{bl.head}, bl.rows...)
	widths := make([]int, len(bl.head))
	for _, row := range rows {
		for i, cell := range row {
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
		for i := range columns {
			line += fmt.Sprintf("  %-*s", widths[i], oneLine(row[i]))
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	if columns < len(bl.head) {
		fmt.Fprintf(b, "  %s\n", wrap("--all shows "+strings.Join(bl.head[columns:], ", "), "  "))
	}
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

// Markdown writes the report for a pull request or a job's summary.
func (r *Report) Markdown(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "## %s\n", words.Markdown.Replace(r.verdict()))
	for _, bl := range r.blocks(true) {
		fmt.Fprintf(&b, "\n### %s\n\n", bl.title)
		for _, l := range bl.lines {
			fmt.Fprintf(&b, "* %s\n", words.Markdown.Replace(l))
		}
		if len(bl.rows) > 0 {
			fmt.Fprintf(&b, "\n%s%s|\n", words.MarkdownRow(bl.head), strings.Repeat("|---", len(bl.head)))
		}
		for _, row := range bl.rows {
			b.WriteString(words.MarkdownRow(row))
		}
		if len(bl.commands) > 0 {
			fmt.Fprintf(&b, "\n    %s\n", strings.Join(bl.commands, "\n    "))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (r *Report) verdict() string {
	if r.Matched+len(r.Regressions) == 0 {
		return fmt.Sprintf("No regression: no unit is compared, %s against %s, since all have other conditions", r.Head.Name, r.Base.Name)
	}
	what := fmt.Sprintf("on %d matched units, %s against %s", r.Matched, r.Head.Name, r.Base.Name)
	if n := len(r.Nights); n > 0 {
		what += fmt.Sprintf(", the last two of %d nights", n)
	}
	if n := len(r.Regressions); n > 0 {
		return fmt.Sprintf("Regression: %s %s", words.Count(n, "violated condition"), what)
	}
	return "No regression " + what
}

func (r *Report) blocks(all bool) []block {
	var out []block
	add := func(b block) {
		if len(b.lines)+len(b.rows) > 0 {
			out = append(out, b)
		}
	}
	list := func(title string, lines, commands []string) {
		add(block{title: title, lines: cut(lines), commands: commands[:min(len(commands), listed)]})
	}
	sentence := func(n Note) string { return fmt.Sprintf("%s %s: %s", n.Problem, n.Algorithm, n.Text) }
	add(block{title: "Regressions", lines: each(r.Regressions, func(g Regression) string {
		return fmt.Sprintf("%s: %s %s: %s", g.Gate, g.Problem, g.Algorithm, g.Text)
	})})
	add(r.changed())
	list("Changes for the worse that no gate refuses", each(r.Below, func(n Note) string {
		return fmt.Sprintf("certainly worse, below the threshold: %s %s (%s)", n.Problem, n.Algorithm, n.Text)
	}), nil)
	list("Steps, night by night", each(r.Steps, Step.String), nil)
	list("Improvements", each(r.Improvements, sentence), nil)
	add(block{title: "Warnings", lines: r.Warnings})
	add(r.unmatched())
	list("Contradictions", each(r.Contradictions, func(c Contradiction) string {
		if c.Before {
			return c.String() + " (base contradicts itself on this instance already)"
		}
		return c.String()
	}), nil)
	list("Units that are less correct than before", each(r.Findings, func(f Finding) string { return f.Kind + ": " + f.String() }),
		each(r.Findings, func(f Finding) string { return r.again(f.Command) }))
	add(r.table(all))
	return out
}

// each writes every item of a list.
func each[T any](list []T, write func(T) string) (lines []string) {
	for _, item := range list {
		lines = append(lines, write(item))
	}
	return lines
}

// cut shortens a list.
func cut(lines []string) []string {
	if n := len(lines); n > listed {
		return append(lines[:listed:listed], fmt.Sprintf("and %d more", n-listed))
	}
	return lines
}

// changed says in one sentence for each condition how many units have another one than in base, and lists them by algorithm.
func (r *Report) changed() block {
	b := block{
		title: "Units whose conditions changed, not compared", head: []string{"problem", "algorithm", "units", "changed", "instances"},
	}
	var order []string
	units := map[string]int{}
	for _, u := range r.Changed {
		if units[u.What] == 0 {
			order = append(order, u.What)
		}
		units[u.What] += u.Units
		b.rows = append(b.rows, []string{u.Problem, u.Algorithm, fmt.Sprint(u.Units), u.What, u.names()})
	}
	for _, what := range order {
		b.lines = append(b.lines, fmt.Sprintf("%s a new %s: not compared; this run is their base if it is kept as one", words.Have(units[what], "unit"), what))
	}
	return b
}

// names are the instances that the units are on.
func (u Unmatched) names() string {
	names := strings.Join(u.Instances, ", ")
	if u.Units > len(u.Instances) {
		names += ", …"
	}
	return names
}

func (r *Report) unmatched() block {
	b := block{
		title: "Units without a counterpart, not compared", head: []string{"only in", "problem", "algorithm", "units", "instances"},
	}
	for i, list := range [][]Unmatched{r.BaseOnly, r.HeadOnly} {
		for _, u := range list {
			side := [...]string{"base", "head"}[i]
			b.rows = append(b.rows, []string{side, u.Problem, u.Algorithm, fmt.Sprint(u.Units), u.names()})
		}
	}
	return b
}

// again is a command to be typed where the comparison's folders were named, rather than in the folder of results.
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

// table has the changes of every algorithm.
func (r *Report) table(all bool) block {
	b := block{
		title: "Algorithms",
		lines: []string{"change: geometric mean of head's ratio over base's with its 95 % interval, or the mean relative difference " +
			"where no quotient is defined; positive is worse, a lost result is infinite. Ratios are to the best of all sets. CPU: " +
			"geometric mean of (head + 1 ms)/(base + 1 ms). p: signed rank test, corrected for the number of algorithms (Holm)."},
		head: []string{
			"problem", "algorithm", "better/same/worse", "change", "CPU change", "CPU verdict", "lost", "p", "base ratio",
			"head ratio", "CPU base", "CPU head", "CPU p", "worst", "base value", "head value",
		},
	}
	same := 0
	if len(r.Algorithms) == 0 {
		return block{}
	}
	for i := range r.Algorithms {
		a := &r.Algorithms[i]
		q, t := &a.Quality, &a.Time
		if !all && q.Better+q.Worse+q.Found == 0 && t.Verdict != Slower && t.Verdict != Faster {
			same++
			continue
		}
		row := []string{
			a.Problem, a.Algorithm, fmt.Sprintf("%d/%d/%d", q.Better, q.Same, q.Worse), a.change(),
			words.ChangeInterval(t.Change-1, t.ChangeCI.Lo-1, t.ChangeCI.Hi-1), string(t.Verdict), fmt.Sprint(q.Lost),
			words.P(q.WilcoxonP), ends(q.Base), ends(q.Head), words.Seconds(t.BaseMedian), words.Seconds(t.HeadMedian),
			words.P(t.WilcoxonP), words.None, words.None, words.None,
		}
		if w := q.Worst; w != nil {
			copy(row[len(row)-3:], []string{
				words.Middle(w.Instance, 30), fmt.Sprintf("%.9g", w.Base), words.Known(w.Head, "%.9g"),
			})
			b.commands = append(b.commands, r.again(w.Command))
		}
		b.rows = append(b.rows, row)
		for _, w := range q.Warnings {
			b.lines = append(b.lines, fmt.Sprintf("%s %s: %s", a.Problem, a.Algorithm, w))
		}
	}
	if same > 0 {
		b.lines = append(b.lines, fmt.Sprintf("%d of %d algorithms: no certain change; --all lists them", same, len(r.Algorithms)))
	}
	return b
}

// change is how the values of the algorithm changed.
func (a *Algorithm) change() string {
	q := &a.Quality
	if q.Quotients == 0 {
		return words.ChangeInterval(q.Shift, q.ShiftCI.Lo, q.ShiftCI.Hi)
	}
	return words.ChangeInterval(q.Change-1, q.ChangeCI.Lo-1, q.ChangeCI.Hi-1)
}

// percent writes a factor as a change.
func percent(factor summary.Number) string { return words.Change(factor - 1) }

// ends writes an interval of ratios, or the ratio where its ends meet.
func ends(s summary.Span) string {
	switch {
	case math.IsInf(float64(s.Lo), 1):
		return "∞"
	case !s.Lo.Known():
		return words.None
	case math.Abs(float64(s.Hi-s.Lo)) < 5e-5:
		return fmt.Sprintf("%.4f", float64(s.Lo))
	}
	return fmt.Sprintf("%.4f–%.4f", float64(s.Lo), float64(s.Hi))
}
