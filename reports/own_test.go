package reports_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"schedgap/bench"
	"schedgap/models"
	"schedgap/models/fail"
	"schedgap/reports/internal/fake"
	"schedgap/reports/page"
	"schedgap/reports/paper"
	"schedgap/reports/plots"
	"schedgap/reports/ratio"
	"schedgap/reports/summary"
)

// twins are 24 instances with three objectives, some of them open, and two copies of a command, mine and twin, beside rivals that are
// better here and worse there. Mine has two seeds on some instances.
func twins(rng *rand.Rand) (records []bench.Record, instances fake.Instances) {
	p, instances := fake.Problem(), fake.Instances{}
	for i := range 24 {
		name := fmt.Sprintf("i%02d", i)
		comparison := []models.Comparison{models.Quotient, models.Quotient, models.Difference, models.QuotientZero}[i%4]
		instances.Add(name, comparison, map[string]any{"metric": fmt.Sprint("m", i%4), "slack": rng.Float64()})
		instances[fake.SHA(name)].Objective = []string{"total response time", "total response time", "lateness", "tardiness"}[i%4]
		if i%5 == 4 {
			records = append(records, fake.Bounded(p, name, "opt", 8+rng.Float64(), nil))
		} else {
			records = append(records, fake.Optimal(p, name, "opt", 10))
		}
		value := 10 + float64(rng.IntN(4))
		records = append(records, fake.Solved(p, name, "flex", 10+3*rng.Float64()), fake.Solved(p, name, "spt", value),
			fake.Solved(p, name, "fair", 10+float64(rng.IntN(4))))
		for _, label := range []string{"mine", "twin"} {
			r := fake.Solved(p, name, label, value)
			records = append(records, r)
			if i%6 == 0 {
				r.Seed, r.UnitID = 2, r.UnitID+"/2"
				r.Objective = fake.Ptr(value + 1)
				records = append(records, r)
			}
		}
	}
	return records, instances
}

// said is what all outputs of a report say of mine, by output: whatever has its name in it, but ranks, the head-to-head comparison with
// twin, the table of endings, which has a column for each ending of any algorithm, and sentences about several algorithms.
func said(t *testing.T, records []bench.Record, instances fake.Instances, yours string) map[string][]string {
	t.Helper()
	set, err := ratio.New(ratio.Input{Records: ratio.Pack(records), Problems: []*bench.Problem{fake.Problem()}, Instance: instances.Find})
	fail.On(t, err)
	r := summary.New(set, nil, 1)
	if yours != "" {
		r.Mine(yours, false)
	}
	out := map[string][]string{}
	add := func(output, text string) { out[output] = append(out[output], text) }
	whole := func(output string, x any) {
		text, err := json.Marshal(x)
		fail.On(t, err)
		add(output, string(text))
	}
	ofSummary(r.Problems[0], whole)
	if yours != "" {
		add("headline", r.Headlines[0].Text)
	}
	var csv, markdown, html strings.Builder
	columns, wrong := paper.Columns("mean,interval,worst,optimal,compared,median,p90,time")
	inPaper, errPaper := paper.Files(r, paper.Options{Columns: columns}, nil)
	all, errTables := paper.Tables(r)
	if err := errors.Join(wrong, errPaper, errTables, set.WriteCSV(t.Context(), &csv), page.Markdown(&markdown, r),
		page.HTML(&html, r, page.Options{})); err != nil {
		t.Fatal(err)
	}
	all["csv"], all["summary.md"] = []byte(csv.String()), []byte(markdown.String())
	for file, text := range inPaper {
		all["paper/"+file] = text
	}
	line := func(file, line string) {
		if !names.MatchString(line) {
			return
		}
		row := cells(line)
		// Sentences are of all algorithms, and "never differ" is of the two, over the instances that both solved.
		sentence := strings.HasPrefix(line, "* ") || file == "paper/page.tex" || strings.Contains(line, "twin never differ") ||
			strings.Contains(line, "twin and mine never differ")
		if len(row) > 1 && !slices.Contains(row, "twin") && row[1] != "external" && !sentence {
			add(file, strings.Join(row, "|"))
		}
	}
	for file, text := range all {
		for l := range strings.Lines(string(text)) {
			line(file, l)
		}
	}
	for _, row := range tableRow.FindAllString(html.String(), -1) {
		line("index.html", tag.ReplaceAllString(row, "|"))
	}
	for _, d := range plots.Problem(r.Problems[0]) {
		if d.Layout == nil {
			continue
		}
		for _, row := range d.Layout.Rows {
			if strings.HasPrefix(row.Label, "mine") {
				add("strips", fmt.Sprint(row.Label, row.Says, row.Name))
			}
		}
	}
	for _, list := range out {
		slices.Sort(list)
	}
	return out
}

