package summary

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"schedgap/bench"
	"schedgap/models/fail"
	"schedgap/reports/internal/fake"
	"schedgap/reports/ratio"
	"schedgap/reports/stats"
)

// TestEnough: of normal differences with a mean of .3 standard deviations, a single signed-rank test needs (1.96 +
// .84)²/(.3²·3/π) ≈ 91.
func TestEnough(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	diffs := make([]float64, 4000)
	for i := range diffs {
		diffs[i] = rng.NormFloat64() + 0.3
	}
	test := stats.ComparePaired(diffs)
	q := &Pair{Instances: 2 * len(diffs), Win: test.Win, Loss: test.Loss, test: test} // every second instance is a tie
	if n := enough(q, 1); math.Abs(float64(n)-2*91) > 0.15*2*91 {
		t.Errorf("%d instances, want about %d", n, 2*91)
	}
	if one, many := enough(q, 1), enough(q, 28); many < one*5/4 {
		t.Errorf("%d for one pair, %d for 28", one, many)
	}
}

// TestVerdictOfItsKind: the rival is the best one-pass rule, searches are apart, and what is infinite says why.
func TestVerdictOfItsKind(t *testing.T) {
	p := fake.Problem()
	for i := range p.Algorithms {
		if p.Algorithms[i].Name == "flex-ls" {
			p.Algorithms[i].Search = true
		}
	}
	var records []bench.Record
	for i := range 10 {
		name := fmt.Sprintf("i%d", i)
		records = append(records, fake.Optimal(p, name, "opt", 10), fake.Solved(p, name, "flex-ls", 10), fake.Solved(p, name, "spt", 11),
			fake.Solved(p, name, "mine", 12), fake.Solved(p, name, "fair", 13))
		if late := fake.Solved(p, name, "late", 10.5); i >= 3 {
			records = append(records, late)
		} else {
			records = append(records, fake.Row(p, name, "late", bench.Timeout))
		}
	}
	set, err := ratio.New(ratio.Input{Records: ratio.Pack(records), Problems: []*bench.Problem{p}, Instance: fake.Instances{}.Find})
	fail.On(t, err)
	r := New(set, nil, 1)
	for label, want := range map[string][]string{
		"mine": {"It is second of 4 one-pass rules.", "Against spt, the best other one-pass rule, on the 10 instances of both:", "Apart, 1 search: flex-ls 0 %"},
		"spt":  {"It is first of 4 one-pass rules.", "Against mine, the best other one-pass rule, on the 10 instances of both:"},
		"late": {
			"late has no solution on 3 of 10 instances (3 timed out at 60 s); on the others it is 5.0 % above", "For more time: --time-limit 5m.",
			"It is fourth of 4",
		},
	} {
		v, err := r.Problems[0].Verdict(label)
		fail.On(t, err)
		for _, text := range want {
			if !strings.Contains(v.Text, text) {
				t.Errorf("%q is missing: %s", text, v.Text)
			}
		}
	}
	v, err := r.Problems[0].Verdict("late")
	row := find(t, r.Problems[0], "late")
	if k, n := row.OptimalOf(); err != nil || n != 10 || v.Instances != n || v.Optimal != k || row.Instances != n || v.Against.Instances != n {
		t.Errorf("of %d instances: %+v, against %+v, row %+v, %v", n, v, v.Against, row, err)
	}
	r.Mine("mine", false)
	if text := r.Headlines[0].Text; !strings.HasPrefix(text, "flex: mine is 20.0 % ") {
		t.Error(text)
	}
	lead, _ := r.Problems[0].Lead()
	rows := r.Problems[0].Table(lead.Reference, lead.Regret)
	r.Problems[0].MineFirst(rows)
	if rows[0].Label != "mine" || r.Problems[0].Outcomes[0].Label != "mine" {
		t.Errorf("%s is first", rows[0].Label)
	}
}

// TestLeadOfClass: what is said of a command begins with the optima of the class of its solutions.
func TestLeadOfClass(t *testing.T) {
	p := fake.Problem()
	var records []bench.Record
	for i := range 6 {
		name := fmt.Sprintf("i%d", i)
		mine := fake.Solved(p, name, "mine", 12)
		mine.Reference = "opt-mps"
		records = append(records, fake.Optimal(p, name, "opt", 10), fake.Optimal(p, name, "opt-mps", 12), mine,
			fake.Solved(p, name, "fair", 13))
	}
	set, err := ratio.New(ratio.Input{Records: ratio.Pack(records), Problems: []*bench.Problem{p}, Instance: fake.Instances{}.Find})
	fail.On(t, err)
	r := New(set, nil, 1)
	if v, err := r.Problems[0].Verdict("mine"); err != nil || v.Reference != "opt-mps" || v.Optimal != 6 {
		t.Errorf("%+v, %v", v, err)
	}
	if v, _ := r.Problems[0].Lead(); v.Reference != "opt" {
		t.Errorf("the report on all begins with %s", v.Reference)
	}
	r.Mine("mine", false)
	if v, _ := r.Problems[0].Lead(); v.Reference != "opt-mps" || r.Problems[0].Views[0].Reference != "opt-mps" {
		t.Errorf("the report on mine begins with %s", r.Problems[0].Views[0].Reference)
	}
}
