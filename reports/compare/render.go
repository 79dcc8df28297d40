package compare

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"

	"schedgap/reports/summary"
	"schedgap/reports/words"
)

// listed is how many findings and unmatched groups are written out; JSON has them all.
const listed = 20

// A block is a heading with what stands under it.
type block struct {
	title string
	lines []string
	head  []string // of the table; nil: none
	rows  [][]string
}

// Text writes the report for a terminal.
func (r *Report) Text(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", r.verdict())
	for _, bl := range r.blocks() {
		fmt.Fprintf(&b, "\n%s\n", bl.title)
		for _, l := range bl.lines {
			fmt.Fprintf(&b, "  %s\n", oneLine(l))
		}
		t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
		for _, row := range append([][]string{bl.head}, bl.rows...) {
			if len(row) > 0 {
				fmt.Fprintf(t, "  %s\n", oneLine(strings.Join(row, "\t")))
			}
		}
		if err := t.Flush(); err != nil {
			return err
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func oneLine(s string) string { return strings.ReplaceAll(s, "\n", " ") }

// Markdown writes the report for a pull request or a job's summary.
func (r *Report) Markdown(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "## %s\n", words.Markdown.Replace(r.verdict()))
	for _, bl := range r.blocks() {
		fmt.Fprintf(&b, "\n### %s\n\n", bl.title)
		for _, l := range bl.lines {
			fmt.Fprintf(&b, "* %s\n", words.Markdown.Replace(l))
		}
		if len(bl.rows) == 0 {
			continue
		}
		b.WriteString(words.MarkdownRow(bl.head))
		b.WriteString(strings.Repeat("|---", len(bl.head)) + "|\n")
		for _, row := range bl.rows {
			b.WriteString(words.MarkdownRow(row))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (r *Report) verdict() string {
	what := fmt.Sprintf("on %d matched units, %s against %s", r.Matched, r.Head.Name, r.Base.Name)
	if n := len(r.Regressions); n > 0 {
		return fmt.Sprintf("Regression: %d of the gates' conditions are violated %s", n, what)
	}
	return "No regression " + what
}

func (r *Report) blocks() []block {
	var out []block
	add := func(b block) {
		if len(b.lines)+len(b.rows) > 0 {
			out = append(out, b)
		}
	}
	regressions := block{title: "Regressions"}
	for _, g := range r.Regressions {
		regressions.lines = append(regressions.lines, fmt.Sprintf("%s: %s %s: %s", g.Gate, g.Problem, g.Algorithm, g.Text))
	}
	add(regressions)
	below := []string{}
	for _, b := range r.Below {
		below = append(below, fmt.Sprintf("%s %s (%s)", b.Problem, b.Algorithm, b.Text))
	}
	add(block{title: "Changes for the worse that no gate refuses", lines: []string{"certainly worse, below the threshold: " + cmp.Or(strings.Join(below, "; "), "none")}})
	improved := block{title: "Improvements"}
	for _, i := range r.Improvements {
		improved.lines = append(improved.lines, fmt.Sprintf("%s %s: %s", i.Problem, i.Algorithm, i.Text))
	}
	add(cut(improved))
	add(block{title: "Warnings", lines: r.Warnings})
	add(r.unmatched())
	contradictions := block{title: "Contradictions"}
	for _, c := range r.Contradictions {
		before := ""
		if c.Before {
			before = " (base contradicts itself on this instance already)"
		}
		contradictions.lines = append(contradictions.lines, c.String()+before)
	}
	add(cut(contradictions))
	findings := block{title: "Units that are less correct than before"}
	for _, f := range r.Findings {
		findings.lines = append(findings.lines, fmt.Sprintf("%s: %s; %s", f.Kind, f.String(), f.Command))
	}
	add(cut(findings))
	add(r.qualities())
	add(r.times())
	add(r.worst())
	return out
}

// cut shortens a list to what a reader will look at.
func cut(b block) block {
	if n := len(b.lines); n > listed {
		b.lines = append(b.lines[:listed:listed], fmt.Sprintf("and %d more", n-listed))
	}
	return b
}

func (r *Report) unmatched() block {
	b := block{title: "Units without a counterpart, not compared", head: []string{"only in", "problem", "algorithm", "units", "instances"}}
	for _, side := range []struct {
		name string
		list []Unmatched
	}{{"base", r.BaseOnly}, {"head", r.HeadOnly}} {
		for _, u := range side.list {
			names := strings.Join(u.Instances, ", ")
			if u.Units > len(u.Instances) {
				names += ", …"
			}
			b.rows = append(b.rows, []string{side.name, u.Problem, u.Algorithm, fmt.Sprint(u.Units), names})
		}
	}
	return b
}

func (r *Report) qualities() block {
	b := block{
		title: "Values",
		lines: []string{"change: geometric mean of head's ratio over base's with its 95 % interval; shift: mean relative difference where " +
			"no quotient is defined; positive is worse. Ratios are to the best of both sets."},
		head: []string{
			"problem", "algorithm", "instances", "better/same/worse", "base ratio", "head ratio", "change", "shift", "sign p", "Wilcoxon p", "remarks",
		},
	}
	for _, a := range r.Algorithms {
		q := a.Quality
		change, shift := words.None, words.None
		if q.Quotients > 0 {
			change = percent(q.Change) + interval(q.ChangeCI, percent)
		}
		if q.Differences > 0 {
			less := func(n summary.Number) string { return percent(1 + n) }
			shift = less(q.Shift) + interval(q.ShiftCI, less) + fmt.Sprintf(" on %d", q.Differences)
		}
		b.rows = append(b.rows, []string{
			a.Problem, a.Algorithm, fmt.Sprint(q.Instances), fmt.Sprintf("%d/%d/%d", q.Better, q.Same, q.Worse),
			ends(q.Base), ends(q.Head), change, shift, number(q.SignP), number(q.WilcoxonP), remarks(q.Warnings),
		})
	}
	return b
}

func (r *Report) times() block {
	b := block{
		title: "Times",
		lines: []string{"medians in seconds with 95 % intervals; change: geometric mean of (head + 1 ms)/(base + 1 ms) with its paired " +
			"bootstrap 95 % interval, and the same of processor times; several rounds: medians of a unit's changes. Verdicts go by " +
			strings.TrimPrefix(percent(summary.Number(1+r.Gates.threshold())), "+") + "."},
		head: []string{
			"problem", "algorithm", "instances", "rounds", "base", "head", "verdict", "change", "CPU change", "median change", "sign p",
			"Wilcoxon p", "remarks",
		},
	}
	for _, a := range r.Algorithms {
		t := a.Time
		if t.Instances == 0 {
			continue
		}
		b.rows = append(b.rows, []string{
			a.Problem, a.Algorithm, fmt.Sprint(t.Instances), fmt.Sprint(t.Rounds), number(t.BaseMedian) + interval(t.BaseMedianCI, number),
			number(t.HeadMedian) + interval(t.HeadMedianCI, number), string(t.Verdict), percent(t.Change) + interval(t.ChangeCI, percent),
			percent(t.CPUChange) + interval(t.CPUChangeCI, percent), percent(t.Median) + interval(t.MedianCI, percent), number(t.SignP), number(t.WilcoxonP), remarks(t.Warnings),
		})
	}
	return b
}

func (r *Report) worst() block {
	b := block{title: "Largest change for the worse", head: []string{"problem", "algorithm", "instance", "seed", "base", "head", "again"}}
	for _, a := range r.Algorithms {
		if w := a.Quality.Worst; w != nil {
			b.rows = append(b.rows, []string{
				a.Problem, a.Algorithm, w.Instance, fmt.Sprint(w.Seed), fmt.Sprintf("%.9g", w.Base), fmt.Sprintf("%.9g", w.Head), w.Command,
			})
		}
	}
	return b
}

func remarks[T fmt.Stringer](ws []T) string {
	parts := make([]string, len(ws))
	for i, w := range ws {
		parts[i] = w.String()
	}
	return strings.Join(parts, "; ")
}

// percent writes a factor as a change.
func percent(factor summary.Number) string {
	return words.Known(100*(factor-1), "%+.2f %%")
}

func number(n summary.Number) string {
	return words.Known(n, "%.3g")
}

// interval is empty where there is none.
func interval(c CI, show func(summary.Number) string) string {
	if !c.Lo.Known() || !c.Hi.Known() {
		return ""
	}
	return fmt.Sprintf(" [%s, %s]", show(c.Lo), show(c.Hi))
}

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
