// Package tables makes the tables of a report. summary.md, the page, the LaTeX files and report --for paper show these
// tables and nothing else, so that a number is the same text in all of them. Its main type is Table; Ratios lists the columns that
// tables of ratios can have. Packages page and paper render tables.
package tables

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"schedgap/bench"
	"schedgap/reports/summary"
	"schedgap/reports/words"
)

// A Table is rendered as HTML, Markdown or LaTeX.
type Table struct {
	Name  string // of the LaTeX file, without ending
	Title string
	About string // behind the title: the objective, the instances and the reference
	Head  []Heading
	Rows  []Row
	Notes []string
	By    string // of the first column: objective, family, suite or all; empty if it is no ratio table
}

// A Heading is what a Table knows of a column.
type Heading struct {
	Head  string
	Words bool // cells are words, not numbers
	Low   bool // few readers need it: it is not in papers or on small screens
}

// Heads are the texts above the columns.
func (t Table) Heads() (heads []string) {
	for _, h := range t.Head {
		heads = append(heads, h.Head)
	}
	return heads
}

// A Row is one line of a Table. Apart sets it off from the rows that it must not be compared with; Bold is summary.Ratios.Bold.
type Row struct {
	Cells []string
	Apart bool
	Bold  bool
}

// A column is everything about one column of a table whose rows are made of Ts.
type column[T any] struct {
	Heading
	cell func(x T) string
}

// text is a column of words, number one of numbers.
func text[T any](head string, cell func(x T) string) column[T] {
	return column[T]{Heading{Head: head, Words: true}, cell}
}

func number[T any](head string, cell func(x T) string) column[T] {
	return column[T]{Heading{Head: head}, cell}
}

// low is a column that few readers need.
func (c column[T]) low() column[T] {
	c.Low = true
	return c
}

// fill gives a table its columns, and a row for each x.
func fill[T any](t *Table, xs []T, columns ...column[T]) {
	for _, c := range columns {
		t.Head = append(t.Head, c.Heading)
	}
	for _, x := range xs {
		var row Row
		for _, c := range columns {
			row.Cells = append(row.Cells, c.cell(x))
		}
		t.Rows = append(t.Rows, row)
	}
}

// pointers are the addresses of a list's members.
func pointers[T any](list []T) []*T {
	out := make([]*T, len(list))
	for i := range list {
		out[i] = &list[i]
	}
	return out
}

// Emphasis says what bold rows are; empty: there are none. Markdown has no bold rows.
func (t Table) Emphasis() string {
	if !slices.ContainsFunc(t.Rows, func(r Row) bool { return r.Bold }) {
		return ""
	}
	return "In bold: the best algorithm, and every other that is not certainly worse (Wilcoxon's test on the instances of both, with " +
		"Bonferroni's correction, at 5 %)."
}

// Interval writes a statistic of low and high ends: one number where they meet, to the digits shown.
func Interval(lo, hi summary.Number) string {
	return words.Range(words.Number(lo), " … ", words.Number(hi))
}

func confidence(s summary.Span) string { return words.Interval(s.CILo, s.CIHi, words.Number) }

// statuses in the order of tables, good ends first.
var statuses = [...]bench.Status{
	bench.Optimal, bench.Feasible, bench.Infeasible, bench.Timeout, bench.OOM, bench.Crash, bench.Invalid, bench.Refuted, bench.Error,
	bench.Skipped,
}

// Outcomes counts how every unit ended.
func Outcomes(problem *summary.Problem) Table {
	t := Table{
		About: about(problem, problem.Objective, problem.Instances, ""),
		Name:  problem.Name + "-outcomes", Title: "How every unit ended",
	}
	columns := []column[*summary.Outcome]{
		text("algorithm", func(o *summary.Outcome) string { return problem.Marked(o.Label) }),
		text("kind", func(o *summary.Outcome) string { return o.Kind }),
		number("units", func(o *summary.Outcome) string { return count(o.Units) }),
		number("instances", func(o *summary.Outcome) string { return count(o.Instances) }),
		number("checked solutions", func(o *summary.Outcome) string { return count(o.Solutions) }),
	}
	for _, s := range statuses {
		if slices.ContainsFunc(problem.Outcomes, func(o summary.Outcome) bool { return o.Statuses[string(s)] > 0 }) {
			columns = append(columns, number(string(s), func(o *summary.Outcome) string { return count(o.Statuses[string(s)]) }))
		}
	}
	fill(&t, pointers(problem.Outcomes), columns...)
	for i, o := range problem.Outcomes {
		t.Rows[i].Apart = o.Mark != ""
		if o.Mark != "" {
			t.Notes = append(t.Notes, fmt.Sprintf("%s: %s; not comparable, never a best known value.", o.Label, o.Mark))
		}
	}
	return t
}

