// Package tables makes the tables of a report. summary.md, the page, the LaTeX files and report --for paper show these
// tables and nothing else, so that a number is the same text in all of them. Its main type is Table; Columns are the columns that
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
	Head  []string
	Text  int // the first Text columns are words, the others numbers
	Rows  []Row
	Notes []string
	Brief []int  // columns that fit a paper or a small screen; nil: all
	By    string // of the first column: family, suite or all; empty if it is no ratio table
}

// Low reports whether a column is one that few readers need.
func (t Table) Low(column int) bool { return t.Brief != nil && !slices.Contains(t.Brief, column) }

// A Row is one line of a Table. Apart sets it off from the rows that it must not be compared with; Bold is summary.Ratios.Bold.
type Row struct {
	Cells []string
	Apart bool
	Bold  bool
}

// Emphasis says what bold rows are; empty: there are none. Markdown has no bold rows.
func (t Table) Emphasis() string {
	if !slices.ContainsFunc(t.Rows, func(r Row) bool { return r.Bold }) {
		return ""
	}
	return "In bold: the best mean, and every other that is not certainly worse (Wilcoxon's test on the same instances, with Holm's " +
		"correction, at 5 %)."
}

// Interval writes a statistic of low and high ends: one number where they meet, to the digits shown.
func Interval(lo, hi summary.Number) string {
	return words.Range(words.Number(lo), " … ", words.Number(hi))
}

// percentages writes the ends of ratios or regrets as distances from the optimum.
func percentages(problem *summary.Problem, regret bool) func(lo, hi summary.Number) string {
	return func(lo, hi summary.Number) string {
		return words.Percentage(problem.Far(regret, float64(lo)), problem.Far(regret, float64(hi)))
	}
}

func confidence(s summary.Span) string { return words.Interval(s.CILo, s.CIHi, words.Number) }

// statuses in the order of tables, good ends first.
var statuses = [...]bench.Status{
	bench.Optimal, bench.Feasible, bench.Infeasible, bench.Timeout, bench.OOM, bench.Crash, bench.Invalid, bench.Error,
	bench.Skipped,
}

// Outcomes counts how every unit ended.
func Outcomes(problem *summary.Problem) Table {
	t := Table{
		About: about(problem, problem.Objective, problem.Instances, ""),
		Name:  problem.Name + "-outcomes", Title: "How every unit ended", Text: 2,
		Head: []string{"algorithm", "kind", "units", "instances", "checked solutions"},
	}
	var used []string
	for _, s := range statuses {
		for _, o := range problem.Outcomes {
			if o.Statuses[string(s)] > 0 {
				used = append(used, string(s))
				break
			}
		}
	}
	t.Head = append(t.Head, used...)
	for _, o := range problem.Outcomes {
		row := Row{Apart: o.Mark != "", Cells: []string{problem.Marked(o.Label), o.Kind, count(o.Units), count(o.Instances), count(o.Solutions)}}
		for _, s := range used {
			cell := "0"
			if n := o.Statuses[s]; n > 0 {
				cell = count(n)
			}
			row.Cells = append(row.Cells, cell)
		}
		t.Rows = append(t.Rows, row)
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
		Name:  problem.Name + "-failures", Title: "Why units failed", Text: 5,
		Head: []string{"algorithm", "status", "error", "such as", "to run it again", "units"}, Brief: []int{0, 1, 2, 5},
		Notes: notes("failures", problem.Others),
	}
	for _, r := range problem.Reasons {
		why := r.Error
		if r.LastLine != "" && !strings.Contains(why, r.LastLine) {
			why += ": " + r.LastLine
		}
		t.Rows = append(t.Rows, Row{Cells: []string{problem.Marked(r.Algorithm), r.Status, why, r.Instance, r.Command, count(r.Units)}})
	}
	return t
}

// References tells how much is known of the optima.
func References(problem *summary.Problem) Table {
	t := Table{
		About: about(problem, problem.Objective, problem.Instances, ""),
		Name:  problem.Name + "-references", Title: "What is known of the optima", Text: 2,
		Head: []string{"reference", "class", "optimum proven", "easy", "open", "value only", "no value", "untrusted"},
		Notes: notes("references", map[string]any{
			"list": problem.References, "open": slices.ContainsFunc(problem.References, func(r summary.Reference) bool { return r.Open > 0 }),
			"untrusted": slices.ContainsFunc(problem.References, func(r summary.Reference) bool { return r.Untrusted > 0 }),
			"easy":      slices.ContainsFunc(problem.References, func(r summary.Reference) bool { return r.Easy > 0 }),
		}),
	}
	for _, r := range problem.References {
		doc := r.Doc
		if r.Within != "" {
			doc += " (within " + r.Within + ")"
		}
		t.Rows = append(t.Rows, Row{Cells: []string{
			r.Name, doc, words.Share(r.Proven, problem.Instances), count(r.Easy), count(r.Open), count(r.ValueOnly),
			count(r.Unknown), count(r.Untrusted),
		}})
	}
	return t
}

