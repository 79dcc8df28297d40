// Package history follows results over commits: it keeps the rows of all runs in one dataset, DIR/rows/*.parquet, and finds the
// steps of every algorithm's ratios, proofs, failures and times. Units are compared with themselves only: the
// same instance, algorithm, parameters, solver and limits, and for times the same kind of machine.
package history

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"schedgap/bench"
	"schedgap/models"
	"schedgap/reports/compare"
	"schedgap/reports/ratio"
	"schedgap/reports/summary"
	"schedgap/reports/words"
)

// An Input is what a history is made of.
type Input struct {
	Rows     []Row
	Problems []*bench.Problem // all that rows may name
	Gates    compare.Gates    // thresholds of times and ratios are of a step
	Recent   int              // how many runs the gates look back
	Seed     uint64           // of the bootstrap
}

// A Report is what is found.
type Report struct {
	Regressions []string  `json:"regressions"` // what is beyond the gates; empty: passed
	Findings    []Finding `json:"findings"`    // recent ones first, worse ones before better ones
	Runs        []*Run    `json:"runs"`        // in the order of their commits
	Series      []*Series `json:"series"`
	Warnings    []string  `json:"warnings"`
}

// separator is between a run and a unit.
const separator = ":"

// New looks through a history. Errors: rows of a problem that in does not have, and no rows.
func New(ctx context.Context, in Input) (*Report, error) {
	if len(in.Rows) == 0 {
		return nil, fmt.Errorf("the history is empty")
	}
	r := &Report{Runs: runs(in.Rows), Findings: []Finding{}, Regressions: []string{}, Warnings: []string{}}
	set, unknown, err := pool(r.Runs, in.Problems)
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	r.Series = collect(set, r.Runs)
	follow(r.Series, r.Runs, in.Recent, in.Seed)
	r.Findings = append(r.Findings, contradictions(set, r.Runs, in.Recent)...)
	for _, s := range r.Series {
		r.Findings = append(r.Findings, s.findings...)
	}
	slices.SortStableFunc(r.Findings, func(a, b Finding) int { return b.rank() - a.rank() })
	r.Warnings = append(r.Warnings, warnings(set, unknown, r.Runs)...)
	r.Regressions = append(r.Regressions, judge(in.Gates, r)...)
	return r, nil
}

// rank is higher for what a reader should see first.
func (f *Finding) rank() int {
	rank := 0
	for i, is := range []bool{f.Worse, f.Stands, f.Recent} {
		if is {
			rank += 1 << i
		}
	}
	return rank
}

// pool compares the units of all runs with the best values and bounds of them all. unknown instances were not at hand when their
// rows were added: their values are compared by quotient where they are positive.
func pool(runs []*Run, problems []*bench.Problem) (set *ratio.Set, unknown int, err error) {
	var pack ratio.Packer
	var records []ratio.Record
	known := map[string]*bench.Instance{}
	for _, run := range runs {
		for _, row := range run.units {
			r := row.Record
			r.UnitID = run.ID + separator + r.UnitID
			records = append(records, pack.Record(&r))
			for _, c := range []models.Comparison{models.Quotient, models.Difference, models.QuotientZero} {
				if row.Comparison != nil && *row.Comparison == c.String() {
					known[row.InstanceSHA256] = &bench.Instance{Comparison: c}
				}
			}
		}
	}
	for _, r := range records {
		if known[r.InstanceSHA256] == nil {
			known[r.InstanceSHA256] = &bench.Instance{}
			unknown++
		}
	}
	set, err = ratio.New(ratio.Input{
		Records: records, Problems: problems, Pool: true,
		Instance: func(sha256 string) (*bench.Instance, error) {
			return known[sha256], nil
		},
	})
	return set, unknown, err
}

// contradictions are values of one run beyond what another, or the same, proved: one an instance.
func contradictions(set *ratio.Set, runs []*Run, recent int) []Finding {
	number := map[string]int{}
	for i, r := range runs {
		number[r.ID] = i
	}
	var out []Finding
	seen := map[string]bool{}
	for _, c := range set.Contradictions {
		if seen[c.SHA256] {
			continue
		}
		seen[c.SHA256] = true
		proved, _, _ := strings.Cut(c.Proof.UnitID, separator)
		valued, _, _ := strings.Cut(c.Value.UnitID, separator)
		later := max(number[proved], number[valued])
		f := Finding{
			Kind: "contradiction", Key: Key{Problem: c.Problem, Algorithm: c.Value.Algorithm, Metric: Ratio}, Run: runs[later].ID,
			Commit: runs[later].Commit, Date: runs[later].date(), Worse: true, Stands: true, Recent: later >= len(runs)-recent,
			Instances: 1, run: later,
			From: summary.Missing, To: summary.Missing, Change: summary.Missing, Low: summary.Missing, High: summary.Missing,
			P: summary.Missing,
		}
		proof := "that there is no solution"
		if c.Proof.Value != nil {
			proof = fmt.Sprintf("the bound %v", *c.Proof.Value)
		}
		f.Text = fmt.Sprintf("%s instance %s (%.12s): %s proved %s at commit %s, but %s has %v at commit %s: one is wrong, and the "+
			"instance has no ratios",
			c.Problem, c.Instance, c.SHA256, c.Proof.Algorithm, proof, runs[number[proved]].Commit, c.Value.Algorithm, *c.Value.Value,
			runs[number[valued]].Commit)
		out = append(out, f)
	}
	return out
}

func warnings(set *ratio.Set, unknown int, runs []*Run) []string {
	list, last := slices.Clone(set.Warnings), runs[len(runs)-1]
	say := func(n int, format string, args ...any) {
		if n > 0 {
			list = append(list, fmt.Sprintf(format, append([]any{n}, args...)...))
		}
	}
	say(unknown, "%d instance files were not at hand; their values are compared by quotient where they are positive")
	say(last.Missing, "the last run lacks %d units that the one before had; lines go on with what it has")
	say(last.Failed, "%d of the %d units of the last run failed", last.Units)
	return list
}

// judge lists what is beyond the gates: what got worse in the last runs and still stands.
func judge(g compare.Gates, r *Report) []string {
	var out []string
	limits := map[Metric]*float64{Ratio: g.Ratio, Value: g.Ratio, Time: g.Time}
	for _, f := range r.Findings {
		beyond := g.Correctness
		if limit, limited := limits[f.Metric]; limited && f.Kind == "step" {
			beyond = limit != nil && float64(f.Change) > *limit
		}
		if beyond && f.Worse && f.Recent && f.Stands {
			out = append(out, f.Text)
		}
	}
	if last := r.Runs[len(r.Runs)-1]; g.Missing && last.Missing > 0 {
		out = append(out, fmt.Sprintf("%d units of the run before are missing", last.Missing))
	}
	return out
}

// Print writes the findings, one a line, and what there is to know besides.
func (r *Report) Print(w io.Writer) error {
	var b strings.Builder
	for _, text := range r.Regressions {
		b.WriteString("regression: " + text + "\n")
	}
	for _, f := range r.Findings {
		if !slices.Contains(r.Regressions, f.Text) {
			b.WriteString(f.Text + "\n")
		}
	}
	for _, warning := range r.Warnings {
		b.WriteString("note: " + warning + "\n")
	}
	fmt.Fprintf(&b, "%s in %d series over %d runs\n", words.Count(len(r.Findings), "finding"), len(r.Series), len(r.Runs))
	_, err := io.WriteString(w, b.String())
	return err
}