// ofSummary adds mine's rows, pairs and verdict.
func ofSummary(p *summary.Problem, whole func(output string, x any)) {
	for _, list := range [][]summary.Ratios{p.Ratios, p.BySuite, p.ByObjective} {
		for _, row := range list {
			if row.Label == "mine" {
				row.Rank, row.Tied, row.Best = 0, nil, false // these are not of mine alone
				whole("summary.json", row)
			}
		}
	}
	for _, q := range p.Pairs {
		if (q.A == "mine" || q.B == "mine") && q.A != "twin" && q.B != "twin" {
			whole("head to head", q)
		}
	}
	if v, err := p.Verdict("mine"); err != nil {
		whole("verdict", err.Error())
	} else {
		v.Rank, v.Of, v.Tied, v.Rival, v.Against, v.Significant, v.Enough, v.Text = 0, 0, nil, "", nil, false, 0, ""
		whole("verdict", v)
	}
}

var (
	names       = regexp.MustCompile(`\bmine\b|Mine`)
	tableRow    = regexp.MustCompile(`<tr.*?</tr>`)
	tag         = regexp.MustCompile(`<[^>]*>`)
	superscript = regexp.MustCompile(`\\textsuperscript\{[a-z,]*\}`)
	bold        = regexp.MustCompile(`\\textbf\{([^}]*)\}`)
	separator   = regexp.MustCompile(`[|&,]`)
	rank        = regexp.MustCompile(`^\d+(, shared)?$`)
	comparison  = regexp.MustCompile(`^\d+/\d+$`)
)

// cells are those of a line of a table in Markdown, LaTeX or CSV, or a macro, without what is relative to others: ranks, bold type and
// letters of footnotes.
func cells(line string) (row []string) {
	line = superscript.ReplaceAllString(line, "")
	line = bold.ReplaceAllString(line, "$1")
	if strings.Contains(line, "MineRank}") || strings.Contains(line, "MineRegretRank}") {
		return nil
	}
	compared := false
	for _, cell := range separator.Split(strings.ReplaceAll(line, ", shared", ""), -1) {
		cell = strings.TrimSpace(cell)
		before := compared
		compared = comparison.MatchString(cell)
		if cell == "" || before && cell == "0" {
			compared = compared || before && cell == "0" // "not compared" stands between it and the rank
			continue
		}
		if before && rank.MatchString(cell) {
			continue
		}
		row = append(row, cell)
	}
	return row
}

// TestDistanceIsItsOwn: of two copies of one command, one declines, crashes, times out or ends otherwise on any subset of the instances.
// What all outputs say of the other does not change by a digit, and its rank gets no worse.
func TestDistanceIsItsOwn(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	records, instances := twins(rng)
	rank := func(records []bench.Record) (ranks []int) {
		set, err := ratio.New(ratio.Input{Records: ratio.Pack(records), Problems: []*bench.Problem{fake.Problem()}, Instance: instances.Find})
		fail.On(t, err)
		for _, row := range summary.New(set, nil, 1).Problems[0].Ratios {
			if row.Label == "mine" {
				ranks = append(ranks, row.Rank)
			}
		}
		return ranks
	}
	before := rank(records)
	ways := []bench.Status{
		bench.Skipped, bench.Crash, bench.Timeout, bench.Invalid, bench.Error, bench.OOM, "", // not run
	}
	for _, yours := range []string{"", "mine"} {
		want := said(t, records, instances, yours)
		for _, output := range []string{
			"summary.json", "head to head", "verdict", "summary.md", "index.html", "csv", "flex-opt.tex", "paper/numbers.tex",
			"paper/tables/flex-opt.tex", "paper/tables/flex-opt-by-family.tex", "strips",
		} {
			if len(want[output]) == 0 {
				t.Errorf("%s says nothing of mine: %q", output, slices.Sorted(maps.Keys(want)))
			}
		}
		for k, way := range ways {
			lost := map[string]bool{}
			for i := range 24 {
				// One, all, and any others.
				if name := fmt.Sprintf("i%02d", i); k == 0 && i == 3 || k == 1 || k > 1 && rng.IntN(2) == 0 {
					lost[name] = true
				}
			}
			var changed []bench.Record
			for _, r := range records {
				switch {
				case r.Algorithm != "twin" || !lost[r.Instance]:
				case way == "":
					continue
				default:
					r.Status, r.Objective, r.Feasible = string(way), nil, nil
				}
				changed = append(changed, r)
			}
			got := said(t, changed, instances, yours)
			for _, output := range slices.Sorted(maps.Keys(want)) {
				if d := cmp.Diff(want[output], got[output]); d != "" {
					t.Errorf("twin %q on %d instances: what %s says of mine changed:\n%s", way, len(lost), output, d)
				}
			}
			for i, r := range rank(changed) {
				if r > before[i] {
					t.Errorf("twin %q on %d instances: mine falls from rank %d to %d", way, len(lost), before[i], r)
				}
			}
		}
	}
}