// about names the objective, whether it is minimised or maximised, the instances and the reference.
func about(problem *summary.Problem, objective string, instances int, against string) string {
	of := map[bool]string{true: "maximised", false: "minimised"}[problem.Sense == "max"]
	return fmt.Sprintf("%s, %s, on %s%s.", words.Capital(cmp.Or(objective, "objective")), of, words.Count(instances, "instance"), against)
}

// Pairs is the head-to-head table.
func Pairs(problem *summary.Problem) Table {
	t := Table{
		About: about(problem, problem.Objective, problem.Instances, ", A against B"),
		Name:  problem.Name + "-head-to-head", Title: "Head to head", Text: 2,
		Head: []string{
			"A", "B", "instances", "unmatched", "A better", "tie", "B better", "A/B", "95 % interval", "sign p",
			"Wilcoxon p",
		},
		Notes: notes("pairs", map[string]any{
			"list": problem.Pairs, "tested": slices.ContainsFunc(problem.Pairs, func(q summary.Pair) bool { return q.SignP.Known() }),
			"few": slices.ContainsFunc(problem.Pairs, func(q summary.Pair) bool { return !q.SignP.Known() }),
		}),
	}
	for _, q := range problem.Pairs {
		t.Rows = append(t.Rows, Row{Cells: []string{
			problem.Marked(q.A), problem.Marked(q.B), count(q.Instances), count(q.Unmatched), count(q.Win), count(q.Tie), count(q.Loss),
			words.Number(q.Quotient), words.Interval(q.CILo, q.CIHi, words.Number), words.P(q.SignP), words.P(q.WilcoxonP),
		}})
	}
	return t
}

// Solvers compares the methods of the exact algorithms.
func Solvers(problem *summary.Problem) Table {
	t := Table{
		About: about(problem, problem.Objective, problem.Instances, ", methods against each other"),
		Name:  problem.Name + "-solvers", Title: "Exact methods", Text: 3,
		Head: []string{
			"algorithm", "model", "solver", "solved", "PAR1", "PAR2", "PAR10", "solved by all", "n", "median nodes", "median columns", "median rows", "max memory",
		},
		Brief: []int{0, 1, 2, 3, 5, 7, 8},
		Notes: notes("solvers", nil),
	}
	for _, s := range problem.Solvers {
		name := s.Solver
		if len(s.Versions) > 0 {
			name += " " + strings.Join(s.Versions, ", ")
		}
		memory := words.Known(s.MaxRSSBytes/(1<<20), "%.0f MiB")
		t.Rows = append(t.Rows, Row{Cells: []string{
			s.Algorithm, model(s.Model, s.Start), words.Or(name), words.Share(s.Solved, s.Units), words.Seconds(s.PAR1), words.Seconds(s.PAR2),
			words.Seconds(s.PAR10), words.Seconds(s.Common), count(s.CommonInstances),
			whole(s.MedianNodes), whole(s.MedianColumns), whole(s.MedianRows), memory,
		}})
	}
	return t
}

func count(n int) string { return strconv.Itoa(n) }

func whole(x summary.Number) string { return words.Known(x, "%.0f") }

// WorstCases lists the instances that a search found, with what their algorithm does on them in these results.
func WorstCases(problem *summary.Problem) Table {
	t := Table{
		About: about(problem, problem.Objective, problem.Instances, ""),
		Name:  problem.Name + "-worst", Title: "Worst cases known", Text: 4,
		Head:  []string{"algorithm", "reference", "measure", "instance", "jobs", "as found", "here", "evaluations"},
		Brief: []int{0, 1, 2, 5, 6},
		Notes: notes("worst", nil),
	}
	for i := range problem.WorstCases {
		c := &problem.WorstCases[i]
		measure, then := c.As()
		write := Interval
		if measure != "difference" {
			write = percentages(problem, measure == "regret")
		}
		t.Rows = append(t.Rows, Row{Cells: []string{
			problem.Marked(c.Algorithm), c.Reference, measure, c.Instance, count(int(c.Jobs)),
			write(summary.Number(then), summary.Number(then)), write(c.Lo, c.Hi), count(c.Evaluations),
		}})
	}
	return t
}

