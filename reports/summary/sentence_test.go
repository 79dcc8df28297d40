package summary

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"schedgap/bench"
	"schedgap/models"
	"schedgap/models/fail"
	"schedgap/reports/internal/fake"
	"schedgap/reports/ratio"
)

func headlineOf(t *testing.T, p *bench.Problem, sim []bench.SimRecord, records ...bench.Record) []Headline {
	t.Helper()
	set, err := ratio.New(ratio.Input{Records: ratio.Pack(records), Problems: []*bench.Problem{p}, Instance: fake.Instances{}.Find})
	fail.On(t, err)
	return New(set, sim, 1).Headlines
}

// The sentences say what the tables say, in the words of the sense.
func TestHeadlines(t *testing.T) {
	p, most := fake.Problem(), fake.Maximize()
	failed := fake.Row(p, "a", "flex", bench.Error)
	failed.Error = fake.Ptr("no licence\nat all")
	seconds := func(policy string, value float64) bench.SimRecord {
		return bench.SimRecord{
			Problem: "cloning", Workload: "w", Policy: policy, Scope: "run", Metric: "mean_flowtime", Unit: "s",
			Value: value, Params: `{"r":"1.5"}`,
		}
	}
	for _, test := range []struct {
		want string
		got  []Headline
	}{
		{
			"flex: flex is 0.080 % above the optimum on average, 0.16 % at worst; fair is 40.0 % above it on average, 60.0 % at worst (2 " +
				"instances).",
			headlineOf(t, p, nil, fake.Optimal(p, "a", "opt", 100), fake.Optimal(p, "b", "opt", 100), fake.Solved(p, "a", "flex", 100.161),
				fake.Solved(p, "b", "flex", 100), fake.Solved(p, "a", "fair", 160), fake.Solved(p, "b", "fair", 122.5)),
		},
		{
			"flex: flex is optimal on all 2 instances; fair is 200 % above the optimum on average, 350 % at worst.",
			headlineOf(t, p, nil, fake.Optimal(p, "a", "opt", 100), fake.Optimal(p, "b", "opt", 100), fake.Solved(p, "a", "flex", 100),
				fake.Solved(p, "b", "flex", 100), fake.Solved(p, "a", "fair", 450), fake.Solved(p, "b", "fair", 200)),
		},
		{
			"flex: all 2 algorithms are optimal on all 2 instances.",
			headlineOf(t, p, nil, fake.Optimal(p, "a", "opt", 100), fake.Optimal(p, "b", "opt", 100), fake.Solved(p, "a", "flex", 100),
				fake.Solved(p, "b", "flex", 100), fake.Solved(p, "a", "fair", 100), fake.Solved(p, "b", "fair", 100)),
		},
		{
			"flex: fair and flex are 10.0 % above the optimum on average, 10.0 % at worst; spt is 20.0 % above it on average, 20.0 % at " +
				"worst (1 instance).",
			headlineOf(t, p, nil, fake.Optimal(p, "a", "opt", 10), fake.Solved(p, "a", "flex", 11), fake.Solved(p, "a", "fair", 11),
				fake.Solved(p, "a", "spt", 12)),
		},
		{
			"pocd: shed has no solution on 1 of 2 instances (1 not run); on the others it is 20.0 % below the optimum on average, 20.0 % at " +
				"worst (2 instances).",
			headlineOf(t, most, nil, fake.Optimal(most, "a", "opt", 10), fake.Optimal(most, "b", "opt", 10),
				fake.Solved(most, "a", "shed", 8)),
		},
		{
			"flex: flex is 13.6–25.0 % above the optimum on average, 13.6–25.0 % at worst; fair is 36.4–50.0 % above it on average, " +
				"36.4–50.0 % at worst (1 instance, 1 with an open optimum).",
			headlineOf(t, p, nil, fake.Bounded(p, "a", "opt", 80, fake.Ptr(88.0)), fake.Solved(p, "a", "flex", 100),
				fake.Solved(p, "a", "fair", 120)),
		},
		{
			"flex: flex is 10.0 % above the optimum on average, 10.0 % at worst; fair has no solution on 1 of 2 instances (1 crashed) " +
				"(2 instances).",
			headlineOf(t, p, nil, fake.Optimal(p, "a", "opt", 100), fake.Optimal(p, "b", "opt", 100), fake.Solved(p, "a", "flex", 110),
				fake.Solved(p, "b", "flex", 110), fake.Solved(p, "a", "fair", 100), fake.Row(p, "b", "fair", bench.Crash)),
		},
		{
			"flex: no solution on 1 instance: of 1 unit 1 failed; most often: no licence.",
			headlineOf(t, p, nil, failed),
		},
		{"flex: opt is proven on 1 of 1 instance; no heuristic was run.", headlineOf(t, p, nil, fake.Optimal(p, "a", "opt", 1))},
		{
			"cloning: 2 policies simulated on 1 workload, 2 repetitions each; mean flowtime from 12.00 s (srpt) to 40.00 s (fifo).",
			headlineOf(t, p, []bench.SimRecord{seconds("srpt", 11), seconds("srpt", 13), seconds("fifo", 40), seconds("fifo", 40)}),
		},
	} {
		if i := slices.IndexFunc(test.got, func(h Headline) bool { return h.Text == test.want }); i < 0 {
			t.Errorf("got %q, want %q", test.got, test.want)
		}
	}
}