// Reasons says why units failed.
func Reasons(problem *summary.Problem) Table {
	t := Table{
		About: about(problem, problem.Objective, problem.Instances, ""),
		Name:  problem.Name + "-failures", Title: "Why units failed", Notes: notes("failures", problem.Others),
	}
	type reason = summary.Reason
	fill(&t, problem.Reasons,
		text("algorithm", func(r reason) string { return problem.Marked(r.Algorithm) }),
		text("status", func(r reason) string { return r.Status }),
		text("error", func(r reason) string {
			if r.LastLine != "" && !strings.Contains(r.Error, r.LastLine) {
				return r.Error + ": " + r.LastLine
			}
			return r.Error
		}),
		text("such as", func(r reason) string { return r.Instance }).low(),
		text("to run it again", func(r reason) string { return r.Command }).low(),
		number("units", func(r reason) string { return count(r.Units) }),
	)
	return t
}

// References tells how much is known of the optima.
func References(problem *summary.Problem) Table {
	some := func(of func(r summary.Reference) int) bool {
		return slices.ContainsFunc(problem.References, func(r summary.Reference) bool { return of(r) > 0 })
	}
	type reference = summary.Reference
	open, easy, untrusted := func(r reference) int { return r.Open }, func(r reference) int { return r.Easy },
		func(r reference) int { return r.Untrusted }
	t := Table{
		About: about(problem, problem.Objective, problem.Instances, ""),
		Name:  problem.Name + "-references", Title: "What is known of the optima",
		Notes: notes("references", map[string]any{
			"list": problem.References, "open": some(open), "untrusted": some(untrusted), "easy": some(easy),
		}),
	}
	fill(&t, problem.References,
		text("reference", func(r reference) string { return r.Name }),
		text("class", func(r reference) string {
			if r.Within != "" {
				return r.Doc + " (within " + r.Within + ")"
			}
			return r.Doc
		}),
		number("optimum proven", func(r reference) string { return words.Share(r.Proven, problem.Instances) }),
		number("easy", func(r reference) string { return count(easy(r)) }),
		number("open", func(r reference) string { return count(open(r)) }),
		number("value only", func(r reference) string { return count(r.ValueOnly) }),
		number("no value", func(r reference) string { return count(r.Unknown) }),
		number("untrusted", func(r reference) string { return count(untrusted(r)) }),
	)
	return t
}

// about names the objective, whether it is minimised or maximised, the instances and the reference.
func about(problem *summary.Problem, objective string, instances int, against string) string {
	of := map[bool]string{true: "maximised", false: "minimised"}[problem.Sense == "max"]
	return fmt.Sprintf("%s, %s, on %s%s.", words.Capital(cmp.Or(objective, "objective")), of, words.Count(instances, "instance"), against)
}

// Pairs is the head-to-head table.
func Pairs(problem *summary.Problem) Table {
	tested := func(q summary.Pair) bool { return q.SignP.Known() }
	t := Table{
		About: about(problem, problem.Objective, problem.Instances, ", A against B"),
		Name:  problem.Name + "-head-to-head", Title: "Head to head",
		Notes: notes("pairs", map[string]any{
			"list": problem.Pairs, "tested": slices.ContainsFunc(problem.Pairs, tested),
			"few": slices.ContainsFunc(problem.Pairs, func(q summary.Pair) bool { return !tested(q) }),
		}),
	}
	type pair = *summary.Pair
	fill(&t, pointers(problem.Pairs),
		text("A", func(q pair) string { return problem.Marked(q.A) }),
		text("B", func(q pair) string { return problem.Marked(q.B) }),
		number("instances of both", func(q pair) string { return count(q.Instances) }),
		number("of one", func(q pair) string { return count(q.Unmatched) }),
		number("A better", func(q pair) string { return count(q.Win) }),
		number("tie", func(q pair) string { return count(q.Tie) }),
		number("B better", func(q pair) string { return count(q.Loss) }),
		number("A/B", func(q pair) string { return words.Number(q.Quotient) }),
		number("on", func(q pair) string { return count(q.Positive) }),
		number("95 % interval", func(q pair) string { return words.Interval(q.CILo, q.CIHi, words.Number) }),
		number("sign p", func(q pair) string { return words.P(q.SignP) }),
		number("Wilcoxon p", func(q pair) string { return words.P(q.WilcoxonP) }),
	)
	return t
}

