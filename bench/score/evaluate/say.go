package evaluate

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"schedgap/bench"
	"schedgap/bench/score/worst"
	"schedgap/models"
)

// mostRatio stands for a ratio that is larger, or where there is none.
const mostRatio = 1e6

// conclude makes numbers and words of the trials.
func conclude(o *Options, cases []*trial) *Outcome {
	out := &Outcome{Status: Success, Artifacts: map[string]string{}}
	m := &out.Metrics
	var ratios []float64
	n := float64(len(cases))
	for _, c := range cases {
		m.Score += c.part / n
		if c.optimum.Value == nil {
			m.OpenShare += 1 / n
		} else if c.part == 1 {
			m.OptimalShare += 1 / n
		}
		if c.reason == "" {
			m.ValidShare += 1 / n
			ratios = append(ratios, min(mostRatio, 1/c.part))
		}
	}
	m.Instances = len(cases)
	m.MeanRatio, m.P90Ratio, m.WorstRatio = mostRatio, mostRatio, mostRatio
	if k := len(ratios); k > 0 {
		slices.Sort(ratios)
		sum := 0.0
		for _, r := range ratios {
			sum += r
		}
		m.MeanRatio, m.P90Ratio, m.WorstRatio = sum/float64(k), ratios[int(math.Ceil(0.9*float64(k)))-1], ratios[k-1]
	}
	for _, share := range []*float64{&m.Score, &m.ValidShare, &m.OptimalShare, &m.OpenShare} {
		*share = math.Round(*share*1e12) / 1e12 // sums of n-ths
	}
	if o.RequireValid && len(ratios) < len(cases) || !(m.Score >= 0 && m.Score <= 1) {
		m.Score = 0
	}
	contradicts := func(c *trial) bool { return c.reason == "" && c.optimum.beyond(c.instance, *c.result.Objective) }
	if i := slices.IndexFunc(cases, contradicts); i >= 0 {
		c := cases[i]
		m.Score, out.Status = 0, Failed
		out.Artifacts["feedback"] = fmt.Sprintf(
			"On %s the value %v is better than %v, which is proven to be the best possible: please report this.",
			c.instance.Name, *c.result.Objective, c.optimum.Bound)
	} else {
		describe(out, cases)
	}
	if !o.Confined {
		out.Artifacts["sandbox"] = "off: the command could read stored optima, the network and other processes; " +
			"the score is worth what the command is."
	}
	out.Score = m.Score
	return out
}

// describe fills in the description of the instance on which the command is worst.
func describe(out *Outcome, cases []*trial) {
	bad := slices.MinFunc(cases, func(a, b *trial) int { return cmp.Compare(a.part, b.part) })
	feedback := []string{bad.loses(out, len(cases)), broken(cases), ""}
	a := out.Artifacts
	best := map[bool]string{true: "the optimum", false: "the best known schedule"}[bad.optimum.Value != nil]
	switch {
	case bad.hidden:
		feedback[2] = "Decisions on this set are not shown."
	case bad.reason != "":
		feedback[2] = "Without a solution that counts there is no decision to compare with the optimum's."
	case bad.part == 1:
		feedback[2] = "No decision costs anything."
	default:
		feedback[2] = "Decisions of an optimum are not known."
		if p := worst.Part(bad.instance, bad.result.Solution, bad.optimum.Solution, "the command", best); p != nil {
			feedback[2] = strings.ToUpper(p.Text[:1]) + p.Text[1:]
		} else if bad.optimum.Solution != nil {
			feedback[2] = "Its decisions differ from " + best + " only in details that drawings do not show."
		}
	}
	a["feedback"] = strings.Join(feedback, " ")
	if bad.hidden {
		return
	}
	a["worst_instance"] = shown(bad.instance)
	if bad.reason == "" {
		a["gantt"] = gantt(bad.instance, "the command", bad.result.Solution) + "\n" + gantt(bad.instance, best, bad.optimum.Solution)
	}
}

// loses says where the command loses, against what and by how much.
func (c *trial) loses(out *Outcome, n int) string {
	where := c.instance.Name
	if !c.hidden {
		where += " (" + extent(c.instance) + ")"
	}
	against := "the proven optimum"
	if c.optimum.Value == nil {
		against = "the proven bound"
	}
	switch m := out.Metrics; {
	case c.part == 1:
		return fmt.Sprintf("It is optimal on all of %d instances.", n)
	case c.reason != "":
		return fmt.Sprintf("It scores %.4f on average over %d instances, and 0 on %s, where %s is %.6g.",
			m.Score, n, where, against, c.optimum.Bound)
	case c.hidden:
		return fmt.Sprintf("It scores %.4f on average over %d instances, and %.4f where it is worst.", m.Score, n, c.part)
	default:
		return fmt.Sprintf(
			"It loses most on %s: %.6g against %s of %.6g, which scores %.4f where the average over %d instances is %.4f.",
			where, *c.result.Objective, against, c.optimum.Bound, c.part, n, m.Score)
	}
}