// Published compares optima of the literature with the results.
func Published(problem *summary.Problem) Table {
	t := Table{
		About: about(problem, problem.Objective, problem.Instances, ""),
		Name:  problem.Name + "-published", Title: "Published optima", Text: 3,
		Head:  []string{"instance", "reference", "agreement", "published", "best value", "best bound"},
		Notes: notes("published", nil),
	}
	for _, row := range problem.Published {
		says := "open"
		switch {
		case row.Differs:
			says = "contradiction"
		case row.Proven:
			says = "proven"
		}
		t.Rows = append(t.Rows, Row{Cells: []string{
			row.Instance, row.Reference, says, words.Number(summary.Number(row.Value)), words.Number(row.Best), words.Number(row.Bound),
		}})
	}
	return t
}

// Simulations lists the metrics of all simulations: what policies did, the declared objective over its bound first, or how the
// simulations went.
func Simulations(r *summary.Report, conditions bool) Table {
	t := Table{
		Name: "simulations", Title: "Simulations", Text: 5,
		Head: []string{
			"problem", "workload", "metric", "policy", "parameters", "repetitions", "mean", "95 % interval", "min", "median",
			"max",
		},
		Notes: notes("simulations", nil),
	}
	if conditions {
		t.Name, t.Title, t.Notes = "simulation-conditions", "Simulations: loads, warm-up and bounds", nil
	}
	noted := map[string]bool{}
	for i := range r.Simulations {
		s := &r.Simulations[i]
		if s.Condition() != conditions {
			continue
		}
		t.Rows = append(t.Rows, Row{Cells: []string{
			s.Problem, s.Workload, s.Axis(), s.Policy, words.Or(s.Varying()), count(s.Repetitions), words.Number(s.Mean),
			confidence(summary.Span{CILo: s.CILo, CIHi: s.CIHi}), words.Number(s.Min), words.Number(s.Median), words.Number(s.Max),
		}})
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
		Name:  problem.Name + "-over-time", Title: "How fast values came close to the optimum", Text: 2,
		Head: []string{"algorithm", "reference", "units", "first value", "primal integral", "gap at limit"},
	}
	horizon := words.None
	for i := range problem.OverTime {
		o := &problem.OverTime[i]
		horizon = words.Seconds(o.Horizon)
		t.Rows = append(t.Rows, Row{Apart: o.Mark != "", Cells: []string{
			problem.Marked(o.Label), o.Reference, count(o.Units), words.Seconds(o.FirstValue),
			words.Range(words.Seconds(o.PrimalLo), " … ", words.Seconds(o.PrimalHi)), words.Percentage(o.GapLo, o.GapHi),
		}})
	}
	t.Notes = notes("over-time", horizon)
	return t
}

// Formulations compares models by MILP solvers with the best heuristic on the same instances.
func Formulations(problem *summary.Problem) Table {
	t := Table{
		Name: problem.Name + "-formulations", Title: "MILP solvers beside the best heuristic", Text: 4,
		Head: []string{
			"algorithm", "model", "solver", "instances of", "instances", "relaxation", "root", "own first value", "best heuristic",
			"its gap", "its time", "gap after as long", "gap", "proven", "nodes", "time to proof",
		},
		Brief: []int{1, 2, 3, 4, 5, 6, 9, 11, 12, 13, 15},
	}
	all, at := 0, summary.Missing
	for i := range problem.Formulations {
		f := &problem.Formulations[i]
		all = max(all, f.Instances)
		if at = f.At; f.At != problem.Formulations[0].At {
			at = summary.Missing
		}
		heuristic := words.None
		if f.Heuristic != "" {
			heuristic = problem.Marked(f.Heuristic)
		}
		t.Rows = append(t.Rows, Row{Cells: []string{
			f.Algorithm, model(f.Model, f.Start), f.Solver, f.Of(), count(f.Instances), words.Known(f.Relaxation, "%.3f"),
			words.Known(f.Root, "%.3f"), words.Seconds(f.FirstValue), heuristic, words.Percentage(f.HeuristicGap.Lo, f.HeuristicGap.Hi),
			words.Seconds(f.HeuristicSeconds), words.Percentage(f.SameTimeGap.Lo, f.SameTimeGap.Hi), words.Percentage(f.Gap.Lo, f.Gap.Hi),
			words.Share(f.Proven, f.Units), whole(f.MedianNodes), words.Seconds(f.ProofSeconds),
		}})
	}
	column := slices.Index(t.Head, "gap")
	if t.Head[column] = "gap at " + words.Seconds(at); !at.Known() {
		t.Head[column] = "gap at the limit"
	}
	t.About = about(problem, problem.Objective, all, " at most, against the best known value and bound")
	t.Notes = notes("formulations", nil)
	return t
}

// model names a model, and says where its solver was told no value and no bound.
func model(name, start string) string {
	if start != "" {
		return words.Or(name) + ", no start"
	}
	return words.Or(name)
}