// Effects lists the values of factors and the algorithms that are compared, and whether they ever differ.
func Effects(problem *summary.Problem) Table {
	t := Table{
		About: about(problem, problem.Objective, problem.Instances, ""),
		Name:  problem.Name + "-effects", Title: "Factors, and algorithms that never differ", Notes: notes("effects", nil),
	}
	type effect struct {
		what, result string
		instances    int
	}
	var list []*effect
	for i := range problem.Levels {
		l := &problem.Levels[i]
		list = append(list, &effect{"factor", l.Sentence(), l.Instances})
	}
	for i := range problem.Same {
		s := &problem.Same[i]
		list = append(list, &effect{"algorithms", s.Sentence(), s.Instances})
	}
	fill(&t, list,
		text("compared", func(e *effect) string { return e.what }),
		text("result", func(e *effect) string { return e.result }),
		number("instances", func(e *effect) string { return count(e.instances) }),
	)
	return t
}

// Solvers compares the methods of the exact algorithms.
func Solvers(problem *summary.Problem) Table {
	t := Table{
		About: about(problem, problem.Objective, problem.Instances, ", methods against each other"),
		Name:  problem.Name + "-solvers", Title: "Exact methods", Notes: notes("solvers", nil),
	}
	type solver = *summary.Solver
	fill(&t, pointers(problem.Solvers),
		text("algorithm", func(s solver) string { return s.Algorithm }),
		text("model", func(s solver) string { return model(s.Model, s.Start) }),
		text("solver", func(s solver) string {
			return words.Or(strings.TrimSpace(s.Solver + " " + strings.Join(s.Versions, ", ")))
		}),
		number("solved", func(s solver) string { return words.Share(s.Solved, s.Units) }),
		number("PAR1", func(s solver) string { return words.Seconds(s.PAR1) }).low(),
		number("PAR2", func(s solver) string { return words.Seconds(s.PAR2) }),
		number("PAR10", func(s solver) string { return words.Seconds(s.PAR10) }).low(),
		number("solved by all", func(s solver) string { return words.Seconds(s.Common) }),
		number("n", func(s solver) string { return count(s.CommonInstances) }),
		number("median nodes", func(s solver) string { return whole(s.MedianNodes) }).low(),
		number("median columns", func(s solver) string { return whole(s.MedianColumns) }).low(),
		number("median rows", func(s solver) string { return whole(s.MedianRows) }).low(),
		number("max memory", func(s solver) string { return words.Known(s.MaxRSSBytes/(1<<20), "%.0f MiB") }).low(),
	)
	return t
}

// Variability says how much the seeds of MILP solvers change.
func Variability(problem *summary.Problem) Table {
	most := 0
	for _, v := range problem.Variability {
		most = max(most, v.Instances)
	}
	t := Table{
		About: about(problem, problem.Objective, most, " at most, with several seeds"),
		Name:  problem.Name + "-variability", Title: "Variability of MILP solvers over seeds", Notes: notes("variability", nil),
	}
	type variability = summary.Variability
	times := func(x summary.Number) string { return words.Known(x, "%.2f") }
	fill(&t, problem.Variability,
		text("algorithm", func(v variability) string { return v.Algorithm }).low(),
		text("model", func(v variability) string { return model(v.Model, v.Start) }),
		text("solver", func(v variability) string { return v.Solver }),
		number("seeds", func(v variability) string { return count(v.Seeds) }),
		number("proven by all", func(v variability) string { return words.Share(v.All, v.Instances) }),
		number("by some", func(v variability) string { return count(v.Some) }),
		number("quickest", func(v variability) string { return words.Seconds(v.Quickest) }),
		number("slowest", func(v variability) string { return words.Seconds(v.Slowest) }),
		number("slowest/quickest", func(v variability) string { return times(v.Ratio) }),
		number("largest", func(v variability) string { return times(v.Largest) }),
		number("score", func(v variability) string { return times(v.Score) }),
		number("most/fewest nodes", func(v variability) string { return times(v.Nodes) }).low(),
	)
	return t
}