// plain is what a command said, in one line, without the folders of copies and of temporary files, whose names change from run to
// run.
func plain(said string) string {
	tmp, _ := filepath.Abs(os.TempDir()) // fails with the current folder gone, in which no command starts
	for _, folder := range []string{regexp.QuoteMeta(tmp), `[^\s"']*`} {
		said = regexp.MustCompile(folder+`/schedgap-(candidate|worker)-[^/\s"']*/(\d+/(here/|files/|word-\d+/)?)?`).ReplaceAllString(said, "")
	}
	return strings.Join(strings.Fields(said), " ")
}

// mostSaid is the number of characters to which quotations of a command's output are cut.
const mostSaid = 300

// broken says which solutions do not count, and why the first of them does not.
func broken(cases []*trial) string {
	var bad []*trial
	for _, c := range cases {
		if c.reason != "" {
			bad = append(bad, c)
		}
	}
	if len(bad) == 0 {
		return "Every solution is valid."
	}
	first := bad[0]
	said := ""
	if !first.hidden && first.result.Status != bench.Invalid { // a command may print instances
		said = first.result.Error
		if _, tail, has := strings.Cut(said, "\nstderr: "); has {
			said = strings.TrimSpace(tail)
		}
		said = plain(said)
		if len(said) > mostSaid {
			said = "… " + strings.ToValidUTF8(said[len(said)-mostSaid:], "")
		}
		if said != "" {
			said = " (" + said + ")"
		}
	}
	return fmt.Sprintf("%d of %d count 0: on %s %s%s.", len(bad), len(cases), first.instance.Name, first.reason, said)
}

// mostShown is the size in bytes up to which an instance is shown.
const mostShown = 16 << 10

// shown is an instance file without its lineage.
func shown(in *bench.Instance) string {
	var root map[string]any
	d := json.NewDecoder(bytes.NewReader(in.JSON))
	d.UseNumber()
	err := d.Decode(&root)
	delete(root, "lineage")
	text, failed := json.Marshal(root)
	if err != nil || failed != nil || len(text) > mostShown {
		return fmt.Sprintf("%s (%s, bytes: %d)", in.Name, extent(in), len(in.JSON))
	}
	return string(text)
}

const (
	columns   = 60 // of a drawing
	mostLanes = 40
)

// gantt draws a solution as text: a line a lane, a column a span of time; empty: there is none, or it cannot be drawn.
func gantt(in *bench.Instance, whose string, solution []byte) string {
	if solution == nil {
		return ""
	}
	chart, err := in.Chart("solution", solution)
	if err != nil || len(chart.Bars) == 0 {
		return ""
	}
	var lanes []string
	end := 0.0
	for _, b := range chart.Bars {
		end = max(end, b.End)
		if !slices.Contains(lanes, b.Lane) {
			lanes = append(lanes, b.Lane)
		}
	}
	slices.Sort(lanes)
	var text strings.Builder
	fmt.Fprintf(&text, "%s, %s from 0 to %.6g\n", whose, chart.Axis, end)
	more := len(lanes) - mostLanes
	for _, lane := range lanes[:min(len(lanes), mostLanes)] {
		row := make([]rune, columns)
		for i := range row {
			row[i] = mark(chart.Bars, lane, end*float64(i)/columns, end*float64(i+1)/columns)
		}
		fmt.Fprintf(&text, "%-12.12s |%s|\n", lane, string(row))
	}
	if more > 0 {
		fmt.Fprintf(&text, "and %d more\n", more)
	}
	return text.String()
}

// mark is the letter for what fills most of a lane in a span: the last of the name of what that belongs to.
func mark(bars []models.Bar, lane string, from, to float64) rune {
	letter, most := ' ', 0.0
	for _, b := range bars {
		if span := b.Amount * (min(b.End, to) - max(b.Start, from)); b.Lane == lane && span > most {
			name := []rune("#" + b.Job)
			letter, most = name[len(name)-1], span
		}
	}
	return letter
}

// extent says how large an instance is. Those of a folder's problem may have no machines.
func extent(in *bench.Instance) string {
	if in.Size.Machines == 0 {
		return fmt.Sprintf("jobs: %d", in.Size.Jobs)
	}
	return fmt.Sprintf("jobs: %d, machines: %d", in.Size.Jobs, in.Size.Machines)
}