// Colours belong to algorithms: those of a catalogue keep theirs beside some commands, and 15 are distinct.
func TestStyles(t *testing.T) {
	p := fake.Problem()
	of := func(records ...bench.Record) map[string]int {
		set, err := ratio.New(ratio.Input{Records: ratio.Pack(records), Problems: []*bench.Problem{p}, Instance: fake.Instances{}.Find})
		fail.On(t, err)
		out := map[string]int{}
		for v, i := range New(set, nil, 1).Problems[0].Styles {
			out[v.Label] = i
		}
		return out
	}
	one := of(fake.Solved(p, "a", "fair", 2), fake.Optimal(p, "a", "opt", 1))
	records := []bench.Record{fake.Solved(p, "a", "flex", 2), fake.Solved(p, "a", "fair", 2), fake.Optimal(p, "a", "opt", 1)}
	for _, name := range []string{"mine", "yours", "a", "b", "c", "d", "e"} {
		records = append(records, fake.Solved(p, "a", name, 3))
	}
	slow := fake.Solved(p, "b", "fair", 2)
	slow.Params, slow.UnitID = `{"k":"2"}`, "slow"
	many := of(append(records, slow)...)
	if one["fair"] != many["fair"] || one["opt"] != many["opt"] {
		t.Errorf("%v, and with others %v", one, many)
	}
	colours := map[int]string{}
	for label, i := range many {
		if label == "fair (k=2)" {
			if i%Colours != many["fair"] || i == many["fair"] {
				t.Errorf("a variant of fair has style %d, fair %d", i, many["fair"])
			}
			continue
		}
		if other, taken := colours[i%Colours]; taken {
			t.Errorf("%s and %s have one colour", label, other)
		}
		colours[i%Colours] = label
	}
}

// TestOptimal: of ten optimal schedules printed with seven digits all count, in the sentence as in the table; one that was run on fewer
// instances is judged by those.
func TestOptimal(t *testing.T) {
	p := fake.Problem()
	var records []bench.Record
	for i := range 10 {
		name, value := string(rune('a'+i)), 100.0/float64(3+i)
		printed, err := strconv.ParseFloat(fmt.Sprintf("%.7g", value), 64)
		fail.On(t, err)
		records = append(records, fake.Optimal(p, name, "opt", value), fake.Solved(p, name, "printed", max(value, printed)))
		if i < 6 {
			records = append(records, fake.Solved(p, name, "flex", value))
		}
	}
	set, err := ratio.New(ratio.Input{Records: ratio.Pack(records), Problems: []*bench.Problem{p}, Instance: fake.Instances{}.Find})
	fail.On(t, err)
	r := New(set, nil, 1)
	for _, row := range r.Problems[0].Ratios {
		if k, n := row.OptimalOf(); row.Kind != string(models.Exact) && (k != n || n != map[string]int{"printed": 10, "flex": 6}[row.Label]) {
			t.Errorf("%s is optimal on %d of %d", row.Label, k, n)
		}
	}
	if text := r.Headlines[0].Text; !strings.HasPrefix(text, "flex: printed is optimal on all 10 instances; flex has no solution on 4 of") {
		t.Error(text)
	}
	if v, err := r.Problems[0].Verdict("printed"); err != nil || !strings.HasPrefix(v.Text, "printed is optimal on all 10 instances.") {
		t.Errorf("%+v, %v", v, err)
	}
}