func count(n int) string { return strconv.Itoa(n) }

func whole(x summary.Number) string { return words.Known(x, "%.0f") }

// WorstCases lists the instances that a search found, with what their algorithm does on them in these results.
func WorstCases(problem *summary.Problem) Table {
	t := Table{
		About: about(problem, problem.Objective, problem.Instances, ""),
		Name:  problem.Name + "-worst", Title: "Worst cases known", Notes: notes("worst", nil),
	}
	type worst = *summary.WorstCase
	far := func(c worst, lo, hi summary.Number) string {
		measure, _ := c.As()
		if measure == "difference" {
			return Interval(lo, hi)
		}
		return problem.Percent(measure == "regret", lo, hi)
	}
	fill(&t, pointers(problem.WorstCases),
		text("algorithm", func(c worst) string { return problem.Marked(c.Algorithm) }),
		text("reference", func(c worst) string { return c.Reference }),
		text("measure", func(c worst) string {
			measure, _ := c.As()
			return measure
		}),
		text("instance", func(c worst) string { return c.Instance }).low(),
		number("jobs", func(c worst) string { return count(int(c.Jobs)) }).low(),
		number("as found", func(c worst) string {
			_, then := c.As()
			return far(c, summary.Number(then), summary.Number(then))
		}),
		number("here", func(c worst) string { return far(c, c.Lo, c.Hi) }),
		number("evaluations", func(c worst) string { return count(c.Evaluations) }).low(),
	)
	return t
}

// Published compares optima of the literature with the results.
func Published(problem *summary.Problem) Table {
	t := Table{
		About: about(problem, problem.Objective, problem.Instances, ""),
		Name:  problem.Name + "-published", Title: "Published optima", Notes: notes("published", nil),
	}
	type published = summary.Published
	fill(&t, problem.Published,
		text("instance", func(row published) string { return row.Instance }),
		text("reference", func(row published) string { return row.Reference }),
		text("agreement", func(row published) string {
			switch {
			case row.Differs:
				return "contradiction"
			case row.Proven:
				return "proven"
			}
			return "open"
		}),
		number("published", func(row published) string { return words.Number(summary.Number(row.Value)) }),
		number("best value", func(row published) string { return words.Number(row.Best) }),
		number("best bound", func(row published) string { return words.Number(row.Bound) }),
	)
	return t
}

// Simulations lists the metrics of all simulations: what policies did, the declared objective over its bound first, or how the
// simulations went.
func Simulations(r *summary.Report, conditions bool) Table {
	t := Table{Name: "simulations", Title: "Simulations", Notes: notes("simulations", nil)}
	if conditions {
		t.Name, t.Title, t.Notes = "simulation-conditions", "Simulations: loads, warm-up and bounds", nil
	}
	type simulation = *summary.Simulation
	list := slices.DeleteFunc(pointers(r.Simulations), func(s simulation) bool { return s.Condition() != conditions })
	fill(&t, list,
		text("problem", func(s simulation) string { return s.Problem }),
		text("workload", func(s simulation) string { return s.Workload }),
		text("metric", func(s simulation) string { return s.Axis() }),
		text("policy", func(s simulation) string { return s.Policy }),
		text("parameters", func(s simulation) string { return words.Or(s.Varying()) }),
		number("repetitions", func(s simulation) string { return count(s.Repetitions) }),
		number("mean", func(s simulation) string { return words.Number(s.Mean) }),
		number("95 % interval", func(s simulation) string { return confidence(summary.Span{CILo: s.CILo, CIHi: s.CIHi}) }),
		number("min", func(s simulation) string { return words.Number(s.Min) }),
		number("median", func(s simulation) string { return words.Number(s.Median) }),
		number("max", func(s simulation) string { return words.Number(s.Max) }),
	)
	noted := map[string]bool{}
	for _, s := range list {
		if fixed := s.Fixed(); fixed != "" && !noted[s.Problem] && !conditions {
			noted[s.Problem] = true
			t.Notes = append(t.Notes, fmt.Sprintf("Parameters of all simulations of %s: %s.", s.Problem, fixed))
		}
	}
	return t
}