// TestNamed: objectives are named where numbers stand.
func TestNamed(t *testing.T) {
	p, instances := fake.Problem(), fake.Instances{}
	instances.Add("a", models.Quotient, nil)
	instances[fake.SHA("a")].Objective = "weighted tardiness"
	set, err := ratio.New(ratio.Input{
		Records:  ratio.Pack([]bench.Record{fake.Optimal(p, "a", "opt", 10), fake.Solved(p, "a", "fair", 12)}),
		Problems: []*bench.Problem{p}, Instance: instances.Find,
	})
	fail.On(t, err)
	r := New(set, nil, 1)
	v, err := r.Problems[0].Verdict("fair")
	fail.On(t, err)
	for _, text := range []string{r.Headlines[0].Text, v.Text} {
		if !strings.Contains(text, "20.0 % above the optimal weighted tardiness") {
			t.Error(text)
		}
	}
}

// TestDeclared: of a simulation the objective over its bound is said first and stands first in tables, and conditions are last.
func TestDeclared(t *testing.T) {
	var sim []bench.SimRecord
	for policy, flowtime := range map[string]float64{"srpt": 14.6, "fifo": 23.9} {
		for metric, value := range map[string]float64{
			"makespan": 100, "makespan_bound": 99, "mean_flowtime": flowtime, "mean_flowtime_bound": 10, "load": 0.9, "waiting": 3,
		} {
			sim = append(sim, bench.SimRecord{Problem: "cloning", Workload: "w", Policy: policy, Scope: "run", Metric: metric, Value: value})
		}
	}
	set, err := ratio.New(ratio.Input{})
	fail.On(t, err)
	r := New(set, sim, 1)
	if want := "mean flowtime over bound from 1.4600 (srpt) to 2.3900 (fifo)"; !strings.Contains(r.Headlines[0].Text, want) {
		t.Errorf("%q, want %q", r.Headlines[0].Text, want)
	}
	first, last := r.Simulations[0], r.Simulations[len(r.Simulations)-1]
	if first.Metric != "mean_flowtime_over_bound" || !last.Condition() || first.Condition() {
		t.Errorf("first %s, last %s", first.Metric, last.Metric)
	}
}

// set makes a report on records.
func set(t *testing.T, p *bench.Problem, instances fake.Instances, records ...bench.Record) *Report {
	t.Helper()
	set, err := ratio.New(ratio.Input{Records: ratio.Pack(records), Problems: []*bench.Problem{p}, Instance: instances.Find})
	fail.On(t, err)
	return New(set, nil, 1)
}

// TestLost: the first line names a command that failed everywhere, and how.
func TestLost(t *testing.T) {
	p := fake.Problem()
	var records []bench.Record
	for i := range 6 {
		name := fmt.Sprintf("i%d", i)
		records = append(records, fake.Optimal(p, name, "opt", 10), fake.Solved(p, name, "flex", 11), fake.Row(p, name, "mine", bench.Crash))
	}
	r := set(t, p, nil, records...)
	want := "flex: mine has no solution on 6 of 6 instances (6 crashed); flex is "
	if text := r.Headlines[0].Text; !strings.HasPrefix(text, want) {
		t.Error(text)
	}
	r.Mine("mine", false)
	if !strings.HasPrefix(r.Headlines[0].Text, want) {
		t.Error(r.Headlines[0].Text)
	}
}

// TestObjectives: where values measure several things, sentences are about what most instances have, in at most 30 words; the other
// objectives are rows of a table.
func TestObjectives(t *testing.T) {
	p, instances := fake.Problem(), fake.Instances{}
	var records []bench.Record
	for i := range 30 {
		name, objective, comparison := fmt.Sprintf("i%02d", i), "largest weighted lateness", models.Difference
		switch {
		case i%5 < 2:
			objective, comparison = "total response time", models.Quotient
		case i%5 == 2:
			objective, comparison = "total stretch", models.Quotient
		case i%5 == 3:
			objective = "weighted tardiness"
		}
		instances.Add(name, comparison, nil)
		instances[fake.SHA(name)].Objective = objective
		records = append(records, fake.Optimal(p, name, "opt", 10), fake.Solved(p, name, "mine", 12+float64(i%7)/10), fake.Solved(p, name, "fair", 13))
	}
	r := set(t, p, instances, records...)
	r.Mine("mine", false)
	v, err := r.Problems[0].Verdict("mine")
	fail.On(t, err)
	if v.Objective != "total response time" || v.Instances != 12 || len(v.Objectives) != 4 || v.Objectives[0].Instances != 12 {
		t.Errorf("%+v", v)
	}
	want := regexp.MustCompile(`^mine is 2\d\.\d % \[2\d\.\d, 2\d\.\d\] above the optimal total response time on average, 26\.0 % at worst, ` +
		`and optimal on 0 of 12 instances\.$`)
	if !want.MatchString(v.Sentence) || len(strings.Fields(v.Sentence)) > 30 || r.Headlines[0].Text != "flex: "+v.Sentence {
		t.Errorf("%d words: %s; the headline: %s", len(strings.Fields(v.Sentence)), v.Sentence, r.Headlines[0].Text)
	}
	for _, o := range v.Objectives {
		rows := r.Problems[0].Rows("opt", o.Regret, func(row *Ratios) bool { return row.Label == "mine" && row.Objective == o.Objective })
		if len(rows) != 1 || rows[0].Lead() != o.Distance || rows[0].Size() != o.Instances {
			t.Errorf("%+v, and the rows %+v", o, rows)
		}
	}
}

// TestOtherObjective: a command without a solution of the main objective is judged by another one.
func TestOtherObjective(t *testing.T) {
	p, instances := fake.Problem(), fake.Instances{}
	var records []bench.Record
	for i := range 9 {
		name := fmt.Sprintf("i%d", i)
		instances.Add(name, models.Quotient, nil)
		mine := fake.Row(p, name, "mine", bench.Skipped)
		instances[fake.SHA(name)].Objective = "total response time"
		if i%3 == 2 {
			instances[fake.SHA(name)].Objective = "total stretch"
			mine = fake.Solved(p, name, "mine", 11)
		}
		records = append(records, fake.Optimal(p, name, "opt", 10), mine, fake.Solved(p, name, "fair", 12))
	}
	v, err := set(t, p, instances, records...).Problems[0].Verdict("mine")
	if err != nil || v.Objective != "total stretch" || v.Instances != 3 || len(v.Objectives) != 2 || v.Objectives[0].Compared != 0 {
		t.Errorf("%+v, %v", v, err)
	}
}

// TestTies: what shares a rank is said, wherever a rank is.
func TestTies(t *testing.T) {
	p := fake.Problem()
	var records []bench.Record
	for i := range 8 {
		name := fmt.Sprintf("i%d", i)
		records = append(records, fake.Optimal(p, name, "opt", 10))
		for label, value := range map[string]float64{"mine": 11, "twin": 11, "spt": 11, "fair": 12, "fifo": 12} {
			records = append(records, fake.Solved(p, name, label, value))
		}
	}
	r := set(t, p, nil, records...)
	for label, want := range map[string]string{
		"mine": "It is shared first with spt and twin, of 5 one-pass rules.", "fair": "It is shared fourth with fifo, of 5 one-pass rules.",
	} {
		if v, err := r.Problems[0].Verdict(label); err != nil || !strings.Contains(v.Text, want) {
			t.Errorf("%q is missing: %+v, %v", want, v, err)
		}
	}
	if text := r.Headlines[0].Text; !strings.HasPrefix(text, "flex: spt, mine and twin are 10.0 % ") {
		t.Error(text)
	}
}