// OverTime says how fast algorithms came close to the optimum.
func OverTime(problem *summary.Problem) Table {
	t := Table{
		About: about(problem, problem.Objective, problem.Instances, ", against the best known value and bound"),
		Name:  problem.Name + "-over-time", Title: "How fast values came close to the optimum",
	}
	type anytime = *summary.Anytime
	fill(&t, pointers(problem.OverTime),
		text("algorithm", func(o anytime) string { return problem.Marked(o.Label) }),
		text("reference", func(o anytime) string { return o.Reference }),
		number("units", func(o anytime) string { return count(o.Units) }),
		number("first value", func(o anytime) string { return words.Seconds(o.FirstValue) }),
		number("primal integral", func(o anytime) string {
			return words.Range(words.Seconds(o.PrimalLo), " … ", words.Seconds(o.PrimalHi))
		}),
		number("gap at limit", func(o anytime) string { return words.Percentage(o.GapLo, o.GapHi) }),
	)
	horizon := words.None
	for i, o := range problem.OverTime {
		horizon, t.Rows[i].Apart = words.Seconds(o.Horizon), o.Mark != ""
	}
	t.Notes = notes("over-time", horizon)
	return t
}

// Formulations compares models by MILP solvers with the best heuristic on the same instances.
func Formulations(problem *summary.Problem) Table {
	all, at := 0, summary.Missing
	for i := range problem.Formulations {
		f := &problem.Formulations[i]
		all = max(all, f.Instances)
		at = f.At
		if f.At != problem.Formulations[0].At {
			at = summary.Missing
		}
	}
	gap := "gap at " + words.Seconds(at)
	if !at.Known() {
		gap = "gap at the limit"
	}
	t := Table{
		Name: problem.Name + "-formulations", Title: "MILP solvers beside the best heuristic", Notes: notes("formulations", nil),
		About: about(problem, problem.Objective, all, " at most, against the best known value and bound"),
	}
	type formulation = *summary.Formulation
	span := func(s summary.GapEnds) string { return words.Percentage(s.Lo, s.Hi) }
	fill(&t, pointers(problem.Formulations),
		text("algorithm", func(f formulation) string { return f.Algorithm }).low(),
		text("model", func(f formulation) string { return model(f.Model, f.Start) }),
		text("solver", func(f formulation) string { return f.Solver }),
		text("instances of", func(f formulation) string { return f.Of() }),
		number("instances", func(f formulation) string { return count(f.Instances) }),
		number("relaxation", func(f formulation) string { return words.Known(f.Relaxation, "%.3f") }),
		number("root", func(f formulation) string { return words.Known(f.Root, "%.3f") }),
		number("own first value", func(f formulation) string { return words.Seconds(f.FirstValue) }).low(),
		number("best heuristic", func(f formulation) string {
			if f.Heuristic == "" {
				return words.None
			}
			return problem.Marked(f.Heuristic)
		}).low(),
		number("its gap", func(f formulation) string { return span(f.HeuristicGap) }),
		number("its time", func(f formulation) string { return words.Seconds(f.HeuristicSeconds) }).low(),
		number("gap after as long", func(f formulation) string { return span(f.SameTimeGap) }),
		number(gap, func(f formulation) string { return span(f.Gap) }),
		number("proven", func(f formulation) string { return words.Share(f.Proven, f.Units) }),
		number("nodes", func(f formulation) string { return whole(f.MedianNodes) }).low(),
		number("time to proof", func(f formulation) string { return words.Seconds(f.ProofSeconds) }),
	)
	return t
}

// model names a model, and says where its solver was told no value and no bound.
func model(name, start string) string {
	if start != "" {
		return words.Or(name) + ", no start"
	}
	return words.Or(name)
}
